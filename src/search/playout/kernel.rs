//! The hot inner steps of a search, once for each instruction set; all give the same games and make the same choices.

use super::super::random::Random;
use super::board::{Board, Rings};
use super::evaluation::RowWeights;
use super::lines::{AXIS_OF_RAY, Axis, RowEntry, WORDS, Words};
use crate::game::Color;
use crate::search::node::Slot;
use crate::search::selection::{self, Exploration};

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

    /// The number of steps and of jumps of some rays.
    fn reach(self, rays: &Self::Rays) -> (u32, u32);

    /// The sum of the weights of all rows of five points, by what lies on them from the view of `SIDE`.
    fn weigh_rows<const SIDE: usize>(
        self,
        lines: &Self::Lines,
        rings: &[Rings; 2],
        weights: &RowWeights,
    ) -> i32;

    /// The jumps of those rays whose bits are set in `among`.
    fn jumps(self, rays: &Self::Rays, among: u32, lines: &Self::Lines, rings: &Rings) -> Jumps;

    /// The rays, as bits, along which a move of one of the `rings` of `SIDE` could leave a row of either colour, and
    /// perhaps others.
    ///
    /// If there is none yet, it takes five markers that already lie there, one of them of the other colour, and a jump over
    /// that one: along their line, a jump turns all five or none. Or the ring's own marker is the first of five, between
    /// own ones on one side and, if it jumps there, the opponent's on the other.
    fn row_candidates<const SIDE: usize>(self, lines: &Self::Lines, rings: &Rings) -> u32;

    /// The rays, as bits, of those `rings` of `SIDE` whose marker makes a row for it, if no other is turned.
    fn row_makers<const SIDE: usize>(self, lines: &Self::Lines, rings: &Rings) -> u32;

    /// Which sides have rows after `SIDE` has moved a ring this way.
    fn rows_after<const SIDE: usize>(self, lines: &Self::Lines, way: &Way) -> Rows;

    /// Puts a marker of `SIDE` where its ring stood and the ring where it goes, and turns the markers between; tells
    /// whether there is a row of either colour then.
    fn move_ring<const SIDE: usize>(self, lines: &mut Self::Lines, ring_move: &RingMove) -> bool;

    /// The lowest bits of all rows of a colour.
    fn rows(self, lines: &Self::Lines, color: Color) -> Words;

    /// Takes a row off.
    fn take_row(self, lines: &mut Self::Lines, color: Color, row: &RowEntry);

    /// Takes a ring off that stood on `at`; its side has `rings` left.
    fn take_ring(self, lines: &mut Self::Lines, color: Color, rings: &Rings, at: u8);

    /// The node to try next; see [`selection::most_urgent`].
    #[inline(always)]
    fn most_urgent(self, nodes: &[Slot], exploration: &Exploration) -> usize {
        selection::most_urgent(nodes, exploration)
    }

    /// What stands on the lines: rings, markers and walls, and all markers, both in order and in reverse order, and
    /// White's markers.
    #[cfg(test)]
    fn words(self, lines: &Self::Lines) -> [Words; 5];
}

/// Something that is done with a kernel: written once, and compiled for each instruction set.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it. To be inlined, so that it is compiled with the instructions of the kernel.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Jumps, side by side; behind the last of them is nothing of interest.
#[derive(Clone, Copy, Debug)]
pub struct Jumps {
    /// Which ray.
    pub rays: Words,
    /// Where the ring stands, on the grid.
    pub from: Words,
    /// Where it goes.
    pub to: Words,
    /// How many there are.
    pub count: usize,
}

impl Jumps {
    /// The ray of each jump, and its way.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (u16, Way)> {
        let ends = self.from.0.iter().zip(&self.to.0);
        let jumps = self.rays.0.iter().zip(ends).take(self.count);
        jumps.map(|(ray, (from, to))| {
            let (from, to) = (*from as u8, *to as u8);
            let axis = AXIS_OF_RAY[usize::from(*ray) % WORDS];
            (*ray, Way { from, to, axis })
        })
    }
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
    /// None of them.
    pub const NONE: Self = Self { steps: 0, jumps: 0 };

    /// All of them.
    pub const ALL: Self = Self {
        steps: u32::MAX,
        jumps: u32::MAX,
    };
}

/// From where to where a ring goes; points as on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where it stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// Along which axis.
    pub axis: Axis,
}

/// A ring move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingMove {
    /// Which of the side's rings.
    pub slot: u8,
    /// Its way.
    pub way: Way,
}

/// Which sides have a row of five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The side to decide.
    pub own: bool,
    /// Its opponent.
    pub other: bool,
}
