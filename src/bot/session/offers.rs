//! The account's own open challenges and seeks, whether this process has made them or an earlier one.

use std::time::{Duration, Instant};

use super::protocol::OfferId;
use super::{Answer, Common, Request};
use crate::api::{Challenge, ChallengeStatus, PlayerId, Seek};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::transport::Remedy;

/// How long an offer is taken to stand when the server's clock is not known.
const USUAL_EXPIRY: Duration = Duration::from_secs(60);
/// So long after an offer has expired it is certain that no game came of it.
const SURELY_EXPIRED: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct Offers {
    open: Vec<Offer>,
}

struct Offer {
    id: OfferId,
    /// Who was challenged; a seek is for everybody.
    to: Option<PlayerId>,
    known_since: Instant,
    until: Instant,
    cancel: Errand,
}

impl Offers {
    /// Whether any may still become a game.
    pub(super) fn is_any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes note of an open offer; when it will surely be over.
    pub(super) fn add(
        &mut self,
        common: &Common,
        id: OfferId,
        to: Option<PlayerId>,
        expires_at: u64,
        now: Instant,
    ) -> Instant {
        let left = common.server_clock.until(expires_at, now);
        let until = now + left.unwrap_or(USUAL_EXPIRY) + SURELY_EXPIRED;
        if !self.open.iter().any(|offer| offer.id == id) {
            self.open.push(Offer {
                id,
                to,
                known_since: now,
                until,
                cancel: Errand::new(Growth::CALM),
            });
        }
        until
    }

    /// The account's challenges as a poll lists them, which was sent at `as_of`.
    pub(super) fn on_sent(
        &mut self,
        common: &Common,
        sent: &[Challenge],
        as_of: Instant,
        now: Instant,
    ) {
        let is_open = |challenge: &&Challenge| challenge.status == ChallengeStatus::Open;
        self.open.retain(|offer| match &offer.id {
            OfferId::Seek(_) => true,
            OfferId::Challenge(id) => {
                as_of < offer.known_since || sent.iter().filter(is_open).any(|c| c.id == *id)
            }
        });
        for challenge in sent.iter().filter(is_open) {
            let to = challenge.to.as_ref().map(|to| to.id.clone());
            let id = OfferId::Challenge(challenge.id.clone());
            self.add(common, id, to, challenge.expires_at, now);
        }
    }

    /// All open seeks, as listed.
    pub(super) fn on_seeks(&mut self, common: &Common, seeks: &[Seek], now: Instant) {
        for seek in seeks {
            if Some(&seek.from.id) == common.me.as_ref() {
                let id = OfferId::Seek(seek.id.clone());
                self.add(common, id, None, seek.expires_at, now);
            }
        }
    }

    /// Takes all of them back.
    pub(super) fn cancel_all(&mut self, now: Instant) {
        for offer in &mut self.open {
            if offer.cancel.wake().is_none() {
                offer.cancel.want(now);
            }
        }
    }

    /// Sends what is due; who has let a challenge expire.
    pub(super) fn advance(&mut self, common: &mut Common, now: Instant) -> Vec<PlayerId> {
        let expired = self.open.extract_if(.., |offer| offer.until <= now);
        let silent = expired.filter_map(|offer| offer.to).collect();
        for offer in &mut self.open {
            if offer.cancel.start(now) {
                common.ask(Request::Cancel(offer.id.clone()));
            }
        }
        silent
    }

    /// The answer to a cancellation. A game that came of the offer before is in the next list.
    pub(super) fn on_cancelled(
        &mut self,
        common: &mut Common,
        now: Instant,
        id: &OfferId,
        answer: Answer<()>,
    ) {
        let Some(index) = self.open.iter().position(|offer| offer.id == *id) else {
            return;
        };
        if let Err(error) = &answer.result
            && let Remedy::TryAgain { asked } = error.remedy()
        {
            let cancel = &mut self.open[index].cancel;
            let wait = cancel.fail(now, asked, &mut common.random);
            common.trouble(None, format!("taking an offer back: {error}"), Some(wait));
        } else {
            self.open.remove(index);
        }
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        let offers = self.open.iter();
        let dues = offers.flat_map(|offer| [Some(offer.until), offer.cancel.wake()]);
        dues.flatten().min()
    }
}
