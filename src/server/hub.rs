//! Wake-ups for long polls. The hub holds no state of its own: who is woken reads the store again.
//!
//! No wake-up is lost when a waiter subscribes first, then reads, and waits only if what it read is old news: a change
//! is committed before it is announced, so it is either in what was read or still to be announced.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{oneshot, watch};

use crate::api::{GameId, PlayerId, TokenId};

/// What can be waited for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A player's pending challenges and games.
    Pending(PlayerId),
    /// One game.
    Game(GameId),
    /// What everybody sees on the first page: games, seeks, players.
    Lobby,
}

/// Who hangs at a topic. A token has one place at each; guests cannot be told apart, so each request is one of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Sitter {
    Token(TokenId),
    Guest(u64),
}

/// Where waiters and changes meet. An entry exists only as long as somebody waits.
#[derive(Clone, Debug, Default)]
pub struct Hub {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    topics: HashMap<Topic, watch::Sender<()>>,
    seats: HashMap<(Topic, Sitter), Seat>,
    seats_taken: u64,
    is_closed: bool,
}

/// A hanging request; dropping `_evict` tells it to end.
#[derive(Debug)]
struct Seat {
    number: u64,
    _evict: oneshot::Sender<()>,
}

/// A hanging request's place at a topic; dropping it leaves the topic.
#[derive(Debug)]
pub struct Waiter {
    hub: Hub,
    topic: Topic,
    sitter: Sitter,
    number: u64,
    changes: watch::Receiver<()>,
    evicted: oneshot::Receiver<()>,
}

/// Why a waiter was woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Something has changed.
    Changed,
    /// A newer request of the same token took the place, or the server is about to stop.
    Evicted,
}

impl Hub {
    /// Takes the one place that a token has at a topic, ending the request that had it; without a token, a new place.
    pub fn join(&self, topic: Topic, token: Option<TokenId>) -> Waiter {
        let mut inner = self.lock();
        inner.seats_taken += 1;
        let number = inner.seats_taken;
        let sitter = token.map_or(Sitter::Guest(number), Sitter::Token);
        let changes = inner
            .topics
            .entry(topic.clone())
            .or_insert_with(|| watch::Sender::new(()))
            .subscribe();
        let (evict, evicted) = oneshot::channel();
        if !inner.is_closed {
            let seat = Seat {
                number,
                _evict: evict,
            };
            inner.seats.insert((topic.clone(), sitter.clone()), seat);
        }
        Waiter {
            hub: self.clone(),
            topic,
            sitter,
            number,
            changes,
            evicted,
        }
    }

    /// Wakes everybody who waits at one of `topics`.
    pub fn announce(&self, topics: &[Topic]) {
        let inner = self.lock();
        for sender in topics.iter().filter_map(|topic| inner.topics.get(topic)) {
            sender.send_replace(());
        }
    }

    /// Ends all hanging requests, also those still to come.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        inner.seats.clear();
    }

    /// Whether nobody waits.
    #[cfg(test)]
    fn is_idle(&self) -> bool {
        let inner = self.lock();
        inner.topics.is_empty() && inner.seats.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    /// Waits for the next change since joining or since the last wake-up.
    pub async fn wake(&mut self) -> Wake {
        tokio::select! {
            biased;
            changed = self.changes.changed() => match changed {
                Ok(()) => Wake::Changed,
                Err(_) => Wake::Evicted,
            },
            _ = &mut self.evicted => Wake::Evicted,
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut inner = self.hub.lock();
        let place = (self.topic.clone(), self.sitter.clone());
        if inner
            .seats
            .get(&place)
            .is_some_and(|seat| seat.number == self.number)
        {
            inner.seats.remove(&place);
        }
        // This waiter's own receiver still counts.
        if inner
            .topics
            .get(&self.topic)
            .is_some_and(|topic| topic.receiver_count() <= 1)
        {
            inner.topics.remove(&self.topic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic() -> Topic {
        Topic::Game("g".into())
    }

    #[tokio::test]
    async fn a_change_between_joining_and_waiting_is_not_lost() {
        let hub = Hub::default();
        let mut waiter = hub.join(topic(), Some("t".into()));
        hub.announce(&[Topic::Game("other".into()), topic()]);
        assert_eq!(waiter.wake().await, Wake::Changed);
    }

    #[tokio::test]
    async fn a_newer_request_takes_the_place_of_the_same_token_only() {
        let hub = Hub::default();
        let mut older = hub.join(topic(), Some("t".into()));
        let mut other = hub.join(topic(), Some("u".into()));
        let mut newer = hub.join(topic(), Some("t".into()));
        assert_eq!(older.wake().await, Wake::Evicted);
        drop(older);
        hub.announce(&[topic()]);
        assert_eq!(newer.wake().await, Wake::Changed);
        assert_eq!(other.wake().await, Wake::Changed);
    }

    #[tokio::test]
    async fn guests_do_not_take_each_others_places() {
        let hub = Hub::default();
        let mut guests = [hub.join(topic(), None), hub.join(topic(), None)];
        hub.announce(&[topic()]);
        for guest in &mut guests {
            assert_eq!(guest.wake().await, Wake::Changed);
        }
        hub.close();
        for guest in &mut guests {
            assert_eq!(guest.wake().await, Wake::Evicted);
        }
    }

    #[tokio::test]
    async fn a_closed_hub_lets_nobody_hang() {
        let hub = Hub::default();
        let mut before = hub.join(topic(), Some("t".into()));
        hub.close();
        let mut after = hub.join(topic(), Some("u".into()));
        assert_eq!(before.wake().await, Wake::Evicted);
        assert_eq!(after.wake().await, Wake::Evicted);
    }

    #[tokio::test]
    async fn nothing_is_kept_of_those_who_left() {
        let hub = Hub::default();
        let waiters: Vec<_> = (0..100)
            .map(|number| hub.join(topic(), Some(format!("t{}", number % 7).into())))
            .collect();
        assert!(!hub.is_idle());
        drop(waiters);
        assert!(hub.is_idle());
    }
}
