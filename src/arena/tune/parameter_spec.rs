//! A parameter as it is written on the command line.

use std::str::FromStr;

use super::parameter::{Domain, NumberDomain, Parameter, Scale, TunedSection, names, number};
use crate::search::{SearchParams, TimeParams};
use crate::setting::{Kind, Setting, Settings, Value, nearest};

/// A parameter as it is written on the command line: `NAME` or `NAME=LOW..HIGH`.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterSpec {
    /// The key of the setting.
    pub name: String,
    /// The range that is tried, if not the usual one.
    pub range: Option<(f64, f64)>,
}

/// A parameter that cannot be tuned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// The text is no parameter.
    #[error("`{0}`: write a name, or NAME=LOW..HIGH with two numbers, the lower first")]
    Form(String),
    /// There is no such setting.
    #[error("there is no parameter `{name}` to tune{}", match .nearest {
        Some(nearest) => format!(", did you mean `{nearest}`?"),
        None => format!("; there are {}", .known.join(", ")),
    })]
    Unknown {
        /// What was given.
        name: String,
        /// The parameter that looks most like it.
        nearest: Option<&'static str>,
        /// All parameters.
        known: Vec<&'static str>,
    },
    /// Games cannot judge it.
    #[error(
        "`{0}` is not tuned: it is a resource, a seed or a matter of the network, and games do not tell which value is best"
    )]
    Fixed(String),
    /// It says how a clock is spent, and there is none.
    #[error("`{0}` has no effect without a clock: give one with --clock")]
    NoClock(String),
    /// A range for something else than a number.
    #[error("`{0}` has no range: all its values are tried")]
    NoRange(String),
    /// The range goes beyond that of the setting.
    #[error("the range of `{name}` must lie within what it may be, {allowed}")]
    Range {
        /// The parameter.
        name: String,
        /// What it may be.
        allowed: Kind,
    },
    /// A range of ratios from 0.
    #[error("`{0}` counts by ratios: its range must begin above 0")]
    NotPositive(String),
    /// It is named twice.
    #[error("`{0}` is named twice")]
    Twice(String),
}

impl FromStr for ParameterSpec {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let (name, range) = match text.split_once('=') {
            None => (text, None),
            Some((name, range)) => (name, Some(range)),
        };
        let ends = |range: &str| {
            let (low, high) = range.split_once("..")?;
            let ends: (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            (ends.0 < ends.1).then_some(ends)
        };
        let form = || ParameterError::Form(text.to_owned());
        let name = name.trim();
        if name.is_empty() {
            return Err(form());
        }
        Ok(Self {
            name: name.to_owned(),
            range: range
                .map(|range| ends(range).ok_or_else(form))
                .transpose()?,
        })
    }
}

/// The parameters that are meant, with their present values.
///
/// # Errors
/// One of them cannot be tuned, or is named twice.
pub fn resolve(
    specs: &[ParameterSpec],
    (search, time): (&SearchParams, &TimeParams),
    has_clock: bool,
) -> Result<Vec<Parameter>, ParameterError> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for spec in specs {
        if parameters.iter().any(|known| known.name == spec.name) {
            return Err(ParameterError::Twice(spec.name.clone()));
        }
        let of_time = spec.find(time);
        if of_time.is_some() && !has_clock {
            return Err(ParameterError::NoClock(spec.name.clone()));
        }
        let of_time = of_time.map(|found| (TunedSection::Time, found));
        let of_search = spec.find(search).map(|found| (TunedSection::Search, found));
        let (section, found) = of_search
            .or(of_time)
            .ok_or_else(|| spec.unknown(has_clock))?;
        parameters.push(Parameter {
            name: spec.name.clone(),
            section,
            domain: spec.domain(&found)?,
        });
    }
    Ok(parameters)
}

/// What a table says of a setting.
struct Found {
    kind: Kind,
    is_tunable: bool,
    current: Value,
    default: Value,
}

impl ParameterSpec {
    fn find<S: Settings>(&self, section: &S) -> Option<Found> {
        let setting: &Setting<S> = S::TABLE.iter().find(|setting| setting.name == self.name)?;
        Some(Found {
            kind: setting.kind,
            is_tunable: setting.is_tunable,
            current: (setting.get)(section),
            default: (setting.get)(&S::default()),
        })
    }

    fn unknown(&self, has_clock: bool) -> ParameterError {
        let all = names::<SearchParams>().chain(names::<TimeParams>());
        ParameterError::Unknown {
            name: self.name.clone(),
            nearest: nearest(&self.name, all),
            known: Parameter::all_names(has_clock),
        }
    }

