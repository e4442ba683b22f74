//! A request that is sent again until it has succeeded.

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;

use super::backoff::{Backoff, Growth};

/// Whether a request waits for its time, for its answer, or is not wanted now. Never more than one is on its way.
#[derive(Clone, Debug)]
pub(super) struct Errand {
    backoff: Backoff,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    Due(Instant),
    Sent,
}

impl Errand {
    /// Not wanted yet.
    pub(super) fn new(growth: Growth) -> Self {
        Self {
            backoff: Backoff::new(growth),
            state: State::Idle,
        }
    }

    /// Wanted at `at`.
    pub(super) fn due(growth: Growth, at: Instant) -> Self {
        Self {
            state: State::Due(at),
            ..Self::new(growth)
        }
    }

    /// Asks for it at `at`, or earlier if that was settled already; one that is on its way is left alone.
    pub(super) fn want(&mut self, at: Instant) {
        self.state = match self.state {
            State::Idle => State::Due(at),
            State::Due(earlier) => State::Due(earlier.min(at)),
            State::Sent => State::Sent,
        };
    }

    /// When it has to be sent.
    pub(super) fn wake(&self) -> Option<Instant> {
        match self.state {
            State::Due(at) => Some(at),
            State::Idle | State::Sent => None,
        }
    }

    /// Whether it has to be sent now; from then on it counts as sent.
    pub(super) fn start(&mut self, now: Instant) -> bool {
        let is_due = self.wake().is_some_and(|at| at <= now);
        if is_due {
            self.state = State::Sent;
        }
        is_due
    }

    /// Whether its answer is awaited.
    pub(super) fn is_sent(&self) -> bool {
        self.state == State::Sent
    }

    /// It has succeeded, or is not wanted any more.
    pub(super) fn done(&mut self) {
        self.backoff.reset();
        self.state = State::Idle;
    }

    /// It has succeeded, but may have to be sent once more at `at`; what it failed before is not forgotten.
    pub(super) fn repeat(&mut self, at: Instant) {
        self.state = State::Due(at);
    }

    /// It need not be sent any more; one that is on its way is left alone.
    pub(super) fn cancel(&mut self) {
        if !self.is_sent() {
            self.state = State::Idle;
        }
    }

    /// It has failed: draws the wait until the next attempt.
    pub(super) fn fail(
        &mut self,
        now: Instant,
        asked: Option<Duration>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Duration {
        let wait = self.backoff.next_wait(asked, random);
        self.state = State::Due(now + wait);
        wait
    }

    /// Replaces how waits grow; the count of failures stays.
    pub(super) fn set_growth(&mut self, growth: Growth) {
        self.backoff.set_growth(growth);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn it_is_sent_once_until_it_fails() {
        let now = Instant::now();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut errand = Errand::new(Growth::URGENT);
        assert!(!errand.start(now));
        errand.want(now);
        assert!(errand.start(now) && !errand.start(now));
        errand.want(now);
        assert!(!errand.start(now), "it is on its way");
        let wait = errand.fail(now, None, &mut random);
        assert!(!errand.start(now));
        assert_eq!(errand.wake(), Some(now + wait));
        assert!(errand.start(now + wait));
        errand.done();
        assert!(!errand.start(now + wait * 9));
    }
}
