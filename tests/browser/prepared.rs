//! Games that lead to a turn worth playing by hand, found among random games from a fixed seed.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use yinsh_bot::game::{Action, Phase, Position, Row, Turn, Variant};

const SEED: u64 = 8;
/// Random games played at most.
const GAMES: u32 = 200_000;

/// A game up to a turn, and that turn.
pub struct Prepared {
    pub before: Vec<Turn>,
    pub turn: Turn,
}

/// What the turn shall have.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// A row that the opponent has made, taken before the move.
    EarlyRow,
    /// A row that the move itself makes.
    LateRow,
    /// A run of six, of which either five may be taken.
    RunOfSix,
    /// Two rows that cross, of which only one can be taken.
    CrossingPair,
}

impl Wanted {
    fn is_met(self, position: &Position) -> bool {
        let phase = position.phase();
        match self {
            Self::EarlyRow => phase == Phase::EarlyRow,
            Self::LateRow => phase == Phase::LateRow,
            Self::RunOfSix => shared_points(position) == Some(4),
            Self::CrossingPair => shared_points(position) == Some(1),
        }
    }
}

/// How many points the two rows share that may be taken; `None` unless there are just two.
fn shared_points(position: &Position) -> Option<usize> {
    let actions = position.actions();
    let rows = actions.iter().filter_map(|action| match action {
        Action::TakeRow(row) => Some(*row),
        _ => None,
    });
    let [one, other]: [Row; 2] = rows.collect::<Vec<_>>().try_into().ok()?;
    let shared = one
        .points()
        .into_iter()
        .filter(|point| other.points().contains(point));
    Some(shared.count())
}

/// A game with the turn that is wanted; the game goes on behind it.
pub fn find(wanted: Wanted) -> Prepared {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    for _ in 0..GAMES {
        if let Some(prepared) = play(wanted, &mut random) {
            return prepared;
        }
    }
    panic!("no {wanted:?} in {GAMES} games");
}

/// Plays a random game up to the turn that is wanted, if it has one.
fn play(wanted: Wanted, random: &mut impl Rng) -> Option<Prepared> {
    let mut position = Position::start(Variant::Standard);
    let mut before = Vec::new();
    while !position.is_over() {
        let (ply, mut actions, mut is_met) = (position.ply(), Vec::new(), false);
        while position.ply() == ply && !position.is_over() {
            is_met |= wanted.is_met(&position);
            let action = *position.actions().choose(random)?;
            position.play(action);
            actions.push(action);
        }
        let turn = Turn::new(&actions).expect("a turn");
        if is_met && !position.is_over() {
            return Some(Prepared { before, turn });
        }
        before.push(turn);
    }
    None
}
