//! How the session hears of a game: a request that hangs until the game changes, and reads in between when in doubt.

use std::time::{Duration, Instant};

use super::{Answer, Common, Request};
use crate::api::{GameId, GameState, MyGame};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::transport::{Remedy, Tagged, TransportError};

/// An unchanged answer that came sooner did not hang: that server may lack long polls.
const HANGS_FROM: Duration = Duration::from_secs(1);
/// The wait after such an answer.
const SHORT_GAP: Duration = Duration::from_secs(1);
/// So long an answer that is on its way may bring what a poll already tells, before the game is read.
const ANSWER_GRACE: Duration = Duration::from_millis(250);

pub(super) struct News {
    /// Version of the newest state seen; older ones that arrive late are ignored.
    version: Option<u64>,
    tag: Option<String>,
    read: Errand,
    watch: Errand,
    /// The state from which on the last request to watch asked for changes.
    watched: Option<String>,
}

impl News {
    /// Nothing is known: the game is read at `now`.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            version: None,
            tag: None,
            read: Errand::due(Growth::URGENT, now),
            watch: Errand::new(Growth::URGENT),
            watched: None,
        }
    }

    /// Takes note of a state; whether it is one to go by.
    pub(super) fn is_current(&mut self, state: &Tagged<GameState>) -> bool {
        if self
            .version
            .is_some_and(|known| state.value.version < known)
        {
            return false;
        }
        self.version = Some(state.value.version);
        self.tag.clone_from(&state.tag);
        self.read.cancel();
        true
    }

    /// Wants to hear of the opponent's turn, or not for now.
    pub(super) fn set_watching(&mut self, wanted: bool, now: Instant) {
        if !wanted {
            self.watch.cancel();
        } else if self.tag.is_none() {
            // The server would answer at once; then the polls must do.
        } else if self.watch.is_sent() && self.watched != self.tag {
            // It should have told the change that came some other way: whatever holds it up, another one is sent.
            self.watch.repeat(now);
        } else {
            self.watch.want(now);
        }
    }

    /// Whether the answer to the watch from `tag` on is still waited for: if not, another watch has taken its place.
    pub(super) fn is_watching_from(&self, tag: &str) -> bool {
        self.watched.as_deref() == Some(tag)
    }

    /// Whether a change of the game would be heard of at once.
    pub(super) fn is_watching(&self) -> bool {
        self.watch.is_sent()
    }

    /// Wants the game to be read at `at`.
    pub(super) fn want(&mut self, at: Instant) {
        self.read.want(at);
    }

    /// What a poll tells of the game. `is_idle`: nothing is done for the game that would bring an answer.
    pub(super) fn on_listed(&mut self, listed: &MyGame, is_idle: bool, now: Instant) {
        let is_newer = self.version.is_none_or(|known| listed.version > known);
        let is_forgotten = self.version == Some(listed.version) && listed.my_turn && is_idle;
        if is_newer && (self.watch.is_sent() || !is_idle) {
            self.read.want(now + ANSWER_GRACE);
        } else if (is_newer || is_forgotten) && self.read.wake().is_none() {
            self.read.want(now);
        }
    }

    /// The answer to a read: the state, or whether to give the game up.
    pub(super) fn on_read(
        &mut self,
        common: &mut Common,
        now: Instant,
        game: &GameId,
        result: Result<Tagged<GameState>, TransportError>,
    ) -> Result<Option<Tagged<GameState>>, TransportError> {
        let error = match result {
            Ok(state) => {
                self.read.done();
                return Ok(Some(state));
            }
            Err(error) => error,
        };
        let Remedy::TryAgain { asked } = error.remedy() else {
            return Err(error);
        };
        let wait = self.read.fail(now, asked, &mut common.random);
        common.trouble(Some(game), format!("reading it: {error}"), Some(wait));
        Ok(None)
    }

    /// The answer to a watch: the state if it has changed.
    pub(super) fn on_watched(
        &mut self,
        common: &mut Common,
        now: Instant,
        game: &GameId,
        answer: Answer<Option<Tagged<GameState>>>,
    ) -> Option<Tagged<GameState>> {
        let changed = match answer.result {
            Ok(state) => state.filter(|state| Some(state.value.version) != self.version),
            Err(error) => {
                let asked = error.asked_wait();
                let wait = self.watch.fail(now, asked, &mut common.random);
                common.trouble(Some(game), format!("watching it: {error}"), Some(wait));
                return None;
            }
        };
        self.watch.done();
        if changed.is_none() {
            let did_hang = answer.trip.duration() >= HANGS_FROM;
            self.watch
                .want(if did_hang { now } else { now + SHORT_GAP });
        }
        changed
    }

    /// Sends what is due.
    pub(super) fn advance(&mut self, common: &mut Common, game: &GameId, now: Instant) {
        if self.read.start(now) {
            let game = game.clone();
            common.ask(Request::Read { game });
        }
        if let Some(tag) = &self.tag
            && self.watch.start(now)
        {
            self.watched = Some(tag.clone());
            common.ask(Request::Watch {
                game: game.clone(),
                wait_s: common.poll_wait_s,
                tag: tag.clone(),
            });
        }
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.read.wake().into_iter().chain(self.watch.wake()).min()
    }
}
