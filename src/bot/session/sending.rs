//! A turn on its way to the server.

use std::time::{Duration, Instant};

use super::{Common, Request};
use crate::api::{GameId, PutTurn};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::game::{Position, Turn};
use crate::search::SearchReport;

/// A turn's answer is awaited at least this long, however short the clock is.
const ANSWER_TIMEOUT_MIN: Duration = Duration::from_secs(1);

/// A turn that is sent until the server has answered, or the flag has fallen. Sending it twice does no harm.
pub(super) struct Sending {
    /// Turns before it.
    pub ply: u16,
    /// The turn.
    pub turn: Turn,
    /// When the flag falls.
    pub flag: Instant,
    /// The position before it, as text.
    pub before: String,
    /// The win probability to publish, in thousandths.
    pub win_permille: Option<u16>,
    /// When it is sent.
    pub errand: Errand,
}

impl Sending {
    /// Sends `turn` in `position` from `now` on.
    pub(super) fn new(position: &Position, turn: Turn, flag: Instant, now: Instant) -> Self {
        Self {
            ply: position.ply(),
            turn,
            flag,
            before: position.to_string(),
            win_permille: None,
            errand: Errand::due(Growth::URGENT, now),
        }
    }

    /// Publishes the win probability that a search has found.
    pub(super) fn publishing(mut self, report: Option<&SearchReport>) -> Self {
        let probability = report.and_then(|report| report.win_probability);
        self.win_permille =
            probability.map(|share| (share.clamp(0.0, 1.0) * 1000.0).round() as u16);
        self
    }

    /// The request, with a time-out that leaves the clock room for more attempts.
    pub(super) fn request(&self, game: GameId, common: &Common, now: Instant) -> Request {
        let left = self.flag.saturating_duration_since(now);
        let longest = Duration::from_millis(common.settings.server.request_timeout_ms);
        Request::Play {
            game,
            ply: self.ply,
            turn: PutTurn {
                turn: self.turn.to_string(),
                position_before: Some(self.before.clone()),
                win_permille: self.win_permille,
            },
            timeout: (left / 4).max(ANSWER_TIMEOUT_MIN).min(longest),
        }
    }

    /// Sets the next attempt, and returns the wait until then: no longer than leaves the turn a last chance before the
    /// flag falls, whatever the server asked for.
    pub(super) fn try_again(
        &mut self,
        common: &mut Common,
        now: Instant,
        asked: Option<Duration>,
    ) -> Duration {
        let wait = self.errand.fail(now, asked, &mut common.random);
        let last_chance = self
            .flag
            .checked_sub(common.kept_back())
            .filter(|chance| *chance > now);
        if let Some(chance) = last_chance {
            self.errand.want(chance);
        }
        self.errand
            .wake()
            .map_or(wait, |at| at.saturating_duration_since(now))
    }
}
