//! How a search is reported.

use std::fmt::Write;

use crate::search::SearchReport;

/// The `info` line of a report.
pub(super) fn line(report: &SearchReport) -> String {
    let permille = report.memory.used * 1000 / report.memory.limit.max(1);
    let mut line = format!(
        "info depth {:.0} seldepth {} nodes {} nps {:.0} hashfull {permille} time {}",
        report.mean_depth,
        report.max_depth,
        report.simulations,
        report.simulations_per_second(),
        report.elapsed.as_millis(),
    );
    if let Some(win_probability) = report.win_probability {
        write!(line, " winprob {win_probability:.4}").expect("writing to a string succeeds");
    }
    line += " pv";
    for turn in &report.principal {
        write!(line, " {turn}").expect("writing to a string succeeds");
    }
    line
}
