//! A judgement of positions in place of the rest of a random game: a linear function of a few counts, fitted to the
//! results of games that the program played against itself.
//!
//! What is counted, all from the view of the side to move: the 123 rows of five points by how many markers of either
//! side lie on them and whether a ring of either does, whether a side can make a row with its next move, and how many
//! steps and jumps it has. Every count has one weight for each [stage](stage()) of the game. All is done in whole
//! numbers, so that every machine and every instruction set judge alike.

use std::sync::{Arc, LazyLock};

use super::board::{Board, Rings};
use super::kernel::{BLACK, Kernel, WHITE};
use super::policy::row_making;
use super::portable::{Portable, row_classes};
use crate::game::{Color, Position, RINGS_TO_WIN, Variant};
use crate::search::node::WIN;

/// Kinds of rows, by what lies on their points.
pub const ROW_CLASSES: usize = 84;

/// Places in a table of weights for rows; those behind [`ROW_CLASSES`] are never looked up.
pub const TABLE: usize = 128;

/// Counts beside the kinds of rows: for the side to move and then its opponent whether it can make a row at once, its
/// jumps, and its steps.
pub const TRAITS: usize = 6;

/// How far the game has come: for each side the rings that it has taken off.
pub const STAGES: usize = RINGS_TO_WIN as usize * RINGS_TO_WIN as usize;

/// Weights are in parts of this of the natural logarithm of the odds.
pub const UNIT: i32 = 1024;

/// The weights that are part of the program.
const WEIGHTS: &str = include_str!("weights.txt");

/// What the number of own markers on a row adds to its class; what the opponent's add is their number.
///
/// Of five points, `own` and `other` together take at most five: the 21 pairs are numbered without a gap.
const fn own_part(own: u32) -> u16 {
    [0, 6, 11, 15, 18, 20][own as usize]
}

/// For each five bits, what they add to the class of a row where they stand for own markers, the opponent's markers, own
/// rings and the opponent's rings; the sum of the four is the class. One ring and several of a side are the same.
pub static CLASS_PARTS: [ClassPart; 4] = {
    let mut parts = [ClassPart([0; 32]); 4];
    let mut bits = 0;
    while bits < 32_u32 {
        let index = bits as usize;
        parts[0].0[index] = own_part(bits.count_ones());
        parts[1].0[index] = bits.count_ones() as u16;
        parts[2].0[index] = if bits == 0 { 0 } else { 21 };
        parts[3].0[index] = if bits == 0 { 0 } else { 42 };
        bits += 1;
    }
    parts
};

/// One of [`CLASS_PARTS`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct ClassPart(pub [u16; 32]);

/// A weight for each class of row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct RowWeights(pub [i16; TABLE]);

/// The weights of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    rows: RowWeights,
    traits: [i32; TRAITS],
    constant: i32,
}

impl Stage {
    fn new(weights: &[i16; WEIGHTS_OF_STAGE]) -> Self {
        let mut rows = RowWeights([0; TABLE]);
        rows.0[..ROW_CLASSES].copy_from_slice(&weights[..ROW_CLASSES]);
        Self {
            rows,
            traits: std::array::from_fn(|index| i32::from(weights[ROW_CLASSES + index])),
            constant: i32::from(weights[WEIGHTS_OF_STAGE - 1]),
        }
    }

    /// The weights that it was made of.
    pub fn weights(&self) -> [i16; WEIGHTS_OF_STAGE] {
        std::array::from_fn(|index| match index {
            0..ROW_CLASSES => self.rows.0[index],
            _ if index < WEIGHTS_OF_STAGE - 1 => self.traits[index - ROW_CLASSES] as i16,
            _ => self.constant as i16,
        })
    }

    /// The weighted sum of all counts from the view of `SIDE`, in [units](UNIT).
    #[inline(always)]
    pub fn score<K: Kernel, const SIDE: usize>(
        &self,
        kernel: K,
        lines: &K::Lines,
        rings: &[Rings; 2],
    ) -> i32 {
        let rows = kernel.weigh_rows::<SIDE>(lines, rings, &self.rows);
        let traits = traits::<K, SIDE>(kernel, lines, rings);
        let weighed = self
            .traits
            .iter()
            .zip(traits)
            .map(|(weight, value)| weight * value);
        self.constant + rows + weighed.sum::<i32>()
    }
}

/// Judges positions, and tells which actions look good.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// What a position is worth to the side to move, for each [`stage`].
    pub(super) values: [Stage; STAGES],
    /// What a position is worth to the side to move that an action of its opponent has led to, compared with what the
    /// other actions lead to; for each [`stage`], and then for the placement of rings.
    pub(super) priors: [Stage; STAGES + 1],
    /// The expected result in parts of [`WIN`], for each thirty-second part of the unit from the lowest on.
    results: Vec<u16>,
}

/// Judgements beyond this, in units, count as this.
const MOST: i32 = 8 * UNIT;
/// Judgements this close together have the same expected result.
const STEP: i32 = 32;

