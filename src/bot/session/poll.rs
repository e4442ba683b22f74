//! The poll that never ends: when to ask, and with which tag.

use std::time::{Duration, Instant};

use super::{Answer, Common, Request};
use crate::api::Pending;
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::transport::Tagged;

/// Polls begin at least this long after one another, however fast things change.
const GAP: Duration = Duration::from_millis(50);
/// The same while games are being played: each of them is watched by a request of its own, and every turn changes what
/// is pending.
const WATCHED_GAP: Duration = Duration::from_secs(2);
/// The same when only the polls tell of turns.
const UNWATCHED_GAP: Duration = Duration::from_secs(1);
/// After so long the whole list is asked for, whatever tags and changes say: what the session believes is compared with
/// what the server knows.
const FULL_LIST_GAP: Duration = Duration::from_secs(60);
/// An unchanged answer that came sooner did not hang: that server may lack long polls.
const HANGS_FROM: Duration = Duration::from_secs(1);
/// The wait after such an answer.
const SHORT_GAP: Duration = Duration::from_secs(5);

/// What depends on the polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tempo {
    /// There is no game.
    Idle,
    /// Every game has a watch of its own.
    Watched,
    /// A game has none that can be relied on.
    Unwatched,
}

pub(super) struct Poll {
    errand: Errand,
    tag: Option<String>,
    version: Option<u64>,
    known_as_of: Option<Instant>,
    /// When the whole list was told last.
    full_at: Option<Instant>,
}

impl Poll {
    /// Nothing is sent before [`Self::begin`].
    pub(super) fn new() -> Self {
        Self {
            errand: Errand::new(Growth::CALM),
            tag: None,
            version: None,
            known_as_of: None,
            full_at: None,
        }
    }

    /// Wants polls from `now` on.
    pub(super) fn begin(&mut self, now: Instant) {
        self.errand.want(now);
    }

    /// Sends the poll when it is due.
    pub(super) fn advance(&mut self, common: &mut Common, now: Instant) {
        if self.errand.start(now) {
            let is_due = self.full_at.is_none_or(|at| at + FULL_LIST_GAP <= now);
            common.ask(Request::Poll {
                wait_s: common.poll_wait_s,
                tag: self.tag.clone().filter(|_| !is_due),
            });
        }
    }

    /// Takes an answer, sets the next poll, and returns what is pending if that has changed.
    pub(super) fn on_answer(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Answer<Option<Tagged<Pending>>>,
        tempo: Tempo,
    ) -> Option<Pending> {
        let (growth, gap) = match tempo {
            Tempo::Idle => (Growth::CALM, GAP),
            Tempo::Watched => (Growth::URGENT, WATCHED_GAP),
            Tempo::Unwatched => (Growth::URGENT, UNWATCHED_GAP),
        };
        let changed = match answer.result {
            Ok(None) => None,
            Ok(Some(Tagged { value, tag })) => {
                // Without a tag the server cannot tell that nothing has changed; the version can.
                let is_known = tag.is_none() && self.version == Some(value.version);
                self.tag = tag;
                self.full_at = Some(now);
                self.version = Some(value.version);
                (!is_known).then_some(value)
            }
            Err(error) => {
                self.errand.set_growth(growth);
                let asked = error.asked_wait();
                let wait = self.errand.fail(now, asked, &mut common.random);
                common.trouble(None, format!("polling: {error}"), Some(wait));
                return None;
            }
        };
        self.errand.done();
        self.known_as_of = Some(answer.trip.sent);
        let wait = match changed {
            None if answer.trip.duration() < HANGS_FROM && tempo == Tempo::Idle => SHORT_GAP,
            _ => gap.saturating_sub(answer.trip.duration()),
        };
        self.errand.want(now + wait);
        changed
    }

    /// When the poll was sent that the newest knowledge comes from.
    pub(super) fn known_as_of(&self) -> Option<Instant> {
        self.known_as_of
    }

    /// When the next poll is due.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.errand.wake()
    }
}
