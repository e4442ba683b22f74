//! The report of a match as a table.

use std::fmt::Write;
use std::time::Duration;

use crate::arena::stats::{Interval, Verdict};
use crate::arena::{GamesReport, Report, Side, SideReport, TestReport};

/// The whole report.
pub(super) fn report(report: &Report, sides: &[Side]) -> String {
    let mut text = String::new();
    let mut line = |name: &str, content: String| {
        writeln!(text, "{name:<18} {content}").expect("writing to a string succeeds")
    };
    for side in &report.sides {
        line(
            &format!("side {}", side.side),
            sides[side.side.index()].name.clone(),
        );
    }
    let [losses, draws, wins] = report.results.games.cells();
    let games = losses + draws + wins;
    line(
        "games",
        format!("{games}: A won {wins}, drew {draws}, lost {losses}"),
    );
    line(
        "pairs",
        format!(
            "{:?} with 0, ½, 1, 1½, 2 points",
            report.results.pairs.cells()
        ),
    );
    if let Some(estimate) = &report.estimate {
        line("score", format!("{:.2} %", 100.0 * estimate.score));
        line("Elo", with_error(&estimate.elo));
        line("normalized Elo", with_error(&estimate.nelo));
        line("superiority", format!("{:.2} %", 100.0 * estimate.los));
    }
    if let Some(correlation) = report.pair_correlation {
        line("pair correlation", format!("{correlation:.2}"));
    }
    if let Some(test) = &report.test {
        line("test", sprt(test));
    }
    games_lines(&report.games, &mut line);
    for side in &report.sides {
        side_lines(side, &mut line);
    }
    text
}

fn with_error(interval: &Interval) -> String {
    format!(
        "{:+.1} ± {:.1} (95 %: {:+.1} to {:+.1})",
        interval.value,
        interval.half_width(),
        interval.low,
        interval.high
    )
}

fn sprt(test: &TestReport) -> String {
    let llr = test
        .llr
        .map_or_else(|error| error.to_string(), |llr| format!("{llr:.2}"));
    let verdict = match test.verdict {
        None => "undecided",
        Some(Verdict::H0) => "H0 accepted",
        Some(Verdict::H1) => "H1 accepted",
        Some(Verdict::Inconclusive) => "inconclusive",
    };
    format!(
        "LLR {llr} in [{:.2}, {:.2}]: {verdict}",
        test.sprt.lower(),
        test.sprt.upper()
    )
}

fn games_lines(games: &GamesReport, line: &mut impl FnMut(&str, String)) {
    if let Some(score) = games.first_player_score {
        line("White's score", format!("{:.1} %", 100.0 * score));
    }
    if let Some(length) = games.length {
        line(
            "length in turns",
            format!("{:.1} ({} to {})", length.mean, length.min, length.max),
        );
    }
    let ends: Vec<_> = games
        .terminations
        .iter()
        .map(|(end, count)| format!("{count} {}", end.describe()))
        .collect();
    line("ends", ends.join(", "));
}

fn side_lines(side: &SideReport, line: &mut impl FnMut(&str, String)) {
    let mut parts = Vec::new();
    if let Some(rate) = side.simulations_per_second {
        parts.push(format!("{rate:.0} simulations/s"));
    }
    if let Some(depth) = side.depth {
        parts.push(format!("depth {depth:.1}"));
    }
    if let Some(time) = side.time {
        parts.push(format!(
            "turns {} median, {} 99 %, {} max",
            ms(time.median),
            ms(time.p99),
            ms(time.max)
        ));
    }
    parts.push(format!("{} overruns", side.overruns));
    line(&format!("{}'s turns", side.side), parts.join(", "));
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
