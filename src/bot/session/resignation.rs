//! When a lost game is given up.

use crate::bot::PlayConfig;
use crate::search::SearchReport;

/// Counts the account's turns in a row that looked lost.
#[derive(Debug, Default)]
pub(super) struct Resignation {
    lost_turns: u32,
}

impl Resignation {
    /// Takes note of what the search says before the turn at `ply`; whether to give up now.
    pub(super) fn is_due(&mut self, config: &PlayConfig, ply: u16, report: &SearchReport) -> bool {
        let looks_lost = report
            .win_probability
            .is_some_and(|probability| probability < config.resign_below);
        self.lost_turns = if looks_lost { self.lost_turns + 1 } else { 0 };
        self.lost_turns >= config.resign_turns && ply >= config.resign_from_ply
    }
}
