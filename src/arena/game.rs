//! One game between two players, with clocks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::record::{End, GameLine, TurnLine};
use super::schedule::ScheduledGame;
use super::side::{Pace, TimeControl};
use super::termination::Termination;
use crate::game::{ByColor, Color, Position};
use crate::player::{Choice, Player, PlayerError};
use crate::search::{Budget, ClockView, Latency, Limits, StopFlag, TimeParams, budget};

/// Time beyond a limit per turn that is no overrun yet: a search looks at the clock only now and then.
const TOLERANCE: Duration = Duration::from_millis(10);

/// A player at the board.
pub(super) struct Seat {
    pub player: Box<dyn Player>,
    /// Whether the player is a program of its own, whose name is worth keeping.
    pub is_external: bool,
    pub pace: Pace,
    pub time: TimeParams,
}

/// What is fixed before a game begins.
pub(super) struct Setup {
    pub game: ScheduledGame,
    pub opening: Position,
    pub seed: u64,
    /// How far a side may overstep its time before it loses.
    pub margin: Duration,
}

/// Plays a game to its end; `None` if it was stopped before.
pub(super) fn play(setup: &Setup, seats: ByColor<Seat>, stop: &StopFlag) -> Option<GameLine> {
    let started = Instant::now();
    let mut table = Table {
        clocks: ByColor::from_fn(|color| Clock::new(&seats[color].pace)),
        seats,
        position: setup.opening,
        margin: setup.margin,
        turns: Vec::new(),
    };
    let end = table.play(stop)?;
    Some(GameLine {
        game: setup.game.number,
        white: setup.game.sides.white,
        black: setup.game.sides.black,
        seed: setup.seed,
        opening: setup.opening.to_string(),
        end: End {
            winner: end.winner.map(|color| setup.game.sides[color]),
            termination: end.termination,
            detail: end.detail,
        },
        white_program: table.program(Color::White),
        black_program: table.program(Color::Black),
        elapsed_ms: started.elapsed().as_millis() as u64,
        turns: table.turns,
    })
}

/// How a game ended, seen from the board.
struct BoardEnd {
    winner: Option<Color>,
    termination: Termination,
    detail: Option<String>,
}

impl BoardEnd {
    fn lost_by(color: Color, termination: Termination, detail: String) -> Self {
        Self {
            winner: Some(color.opposite()),
            termination,
            detail: Some(detail),
        }
    }
}

/// The clock of a side that has one.
struct Clock(Option<ClockView>);

impl Clock {
    fn new(pace: &Pace) -> Self {
        Self(match pace.time {
            Some(TimeControl::Clock { base, increment }) => Some(ClockView {
                remaining: base,
                increment,
            }),
            Some(TimeControl::PerTurn(_)) | None => None,
        })
    }
}

struct Table {
    seats: ByColor<Seat>,
    clocks: ByColor<Clock>,
    position: Position,
    margin: Duration,
    turns: Vec<TurnLine>,
}

impl Table {
    fn play(&mut self, stop: &StopFlag) -> Option<BoardEnd> {
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Some(BoardEnd {
                    winner: outcome.winner,
                    termination: Termination::by_rules(outcome.reason),
                    detail: None,
                });
            }
            let end = self.turn(stop);
            if stop.is_stopped() {
                return None;
            }
            if end.is_some() {
                return end;
            }
        }
    }

    /// Lets the side to decide play a turn; the end of the game if it fails.
    fn turn(&mut self, stop: &StopFlag) -> Option<BoardEnd> {
        let color = self.position.side();
        let limits = self.limits(color);
        let clocks = ByColor::from_fn(|color| self.clocks[color].0);
        let seat = &mut self.seats[color];
        seat.player.see_clocks(clocks);
        let started = Instant::now();
        let choose = || {
            seat.player
                .choose_turn(&self.position, &limits, stop, &mut |_| {})
        };
        let choice = catch_unwind(AssertUnwindSafe(choose));
        let elapsed = started.elapsed();
        let choice = match choice {
            Ok(Ok(choice)) => choice,
            Ok(Err(error)) => return Some(self.failed(color, &error)),
            Err(panic) => {
                return Some(BoardEnd::lost_by(
                    color,
                    Termination::Crash,
                    panic_text(&*panic),
                ));
            }
        };
        let overrun = self.overrun(color, elapsed);
        self.turns
            .push(turn_line(&choice, elapsed, overrun > Duration::ZERO));
        if overrun > self.margin {
            let detail = format!("{} ms beyond the limit", overrun.as_millis());
            return Some(BoardEnd::lost_by(color, Termination::Time, detail));
        }
        self.press_clock(color, elapsed);
        match self.position.play_turn(&choice.turn) {
            Ok(after) => self.position = after,
            Err(illegal) => {
                let detail = format!("`{}`: {illegal}", choice.turn);
                return Some(BoardEnd::lost_by(color, Termination::IllegalTurn, detail));
            }
        }
        None
    }

    fn limits(&self, color: Color) -> Limits {
        let seat = &self.seats[color];
        let by_clock = |clock| budget(&seat.time, &self.position, clock, Latency::default());
        Limits {
            time: match seat.pace.time {
                Some(TimeControl::PerTurn(time)) => Some(Budget::fixed(time)),
                Some(TimeControl::Clock { .. }) => self.clocks[color].0.map(by_clock),
                None => None,
            },
            simulations: seat.pace.simulations,
        }
    }

    /// How far a turn went beyond its limit.
    fn overrun(&self, color: Color, elapsed: Duration) -> Duration {
        match (self.seats[color].pace.time, &self.clocks[color].0) {
            (Some(TimeControl::PerTurn(limit)), _) => {
                let beyond = elapsed.saturating_sub(limit);
                if beyond > TOLERANCE {
                    beyond
                } else {
                    Duration::ZERO
                }
            }
            (_, Some(clock)) => elapsed.saturating_sub(clock.remaining),
            (_, None) => Duration::ZERO,
        }
    }

    fn press_clock(&mut self, color: Color, elapsed: Duration) {
        if let Some(clock) = &mut self.clocks[color].0 {
            clock.remaining = clock.remaining.saturating_sub(elapsed) + clock.increment;
            if let Some(turn) = self.turns.last_mut() {
                turn.clock_ms = Some(clock.remaining.as_millis() as u64);
            }
        }
    }

    fn failed(&self, color: Color, error: &PlayerError) -> BoardEnd {
        let is_timed = self.seats[color].pace.time.is_some();
        BoardEnd::lost_by(
            color,
            Termination::by_failure(error, is_timed),
            error.to_string(),
        )
    }

    fn program(&self, color: Color) -> Option<String> {
        let seat = &self.seats[color];
        seat.is_external.then(|| seat.player.name().to_owned())
    }
}

fn turn_line(choice: &Choice, elapsed: Duration, overrun: bool) -> TurnLine {
    let report = choice.report.as_ref();
    let searched = report.filter(|report| report.simulations > 0);
    TurnLine {
        turn: choice.turn.to_string(),
        elapsed_us: elapsed.as_micros() as u64,
        overrun,
        clock_ms: None,
        win: report
            .and_then(|report| report.win_probability)
            .map(|win| round(win, 1e4)),
        simulations: searched.map(|report| report.simulations),
        depth: searched.map(|report| round(report.mean_depth, 1e2)),
    }
}

fn round(number: f64, digits: f64) -> f64 {
    (number * digits).round() / digits
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_default())
}
