//! The hot inner steps of a random game, once for each instruction set; all give the same games.

use super::super::random::Random;
use super::board::{Board, Rings};
use super::lines::{Axis, RowEntry, Words};
use crate::game::Color;

/// [`Color::White`] as a constant of compilation.
pub const WHITE: usize = Color::White as usize;
/// [`Color::Black`] as a constant of compilation.
pub const BLACK: usize = Color::Black as usize;

/// The steps that are worth special instructions. A kernel is a value, so that only a processor that has the
/// instructions can come by one.
pub trait Kernel: Copy {
    /// Markers, rings and walls along all lines, as this kernel keeps them.
    type Lines: Copy;
    /// Where each ray can move to: to the points before the first obstacle (steps), and if that is a marker, to the
    /// first point behind its group, unless occupied (a jump).
    type Rays: Copy;
    /// Targets among which one is to be drawn.
    type Choice: Copy;

    /// The lines of `board`.
    fn set_up(self, board: &Board) -> Self::Lines;

    /// What `rings`, those of `SIDE`, see.
    fn look<const SIDE: usize>(self, lines: &Self::Lines, rings: &Rings) -> Self::Rays;

    /// Counts the targets of some rays.
    fn count(self, rays: &Self::Rays, among: &Among) -> Self::Choice;

    /// How many targets there are to choose from, at most 130.
    fn total(self, choice: &Self::Choice) -> u32;

    /// One of the targets, as its bit among [`TARGETS`](super::lines::TARGETS), each with the same probability; `None`
    /// if there is none. Takes one number from `random` if there is any.
    fn draw(
        self,
        choice: &Self::Choice,
        lines: &Self::Lines,
        rings: &Rings,
        random: &mut Random,
    ) -> Option<usize>;

    /// All jumps.
    fn jumps(self, rays: &Self::Rays, lines: &Self::Lines, rings: &Rings) -> Jumps;

    /// The rays, as bits, of those `rings` of `SIDE` whose marker makes a row for it, if no other is turned.
    fn row_makers<const SIDE: usize>(self, lines: &Self::Lines, rings: &Rings) -> u32;

    /// Which sides have rows after `SIDE` has moved a ring.
    fn rows_after<const SIDE: usize>(self, lines: &Self::Lines, ring_move: &RingMove) -> Rows;

    /// Puts a marker of `SIDE` where its ring stood and the ring where it goes, and turns the markers between; tells
    /// whether there is a row of either colour then.
    fn move_ring<const SIDE: usize>(self, lines: &mut Self::Lines, ring_move: &RingMove) -> bool;

    /// The lowest bits of all rows of a colour.
    fn rows(self, lines: &Self::Lines, color: Color) -> Words;

    /// Takes a row off.
    fn take_row(self, lines: &mut Self::Lines, color: Color, row: &RowEntry);

    /// Takes a ring off that stood on `at`; its side has `rings` left.
    fn take_ring(self, lines: &mut Self::Lines, color: Color, rings: &Rings, at: u8);

    /// What stands on the lines: rings, markers and walls, and all markers, both in order and in reverse order, and
    /// White's markers.
    #[cfg(test)]
    fn words(self, lines: &Self::Lines) -> [Words; 5];
}

/// Jumps, each as its bit among [`TARGETS`](super::lines::TARGETS).
#[derive(Clone, Copy, Debug)]
pub struct Jumps {
    /// Their bits, and others behind them.
    pub bits: Words,
    /// How many there are.
    pub count: usize,
}

/// The rays among whose targets one is chosen, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Among {
    /// Those whose steps take part.
    pub steps: u32,
    /// Those whose jump takes part.
    pub jumps: u32,
}

impl Among {
    /// All of them.
    pub const ALL: Self = Self {
        steps: u32::MAX,
        jumps: u32::MAX,
    };
}

/// A ring move; points as on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingMove {
    /// Which of the side's rings.
    pub slot: u8,
    /// Where it stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// Along which axis.
    pub axis: Axis,
}

/// Which sides have a row of five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The side to decide.
    pub own: bool,
    /// Its opponent.
    pub other: bool,
}
