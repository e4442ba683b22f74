//! How the moves of a random game are chosen.

use super::super::random::Random;
use super::board::Board;
use super::kernel::{Kernel, Rays};
use super::lines::{BETWEEN, POINTS, RAYS, Words};

/// Chooses the ring moves of a random game.
pub trait Policy: Copy {
    /// A legal ring move of the side to decide, as its bit among the targets of all rays; `None` if there is none.
    fn choose<K: Kernel>(self, kernel: K, board: &Board, random: &mut Random) -> Option<u32>;
}

/// Every legal move with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Policy for Uniform {
    #[inline(always)]
    fn choose<K: Kernel>(self, kernel: K, board: &Board, random: &mut Random) -> Option<u32> {
        kernel.choose(board, random)
    }
}

/// A move that makes an own row, if there is one; else a move that leaves the opponent none; else any. Among those of a
/// kind each has the same probability.
#[derive(Clone, Copy, Debug)]
pub struct TakeFive;

impl Policy for TakeFive {
    #[inline(always)]
    fn choose<K: Kernel>(self, kernel: K, board: &Board, random: &mut Random) -> Option<u32> {
        let Rays { steps, jumps } = kernel.look(board);
        let rings = &board.rings[board.side as usize];
        let mut rows = Words::EMPTY;
        let mut all = Words::EMPTY;
        for ray in 0..all.0.len() {
            all.0[ray] = steps.0[ray] | jumps.0[ray];
        }
        let mut safe = all;
        for (slot, at) in rings
            .at
            .into_iter()
            .take(usize::from(rings.count))
            .enumerate()
        {
            // Without a jump all moves of a ring leave the same markers.
            if kernel
                .rows_after(board, &POINTS[usize::from(at)], &Words::EMPTY)
                .own
            {
                let moves = slot * RAYS..(slot + 1) * RAYS;
                rows.0[moves.clone()].copy_from_slice(&steps.0[moves]);
            }
        }
        let mut rays = kernel.occupied_words(&jumps);
        while rays != 0 {
            let ray = rays.trailing_zeros() as usize;
            rays &= rays - 1;
            let jump = jumps.0[ray];
            let from = &POINTS[usize::from(rings.at[ray / RAYS])];
            let turned =
                &BETWEEN[usize::from(from.between[ray % RAYS]) + jump.trailing_zeros() as usize];
            let made = kernel.rows_after(board, from, turned);
            if made.own {
                rows.0[ray] |= jump;
            } else if made.other {
                safe.0[ray] &= !jump;
            }
        }
        let pick = |words: &Words, random: &mut Random| kernel.pick(words, random);
        pick(&rows, random)
            .or_else(|| pick(&safe, random))
            .or_else(|| pick(&all, random))
    }
}
