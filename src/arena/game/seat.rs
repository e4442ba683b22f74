//! A player at the board, with limits and clock.

use std::time::Duration;

use crate::arena::{Side, TimeControl};
use crate::game::Position;
use crate::player::Player;
use crate::search::{Budget, ClockView, Latency, Limits, budget};

/// Time beyond a limit per turn that is no overrun yet: a search looks at the clock only now and then.
const TOLERANCE: Duration = Duration::from_millis(10);

/// A player at the board.
pub(super) struct Seat<'a> {
    pub player: Box<dyn Player>,
    pub side: &'a Side,
    clock: Option<Clock>,
}

/// The clock of a side that has one.
#[derive(Clone, Copy)]
struct Clock {
    /// What is left, in µs; below 0 where the margin is used up.
    left: i64,
    increment: Duration,
}

impl Clock {
    fn view(&self) -> ClockView {
        ClockView {
            remaining: Duration::from_micros(u64::try_from(self.left).unwrap_or(0)),
            increment: self.increment,
        }
    }
}

impl<'a> Seat<'a> {
    pub fn new(player: Box<dyn Player>, side: &'a Side) -> Self {
        let clock = match side.pace.time {
            Some(TimeControl::Clock { base, increment }) => Some(Clock {
                left: base.as_micros() as i64,
                increment,
            }),
            Some(TimeControl::PerTurn(_)) | None => None,
        };
        Self {
            player,
            side,
            clock,
        }
    }

    /// What an external program calls itself.
    pub fn program(&self) -> Option<String> {
        self.side
            .is_external()
            .then(|| self.player.name().to_owned())
    }

    /// The clock, if the side has one.
    pub fn clock(&self) -> Option<ClockView> {
        self.clock.as_ref().map(Clock::view)
    }

    /// The limits for the next turn.
    pub fn limits(&self, position: &Position) -> Limits {
        let by_clock = |clock| budget(&self.side.time, position, clock, Latency::default());
        Limits {
            time: match self.side.pace.time {
                Some(TimeControl::PerTurn(time)) => Some(Budget::fixed(time)),
                Some(TimeControl::Clock { .. }) => self.clock().map(by_clock),
                None => None,
            },
            simulations: self.side.pace.simulations,
        }
    }

    /// Takes the time for a turn; how far that goes beyond the limit.
    pub fn spend(&mut self, time: Duration) -> Duration {
        match (&mut self.clock, self.side.pace.time) {
            (Some(clock), _) => {
                clock.left -= time.as_micros() as i64;
                Duration::from_micros(u64::try_from(-clock.left).unwrap_or(0))
            }
            (None, Some(TimeControl::PerTurn(limit))) if time > limit + TOLERANCE => time - limit,
            (None, _) => Duration::ZERO,
        }
    }

    /// Adds the increment after a turn; what is on the clock then, in ms.
    pub fn press_clock(&mut self) -> Option<u64> {
        let clock = self.clock.as_mut()?;
        clock.left += clock.increment.as_micros() as i64;
        Some(clock.view().remaining.as_millis() as u64)
    }
}
