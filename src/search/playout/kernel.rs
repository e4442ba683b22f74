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

    /// The legal ring moves of the side to decide.
    fn look(self, board: &Board) -> Rays;

    /// Chooses a bit, each with the same probability; `None` if there is none. Takes one number from `random` if there
    /// is any.
    fn pick(self, words: &Words, random: &mut Random) -> Option<u32>;

    /// Which words have a bit at all, as bits.
    fn occupied_words(self, words: &Words) -> u32;

    /// Which sides have rows after the side to decide has put a marker on `from` and turned the markers among
    /// `between`.
    fn rows_after(self, board: &Board, from: &PointEntry, between: &Words) -> Rows;

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

/// The points that each ray can move to, nearest lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rays {
    /// Those before the first obstacle.
    pub steps: Words,
    /// Those behind a group of markers.
    pub jumps: Words,
}

/// Which sides have a row of five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The side to decide.
    pub own: bool,
    /// Its opponent.
    pub other: bool,
}

/// Plain Rust for any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn choose(self, board: &Board, random: &mut Random) -> Option<u32> {
        let Rays { steps, jumps } = self.look(board);
        let mut targets = steps;
        for ray in 0..WORDS {
            targets.0[ray] |= jumps.0[ray];
        }
        self.pick(&targets, random)
    }

    #[inline(always)]
    fn look(self, board: &Board) -> Rays {
        look(board)
    }

    #[inline(always)]
    fn pick(self, words: &Words, random: &mut Random) -> Option<u32> {
        match count_bits(words) {
            0 => None,
            total => Some(nth_bit(words, below(random, total))),
        }
    }

    #[inline(always)]
    fn occupied_words(self, words: &Words) -> u32 {
        let mut occupied = 0;
        for (index, word) in words.0.into_iter().enumerate() {
            occupied |= u32::from(word != 0) << index;
        }
        occupied
    }

    #[inline(always)]
    fn rows_after(self, board: &Board, from: &PointEntry, between: &Words) -> Rows {
        let mut own = board.markers_of(board.side);
        let mut other = own;
        for word in 0..WORDS {
            let markers = board.markers.0[word];
            let turned = between.0[word] & markers;
            other.0[word] ^= markers ^ turned;
            own.0[word] ^= turned | from.bits.0[word];
        }
        let has_row =
            |words: &Words| fives(words).0.into_iter().fold(0, |all, word| all | word) != 0;
        Rows {
            own: has_row(&own),
            other: has_row(&other),
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

/// The legal ring moves of the side to decide.
///
/// Along a ray that is the empty points before the first obstacle; and if that is a marker, the first point behind its
/// group, unless occupied. Adding the obstacle to the markers carries through the group, to the bit right behind it.
#[inline(always)]
fn look(board: &Board) -> Rays {
    let rings = &board.rings[board.side as usize];
    let along = |words: &Words, reversed: &Words| {
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
    let occupied = along(&board.occupied, &board.occupied_reversed);
    let markers = along(&board.markers, &board.markers_reversed);
    let mut rays = Rays {
        steps: Words::EMPTY,
        jumps: Words::EMPTY,
    };
    for ray in 0..WORDS {
        let first = occupied.0[ray] & occupied.0[ray].wrapping_neg();
        rays.steps.0[ray] = first.wrapping_sub(1);
        rays.jumps.0[ray] = markers.0[ray].wrapping_add(first) & !occupied.0[ray];
    }
    rays
}
