//! The clocks of one game: Fischer's, with an increment after each turn. Pure: instants come from outside.

use crate::api::Clock;
use crate::game::{ByColor, Color};

use super::time::Millis;

/// Both players' clocks.
///
/// White's clock runs from the game's creation. A turn stops its player's clock at the arrival of the request; the
/// opponent's starts when the turn is recorded. What lies between is charged to nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// The time control.
    pub control: Clock,
    /// Time left, as of the start of the current turn.
    pub left: ByColor<Millis>,
    /// The side to play and since when its clock runs; `None` when the game is over.
    pub running: Option<(Color, Millis)>,
}

impl GameClock {
    /// Starts white's clock.
    pub fn start(control: Clock, now: Millis) -> Self {
        Self {
            control,
            left: ByColor {
                white: control.initial_ms,
                black: control.initial_ms,
            },
            running: Some((Color::White, now)),
        }
    }

    /// When the running clock's flag falls.
    pub fn deadline(&self) -> Option<Millis> {
        self.running.map(|(side, since)| since + self.left[side])
    }

    /// Whether the flag has fallen before `instant`: a turn at the very deadline is in time.
    pub fn has_fallen(&self, instant: Millis) -> bool {
        self.deadline().is_some_and(|deadline| instant > deadline)
    }

    /// What `side` has left at `instant`.
    pub fn left_at(&self, side: Color, instant: Millis) -> Millis {
        match self.running {
            Some((running, since)) if running == side => {
                self.left[side].saturating_sub(instant.saturating_sub(since))
            }
            _ => self.left[side],
        }
    }

    /// Ends the running side's turn, which arrived at `arrived`, and starts the other clock at `now`.
    pub fn press(&mut self, arrived: Millis, now: Millis) {
        if let Some((side, _)) = self.running {
            self.left[side] = self.left_at(side, arrived) + self.control.increment_ms;
            self.running = Some((side.opposite(), now));
        }
    }

    /// Stops the game's clocks for good.
    pub fn stop(&mut self, instant: Millis) {
        if let Some((side, _)) = self.running {
            self.left[side] = self.left_at(side, instant);
            self.running = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: Clock = Clock {
        initial_ms: 10_000,
        increment_ms: 100,
    };

    #[test]
    fn a_turn_costs_its_time_and_brings_the_increment() {
        let mut clock = GameClock::start(CONTROL, 1_000);
        assert_eq!(clock.deadline(), Some(11_000));
        clock.press(4_000, 4_000);
        assert_eq!(clock.left.white, 7_100);
        assert_eq!(clock.running, Some((Color::Black, 4_000)));
        assert_eq!(clock.left_at(Color::Black, 5_500), 8_500);
        assert_eq!(clock.left_at(Color::White, 5_500), 7_100);
        clock.press(5_500, 5_500);
        assert_eq!(clock.left.black, 8_600);
        assert_eq!(clock.deadline(), Some(5_500 + 7_100));
    }

    #[test]
    fn the_time_between_arrival_and_record_is_nobodys() {
        let mut clock = GameClock::start(CONTROL, 0);
        clock.press(2_000, 2_700);
        assert_eq!(clock.left.white, 8_100);
        assert_eq!(clock.deadline(), Some(2_700 + 10_000));
    }

    #[test]
    fn a_turn_at_the_deadline_is_in_time_and_one_after_it_is_not() {
        let clock = GameClock::start(CONTROL, 0);
        assert!(!clock.has_fallen(10_000));
        assert!(clock.has_fallen(10_001));
    }

    #[test]
    fn a_turn_that_came_before_its_clock_started_costs_nothing() {
        let mut clock = GameClock::start(CONTROL, 5_000);
        clock.press(4_000, 5_001);
        assert_eq!(clock.left.white, 10_100);
    }

    #[test]
    fn a_stopped_clock_stands_still() {
        let mut clock = GameClock::start(CONTROL, 0);
        clock.stop(12_000);
        assert_eq!((clock.left.white, clock.deadline()), (0, None));
        assert!(!clock.has_fallen(99_000));
        clock.press(99_000, 99_000);
        clock.stop(99_000);
        assert_eq!(clock.left.white, 0);
    }
}
