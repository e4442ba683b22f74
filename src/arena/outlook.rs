//! How long a match still takes.

use std::time::Duration;

use super::ledger::Ledger;
use super::report::expected_games;
use super::schedule::SideId;

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
                expected_games(ledger, sprt, &pairs).map(|games| games.round() as u64)
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