    fn domain(&self, found: &Found) -> Result<Domain, ParameterError> {
        if !found.is_tunable {
            return Err(ParameterError::Fixed(self.name.clone()));
        }
        let words: Vec<String> = match found.kind {
            Kind::Bool => ["false", "true"].map(str::to_owned).to_vec(),
            Kind::Choice(words) => words.iter().map(|word| (*word).to_owned()).collect(),
            Kind::Int { min, max } => {
                return self.numbers(found, (min as f64, max as f64), true);
            }
            Kind::Float { min, max } => return self.numbers(found, (min, max), false),
            Kind::Text | Kind::Secret | Kind::List(_) => {
                return Err(ParameterError::Fixed(self.name.clone()));
            }
        };
        if self.range.is_some() {
            return Err(ParameterError::NoRange(self.name.clone()));
        }
        let current = super::parameter::text(&found.current);
        Ok(Domain::Words {
            others: words.into_iter().filter(|word| *word != current).collect(),
            current,
        })
    }

    /// The numbers to try. A setting whose built-in default is small within its range counts by ratios, and is then
    /// tried from the fiftieth part of its default to the fiftyfold; any other over its whole range.
    fn numbers(
        &self,
        found: &Found,
        (min, max): (f64, f64),
        whole: bool,
    ) -> Result<Domain, ParameterError> {
        let fixed = || ParameterError::Fixed(self.name.clone());
        let default = number(&found.default).ok_or_else(fixed)?;
        let current = number(&found.current).ok_or_else(fixed)?;
        let is_small = default > 0.0 && default - min < SMALL_PART * (max - min);
        let (usual, scale) = match is_small {
            true => {
                let mut low = min.max(default / WIDEST_RATIO);
                if whole {
                    low = low.ceil();
                }
                ((low, max.min(default * WIDEST_RATIO)), Scale::Logarithmic)
            }
            false => ((min, max), Scale::Linear),
        };
        let (low, high) = self.range.unwrap_or(usual);
        let is_whole = low.fract() == 0.0 && high.fract() == 0.0;
        if low < min || high > max || (whole && !is_whole) {
            return Err(ParameterError::Range {
                name: self.name.clone(),
                allowed: found.kind,
            });
        }
        if scale == Scale::Logarithmic && low <= 0.0 {
            return Err(ParameterError::NotPositive(self.name.clone()));
        }
        Ok(Domain::Number(NumberDomain {
            scale,
            whole,
            current,
            low,
            high,
        }))
    }
}

/// A default below this part of the range is small within it.
const SMALL_PART: f64 = 0.2;

/// How far from its default a setting that counts by ratios is tried.
const WIDEST_RATIO: f64 = 50.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(texts: &[&str], has_clock: bool) -> Result<Vec<Parameter>, ParameterError> {
        let specs: Result<Vec<_>, _> = texts.iter().map(|text| text.parse()).collect();
        let search = SearchParams {
            exploration: 5.0,
            ..SearchParams::default()
        };
        resolve(&specs?, (&search, &TimeParams::default()), has_clock)
    }

    #[test]
    fn ranges_come_from_the_table() {
        let parameters = resolved(&["exploration", "leaves_at_once", "proofs"], false).unwrap();
        let Domain::Number(exploration) = parameters[0].domain else {
            panic!("{parameters:?}");
        };
        assert_eq!(exploration.scale, Scale::Logarithmic);
        assert_eq!((exploration.current, exploration.high), (5.0, 10.0));
        let Domain::Number(leaves) = parameters[1].domain else {
            panic!("{parameters:?}");
        };
        assert_eq!((leaves.scale, leaves.whole), (Scale::Linear, true));
        let others = vec!["false".to_owned()];
        let current = "true".to_owned();
        assert_eq!(parameters[2].domain, Domain::Words { current, others });
    }

    #[test]
    fn a_range_may_be_given() {
        let parameters = resolved(&["exploration=0.1..2"], false).unwrap();
        let Domain::Number(domain) = parameters[0].domain else {
            panic!("{parameters:?}");
        };
        assert_eq!((domain.low, domain.high), (0.1, 2.0));
        let start = domain.axis(0.1).start;
        assert!(
            (start - 2_f64.ln()).abs() < 1e-15,
            "the nearest value within it"
        );
    }

    #[test]
    fn what_cannot_be_tuned_is_explained() {
        let error = |text: &str| resolved(&[text], false).unwrap_err().to_string();
        assert!(error("explration").ends_with("did you mean `exploration`?"));
        assert!(error("zzz").contains(" exploration, "), "{}", error("zzz"));
        assert!(error("threads").starts_with("`threads` is not tuned"));
        assert!(error("max_share").ends_with("give one with --clock"));
        assert!(error("proofs=0..1").starts_with("`proofs` has no range"));
        assert!(error("exploration=0..1").ends_with("must begin above 0"));
        assert!(error("exploration=1..11").contains("a number from 0 to 10"));
        assert!(error("expansion_visits=1.5..3").contains("a whole number from 1"));
        for text in ["exploration=2..1", "exploration=1", "=1..2", ""] {
            assert!(error(text).contains("write a name, or"), "{text}");
        }
        let twice = resolved(&["exploration", "exploration=1..2"], false);
        assert_eq!(twice, Err(ParameterError::Twice("exploration".to_owned())));
        assert!(resolved(&["max_share"], true).is_ok());
    }
}
