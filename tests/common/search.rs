//! Searches that always find the same.

use yinsh_bot::game::Position;
use yinsh_bot::search::{Limits, SearchParams, SearchReport, Searcher, StopFlag};

/// What a new search with the default settings finds, with one thread, so much memory and so many simulations.
pub fn fresh_search(position: &Position, memory_mb: u32, simulations: u64) -> SearchReport {
    let mut searcher = Searcher::new(SearchParams {
        threads: 1,
        memory_mb,
        ..SearchParams::default()
    });
    let limits = Limits::simulations(simulations);
    let report = searcher.search(position, &limits, &StopFlag::new(), &mut |_| {});
    report.expect("the game is not over")
}
