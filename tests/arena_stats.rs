//! The statistics of matches against published numbers, and their properties.

use serde_json::Value;

use yinsh_bot::arena::stats::{Counts, EloModel, Hypotheses};

fn rows(group: &str) -> Vec<Value> {
    let text = include_str!("data/stats_vectors.json");
    let vectors: Value = serde_json::from_str(text).unwrap();
    vectors[group].as_array().unwrap().clone()
}

fn number(row: &Value, key: &str) -> f64 {
    row[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {row}"))
}

fn cells<const N: usize>(row: &Value) -> Counts<N> {
    let cells = row["counts"].as_array().unwrap();
    Counts::new(std::array::from_fn(|i| cells[i].as_u64().unwrap()))
}

/// Equal to 11 digits, or to 1e-10 near zero.
fn assert_near(found: f64, expected: f64, what: &str) {
    let tolerance = 1e-10 + 1e-11 * expected.abs();
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: {found:?} instead of {expected:?}"
    );
}

fn check_row<const N: usize>(row: &Value) {
    let counts = cells::<N>(row);
    let name = format!("{:?}", counts.cells());
    let estimate = counts.estimate().unwrap();
    for (found, key) in [
        (estimate.score, "score"),
        (estimate.variance, "var"),
        (estimate.standard_error, "se"),
        (estimate.elo.value, "elo"),
        (estimate.elo.low, "elo_lo"),
        (estimate.elo.high, "elo_hi"),
        (estimate.elo.half_width(), "elo_err"),
        (estimate.nelo.value, "nelo"),
        (estimate.nelo.half_width(), "nelo_err"),
        (estimate.los, "los"),
    ] {
        assert_near(found, number(row, key), &format!("{name} {key}"));
    }
    for (model, key) in [
        (EloModel::Logistic, "llr_logistic"),
        (EloModel::Normalized, "llr_normalized"),
    ] {
        let hypotheses = Hypotheses {
            elo0: number(row, "elo0"),
            elo1: number(row, "elo1"),
            model,
        };
        let llr = counts.llr(&hypotheses).unwrap();
        assert_near(llr, number(row, key), &format!("{name} {key}"));
    }
}

#[test]
fn published_results_of_pairs() {
    let rows = rows("penta");
    assert_eq!(rows.len(), 16);
    rows.iter().for_each(check_row::<5>);
}

#[test]
fn published_results_of_games() {
    let rows = rows("tri");
    assert_eq!(rows.len(), 7);
    rows.iter().for_each(check_row::<3>);
}