/// The stage of a game: rings that the side to move and its opponent have taken off. In blitz the next row decides for
/// either side.
pub fn stage(own: &Rings, other: &Rings, variant: Variant) -> usize {
    match variant {
        Variant::Standard => {
            (usize::from(own.off) * RINGS_TO_WIN as usize + usize::from(other.off)).min(STAGES - 1)
        }
        Variant::Blitz => STAGES - 1,
    }
}

impl Evaluation {
    /// The one that is part of the program.
    pub fn built_in() -> Arc<Self> {
        static EVALUATION: LazyLock<Arc<Evaluation>> = LazyLock::new(|| {
            Arc::new(
                WEIGHTS
                    .parse()
                    .expect("the weights in the program are whole"),
            )
        });
        EVALUATION.clone()
    }

    /// One with these weights: for each stage those of the rows, the traits and the constant.
    pub fn new(
        values: &[[i16; WEIGHTS_OF_STAGE]; STAGES],
        priors: &[[i16; WEIGHTS_OF_STAGE]; STAGES + 1],
    ) -> Self {
        let results = (-MOST..=MOST).step_by(STEP as usize).map(expected_result);
        Self {
            values: values.each_ref().map(Stage::new),
            priors: priors.each_ref().map(Stage::new),
            results: results.collect(),
        }
    }

    /// What `SIDE`, which is to move, can expect, in parts of `WIN`; never quite 0 or all, which are for sure results.
    #[inline(always)]
    pub fn judge<K: Kernel, const SIDE: usize>(
        &self,
        kernel: K,
        lines: &K::Lines,
        rings: &[Rings; 2],
        variant: Variant,
    ) -> u16 {
        let stage = &self.values[stage(&rings[SIDE], &rings[1 - SIDE], variant)];
        let score = stage.score::<K, SIDE>(kernel, lines, rings);
        self.results[((score.clamp(-MOST, MOST) + MOST) / STEP) as usize]
    }

    /// The weights that compare what actions lead to; see the field `priors`.
    pub fn prior_stage(&self, stage: usize) -> &Stage {
        &self.priors[stage]
    }
}

/// No weight is above this or below its negative: up to six of rows are added up in 16 bits.
pub const MOST_WEIGHT: i16 = i16::MAX / 6;

/// Number of weights of a stage.
pub const WEIGHTS_OF_STAGE: usize = ROW_CLASSES + TRAITS + 1;

/// The counts beside the rows.
#[inline(always)]
pub fn traits<K: Kernel, const SIDE: usize>(
    kernel: K,
    lines: &K::Lines,
    rings: &[Rings; 2],
) -> [i32; TRAITS] {
    let white = side_traits::<K, WHITE>(kernel, lines, &rings[WHITE]);
    let black = side_traits::<K, BLACK>(kernel, lines, &rings[BLACK]);
    let (own, other) = if SIDE == WHITE {
        (white, black)
    } else {
        (black, white)
    };
    [own[0], other[0], own[1], other[1], own[2], other[2]]
}

#[inline(always)]
fn side_traits<K: Kernel, const SIDE: usize>(
    kernel: K,
    lines: &K::Lines,
    rings: &Rings,
) -> [i32; TRAITS / 2] {
    let rays = kernel.look::<SIDE>(lines, rings);
    let making = kernel.count(
        &rays,
        &row_making::<K, SIDE>(kernel, lines, rings, &rays).takes,
    );
    let (steps, jumps) = kernel.reach(&rays);
    [
        i32::from(kernel.total(&making) > 0),
        jumps as i32,
        steps as i32,
    ]
}

/// The expected result in parts of [`WIN`] of a judgement in units: the logistic function.
fn expected_result(score: i32) -> u16 {
    let share = 1.0 / (1.0 + exponential(-f64::from(score) / f64::from(UNIT)));
    ((share * WIN as f64).round() as u16).clamp(1, WIN as u16 - 1)
}

/// e to a power between -8 and 8, to nine digits. Made of operations that IEEE 754 defines exactly, which `f64::exp` is
/// not.
fn exponential(power: f64) -> f64 {
    let small = power / 64.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for index in 1..9 {
        term *= small / f64::from(index);
        sum += term;
    }
    for _ in 0..6 {
        sum *= sum;
    }
    sum
}

/// All that is counted in a position with a ring move due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The stage of the game.
    pub stage: usize,
    /// How many rows there are of each class.
    pub rows: [u8; ROW_CLASSES],
    /// See [`TRAITS`].
    pub traits: [i32; TRAITS],
}

impl Features {
    /// Those of `position` from the view of a side.
    pub fn seen_by(position: &Position, side: Color) -> Self {
        let board = Board::new(position);
        match side {
            Color::White => Self::for_side::<WHITE>(&board),
            Color::Black => Self::for_side::<BLACK>(&board),
        }
    }

    fn for_side<const SIDE: usize>(board: &Board) -> Self {
        let lines = Portable.set_up(board);
        let rings = &board.state.rings;
        let mut rows = [0; ROW_CLASSES];
        row_classes::<SIDE>(&lines, rings, |class| rows[class] += 1);
        Self {
            stage: stage(&rings[SIDE], &rings[1 - SIDE], board.state.variant),
            rows,
            traits: traits::<Portable, SIDE>(Portable, &lines, rings),
        }
    }
}
