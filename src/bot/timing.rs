//! What the session knows of the server's clock and of the way there. Every instant is given from outside.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::search::time::Latency;

/// When a request left and when its answer was read.
#[derive(Clone, Copy, Debug)]
pub struct Trip {
    /// The request was about to be sent.
    pub sent: Instant,
    /// The whole answer was there.
    pub received: Instant,
}

impl Trip {
    /// The time between the two.
    pub fn duration(self) -> Duration {
        self.received.saturating_duration_since(self.sent)
    }
}

/// The server's clock as seen from here.
///
/// It is tied to the monotonic clock, so neither a wrong local time nor a step of it changes a budget.
#[derive(Clone, Debug, Default)]
pub struct ServerClock {
    best: Option<Sample>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The middle of the request, taken to be the instant at which the server read its clock.
    middle: Instant,
    server_ms: u64,
    round_trip: Duration,
}

/// After this long the two clocks may have drifted apart, and any new sample is better than an old one.
const SAMPLE_AGE_MAX: Duration = Duration::from_secs(600);

impl ServerClock {
    /// Takes note of a `server_time`; the sample with the smallest round trip counts.
    pub fn observe(&mut self, trip: Trip, server_ms: u64) {
        let round_trip = trip.duration();
        let keep = self.best.is_some_and(|best| {
            best.round_trip < round_trip
                && trip.received.saturating_duration_since(best.middle) < SAMPLE_AGE_MAX
        });
        if !keep {
            self.best = Some(Sample {
                middle: trip.sent + round_trip / 2,
                server_ms,
                round_trip,
            });
        }
    }

    /// The time from `now` to an instant of the server's clock: nothing when it has passed, `None` before the first
    /// sample.
    pub fn until(&self, server_ms: u64, now: Instant) -> Option<Duration> {
        let best = self.best?;
        let elapsed_ms = u64::try_from(now.saturating_duration_since(best.middle).as_millis())
            .unwrap_or(u64::MAX);
        let server_now_ms = best.server_ms.saturating_add(elapsed_ms);
        Some(Duration::from_millis(
            server_ms.saturating_sub(server_now_ms),
        ))
    }
}

/// Round trips of the last requests that were answered at once (long polls are no measure).
#[derive(Clone, Debug, Default)]
pub struct LatencyMeter {
    last: VecDeque<Duration>,
}

impl LatencyMeter {
    /// So many requests are remembered. Small enough to forget a bad hour, and a single slow answer counts at once.
    const WINDOW: usize = 100;

    /// Adds a round trip.
    pub fn record(&mut self, round_trip: Duration) {
        if self.last.len() == Self::WINDOW {
            self.last.pop_front();
        }
        self.last.push_back(round_trip);
    }

    /// What is known; nothing before the first request, and the slowest one as long as there are few.
    pub fn measured(&self) -> Latency {
        let mut sorted: Vec<_> = self.last.iter().copied().collect();
        sorted.sort_unstable();
        let at = |share: f64| {
            let rank = (share * sorted.len() as f64) as usize;
            sorted.get(rank).copied().unwrap_or_default()
        };
        Latency {
            median: at(0.5),
            p99: at(0.99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn trip(start: Instant, from_ms: u32, to_ms: u32) -> Trip {
        Trip {
            sent: start + MS * from_ms,
            received: start + MS * to_ms,
        }
    }

    #[test]
    fn the_shortest_round_trip_sets_the_clock() {
        let start = Instant::now();
        let mut clock = ServerClock::default();
        assert_eq!(clock.until(5_000, start), None);
        clock.observe(trip(start, 0, 2_000), 9_000);
        clock.observe(trip(start, 2_000, 2_100), 10_050);
        clock.observe(trip(start, 3_000, 28_000), 36_000);
        assert_eq!(clock.until(11_000, start + MS * 2_500), Some(MS * 500));
        assert_eq!(clock.until(1, start + MS * 2_500), Some(Duration::ZERO));
    }

    #[test]
    fn an_old_sample_gives_way() {
        let start = Instant::now();
        let mut clock = ServerClock::default();
        clock.observe(trip(start, 0, 10), 1_000);
        clock.observe(trip(start, 700_000, 700_100), 800_000);
        assert_eq!(clock.until(801_000, start + MS * 700_050), Some(MS * 1_000));
    }

    #[test]
    fn one_slow_answer_shows_in_the_99_percent_but_not_in_the_median() {
        let measured = |meter: &LatencyMeter| {
            let Latency { median, p99 } = meter.measured();
            (median, p99)
        };
        let mut meter = LatencyMeter::default();
        assert_eq!(meter.measured(), Latency::default());
        for _ in 0..20 {
            meter.record(MS * 50);
        }
        meter.record(MS * 2_000);
        assert_eq!(measured(&meter), (MS * 50, MS * 2_000));
        for _ in 0..LatencyMeter::WINDOW {
            meter.record(MS * 60);
        }
        assert_eq!(measured(&meter), (MS * 60, MS * 60));
    }
}
