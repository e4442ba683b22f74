//! The challenge that a session makes by itself at its start.

use std::time::{Duration, Instant};

use super::{Answer, Common, Request};
use crate::api::{Challenge, ChallengeCreated, ChallengeId, ChallengeStatus, NewChallenge};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::event::Event;

/// So long after a challenge has expired it is certain that no game came of it.
const SURELY_EXPIRED: Duration = Duration::from_secs(5);
/// How long a challenge is taken to stand when the server's clock is not known.
const USUAL_EXPIRY: Duration = Duration::from_secs(60);

/// One challenge, made again until a game comes of it.
pub(super) struct Opening {
    challenge: NewChallenge,
    errand: Errand,
    standing: Option<ChallengeId>,
}

impl Opening {
    /// Nothing is sent before [`Self::begin`].
    pub(super) fn new(challenge: NewChallenge) -> Self {
        Self {
            challenge,
            errand: Errand::new(Growth::CALM),
            standing: None,
        }
    }

    /// Wants the challenge to be made.
    pub(super) fn begin(&mut self, now: Instant) {
        self.errand.want(now);
    }

    /// Sends the challenge when it is due.
    pub(super) fn advance(&mut self, common: &mut Common, now: Instant) {
        if self.errand.start(now) {
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
        now: Instant,
        answer: Answer<ChallengeCreated>,
    ) {
        match answer.result {
            Ok(created) => {
                common.measure(answer.trip, None);
                let expiry = common.server_clock.until(created.expires_at, now);
                self.errand
                    .repeat(now + expiry.unwrap_or(USUAL_EXPIRY) + SURELY_EXPIRED);
                self.standing = Some(created.id);
            }
            Err(error) => {
                let wait = self
                    .errand
                    .fail(now, error.asked_wait(), &mut common.random);
                common.trouble(None, format!("challenging: {error}"), Some(wait));
            }
        }
    }

    /// What has become of the account's own challenges, as a poll lists them.
    pub(super) fn on_sent(&mut self, common: &mut Common, now: Instant, sent: &[Challenge]) {
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
