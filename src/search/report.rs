use std::time::Duration;

use super::node::Proof;
use crate::game::{Action, Turn};

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// The turn to play; always legal.
    pub turn: Turn,
    /// Expected result for the side to decide: 1 a sure win, 0.5 a draw, 0 a sure loss. `None` when nothing was
    /// searched, as for a turn without alternative.
    pub win_probability: Option<f64>,
    /// The turn was proved to win or to lose, whatever the opponent plays.
    pub proof: Option<Proof>,
    /// Simulations of this search.
    pub simulations: u64,
    /// Visits of the root, those kept from earlier searches included.
    pub root_visits: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Mean depth of this search's simulations in the tree, in actions.
    pub mean_depth: f64,
    /// Greatest depth in the tree, in actions.
    pub max_depth: u32,
    /// The expected course of the game, beginning with `turn`.
    pub principal: Vec<Turn>,
    /// The actions that could be first, most visited first.
    pub candidates: Vec<Candidate>,
    /// Memory of the tree.
    pub memory: MemoryUse,
}

/// One action at the root of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// How often it was tried.
    pub visits: u64,
    /// Its expected result for the side to decide; `None` before the first visit.
    pub win_probability: Option<f64>,
}

/// Memory of a search tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// In use, in bytes.
    pub used: u64,
    /// Set aside, in bytes; never exceeded.
    pub limit: u64,
}

impl SearchReport {
    /// Simulations per second of this search.
    pub fn simulations_per_second(&self) -> f64 {
        self.simulations as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// The share of games that end well where the values of a search have this mean, both from 0 to 1.
///
/// A mean over many lines, poor ones among them, is too near to one half: the real odds are nearly the square of what it
/// says. The best of several means is also a little too high. Both were measured by `match calibration` in 800 games of
/// the program against itself. Only operations that IEEE 754 defines exactly.
pub fn expected_result(mean: f64) -> f64 {
    if mean <= 0.0 {
        return 0.0;
    }
    // To the power of nine quarters.
    let sharpened = |part: f64| part * part * part.sqrt().sqrt();
    let loss = if mean < 1.0 {
        sharpened(1.0 - mean)
    } else {
        0.0
    };
    let win = OPTIMISM * sharpened(mean);
    win / (win + loss)
}

/// The mean that gives this expected result.
pub fn mean_value(expected_result: f64) -> f64 {
    let win = (expected_result / OPTIMISM).powf(4.0 / 9.0);
    win / (win + (1.0 - expected_result).powf(4.0 / 9.0))
}

/// What is left of the odds that the best mean tells.
const OPTIMISM: f64 = 0.93;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_results_rise_with_the_mean_and_can_be_undone() {
        assert_eq!([0.0, 1.0].map(expected_result), [0.0, 1.0]);
        let expected = 0.93 * 0.6_f64.powf(2.25) / (0.93 * 0.6_f64.powf(2.25) + 0.4_f64.powf(2.25));
        assert!((expected_result(0.6) - expected).abs() < 1e-12);
        let results: Vec<f64> = (0..=100)
            .map(|m| expected_result(f64::from(m) / 100.0))
            .collect();
        assert!(results.is_sorted_by(|one, next| one < next));
        for mean in [0.0, 0.1, 0.4, 0.7, 1.0] {
            assert!((mean_value(expected_result(mean)) - mean).abs() < 1e-12);
        }
    }
}
