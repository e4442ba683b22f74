//! One game between two players, with clocks.

mod seat;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use seat::Seat;

use super::record::{End, GameLine, TurnLine};
use super::schedule::ScheduledGame;
use super::side::Side;
use super::termination::Termination;
use crate::game::{ByColor, Color, Position};
use crate::player::{Choice, Player, PlayerError};
use crate::search::StopFlag;

/// What is fixed before a game begins.
pub(super) struct Setup {
    pub game: ScheduledGame,
    pub opening: Position,
    pub seed: u64,
    /// How far a side may overstep its time before it loses.
    pub margin: Duration,
}

/// Plays a game to its end; `None` if it was stopped before. A player that could not be made has lost.
pub(super) fn play(
    setup: &Setup,
    sides: ByColor<&Side>,
    players: ByColor<Result<Box<dyn Player>, PlayerError>>,
    stop: &StopFlag,
) -> Option<GameLine> {
    let started = Instant::now();
    let mut programs = ByColor::default();
    let mut turns = Vec::new();
    let end = match seats(sides, players) {
        Ok(seats) => {
            programs = ByColor::from_fn(|color| seats[color].program());
            let mut table = Table::new(setup, seats);
            let end = table.play(stop)?;
            turns = table.turns;
            end
        }
        Err((_, PlayerError::Stopped)) => return None,
        Err((color, error)) => BoardEnd::failed(color, &error, false),
    };
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
        white_program: programs.white,
        black_program: programs.black,
        elapsed_ms: started.elapsed().as_millis() as u64,
        turns,
    })
}

/// Both players with their clocks; or the first that is not there, and why.
fn seats(
    sides: ByColor<&Side>,
    players: ByColor<Result<Box<dyn Player>, PlayerError>>,
) -> Result<ByColor<Seat<'_>>, (Color, PlayerError)> {
    let seat = |color: Color, player: Result<Box<dyn Player>, PlayerError>| match player {
        Ok(player) => Ok(Seat::new(player, sides[color])),
        Err(error) => Err((color, error)),
    };
    Ok(ByColor {
        white: seat(Color::White, players.white)?,
        black: seat(Color::Black, players.black)?,
    })
}

/// How a game ended, seen from the board.
struct BoardEnd {
    winner: Option<Color>,
    termination: Termination,
    detail: Option<String>,
}

impl BoardEnd {
    fn failed(color: Color, error: &PlayerError, is_timed: bool) -> Self {
        Self::lost_by(
            color,
            Termination::by_failure(error, is_timed),
            error.to_string(),
        )
    }

    fn lost_by(color: Color, termination: Termination, detail: String) -> Self {
        Self {
            winner: Some(color.opposite()),
            termination,
            detail: Some(detail),
        }
    }
}

struct Table<'a> {
    seats: ByColor<Seat<'a>>,
    position: Position,
    margin: Duration,
    turns: Vec<TurnLine>,
}

impl<'a> Table<'a> {
    fn new(setup: &Setup, seats: ByColor<Seat<'a>>) -> Self {
        Self {
            seats,
            position: setup.opening,
            margin: setup.margin,
            turns: Vec::new(),
        }
    }

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
        let limits = self.seats[color].limits(&self.position);
        let is_timed = limits.time.is_some();
        let clocks = ByColor::from_fn(|color| self.seats[color].clock());
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
            Ok(Err(PlayerError::Stopped)) => return None,
            Ok(Err(error)) => return Some(BoardEnd::failed(color, &error, is_timed)),
            Err(panic) => {
                return Some(BoardEnd::lost_by(
                    color,
                    Termination::Crash,
                    panic_text(&*panic),
                ));
            }
        };
        let overrun = seat.spend(elapsed);
        let mut line = turn_line(&choice, elapsed, overrun > Duration::ZERO);
        line.clock_ms = seat.press_clock();
        self.turns.push(line);
        if overrun > self.margin {
            let detail = format!("{} ms beyond the limit", overrun.as_millis());
            return Some(BoardEnd::lost_by(color, Termination::Time, detail));
        }
        match self.position.play_turn(&choice.turn) {
            Ok(after) => self.position = after,
            Err(illegal) => {
                let detail = format!("`{}`: {illegal}", choice.turn);
                return Some(BoardEnd::lost_by(color, Termination::IllegalTurn, detail));
            }
        }
        None
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

#[cfg(test)]
mod tests;
