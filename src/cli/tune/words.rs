//! What is known of parameters, in words.

use crate::arena::stats::Interval;
use crate::arena::tune::{Domain, Estimate, Finding, Parameter, Progress, rounded, text};
use crate::cli::r#match::table::signed;
use crate::setting::Value;

/// A value in a table: numbers with few digits.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Float(number) => text(&Value::Float(rounded(*number))),
        other => text(other),
    }
}

/// The range in which the best value lies.
pub(super) fn range(parameter: &Parameter, estimate: &Estimate) -> String {
    match (&estimate.finding, &parameter.domain) {
        (Finding::Number(number), Domain::Number(domain)) => match number.range {
            Some((low, high)) if domain.whole => {
                format!("{} to {}", low.floor(), high.ceil())
            }
            Some((low, high)) => format!("{} to {}", rounded(low), rounded(high)),
            None => "not known".to_owned(),
        },
        (Finding::Words(words), _) => {
            let words: Vec<_> = words
                .iter()
                .map(|(word, elo)| word_elo(word, elo.as_ref()))
                .collect();
            words.join("; ")
        }
        (Finding::Number(_), Domain::Words { .. }) => "not known".to_owned(),
    }
}

fn word_elo(word: &Value, elo: Option<&Interval>) -> String {
    match elo {
        Some(elo) => format!(
            "{} {} ± {:.0} Elo",
            text(word),
            signed(elo.value, 0),
            elo.half_width()
        ),
        None => format!("{} not played", text(word)),
    }
}

/// Whether a parameter is tuned well enough, and what else to do.
pub(super) fn progress(estimate: &Estimate) -> String {
    match (estimate.progress(), &estimate.finding) {
        (Progress::Settled, Finding::Number(number)) => format!(
            "settled: not knowing it better costs {:.1} Elo",
            number.cost.unwrap_or_default()
        ),
        (Progress::Settled, Finding::Words(_)) => "settled".to_owned(),
        (Progress::Narrowing(times), _) => {
            format!(
                "not yet: about {} as many games would settle it",
                times_more(times)
            )
        }
        (Progress::AtEnd, _) => {
            "the best value seems to lie at an end of the range, or beyond it".to_owned()
        }
        (Progress::Unknown, Finding::Number(_)) => {
            "the games show no best value yet: play more, or it hardly matters".to_owned()
        }
        (Progress::Unknown, Finding::Words(_)) => "undecided, so it stays as it is".to_owned(),
    }
}

fn times_more(times: f64) -> String {
    match times.ceil() {
        ..=2.0 => "twice".to_owned(),
        times => format!("{times:.0} times"),
    }
}

/// Whether the whole run is done, in a sentence.
pub(super) fn is_done(parameters: &[Parameter], estimates: &[Estimate]) -> String {
    let open: Vec<&str> = parameters
        .iter()
        .zip(estimates)
        .filter(|(_, estimate)| estimate.progress() != Progress::Settled)
        .map(|(parameter, _)| parameter.name.as_str())
        .collect();
    match open.len() {
        0 => "yes: what is not known better costs less than 3 Elo each".to_owned(),
        n if n == parameters.len() && n > 1 => "not yet, for none of them".to_owned(),
        _ => format!("not yet, for {}", open.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::tune::NumberFinding;

    fn number(range: Option<(f64, f64)>, cost: Option<f64>) -> Estimate {
        Estimate {
            value: Value::Float(0.5),
            finding: Finding::Number(NumberFinding {
                range,
                cost,
                is_at_end: false,
            }),
        }
    }

    #[test]
    fn progress_is_told_in_words() {
        let told = |cost: Option<f64>| progress(&number(cost.map(|_| (0.4, 0.6)), cost));
        assert_eq!(
            told(Some(1.24)),
            "settled: not knowing it better costs 1.2 Elo"
        );
        assert_eq!(
            told(Some(4.0)),
            "not yet: about twice as many games would settle it"
        );
        assert_eq!(
            told(Some(30.1)),
            "not yet: about 11 times as many games would settle it"
        );
        assert!(told(None).starts_with("the games show no best value yet"));
        let elo = Interval {
            value: 12.3,
            low: -8.0,
            high: 32.0,
        };
        let words = Estimate {
            value: Value::Bool(true),
            finding: Finding::Words(vec![(Value::Bool(false), Some(elo))]),
        };
        assert_eq!(progress(&words), "undecided, so it stays as it is");
        assert_eq!(
            word_elo(&Value::Bool(false), Some(&elo)),
            "false +12 ± 20 Elo"
        );
    }
}
