//! Who is here: an account is online as long as its requests follow each other closely.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::api::PlayerId;

use super::time::Millis;

/// Longer than a long poll hangs, with time to send the next.
const ONLINE_FOR: Millis = 60_000;

/// The accounts that are online, and since when.
#[derive(Debug, Default)]
pub struct Presence {
    seen: Mutex<HashMap<PlayerId, Seen>>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    since: Millis,
    last: Millis,
}

impl Seen {
    fn is_online(self, now: Millis) -> bool {
        now.saturating_sub(self.last) <= ONLINE_FOR
    }
}

impl Presence {
    /// Notes a request of `player`.
    pub fn note(&self, player: &PlayerId, now: Millis) {
        let mut seen = self.lock();
        match seen.get_mut(player) {
            Some(entry) if entry.is_online(now) => entry.last = now,
            _ => {
                let entry = Seen {
                    since: now,
                    last: now,
                };
                seen.insert(player.clone(), entry);
            }
        }
    }

    /// Since when `player` has been online.
    pub fn online_since(&self, player: &PlayerId, now: Millis) -> Option<Millis> {
        let entry = self.lock().get(player).copied()?;
        entry.is_online(now).then_some(entry.since)
    }

    /// Everybody who is online, and since when.
    pub fn online(&self, now: Millis) -> HashMap<PlayerId, Millis> {
        let seen = self.lock();
        let online = seen.iter().filter(|(_, entry)| entry.is_online(now));
        online
            .map(|(player, entry)| (player.clone(), entry.since))
            .collect()
    }

    /// Forgets who has gone.
    pub fn sweep(&self, now: Millis) {
        self.lock().retain(|_, entry| entry.is_online(now));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PlayerId, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn online_from_the_first_request_until_a_minute_after_the_last() {
        let presence = Presence::default();
        let ada = PlayerId::from("ada");
        assert_eq!(presence.online_since(&ada, 0), None);
        presence.note(&ada, 1_000);
        presence.note(&ada, 50_000);
        assert_eq!(presence.online_since(&ada, 110_000), Some(1_000));
        assert_eq!(presence.online_since(&ada, 110_001), None);
        presence.note(&ada, 200_000);
        assert_eq!(presence.online_since(&ada, 200_000), Some(200_000));
        presence.sweep(260_001);
        assert!(presence.lock().is_empty());
    }
}
