//! Token buckets: how many requests each client may send. Pure: instants come from outside.

use std::collections::HashMap;
use std::hash::Hash;

use super::time::Millis;

const MILLIS_PER_MINUTE: f64 = 60_000.0;

/// One bucket for each client; a full bucket is forgotten, for it says nothing.
#[derive(Debug)]
pub struct Limiter<K> {
    per_minute: u32,
    buckets: HashMap<K, Bucket>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    filled_at: Millis,
}

/// What a client has left, as the `RateLimit` headers tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests a minute, and at once from a full bucket.
    pub per_minute: u32,
    /// Requests left at once.
    pub remaining: u32,
    /// Seconds until the bucket is full again.
    pub full_in_s: u64,
}

/// The bucket is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// What to tell the client.
    pub allowance: Allowance,
    /// Seconds until one more request is allowed, at least 1.
    pub retry_after_s: u64,
}

impl<K: Eq + Hash> Limiter<K> {
    /// Buckets that hold `per_minute` requests and fill up once a minute.
    pub fn new(per_minute: u32) -> Self {
        Self {
            per_minute,
            buckets: HashMap::new(),
        }
    }

    /// Takes one request from `client`'s bucket.
    ///
    /// # Errors
    /// The bucket is empty; a refused request costs nothing.
    pub fn take(&mut self, client: K, now: Millis) -> Result<Allowance, Exhausted> {
        let capacity = f64::from(self.per_minute);
        let bucket = self.buckets.entry(client).or_insert(Bucket {
            tokens: capacity,
            filled_at: now,
        });
        bucket.fill(self.per_minute, now);
        if bucket.tokens < 1.0 {
            let retry_after_s = seconds_to_fill(1.0 - bucket.tokens, self.per_minute).max(1);
            let allowance = bucket.allowance(self.per_minute);
            return Err(Exhausted {
                allowance,
                retry_after_s,
            });
        }
        bucket.tokens -= 1.0;
        Ok(bucket.allowance(self.per_minute))
    }

    /// Forgets the clients whose buckets are full.
    pub fn sweep(&mut self, now: Millis) {
        let per_minute = self.per_minute;
        self.buckets.retain(|_, bucket| {
            bucket.fill(per_minute, now);
            bucket.tokens < f64::from(per_minute)
        });
    }
}

impl Bucket {
    fn fill(&mut self, per_minute: u32, now: Millis) {
        let elapsed = now.saturating_sub(self.filled_at) as f64;
        let capacity = f64::from(per_minute);
        self.tokens = (self.tokens + elapsed * capacity / MILLIS_PER_MINUTE).min(capacity);
        self.filled_at = now;
    }

    fn allowance(&self, per_minute: u32) -> Allowance {
        Allowance {
            per_minute,
            remaining: self.tokens as u32,
            full_in_s: seconds_to_fill(f64::from(per_minute) - self.tokens, per_minute),
        }
    }
}

fn seconds_to_fill(tokens: f64, per_minute: u32) -> u64 {
    (tokens * 60.0 / f64::from(per_minute)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let mut limiter = Limiter::new(60);
        for left in (0..60).rev() {
            assert_eq!(limiter.take("a", 0).unwrap().remaining, left);
        }
        let refused = limiter.take("a", 0).unwrap_err();
        assert_eq!(refused.retry_after_s, 1);
        assert_eq!(refused.allowance.full_in_s, 60);
        assert!(
            limiter.take("a", 999).is_err(),
            "one request a second comes back"
        );
        assert!(limiter.take("a", 1_000).is_ok());
        assert!(limiter.take("a", 1_000).is_err());
        assert!(limiter.take("b", 1_000).is_ok(), "clients do not share");
    }

    #[test]
    fn the_wait_told_is_long_enough_and_no_longer_than_needed() {
        for per_minute in [10, 7, 90, 120, 1_000_000] {
            let mut limiter = Limiter::new(per_minute);
            while limiter.take((), 0).is_ok() {}
            let wait = limiter.take((), 0).unwrap_err().retry_after_s;
            assert!(limiter.take((), wait * 1000).is_ok(), "{per_minute}");
            assert!(wait <= 1 + 60 / u64::from(per_minute), "{per_minute}");
        }
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let mut limiter = Limiter::new(60);
        for client in 0..1000 {
            limiter.take(client, 0).unwrap();
        }
        limiter.sweep(500);
        assert_eq!(limiter.buckets.len(), 1000);
        limiter.sweep(1_000);
        assert_eq!(limiter.buckets.len(), 0);
    }

    #[test]
    fn a_clock_that_stands_still_gives_nothing_away() {
        let mut limiter = Limiter::new(10);
        limiter.take((), 1_000).unwrap();
        let before = limiter.take((), 1_000).unwrap();
        let after = limiter.take((), 0).unwrap();
        assert_eq!(before.remaining, after.remaining + 1);
    }
}
