//! The `[monitor]` section.

use std::time::Duration;

use crate::setting::Kind;

/// How the account is watched.
#[derive(Clone, Debug, PartialEq)]
pub struct MonitorConfig {
    /// The port of `/healthz` and `/metrics` on the loopback interface; 0 opens none.
    pub port: u16,
    /// Seconds between two status lines in the log; 0 for none.
    pub status_s: u64,
    /// How long polls may fail before that counts as being out of touch.
    pub stale_s: u64,
    /// Whether the process ends then.
    pub exit_when_stale: bool,
}

impl Default for MonitorConfig {
    fn default() -> Self {
        Self {
            port: 0,
            status_s: 60,
            stale_s: 120,
            exit_when_stale: false,
        }
    }
}

crate::settings!(MonitorConfig {
    port: Kind::Int { min: 0, max: 65_535 }, "Port on 127.0.0.1 for /healthz (200 or 503), /games and Prometheus' /metrics. 0: none.";
    status_s: Kind::Int { min: 0, max: 86_400 }, "Seconds between two status lines in the log; on a terminal there is a line that is always up to date instead. 0: none.";
    stale_s: Kind::Int { min: 1, max: 86_400 }, "Seconds without a successful poll, beyond those that a poll may hang, after which the log and /healthz say so.";
    exit_when_stale: Kind::Bool, "Whether the process then ends with exit code 8, so that whatever started it can start it anew. Its games go on there.";
});

impl MonitorConfig {
    /// How old the last successful poll may be, where polls hang up to `poll_wait_s`.
    pub(super) fn patience(&self, poll_wait_s: u64) -> Duration {
        Duration::from_secs(self.stale_s.saturating_add(poll_wait_s))
    }
}
