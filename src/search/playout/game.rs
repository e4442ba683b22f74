//! Several random games at once, turn about.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use rand::SeedableRng;

use super::super::random::Random;
use super::board::Board;
use super::kernel::Kernel;
use super::policy::Policy;
use crate::game::{Color, Position};

/// Most games that run at once.
pub const MAX_GAMES: usize = 8;

/// A random game with random choices of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    board: Board,
    random: Random,
    /// Who won, once it is over; `None` inside is a draw.
    pub winner: Option<Option<Color>>,
}

impl Game {
    /// The game number `seed` from `position` on.
    pub fn new(position: &Position, seed: u64) -> Self {
        Self {
            board: Board::new(position),
            random: Random::seed_from_u64(seed),
            winner: None,
        }
    }
}

/// Plays all games to their ends.
///
/// They take turns: what one waits for, its moves following from each other, the others fill with theirs.
#[inline(always)]
pub fn play_out<K: Kernel, P: Policy>(kernel: K, policy: P, games: &mut [Game]) {
    let mut running: ArrayVec<&mut Game, MAX_GAMES> = ArrayVec::new();
    for game in games {
        match game.board.begin(&mut game.random) {
            ControlFlow::Continue(()) => running.push(game),
            ControlFlow::Break(winner) => game.winner = Some(winner),
        }
    }
    while !running.is_empty() {
        let mut index = 0;
        while index < running.len() {
            let game = &mut *running[index];
            match game.board.play_turn(kernel, policy, &mut game.random) {
                ControlFlow::Continue(()) => index += 1,
                ControlFlow::Break(winner) => {
                    game.winner = Some(winner);
                    running.swap_remove(index);
                }
            }
        }
    }
}
