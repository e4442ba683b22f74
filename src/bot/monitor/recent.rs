//! What happened within the last minute.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How far back things count.
const SPAN: Duration = Duration::from_secs(60);

/// Things with their instants, forgotten after a minute.
#[derive(Clone, Debug, Default)]
pub(super) struct LastMinute<T> {
    things: VecDeque<(Instant, T)>,
}

impl<T> LastMinute<T> {
    /// Adds something that happened at `now`.
    pub(super) fn add(&mut self, now: Instant, thing: T) {
        self.forget(now);
        self.things.push_back((now, thing));
    }

    /// What is not forgotten at `now`.
    pub(super) fn at(&mut self, now: Instant) -> impl ExactSizeIterator<Item = &T> {
        self.forget(now);
        self.things.iter().map(|(_, thing)| thing)
    }

    fn forget(&mut self, now: Instant) {
        let is_old = |at: Instant| now.saturating_duration_since(at) > SPAN;
        while self.things.front().is_some_and(|(at, _)| is_old(*at)) {
            self.things.pop_front();
        }
    }
}
