//! The report of a match as text.

use std::time::Duration;

use crate::arena::stats::{EloModel, Interval, Verdict};
use crate::arena::{GamesReport, Report, SideLine, SideReport, TestReport};
use crate::cli::words::grouped;

/// A line for each side, with its limits.
pub(in crate::cli) fn side_names(sides: &[SideLine]) -> String {
    let letters = ('A'..='Z').zip(sides);
    letters
        .map(|(letter, side)| {
            line(
                &letter.to_string(),
                &format!("{}{}", side.name, limits(side)),
            )
        })
        .collect()
}

/// The whole report of a match between two sides.
pub(in crate::cli) fn report(report: &Report, sides: &[SideLine]) -> String {
    let blocks = [
        side_names(sides),
        strength(report),
        course(&report.games) + &uncounted(report.uncounted),
        turns(&report.sides),
    ];
    join(&blocks)
}

/// Blocks with a blank line between them; empty ones are left out.
pub(in crate::cli) fn join(blocks: &[String]) -> String {
    let blocks = blocks.iter().filter(|block| !block.is_empty());
    blocks.map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn strength(report: &Report) -> String {
    let [losses, draws, wins] = report.results.games.cells();
    let games = grouped(report.results.games.total());
    let mut text = line(
        "games",
        &format!("{games}: A won {wins}, drew {draws}, lost {losses}"),
    );
    let pairs = report.results.pairs.cells();
    let points = ["0", "½", "1", "1½", "2"];
    let pairs: Vec<_> = pairs
        .iter()
        .zip(points)
        .map(|(count, points)| format!("{count} with {points}"))
        .collect();
    text += &line("pairs", &format!("{} points", pairs.join(", ")));
    if let Some(correlation) = report.pair_correlation {
        text += &line("pair correlation", &signed(correlation, 2));
    }
    if let Some(estimate) = &report.estimate {
        text += &line("score", &format!("{:.2} %", 100.0 * estimate.score));
        text += &line("Elo", &with_range(&estimate.elo));
        text += &line("normalized Elo", &with_range(&estimate.nelo));
        text += &line(
            "superiority",
            &format!("{:.2} % that A is the stronger one", 100.0 * estimate.los),
        );
    }
    text + &report.test.as_ref().map_or_else(String::new, test)
}

fn test(test: &TestReport) -> String {
    let verdict = match test.verdict {
        None => "undecided so far",
        Some(Verdict::H0) => "H0 accepted",
        Some(Verdict::H1) => "H1 accepted",
        Some(Verdict::Inconclusive) => "inconclusive, the games are spent",
    };
    let sprt = &test.sprt;
    let llr = test
        .llr
        .map_or_else(|undefined| undefined.to_string(), |llr| signed(llr, 2));
    let bounds = format!(
        "H0 at {}, H1 at {}",
        signed(sprt.lower(), 2),
        signed(sprt.upper(), 2)
    );
    let hypotheses = sprt.hypotheses();
    let model = match hypotheses.model {
        EloModel::Normalized => "normalized Elo",
        EloModel::Logistic => "Elo",
    };
    let to_go = test
        .games_to_go
        .map(|games| format!("; about {games:.0} games to go"));
    let to_go = to_go.unwrap_or_default();
    let mut text = line(
        "sequential test",
        &format!("{verdict}; LLR {llr}, {bounds}{to_go}"),
    );
    text += &line(
        "",
        &format!(
            "H0 {} against H1 {} {model}, alpha {}, beta {}",
            hypotheses.elo0,
            hypotheses.elo1,
            sprt.alpha(),
            sprt.beta()
        ),
    );
    if let Some(estimate) = &test.estimate {
        let superiority = format!("superiority {:.2} %", 100.0 * estimate.los);
        let Interval { value, low, high } = estimate.elo;
        let [value, low, high] = [value, low, high].map(|elo| signed(elo, 1));
        let elo = format!("Elo {value} (95 %: {low} to {high})");
        text += &line("after the test", &format!("{elo}, {superiority}"));
    }
    text
}

/// The course of the games, whoever plays.
pub(super) fn course(games: &GamesReport) -> String {
    let mut text = String::new();
    if let Some(score) = games.first_player_score {
        text += &line("White's score", &format!("{:.1} %", 100.0 * score));
    }
    if let Some(length) = games.length {
        text += &line(
            "turns of a game",
            &format!(
                "{:.1} on average, {} to {}",
                length.mean, length.min, length.max
            ),
        );
    }
    let ends: Vec<_> = games
        .terminations
        .iter()
        .map(|(end, count)| format!("{count} {}", end.describe()))
        .collect();
    if !ends.is_empty() {
        text += &line("ends", &ends.join(", "));
    }
    text
}

/// Says which games were left out.
pub(super) fn uncounted(games: usize) -> String {
    let why = "after the end of the match or its test, or behind a missing one";
    match games {
        0 => String::new(),
        1 => line("not counted", &format!("a game {why}")),
        _ => line("not counted", &format!("{games} games {why}")),
    }
}

/// What each side did in its turns.
pub(super) fn turns(sides: &[SideReport]) -> String {
    let heads = [
        "", "turns", "sims/s", "depth", "median", "99 %", "longest", "overruns", "failures",
    ];
    let heads = heads.map(str::to_owned);
    let rows = sides.iter().map(|side| {
        let time = |part: fn(&crate::arena::TurnTimes) -> Duration| {
            side.time.as_ref().map_or_else(none, |time| ms(part(time)))
        };
        [
            side.side.to_string(),
            grouped(side.turns),
            side.simulations_per_second
                .map_or_else(none, |rate| grouped(rate.round() as u64)),
            side.depth.map_or_else(none, |depth| format!("{depth:.1}")),
            time(|time| time.median),
            time(|time| time.p99),
            time(|time| time.max),
            side.overruns.to_string(),
            failures(side),
        ]
    });
    columns(std::iter::once(heads).chain(rows).collect())
}

fn failures(side: &SideReport) -> String {
    let failures = side
        .failures
        .iter()
        .map(|(end, count)| format!("{count} {}", end.describe()));
    let failures: Vec<_> = failures.collect();
    if failures.is_empty() {
        none()
    } else {
        failures.join(", ")
    }
}

fn none() -> String {
    "-".to_owned()
}

/// Cells in columns, all flush right but the first and the last.
pub(in crate::cli) fn columns<const N: usize>(rows: Vec<[String; N]>) -> String {
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let cell = |(column, text): (usize, &String)| match column {
        0 => format!("{text:<width$}", width = widths[0]),
        last if last == N - 1 => format!("   {text}"),
        _ => format!("   {text:>width$}", width = widths[column]),
    };
    let row = |row: &[String; N]| {
        let cells: String = row.iter().enumerate().map(cell).collect();
        format!("{}\n", cells.trim_end())
    };
    rows.iter().map(row).collect()
}

/// A name and what belongs to it.
pub(in crate::cli) fn line(name: &str, content: &str) -> String {
    format!("{name:<17} {content}\n")
}

/// The limits of a side in brackets, if it thinks at all.
pub(in crate::cli) fn limits(side: &SideLine) -> String {
    if side.settings.is_empty() {
        return String::new();
    }
    let seconds = |ms: u64| ms as f64 / 1e3;
    let limit = |name: &str| side.limits.get(name).copied();
    let increment = limit("increment_ms").unwrap_or(0);
    let parts = [
        limit("simulations").map(|n| format!("{} simulations a turn", grouped(n))),
        limit("turn_ms").map(|ms| format!("{ms} ms a turn")),
        limit("base_ms")
            .map(|base| format!("clock {} s + {} s", seconds(base), seconds(increment))),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!(" ({})", parts.join(", "))
}

/// A number with its sign.
pub(in crate::cli) fn signed(number: f64, digits: usize) -> String {
    let text = format!("{number:+.digits$}");
    // What rounds to zero has no sign.
    if text[1..].bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text[1..].to_owned()
    } else {
        text
    }
}

/// `+14.9 ± 19.4`.
pub(in crate::cli) fn with_error(interval: &Interval) -> String {
    format!(
        "{} ± {:.1}",
        signed(interval.value, 1),
        interval.half_width()
    )
}

/// `+14.9 ± 19.4 (95 %: -4.4 to +34.4)`.
fn with_range(interval: &Interval) -> String {
    let (low, high) = (signed(interval.low, 1), signed(interval.high, 1));
    format!("{} (95 %: {low} to {high})", with_error(interval))
}

fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 10.0 {
        format!("{ms:.2} ms")
    } else {
        format!("{ms:.0} ms")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(
            [0.04, -0.04, 0.06, -12.0].map(|x| signed(x, 1)),
            ["0.0", "0.0", "+0.1", "-12.0"]
        );
    }

    #[test]
    fn columns_are_flush() {
        let rows = [
            ["", "n", "what"],
            ["A", "100", "-"],
            ["B", "7", "long words"],
        ];
        assert_eq!(
            columns(rows.map(|row| row.map(str::to_owned)).to_vec()),
            "      n   what\nA   100   -\nB     7   long words\n"
        );
    }
}
