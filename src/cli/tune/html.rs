//! The report of a run as one page that needs nothing else.

use super::chart::{Chart, escaped};
use super::run::{Summary, Verification};
use super::words::{is_done, progress, range, value};
use crate::arena::stats::Interval;
use crate::arena::tune::{
    Chain, Domain, Estimate, Finding, NumberDomain, Parameter, Scale, Tuning,
};
use crate::cli::r#match::table::signed;
use crate::cli::words::grouped;
use crate::setting::Value;

const STYLE: &str = include_str!("page.css");

/// What the lines of the charts are.
const LEGEND: &str = "<span><i class=\"key chain\"></i> a chain</span> \
    <span><i class=\"key present\"></i> present value, or H0</span> \
    <span><i class=\"key tuned\"></i> tuned value, or H1</span> \
    <span><i class=\"key band\"></i> 95 % range</span>";

/// The whole page.
pub(super) fn page(summary: &Summary<'_>) -> String {
    let Summary {
        identity,
        tuning,
        verification,
        outcome,
    } = *summary;
    let estimates = tuning.estimates();
    let names: Vec<&str> = identity
        .parameters
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    let title = escaped(&format!("Tuning of {}", names.join(", ")));
    let head = list(&[
        ("Games", summary.games()),
        ("Is it done?", is_done(&identity.parameters, &estimates)),
        ("Outcome", outcome.to_string()),
        ("Seed", identity.seed.to_string()),
        (
            "Program",
            format!("{} ({})", identity.program.version, identity.program.build),
        ),
    ]);
    let mut axis = 0;
    let mut sections = String::new();
    for (parameter, estimate) in identity.parameters.iter().zip(&estimates) {
        let chart = match &parameter.domain {
            Domain::Number(domain) => {
                axis += 1;
                path(tuning, (parameter, domain), estimate, axis - 1).draw()
            }
            Domain::Words { .. } => String::new(),
        };
        sections += &section(parameter, estimate, &chart);
    }
    sections += &verification.map(verified).unwrap_or_default();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n<h1>{title}</h1>\n{head}\
         <p class=\"legend\">{LEGEND}</p>\n\
         <div class=\"sections\">\n{sections}</div>\n</main></body></html>\n"
    )
}

fn section(parameter: &Parameter, estimate: &Estimate, chart: &str) -> String {
    let facts = list(&[
        ("Present", value(&parameter.current())),
        ("Tuned", value(&estimate.value)),
        ("95 %", range(parameter, estimate)),
        ("Is it done?", progress(estimate)),
    ]);
    let name = escaped(&parameter.name);
    format!("<section><h2>{name}</h2>\n{facts}{chart}</section>\n")
}

/// Names and what belongs to them.
fn list(facts: &[(&str, String)]) -> String {
    let fact = |(name, content): &(&str, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(content))
    };
    let facts: String = facts.iter().map(fact).collect();
    format!("<dl>\n{facts}</dl>\n")
}

/// The way of a number in all chains.
fn path(
    tuning: &Tuning,
    (parameter, domain): (&Parameter, &NumberDomain),
    estimate: &Estimate,
    axis: usize,
) -> Chart {
    let start = domain.scale.value(domain.axis(0.0).start);
    let line = |chain: &Chain| {
        let steps = chain.steps().iter();
        let points =
            steps.map(|step| (2.0 * step.done as f64, domain.scale.value(step.theta[axis])));
        std::iter::once((0.0, start)).chain(points).collect()
    };
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Bool(_) | Value::Text(_) | Value::List(_) => None,
    };
    let tuned = number(&estimate.value).map(|value| (value, "tuned"));
    let band = match &estimate.finding {
        Finding::Number(number) => number.range,
        Finding::Words(_) => None,
    };
    Chart {
        label: format!(
            "{} from {} to {} over the games of each chain",
            parameter.name,
            value(&parameter.current()),
            value(&estimate.value)
        ),
        unit: "games of each chain",
        end: 2.0 * tuning.design().course.pairs as f64,
        scale: domain.scale,
        lines: tuning.chains().iter().map(line).collect(),
        band,
        levels: std::iter::once((start, "present")).chain(tuned).collect(),
    }
}

/// The match of tuned against present values.
fn verified(verification: &Verification) -> String {
    let Verification {
        report,
        sides,
        course,
    } = verification;
    let [losses, draws, wins] = report.results.games.cells();
    let mut facts = vec![
        ("Tuned", sides[0].name.clone()),
        (
            "Games",
            format!(
                "{}: won {wins}, drawn {draws}, lost {losses}",
                grouped(report.results.games.total())
            ),
        ),
    ];
    if let Some(estimate) = &report.estimate {
        facts.push(("Elo", elo(&estimate.elo)));
    }
    let mut chart = String::new();
    if let Some(test) = &report.test {
        let sprt = &test.sprt;
        let (lower, upper) = (sprt.lower(), sprt.upper());
        let hypotheses = sprt.hypotheses();
        facts.push((
            "Test",
            format!(
                "H0 {} Elo at {}, H1 {} Elo at {}",
                hypotheses.elo0,
                signed(lower, 2),
                hypotheses.elo1,
                signed(upper, 2)
            ),
        ));
        let numbered = (1..).zip(course).map(|(pair, llr)| (f64::from(pair), *llr));
        chart = Chart {
            label: "Log-likelihood ratio over pairs of games".to_owned(),
            unit: "pairs; the log-likelihood ratio between its bounds",
            end: course.len() as f64,
            scale: Scale::Linear,
            lines: vec![std::iter::once((0.0, 0.0)).chain(numbered).collect()],
            band: None,
            levels: vec![(lower, "present"), (upper, "tuned")],
        }
        .draw();
    }
    format!(
        "<section><h2>Tuned against present values</h2>\n{}{chart}</section>\n",
        list(&facts)
    )
}

fn elo(interval: &Interval) -> String {
    let Interval { value, low, high } = *interval;
    let [value, low, high] = [value, low, high].map(|elo| signed(elo, 1));
    format!("{value} (95 %: {low} to {high})")
}
