//! Growing, jittered waits between attempts.

use std::time::Duration;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How waits grow: the first upper bound, and the bound that is never passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Upper bound of the first wait.
    pub first: Duration,
    /// Upper bound of every wait that the server did not ask for.
    pub most: Duration,
}

impl Growth {
    /// For requests that no clock drives: a second at first, a minute at most.
    pub const CALM: Self = Self {
        first: Duration::from_secs(1),
        most: Duration::from_secs(60),
    };
    /// For requests of a running game.
    pub const URGENT: Self = Self {
        first: Duration::from_millis(250),
        most: Duration::from_secs(5),
    };
}

/// Counts the failures in a row of one kind of request and draws the wait before the next attempt.
#[derive(Clone, Debug)]
pub struct Backoff {
    growth: Growth,
    failures: u32,
}

impl Backoff {
    /// No failure so far.
    pub fn new(growth: Growth) -> Self {
        Self {
            growth,
            failures: 0,
        }
    }

    /// Replaces how waits grow; the count of failures stays.
    pub fn set_growth(&mut self, growth: Growth) {
        self.growth = growth;
    }

    /// Forgets the failures, after a success.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// Counts one more failure and draws the wait: between half of the doubled bound and all of it.
    ///
    /// A wait that the server asked for is never cut short; the drawn half is added so that many clients do not
    /// come back in the same instant.
    pub fn next_wait(
        &mut self,
        asked: Option<Duration>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Duration {
        let doublings = self.failures.min(16);
        self.failures = self.failures.saturating_add(1);
        match asked {
            Some(asked) => asked + self.growth.first.mul_f64(random.random_range(0.0..=0.5)),
            None => {
                let bound = (self.growth.first * 2u32.pow(doublings)).min(self.growth.most);
                bound.mul_f64(random.random_range(0.5..=1.0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn waits_grow_to_the_bound_and_start_again_after_a_success() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut backoff = Backoff::new(Growth::CALM);
        for failure in 0..40 {
            let bound = Duration::from_secs(60.min(1 << failure.min(6)));
            let wait = backoff.next_wait(None, &mut random);
            assert!(
                wait >= bound / 2 && wait <= bound,
                "failure {failure}: {wait:?}"
            );
        }
        backoff.reset();
        assert!(backoff.next_wait(None, &mut random) <= Duration::from_secs(1));
    }

    #[test]
    fn two_clients_draw_different_waits() {
        let draw = |seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            Backoff::new(Growth::CALM).next_wait(None, &mut random)
        };
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_wait_asked_for_is_kept() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut backoff = Backoff::new(Growth::URGENT);
        let asked = Duration::from_secs(90);
        let wait = backoff.next_wait(Some(asked), &mut random);
        assert!(
            wait >= asked && wait <= asked + Duration::from_millis(125),
            "{wait:?}"
        );
    }
}
