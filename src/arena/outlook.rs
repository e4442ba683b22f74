//! How long a match still takes.

use std::time::Duration;

use super::ledger::Ledger;
use super::schedule::SideId;
use super::stats::expected_pairs_to_go;

/// What is still to come of a running match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Games that will be played, if its test goes on as is to be expected; `None` when too few games tell.
    pub expected_games: Option<u64>,
    /// Games that will be played if the test does not end it.
    pub most_games: u64,
    /// Time for one game, with as many at once as there are.
    pub per_game: Duration,
}

impl Outlook {
    /// The outlook after `played` games took `elapsed`; `None` before the first.
    pub fn new(ledger: &Ledger, played: u64, elapsed: Duration) -> Option<Self> {
        let per_game = elapsed.checked_div(u32::try_from(played).ok()?)?;
        let most_games = ledger.missing() as u64;
        let expected_games = match ledger.sprt() {
            None => Some(most_games),
            Some(sprt) => {
                let pairs = ledger.results().get(&(SideId::A, SideId::B))?.pairs;
                // Games that are finished but do not count yet count for what is to come.
                let ahead = ledger.uncounted() as f64;
                let budget = (most_games as f64 + ahead) / 2.0;
                let expected = expected_pairs_to_go(&pairs, sprt, budget);
                expected.map(|pairs| (2.0 * pairs - ahead).max(0.0).round() as u64)
            }
        };
        Some(Self {
            expected_games,
            most_games,
            per_game,
        })
    }

    /// The time for so many games.
    pub fn time(&self, games: u64) -> Duration {
        self.per_game
            .saturating_mul(u32::try_from(games).unwrap_or(u32::MAX))
    }
}
