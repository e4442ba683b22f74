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
/// After so many reads in a row that are older than what is known, they are the truth.
const OLD_READS_MAX: u32 = 3;
/// The wait between such reads.
const OLD_READ_GAP: Duration = Duration::from_secs(2);
/// When nothing is heard of an opponent's turn, the game is read so often during the time on the own clock,
const CHECKS_PER_CLOCK: u32 = 10;
/// but not sooner,
const CHECK_GAP_MIN: Duration = Duration::from_secs(4);
/// nor later than this.
const CHECK_GAP_MAX: Duration = Duration::from_secs(60);
/// A read's answer is awaited at least this long, however short the clock is.
const PATIENCE_MIN: Duration = Duration::from_secs(1);
/// After so many missed changes a watch is not relied on.
const MISSED_MAX: u32 = 2;
/// So long an answer that is on its way may bring what a poll already tells, before the game is read.
const ANSWER_GRACE: Duration = Duration::from_millis(250);

pub(super) struct News {
    /// Version of the newest state seen; older ones that arrive late are ignored.
    version: Option<u64>,
    tag: Option<String>,
    /// Reads in a row that were older than what is known.
    old_reads: u32,
    /// Changes in a row that a read told while the watch was silent.
    missed: u32,
    /// How long a read may take, once there is a clock to know it from.
    patience: Option<Duration>,
    /// When to read the game if nothing is heard of it before.
    check_at: Option<Instant>,
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
            old_reads: 0,
            missed: 0,
            check_at: None,
            patience: None,
            read: Errand::due(Growth::URGENT, now),
            watch: Errand::new(Growth::URGENT),
            watched: None,
        }
    }

    /// Takes note of a state; whether it is one to go by.
    pub(super) fn is_current(&mut self, state: &Tagged<GameState>) -> bool {
        let is_old = self
            .version
            .is_some_and(|known| state.value.version < known);
        if is_old && self.old_reads < OLD_READS_MAX {
            return false;
        }
        self.old_reads = 0;
        self.version = Some(state.value.version);
        self.tag.clone_from(&state.tag);
        self.read.cancel();
        self.check_at = None;
        true
    }

    /// A game that was just read and is older than what is known: an answer from a cache, or a server that has gone back
    /// to an older state. Only more reads can tell.
    fn doubt(&mut self, state: &Tagged<GameState>, now: Instant) {
        if self
            .version
            .is_some_and(|known| state.value.version < known)
        {
            self.old_reads += 1;
            self.read.want(now + OLD_READ_GAP);
        } else {
            self.old_reads = 0;
        }
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

    /// Whether the watch is the first to tell what happens. If not, something holds it up, or the server has none.
    pub(super) fn is_reliable(&self) -> bool {
        self.tag.is_some() && self.missed < MISSED_MAX
    }

    /// The opponent is to move, and so much is `left` on the own clock: if nothing is heard of the game for a part of
    /// that, it is read, and no read may take long.
    pub(super) fn set_clock(&mut self, left: Duration, now: Instant) {
        let gap = (left / CHECKS_PER_CLOCK).clamp(CHECK_GAP_MIN, CHECK_GAP_MAX);
        self.check_at = Some(now + gap);
        self.patience = Some((left / 4).max(PATIENCE_MIN));
    }

    /// Wants the game to be read at `at`.
    pub(super) fn want(&mut self, at: Instant) {
        self.read.want(at);
    }

    /// What a poll tells of the game. `is_idle`: nothing is done for the game that would bring an answer.
    pub(super) fn on_listed(&mut self, listed: &MyGame, is_idle: bool, now: Instant) {
        let is_newer = self.version.is_none_or(|known| listed.version > known);
        let is_older = self.version.is_some_and(|known| listed.version < known) && is_idle;
        let is_forgotten = self.version == Some(listed.version) && listed.my_turn && is_idle;
        if is_newer && (self.watch.is_sent() || !is_idle) {
            self.read.want(now + ANSWER_GRACE);
        } else if (is_newer || is_forgotten) && self.read.wake().is_none() {
            self.read.want(now);
        } else if is_older {
            self.read.want(now + OLD_READ_GAP);
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
                let is_news = self
                    .version
                    .is_some_and(|known| state.value.version > known);
                self.missed += u32::from(is_news && self.watch.is_sent());
                self.doubt(&state, now);
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
        if changed.is_some() {
            self.missed = 0;
        } else {
            let did_hang = answer.trip.duration() >= HANGS_FROM;
            self.watch
                .want(if did_hang { now } else { now + SHORT_GAP });
        }
        changed
    }

    /// Sends what is due.
    pub(super) fn advance(&mut self, common: &mut Common, game: &GameId, now: Instant) {
        if self.check_at.is_some_and(|at| at <= now) {
            self.check_at = None;
            self.read.want(now);
        }
        if self.read.start(now) {
            let longest = Duration::from_millis(common.settings.server.request_timeout_ms);
            common.ask(Request::Read {
                game: game.clone(),
                timeout: self
                    .patience
                    .map_or(longest, |patience| patience.min(longest)),
            });
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
        let parts = [self.read.wake(), self.watch.wake(), self.check_at];
        parts.into_iter().flatten().min()
    }
}
