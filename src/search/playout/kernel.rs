//! The hot inner steps of a random game, once for each instruction set; all give the same games.

use super::super::random::{Random, below};
use super::board::{Board, count_bits, fives, nth_bit};
use super::lines::{PointEntry, WORDS, Words};
use crate::game::Color;

/// The steps that are worth special instructions. A kernel is a value, so that only a processor that has the
/// instructions can come by one.
pub trait Kernel: Copy {
    /// Chooses a ring move of the side to decide, each legal one with the same probability, as its bit among the
    /// targets of all rays; `None` if there is none. Takes one number from `random` if there is any.
    fn choose(self, board: &Board, random: &mut Random) -> Option<u32>;

    /// Puts a marker of the side to decide where its ring stood and the ring where it goes, and turns the markers
    /// `between`; tells whether there is a row of either colour then.
    fn move_ring(
        self,
        board: &mut Board,
        from: &PointEntry,
        to: &PointEntry,
        between: &Words,
    ) -> bool;
}

/// Plain Rust for any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn choose(self, board: &Board, random: &mut Random) -> Option<u32> {
        let targets = targets(board);
        match count_bits(&targets) {
            0 => None,
            total => Some(nth_bit(&targets, below(random, total))),
        }
    }

    #[inline(always)]
    fn move_ring(
        self,
        board: &mut Board,
        from: &PointEntry,
        to: &PointEntry,
        between: &Words,
    ) -> bool {
        let own = if board.side == Color::White {
            u16::MAX
        } else {
            0
        };
        let mut rows = 0;
        for word in 0..WORDS {
            board.white.0[word] ^=
                between.0[word] & board.markers.0[word] ^ from.bits.0[word] & own;
            board.markers.0[word] ^= from.bits.0[word];
            board.markers_reversed.0[word] ^= from.reversed.0[word];
            board.occupied.0[word] ^= to.bits.0[word];
            board.occupied_reversed.0[word] ^= to.reversed.0[word];
        }
        let white = fives(&board.white);
        let black = fives(&board.markers_of(Color::Black));
        for word in 0..WORDS {
            rows |= white.0[word] | black.0[word];
        }
        rows != 0
    }
}

/// The points that each ray can move to, nearest lowest.
///
/// That is the empty points before the first obstacle; and if that is a marker, the first point behind its group,
/// unless occupied. Adding the obstacle to the markers carries through the group, to the bit right behind it.
#[inline(always)]
pub fn targets(board: &Board) -> Words {
    let rings = &board.rings[board.side as usize];
    let look = |words: &Words, reversed: &Words| {
        let mut seen = Words::EMPTY;
        for ray in 0..WORDS {
            let word = rings.words.0[ray] as usize;
            seen.0[ray] = if word < WORDS {
                words.0[word]
            } else {
                reversed.0[word - WORDS]
            };
        }
        for ray in 0..WORDS {
            seen.0[ray] = ((u32::from(seen.0[ray]) * u32::from(rings.factors.0[ray])) >> 16) as u16;
        }
        seen
    };
    let occupied = look(&board.occupied, &board.occupied_reversed);
    let markers = look(&board.markers, &board.markers_reversed);
    let mut targets = Words::EMPTY;
    for ray in 0..WORDS {
        let first = occupied.0[ray] & occupied.0[ray].wrapping_neg();
        let reached = first.wrapping_sub(1) | markers.0[ray].wrapping_add(first);
        targets.0[ray] = reached & !occupied.0[ray];
    }
    targets
}
