//! The server's clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since the epoch.
pub type Millis = u64;

/// Tells the time of day by a clock that never jumps: set once from the system's clock, it then follows the monotonic
/// one, so that a corrected system clock fells no flags.
#[derive(Clone, Copy, Debug)]
pub struct ServerTime {
    started: Instant,
    started_at: Millis,
}

impl ServerTime {
    /// Sets the clock by the system's.
    pub fn start() -> Self {
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            started: Instant::now(),
            started_at: whole_millis(since_epoch),
        }
    }

    /// Now.
    pub fn now(&self) -> Millis {
        self.started_at + whole_millis(self.started.elapsed())
    }

    /// How long it is until `at`; nothing when that is over.
    pub fn until(&self, at: Millis) -> Duration {
        Duration::from_millis(at.saturating_sub(self.now()))
    }
}

fn whole_millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}
