//! The first questions to a server: which rules does it play, and who am I?

use std::time::Instant;

use super::{Answer, Common, Exit, Request};
use crate::api::{Me, Meta};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::event::Event;
use crate::bot::rules::playable_variants;

pub(super) struct Intro {
    meta: Errand,
    me: Errand,
}

impl Intro {
    /// Begins at `now`.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            meta: Errand::due(Growth::CALM, now),
            me: Errand::new(Growth::CALM),
        }
    }

    /// Sends what is due.
    pub(super) fn advance(&mut self, common: &mut Common, now: Instant) {
        if self.meta.start(now) {
            common.ask(Request::Meta);
        }
        if self.me.start(now) {
            common.ask(Request::Me);
        }
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.meta.wake().or(self.me.wake())
    }

    /// The server's rules; a reason to leave if they are not this program's.
    pub(super) fn on_meta(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Answer<Meta>,
    ) -> Result<(), Exit> {
        let meta = match answer.result {
            Ok(meta) => meta,
            Err(error) => {
                let wait = self.meta.fail(now, error.asked_wait(), &mut common.random);
                let what = format!("asking for the server's rules: {error}");
                common.trouble(None, what, Some(wait));
                return Ok(());
            }
        };
        common.measure(answer.trip, Some(meta.server_time));
        let limit = common.settings.server.requests_per_minute;
        let limit = meta.limits.requests_per_minute.min(limit);
        common.pace.set_limit(limit);
        common.poll_wait_s = meta.limits.wait_max_s.min(common.poll_wait_s);
        common.playable =
            playable_variants(&meta).map_err(|detail| Exit::RulesUnsupported { detail })?;
        self.meta.done();
        self.me.want(now);
        Ok(())
    }

    /// The account; whether it is known now.
    pub(super) fn on_me(&mut self, common: &mut Common, now: Instant, answer: Answer<Me>) -> bool {
        match answer.result {
            Ok(me) => {
                common.measure(answer.trip, None);
                common.me = Some(me.id);
                common.tell(Event::Connected { account: me.name });
                self.me.done();
                true
            }
            Err(error) => {
                let wait = self.me.fail(now, error.asked_wait(), &mut common.random);
                let what = format!("asking who this account is: {error}");
                common.trouble(None, what, Some(wait));
                false
            }
        }
    }
}
