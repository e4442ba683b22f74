//! Players that fail in a game, and clocks.

use super::*;
use crate::arena::{Contestant, Pace, Schedule, Shard, TimeControl};
use crate::game::{Turn, Variant};
use crate::player::{PlayerKind, RandomPlayer};
use crate::search::{Limits, SearchReport};

/// A player that does this.
struct Scripted(fn(&Position) -> Turn);

impl Player for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn new_game(&mut self) {}

    fn choose_turn(
        &mut self,
        position: &Position,
        _: &Limits,
        _: &StopFlag,
        _: &mut dyn FnMut(&SearchReport),
    ) -> Result<Choice, PlayerError> {
        let turn = (self.0)(position);
        Ok(Choice { turn, report: None })
    }
}

/// A game between two such players, with 200 ms for a turn or a clock of that, and as much again as a margin.
fn game(time: TimeControl, white: fn(&Position) -> Turn, black: fn(&Position) -> Turn) -> GameLine {
    let side = Side {
        name: "scripted".to_owned(),
        contestant: Contestant::Simple(PlayerKind::Random),
        pace: Pace {
            simulations: None,
            time: Some(time),
        },
        time: Default::default(),
    };
    let setup = Setup {
        game: Schedule::new(2, 1, Shard::WHOLE).game(0),
        opening: Position::start(Variant::Standard),
        seed: 1,
        margin: TIME,
    };
    let sides = ByColor {
        white: &side,
        black: &side,
    };
    let players: ByColor<Result<Box<dyn Player>, PlayerError>> = ByColor {
        white: Ok(Box::new(Scripted(white))),
        black: Ok(Box::new(Scripted(black))),
    };
    play(&setup, sides, players, &StopFlag::new()).expect("nobody stops it")
}

const TIME: Duration = Duration::from_millis(200);
const PER_TURN: TimeControl = TimeControl::PerTurn(TIME);
const CLOCK: TimeControl = TimeControl::Clock {
    base: TIME,
    increment: Duration::ZERO,
};

fn first_legal(position: &Position) -> Turn {
    let turns = position.legal_turns(&[], 1).expect("nothing comes before");
    turns[0].clone()
}

fn at_third_turn(position: &Position, act: impl FnOnce()) -> Turn {
    if position.ply() == 4 {
        act();
    }
    first_legal(position)
}

fn failure(line: &GameLine) -> (Termination, char, usize) {
    let winner = line.end.winner.expect("a failure loses");
    (line.end.termination, winner.into(), line.turns.len())
}

#[test]
fn a_panic_costs_the_game() {
    let line = game(
        PER_TURN,
        |position| at_third_turn(position, || panic!("lost my head")),
        first_legal,
    );
    assert_eq!(failure(&line), (Termination::Crash, 'B', 4));
    assert_eq!(line.end.detail.as_deref(), Some("panicked: lost my head"));
}

#[test]
fn an_illegal_turn_costs_the_game() {
    let line = game(PER_TURN, first_legal, |_| {
        "a2-a3".parse().expect("a turn text")
    });
    assert_eq!(failure(&line), (Termination::IllegalTurn, 'A', 2));
    assert!(
        line.end
            .detail
            .is_some_and(|detail| detail.starts_with("`a2-a3`: part 1 of the turn: "))
    );
}

#[test]
fn a_turn_within_the_margin_is_an_overrun_and_beyond_it_a_loss() {
    let late =
        |position: &Position| at_third_turn(position, || std::thread::sleep(TIME + TIME / 2));
    let line = game(PER_TURN, late, first_legal);
    assert!(
        line.end.termination != Termination::Time && line.turns[4].overrun,
        "{:?}",
        line.end
    );

    let too_late = |position: &Position| at_third_turn(position, || std::thread::sleep(3 * TIME));
    for time in [PER_TURN, CLOCK] {
        let line = game(time, too_late, first_legal);
        assert_eq!(failure(&line), (Termination::Time, 'B', 5));
        assert!(line.turns[4].overrun);
    }
}

#[test]
fn the_clock_runs_over_the_turns() {
    // Each turn takes 60 ms of the 200.
    let slow = |position: &Position| {
        std::thread::sleep(Duration::from_millis(60));
        first_legal(position)
    };
    let line = game(CLOCK, slow, first_legal);
    assert_eq!(line.end.termination, Termination::Time);
    assert!(line.turns[0].clock_ms.is_some_and(|ms| ms <= 140));
    assert!((3..=13).contains(&line.turns.len()), "{}", line.turns.len());
}

#[test]
fn a_stopped_game_has_no_end() {
    let side = Side {
        name: "random".to_owned(),
        contestant: Contestant::Simple(PlayerKind::Random),
        pace: Pace::default(),
        time: Default::default(),
    };
    let setup = Setup {
        game: Schedule::new(2, 1, Shard::WHOLE).game(0),
        opening: Position::start(Variant::Standard),
        seed: 1,
        margin: TIME,
    };
    let stop = StopFlag::new();
    stop.stop();
    let players = ByColor::from_fn(|_| Ok(Box::new(RandomPlayer::new(1)) as Box<dyn Player>));
    let sides = ByColor {
        white: &side,
        black: &side,
    };
    assert_eq!(play(&setup, sides, players, &stop), None);
}
