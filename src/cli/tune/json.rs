//! The result of a run as one JSON object.

use serde_json::{Value as Json, json};

use super::run::{Summary, Verification};
use crate::arena::tune::{Chain, Domain, Estimate, Finding, Parameter, Progress, TuneIdentity};
use crate::cli::r#match::json::of_report;
use crate::setting::Value;

/// The object, in one line.
pub(super) fn text(summary: &Summary<'_>) -> String {
    let Summary {
        identity,
        tuning,
        verification,
        outcome,
    } = *summary;
    let estimates = tuning.estimates();
    let parameters = identity.parameters.iter().zip(&estimates);
    let parameters: Vec<Json> = parameters.map(|(p, e)| of_parameter(p, e)).collect();
    let done = estimates
        .iter()
        .all(|estimate| estimate.progress() == Progress::Settled);
    let verified = |v: &Verification| of_report(&v.report, &v.sides);
    let object = json!({
        "games": tuning.done(),
        "games_planned": tuning.games(),
        "chains": tuning.chains().iter().map(|chain| of_chain(identity, chain)).collect::<Vec<_>>(),
        "parameters": parameters,
        "is_done": done,
        "verification": verification.map(verified),
        "outcome": outcome.word(),
        "written": outcome.written().map(|path| path.display().to_string()),
        "backup": outcome.backup().map(|path| path.display().to_string()),
    });
    format!("{object}\n")
}

fn of_parameter(parameter: &Parameter, estimate: &Estimate) -> Json {
    let progress = match estimate.progress() {
        Progress::Settled => "settled",
        Progress::Narrowing(_) => "narrowing",
        Progress::AtEnd => "at_end",
        Progress::Unknown => "unknown",
    };
    let mut object = json!({
        "name": parameter.name,
        "section": parameter.section.name(),
        "present": of_value(&parameter.current()),
        "tuned": of_value(&estimate.value),
        "progress": progress,
    });
    match &estimate.finding {
        Finding::Number(number) => {
            object["range"] = number
                .range
                .map_or(Json::Null, |(low, high)| json!([low, high]));
            object["cost_elo"] = json!(number.cost);
        }
        Finding::Words(words) => {
            let words = words.iter().map(|(word, elo)| {
                let elo =
                    elo.map(|elo| json!({"value": elo.value, "low": elo.low, "high": elo.high}));
                json!({"word": of_value(word), "elo": elo})
            });
            object["others"] = words.collect();
        }
    }
    object
}

/// The path of a chain: after each batch, its games and the values of the numbers.
fn of_chain(identity: &TuneIdentity, chain: &Chain) -> Json {
    let scales: Vec<_> = identity
        .parameters
        .iter()
        .filter_map(|parameter| match &parameter.domain {
            Domain::Number(domain) => Some(domain.scale),
            Domain::Words { .. } => None,
        })
        .collect();
    let path = chain.steps().iter().map(|step| {
        let values = step.theta.iter().zip(&scales);
        let values: Vec<f64> = values.map(|(place, scale)| scale.value(*place)).collect();
        json!({"games": 2 * step.done, "values": values})
    });
    json!({"chain": chain.index(), "path": path.collect::<Vec<_>>()})
}

/// A value as JSON.
pub(super) fn of_value(value: &Value) -> Json {
    match value {
        Value::Bool(on) => json!(on),
        Value::Int(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::List(texts) => json!(texts),
    }
}
