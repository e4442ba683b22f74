//! How many requests the account sends in all: fewer than the server bears, and fewer still while they fail.
//!
//! Turns and resignations are never held back: the server counts them apart, and the game's clock drives them. The
//! others wait their turn, those of running games first.

use std::time::{Duration, Instant};

use super::Request;
use crate::bot::answered::{AnswerClass, Answered, RequestKind};

/// Part of a minute's requests that may be sent at once.
const BURST_SHARE: f64 = 0.2;
/// However many requests fail, the rate is divided by no more.
const SLOWDOWN_MAX: u32 = 8;
/// However long a server wants to be left alone, the others than the request it refused are not held back longer.
const HOLD_MAX: Duration = Duration::from_secs(60);

pub(super) struct Pace {
    per_minute: u32,
    waiting: Vec<Request>,
    /// Requests that may be sent now.
    credit: f64,
    credited_at: Instant,
    /// Requests in a row that the server, or the way to it, failed.
    failures: u32,
    held_until: Option<Instant>,
}

impl Pace {
    /// At most `per_minute` requests in any minute from `now` on.
    pub(super) fn new(per_minute: u32, now: Instant) -> Self {
        let mut pace = Self {
            per_minute,
            waiting: Vec::new(),
            credit: 0.0,
            credited_at: now,
            failures: 0,
            held_until: None,
        };
        pace.credit = pace.burst();
        pace
    }

    /// Sets the limit.
    pub(super) fn set_limit(&mut self, per_minute: u32) {
        self.per_minute = per_minute;
        self.credit = self.credit.min(self.burst());
    }

    fn burst(&self) -> f64 {
        (f64::from(self.per_minute) * BURST_SHARE).max(1.0)
    }

    /// Requests a second.
    fn rate(&self) -> f64 {
        let slowdown = (1 + self.failures).min(SLOWDOWN_MAX);
        f64::from(self.per_minute) * (1.0 - BURST_SHARE) / 60.0 / f64::from(slowdown)
    }

    /// A request to be sent when it may be. It takes the place of one for the same thing that still waits.
    pub(super) fn queue(&mut self, request: Request) {
        self.waiting.retain(|waiting| !is_same(waiting, &request));
        let rank = rank(&request);
        let behind = self
            .waiting
            .partition_point(|other| self::rank(other) <= rank);
        self.waiting.insert(behind, request);
    }

    /// The requests that may be sent now.
    pub(super) fn release(&mut self, now: Instant) -> Vec<Request> {
        let elapsed = now.saturating_duration_since(self.credited_at);
        self.credited_at = now;
        self.credit = (self.credit + elapsed.as_secs_f64() * self.rate()).min(self.burst());
        let urgent = self
            .waiting
            .iter()
            .filter(|r| rank(r) == Rank::Urgent)
            .count();
        let is_held = self.held_until.is_some_and(|until| now < until);
        // A hair less than one: what is due at an instant must not be missed by the last digit.
        let affordable = (self.credit + 1e-6) as usize;
        let others = if is_held {
            0
        } else {
            affordable.min(self.waiting.len() - urgent)
        };
        self.credit -= others as f64;
        self.waiting.drain(..urgent + others).collect()
    }

    /// When the next request may be sent, if one waits.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.waiting.first()?;
        let missing = (1.0 - self.credit).max(0.0) / self.rate();
        let affordable_at = self.credited_at + Duration::from_secs_f64(missing);
        Some(
            self.held_until
                .map_or(affordable_at, |until| until.max(affordable_at)),
        )
    }

    /// Takes note of how a request went; `asked`: how long the server wants to be left alone.
    pub(super) fn note(&mut self, answered: &Answered, asked: Option<Duration>, now: Instant) {
        match answered.class {
            AnswerClass::Ok | AnswerClass::Refused => self.failures = 0,
            AnswerClass::Network
            | AnswerClass::Timeout
            | AnswerClass::Failed
            | AnswerClass::Unreadable => self.failures = self.failures.saturating_add(1),
            // What is limited there says nothing about the rest.
            AnswerClass::Limited if has_own_limit(answered.request) => {}
            AnswerClass::Limited => {
                self.failures = self.failures.saturating_add(1);
                if let Some(asked) = asked {
                    self.held_until = Some(now + asked.min(HOLD_MAX));
                }
            }
        }
    }
}

/// Whether servers limit such requests by other measures than the number of requests.
fn has_own_limit(request: RequestKind) -> bool {
    matches!(
        request,
        RequestKind::Play
            | RequestKind::End
            | RequestKind::Challenge
            | RequestKind::Seek
            | RequestKind::AcceptSeek
    )
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Urgent,
    Game,
    Poll,
    Lobby,
}

