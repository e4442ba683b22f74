//! Which parameters matter at all.

use super::parameter::{Domain, NumberDomain, Parameter};
use super::parameter_spec::ParameterSpec;
use super::run::with_values;
use crate::arena::config::MatchConfig;
use crate::arena::plan::{MatchOptions, Plan, PlanError};
use crate::arena::side::Side;
use crate::setting::Value;

/// A match of one changed value against all present ones.
pub struct Probe {
    /// The parameter.
    pub parameter: Parameter,
    /// The changed value.
    pub value: Value,
    /// The match: side A has the changed value.
    pub plan: Plan,
}

/// How far from the present value a number is probed, in perturbations, unless a range is given or ends before.
const PROBED_STEPS: f64 = 4.0;

/// The matches of all parameters, which `specs` name: a number at both ends of the range that is given, or else of what is
/// sensible for it; a word against each other one.
///
/// # Errors
/// Games that are no pairs, or openings that cannot be had.
pub fn probes(
    side: &Side,
    parameters: &[Parameter],
    specs: &[ParameterSpec],
    config: &MatchConfig,
    options: &MatchOptions,
) -> Result<Vec<Probe>, PlanError> {
    let mut probes = Vec::new();
    for (parameter, spec) in parameters.iter().zip(specs) {
        for value in probed(parameter, spec.range.is_some()) {
            let changed = with_values(
                side,
                std::slice::from_ref(parameter),
                std::slice::from_ref(&value),
            );
            probes.push(Probe {
                parameter: parameter.clone(),
                plan: Plan::new(vec![changed, side.clone()], config, options)?,
                value,
            });
        }
    }
    Ok(probes)
}

/// The values that are probed, none of them the present one; `widely`, at the ends of the range.
fn probed(parameter: &Parameter, widely: bool) -> Vec<Value> {
    let values = match &parameter.domain {
        Domain::Words { others, .. } => others.iter().map(|word| parameter.word(word)).collect(),
        Domain::Number(domain) => ends(domain, widely),
    };
    let current = parameter.current();
    values
        .into_iter()
        .filter(|value| *value != current)
        .collect()
}

fn ends(domain: &NumberDomain, widely: bool) -> Vec<Value> {
    let axis = domain.axis(0.0);
    let reach = match widely {
        true => axis.max - axis.min,
        false => PROBED_STEPS * axis.c_end,
    };
    let places = [
        (axis.start - reach).max(axis.min),
        (axis.start + reach).min(axis.max),
    ];
    places.iter().map(|place| domain.written(*place)).collect()
}
