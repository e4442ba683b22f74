//! Which bucket a request is taken from.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::api::TokenId;

use super::limiter::{Allowance, Exhausted, Limiter};
use super::time::Millis;

/// Turns have buckets of their own, so that no other request can make a player lose on time; so many times larger.
const TURNS_PER_REQUEST: u32 = 10;
/// New accounts cost more than other requests, so there are fewer of them.
const REQUESTS_PER_ACCOUNT: u32 = 10;
/// Those who only watch may share an address, such as a school's.
const WATCHERS_PER_ADDRESS: u32 = 10;

/// Who sends a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Somebody with a valid token.
    Token(TokenId),
    /// Somebody without one; `None` in a process of its own, without a network.
    Address(Option<IpAddr>),
}

/// What kind of request it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// A turn.
    Turns,
    /// Reading without a token.
    Watching,
    /// A new account.
    Accounts,
    /// Everything else.
    Requests,
}

impl Bucket {
    /// Its name in the `RateLimit` headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::Watching => "watching",
            Self::Accounts => "accounts",
            Self::Requests => "requests",
        }
    }
}

/// The buckets of all clients.
#[derive(Debug)]
pub struct Limits {
    requests: Mutex<Limiter<Client>>,
    turns: Mutex<Limiter<Client>>,
    watching: Mutex<Limiter<Client>>,
    accounts: Mutex<Limiter<Client>>,
}

impl Limits {
    /// Buckets for so many requests a minute.
    pub fn new(requests_per_minute: u32) -> Self {
        let times = |factor| Mutex::new(Limiter::new(requests_per_minute.saturating_mul(factor)));
        Self {
            requests: Mutex::new(Limiter::new(requests_per_minute)),
            turns: times(TURNS_PER_REQUEST),
            watching: times(WATCHERS_PER_ADDRESS),
            accounts: Mutex::new(Limiter::new(
                (requests_per_minute / REQUESTS_PER_ACCOUNT).max(1),
            )),
        }
    }

    /// Takes one request from a bucket.
    ///
    /// # Errors
    /// The bucket is empty.
    pub fn take(
        &self,
        bucket: Bucket,
        client: Client,
        now: Millis,
    ) -> Result<Allowance, Exhausted> {
        let limiter = match bucket {
            Bucket::Turns => &self.turns,
            Bucket::Watching => &self.watching,
            Bucket::Accounts => &self.accounts,
            Bucket::Requests => &self.requests,
        };
        let mut limiter = limiter.lock().unwrap_or_else(PoisonError::into_inner);
        limiter.take(client, now)
    }

    /// Forgets full buckets.
    pub fn sweep(&self, now: Millis) {
        for limiter in [&self.requests, &self.turns, &self.watching, &self.accounts] {
            let mut limiter = limiter.lock().unwrap_or_else(PoisonError::into_inner);
            limiter.sweep(now);
        }
    }
}