fn rank(request: &Request) -> Rank {
    match request {
        Request::Play { .. } | Request::End { .. } => Rank::Urgent,
        Request::Read { .. } | Request::Watch { .. } => Rank::Game,
        Request::Meta | Request::Me | Request::Poll { .. } => Rank::Poll,
        _ => Rank::Lobby,
    }
}

/// Whether two requests ask for the same state.
fn is_same(one: &Request, other: &Request) -> bool {
    match (one, other) {
        (Request::Read { game: one, .. }, Request::Read { game: other, .. })
        | (Request::Watch { game: one, .. }, Request::Watch { game: other, .. }) => one == other,
        (Request::Poll { .. }, Request::Poll { .. }) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::GameId;
    use crate::bot::Trip;

    fn read(number: u32) -> Request {
        Request::Read {
            game: GameId::from(format!("g{number}")),
            timeout: Duration::from_secs(10),
        }
    }

    fn play() -> Request {
        Request::End {
            game: "g".into(),
            how: super::super::Ending::Resign,
        }
    }

    fn answered(request: RequestKind, class: AnswerClass, now: Instant) -> Answered {
        let trip = Trip {
            sent: now,
            received: now,
        };
        let game = None;
        Answered {
            request,
            game,
            trip,
            class,
        }
    }

    /// Lets requests be sent for `seconds`, with as many waiting as possible, and counts them.
    fn count(pace: &mut Pace, start: Instant, seconds: u64) -> usize {
        let end = start + Duration::from_secs(seconds);
        let (mut now, mut sent, mut number) = (start, 0, 0);
        while now < end {
            number += 1;
            pace.queue(read(number));
            sent += pace.release(now).len();
            now += Duration::from_millis(10);
        }
        sent
    }

    #[test]
    fn no_minute_sees_more_requests_than_allowed() {
        let start = Instant::now();
        let mut pace = Pace::new(120, start);
        let first = count(&mut pace, start, 60);
        assert!((110..=120).contains(&first), "{first}");
        let second = count(&mut pace, start + Duration::from_secs(60), 60);
        assert!((90..=97).contains(&second), "{second}");
    }

    #[test]
    fn turns_are_not_held_back_and_games_go_before_the_lobby() {
        let start = Instant::now();
        let mut pace = Pace::new(5, start);
        for request in [Request::Seeks, Request::Me, read(1), read(2), play()] {
            pace.queue(request);
        }
        assert_eq!(pace.release(start), [play(), read(1)]);
        pace.queue(play());
        assert_eq!(pace.release(start), [play()]);
        let wake = pace.wake().unwrap();
        assert_eq!(pace.release(wake), [read(2)]);
    }

    #[test]
    fn what_waits_is_replaced_by_newer_of_its_kind() {
        let start = Instant::now();
        let mut pace = Pace::new(5, start);
        pace.queue(read(0));
        pace.release(start);
        for _ in 0..3 {
            pace.queue(read(1));
        }
        assert_eq!(pace.waiting.len(), 1);
    }

    #[test]
    fn the_rate_falls_while_requests_fail() {
        let start = Instant::now();
        let mut pace = Pace::new(120, start);
        count(&mut pace, start, 60);
        for _ in 0..20 {
            let failed = answered(RequestKind::Read, AnswerClass::Network, start);
            pace.note(&failed, None, start);
        }
        let failing = count(&mut pace, start + Duration::from_secs(60), 60);
        assert!(failing <= 13, "{failing}");
        let good = answered(RequestKind::Read, AnswerClass::Ok, start);
        pace.note(&good, None, start);
        let again = count(&mut pace, start + Duration::from_secs(120), 60);
        assert!(again > 90, "{again}");
    }

    #[test]
    fn a_server_that_wants_rest_gets_it_unless_it_was_asked_for_a_game() {
        let start = Instant::now();
        let asked = Some(Duration::from_secs(20));
        let mut pace = Pace::new(120, start);
        let limited = answered(RequestKind::Challenge, AnswerClass::Limited, start);
        pace.note(&limited, asked, start);
        pace.queue(read(1));
        assert_eq!(pace.release(start).len(), 1);
        let limited = answered(RequestKind::Poll, AnswerClass::Limited, start);
        pace.note(&limited, asked, start);
        pace.queue(read(1));
        pace.queue(play());
        assert_eq!(pace.release(start), [play()]);
        assert_eq!(pace.wake(), Some(start + Duration::from_secs(20)));
    }
}
