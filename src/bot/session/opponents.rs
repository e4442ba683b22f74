//! Whom the account plays, and has played lately.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::api::{GameId, PlayerId, PlayerKind, PlayerRef};

/// Running games with their opponents, and when the last games began.
#[derive(Default)]
pub(super) struct Opponents {
    running: BTreeMap<GameId, PlayerRef>,
    /// The oldest first.
    begun: VecDeque<(Instant, PlayerId)>,
}

impl Opponents {
    /// So many games are remembered.
    const LIMIT: usize = 10_000;

    /// A game has begun.
    pub(super) fn begin(&mut self, game: GameId, opponent: PlayerRef, now: Instant) {
        if self.begun.len() == Self::LIMIT {
            self.begun.pop_front();
        }
        self.begun.push_back((now, opponent.id.clone()));
        self.running.insert(game, opponent);
    }

    /// A game is over.
    pub(super) fn end(&mut self, game: &GameId) {
        self.running.remove(game);
    }

    /// How many games run with `player`.
    pub(super) fn games_with(&self, player: &PlayerId) -> usize {
        let opponents = self.running.values();
        opponents.filter(|opponent| opponent.id == *player).count()
    }

    /// How many games run with bots.
    pub(super) fn games_with_bots(&self) -> usize {
        let opponents = self.running.values();
        opponents
            .filter(|opponent| opponent.kind == PlayerKind::Bot)
            .count()
    }

    /// How many games with `player` have begun in the last `time`.
    pub(super) fn recent_games_with(
        &self,
        player: &PlayerId,
        time: Duration,
        now: Instant,
    ) -> usize {
        let last = self.begun.iter().rev();
        last.take_while(|(at, _)| now.saturating_duration_since(*at) < time)
            .filter(|(_, opponent)| opponent == player)
            .count()
    }
}
