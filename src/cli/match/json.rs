//! The result of a match as one JSON object.

use serde_json::{Value, json};

use super::Summary;
use crate::arena::stats::{Interval, StoppedEstimate, Verdict};
use crate::arena::{GamesReport, Report, SideLine, SideReport, SprtLine, Standings, TestReport};

/// The object, in one line.
pub(super) fn text(summary: &Summary, sides: &[SideLine]) -> String {
    let object = match summary {
        Summary::Report(report) => of_report(report, sides),
        Summary::Standings(standings) => of_standings(standings, sides),
    };
    format!("{object}\n")
}

pub(in crate::cli) fn of_report(report: &Report, sides: &[SideLine]) -> Value {
    let [losses, draws, wins] = report.results.games.cells();
    let estimate = report.estimate.as_ref();
    json!({
        "games": report.results.games.total(),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pairs": report.results.pairs.cells(),
        "pair_correlation": report.pair_correlation,
        "score": estimate.map(|estimate| estimate.score),
        "elo": estimate.map(|estimate| of_interval(&estimate.elo)),
        "normalized_elo": estimate.map(|estimate| of_interval(&estimate.nelo)),
        "superiority": estimate.map(|estimate| estimate.los),
        "sprt": report.test.as_ref().map(of_test),
        "uncounted": report.uncounted,
        "course": of_games(&report.games),
        "sides": of_sides(&report.sides, sides),
    })
}

fn of_test(test: &TestReport) -> Value {
    let verdict = test.verdict.map(|verdict| match verdict {
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
        Verdict::Inconclusive => "inconclusive",
    });
    let after = |estimate: &StoppedEstimate| json!({"elo": of_interval(&estimate.elo), "superiority": estimate.los});
    json!({
        "test": SprtLine::from(&test.sprt),
        "llr": test.llr.ok(),
        "lower": test.sprt.lower(),
        "upper": test.sprt.upper(),
        "verdict": verdict,
        "expected_games_to_go": test.games_to_go,
        "allowing_for_early_end": test.estimate.as_ref().map(after),
    })
}

fn of_standings(standings: &Standings, sides: &[SideLine]) -> Value {
    let rows = standings.rows.iter().map(|row| {
        let [losses, draws, wins] = row.results.cells();
        json!({
            "side": row.side,
            "name": sides[row.side.index()].name,
            "rating": row.rating.as_ref().map(of_interval),
            "wins": wins,
            "draws": draws,
            "losses": losses,
        })
    });
    json!({
        "ratings": rows.collect::<Vec<_>>(),
        "rated_with_draws": standings.with_draws,
        "uncounted": standings.uncounted,
        "course": of_games(&standings.games),
        "sides": of_sides(&standings.sides, sides),
    })
}

fn of_interval(interval: &Interval) -> Value {
    json!({"value": interval.value, "error": interval.half_width(), "low": interval.low, "high": interval.high})
}

fn of_games(games: &GamesReport) -> Value {
    let length = games
        .length
        .map(|length| json!({"mean": length.mean, "min": length.min, "max": length.max}));
    json!({
        "first_player_score": games.first_player_score,
        "turns": length,
        "terminations": games.terminations,
    })
}

fn of_sides(reports: &[SideReport], sides: &[SideLine]) -> Vec<Value> {
    let of_side = |report: &SideReport| {
        let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
        let side = &sides[report.side.index()];
        json!({
            "side": report.side,
            "name": side.name,
            "player": side.player,
            "settings": side.settings,
            "limits": side.limits,
            "turns": report.turns,
            "simulations_per_second": report.simulations_per_second,
            "depth": report.depth,
            "turn_ms": report.time.map(|t| json!({"median": ms(t.median), "p99": ms(t.p99), "max": ms(t.max)})),
            "overruns": report.overruns,
            "failures": report.failures,
        })
    };
    reports.iter().map(of_side).collect()
}
