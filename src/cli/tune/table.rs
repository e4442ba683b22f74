//! The report of a run as text.

use super::run::Summary;
use super::words::{is_done, progress, range, value};
use crate::arena::tune::{Estimate, TuneIdentity};
use crate::cli::r#match::table::{self, columns, join, line};

/// The whole report.
pub(super) fn report(summary: &Summary<'_>) -> String {
    let Summary {
        identity,
        tuning,
        verification,
        outcome,
    } = *summary;
    let estimates = tuning.estimates();
    let head = line("games", &summary.games());
    let verified = verification.map(|verification| {
        let title = "Tuned against present values, on openings that were not used before:\n\n";
        title.to_owned() + &table::report(&verification.report, &verification.sides)
    });
    let done = line("is it done?", &is_done(&identity.parameters, &estimates));
    join(&[
        head,
        parameters(identity, &estimates) + "\n" + &done,
        verified.unwrap_or_default(),
        line("outcome", &outcome.to_string()),
    ])
}

fn parameters(identity: &TuneIdentity, estimates: &[Estimate]) -> String {
    let heads = ["parameter", "present", "tuned", "95 %", "is it done?"];
    let rows = identity.parameters.iter().zip(estimates);
    let rows = rows.map(|(parameter, estimate)| {
        [
            parameter.name.clone(),
            value(&parameter.current()),
            value(&estimate.value),
            range(parameter, estimate),
            progress(estimate),
        ]
    });
    columns(
        std::iter::once(heads.map(str::to_owned))
            .chain(rows)
            .collect(),
    )
}
