//! What matchmaking remembers: how often it has tried, and whom to leave alone.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use crate::api::{DeclineReason, PlayerId};

const DAY: Duration = Duration::from_secs(24 * 3600);
const HOUR: Duration = Duration::from_secs(3600);

#[derive(Default)]
pub(super) struct Ledger {
    /// When the attempts of the last day were made, the oldest first.
    attempts: VecDeque<Instant>,
    left_alone: HashMap<PlayerId, Instant>,
}

impl Ledger {
    /// Counts an attempt.
    pub(super) fn spend(&mut self, now: Instant) {
        self.attempts.push_back(now);
    }

    /// When the next attempt is within the budget of `daily_max`; `None`: now.
    pub(super) fn spent_until(&self, daily_max: usize) -> Option<Instant> {
        let oldest_that_counts = self.attempts.len().checked_sub(daily_max.max(1))?;
        self.attempts.get(oldest_that_counts).map(|at| *at + DAY)
    }

    /// Forgets what does not count any more.
    pub(super) fn forget(&mut self, now: Instant) {
        self.attempts.retain(|at| *at + DAY > now);
        self.left_alone.retain(|_, until| *until > now);
    }

    /// `player` has declined for `reason`, or has not answered at all. Returns for how long to leave the player alone.
    pub(super) fn leave_alone(
        &mut self,
        player: PlayerId,
        reason: Option<DeclineReason>,
        declined: Duration,
        now: Instant,
    ) -> Duration {
        let time = match reason {
            None | Some(DeclineReason::Later | DeclineReason::Busy) => HOUR.min(declined),
            Some(_) => declined,
        };
        self.left_alone.insert(player, now + time);
        time
    }

    /// Whether `player` may be asked.
    pub(super) fn may_ask(&self, player: &PlayerId, now: Instant) -> bool {
        self.left_alone
            .get(player)
            .is_none_or(|until| *until <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_of_a_day_comes_back_bit_by_bit() {
        let start = Instant::now();
        let mut ledger = Ledger::default();
        for attempt in 0..3 {
            assert_eq!(ledger.spent_until(3), None);
            ledger.spend(start + HOUR * attempt);
        }
        assert_eq!(ledger.spent_until(3), Some(start + DAY));
        ledger.forget(start + DAY);
        assert_eq!(ledger.spent_until(3), None);
        ledger.spend(start + DAY);
        assert_eq!(ledger.spent_until(3), Some(start + HOUR + DAY));
        assert_eq!(ledger.spent_until(2), Some(start + HOUR * 2 + DAY));
    }

    #[test]
    fn whoever_declines_for_good_is_left_alone_for_longer() {
        let start = Instant::now();
        let mut ledger = Ledger::default();
        let [busy, never] = ["busy", "never"].map(PlayerId::from);
        ledger.leave_alone(busy.clone(), Some(DeclineReason::Busy), DAY, start);
        ledger.leave_alone(never.clone(), Some(DeclineReason::NoBots), DAY, start);
        assert!(!ledger.may_ask(&busy, start) && !ledger.may_ask(&never, start));
        let later = start + HOUR;
        assert!(ledger.may_ask(&busy, later) && !ledger.may_ask(&never, later));
        assert!(ledger.may_ask(&never, start + DAY));
    }
}
