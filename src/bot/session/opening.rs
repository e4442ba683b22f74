//! The challenge that a session makes by itself at its start.

use std::time::{Duration, Instant};

use super::offers::Offers;
use super::protocol::OfferId;
use super::{Answer, Common, Request};
use crate::api::{Challenge, ChallengeCreated, ChallengeId, ChallengeStatus, NewChallenge};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::event::Event;

/// When to look again whether the way is clear.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// One challenge, made again until a game comes of it.
pub(super) struct Opening {
    challenge: NewChallenge,
    errand: Errand,
    standing: Option<ChallengeId>,
    /// When it was made last, if that answer is lost.
    unclear_since: Option<Instant>,
}

impl Opening {
    /// Nothing is sent before [`Self::begin`].
    pub(super) fn new(challenge: NewChallenge) -> Self {
        Self {
            challenge,
            errand: Errand::new(Growth::CALM),
            standing: None,
            unclear_since: None,
        }
    }

    /// Wants the challenge to be made.
    pub(super) fn begin(&mut self, now: Instant) {
        self.errand.want(now);
    }

    /// Sends the challenge when it is due, unless one is open or may be. `list_as_of`: when the server's list was asked
    /// for that would show it.
    pub(super) fn advance(
        &mut self,
        common: &mut Common,
        offers: &Offers,
        list_as_of: Option<Instant>,
        now: Instant,
    ) {
        let is_clear = self.unclear_since.is_none_or(|at| list_as_of > Some(at));
        if is_clear {
            self.unclear_since = None;
        }
        if !self.errand.start(now) {
            return;
        }
        if !is_clear || offers.is_any_open() {
            self.errand.repeat(now + LOOK_AGAIN);
        } else {
            self.standing = None;
            common.ask(Request::Challenge(self.challenge.clone()));
        }
    }

    /// When it is due.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.errand.wake()
    }

    /// The answer to the challenge's request.
    pub(super) fn on_answer(
        &mut self,
        common: &mut Common,
        offers: &mut Offers,
        now: Instant,
        answer: Answer<ChallengeCreated>,
    ) {
        match answer.result {
            Ok(created) => {
                common.measure(answer.trip, None);
                let (id, to) = (created.id.clone(), self.challenge.to.clone());
                let id = OfferId::Challenge(id);
                let until = offers.add(common, id, Some(to), created.expires_at, now);
                self.errand.repeat(until);
                self.standing = Some(created.id);
            }
            Err(error) => {
                self.unclear_since = error.is_ambiguous().then_some(now);
                let wait = self
                    .errand
                    .fail(now, error.asked_wait(), &mut common.random);
                common.trouble(None, format!("challenging: {error}"), Some(wait));
            }
        }
    }

    /// What has become of the account's own challenges, as a poll lists them.
    pub(super) fn on_sent(&mut self, common: &mut Common, now: Instant, sent: &[Challenge]) {
        if self.unclear_since.is_some() {
            let is_it = |c: &&Challenge| c.to.as_ref().is_some_and(|to| to.id == self.challenge.to);
            self.standing = sent.iter().rfind(is_it).map(|c| c.id.clone());
        }
        let standing = sent.iter().find(|c| Some(&c.id) == self.standing.as_ref());
        if let Some(Challenge {
            status: ChallengeStatus::Declined,
            decline_reason,
            ..
        }) = standing
        {
            self.standing = None;
            let wait = self.errand.fail(now, None, &mut common.random);
            common.tell(Event::ChallengeDeclined {
                reason: *decline_reason,
                again_in: wait,
            });
        }
    }
}
