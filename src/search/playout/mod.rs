//! Random games, and what a position is worth without them, as fast as the processor allows.
//!
//! They end with the game, or after so many ring moves with a judgement ([`evaluation`]); the same judgement tells which
//! actions look good ([`priors`]).
//!
//! The board is kept as line words ([`lines`]). For the side to move, one look along every ray of every ring gives all
//! legal moves as bits; one number drawn exactly among them is the move. All instruction sets draw the same numbers
//! for the same moves, so they play the same games.

mod board;
mod bytes;
mod evaluation;
mod game;
mod kernel;
mod lines;
mod policy;
mod portable;
mod priors;
mod weights;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::Arc;

use arrayvec::ArrayVec;
use game::{Conduct, PlayOut};
use kernel::{Kernel, Task};
use portable::Portable;
use priors::Comparison;

pub use evaluation::{
    Evaluation, Features, MOST_WEIGHT, ROW_CLASSES, STAGES, TRAITS, UNIT, WEIGHTS_OF_STAGE,
};
pub use game::{Ending, Game, MAX_AT_ONCE, MAX_GAMES, result};
pub use weights::WeightsError;

use super::node::{Prior, Slot};
use super::random::{Random, below};
use super::selection::Exploration;
use crate::choices;
use crate::game::{Action, Color, MAX_ACTIONS, Position};

/// No random game takes so many ring moves: 51 markers, and five more for each of at most five rows.
pub const TO_THE_END: u32 = 100;

/// Plays random games, judges positions and chooses among nodes with the best instructions of this processor.
#[derive(Clone, Debug)]
pub struct Playouts {
    instructions: Instructions,
    evaluation: Arc<Evaluation>,
}

#[derive(Clone, Copy, Debug)]
enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
}

/// Instruction sets, each with more than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// What every processor has.
    Portable,
    /// AVX2 and what came with it, from about 2013 on.
    Avx2,
    /// AVX-512 with its later parts, from about 2019 on.
    #[default]
    Avx512,
}

choices!(Simd { Portable => "portable", Avx2 => "avx2", Avx512 => "avx512" });

/// How the ring moves of a random game are chosen; rows and rings to take off are chosen at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Every legal move with the same probability.
    Uniform,
    /// A move that makes an own row, if there is one; else one that leaves the opponent none, if there is one.
    #[default]
    TakeFive,
}

choices!(PlayoutPolicy { Uniform => "uniform", TakeFive => "take_five" });

impl Instructions {
    /// All that this processor has, the best last.
    fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(x86::Avx2::detect().map(Self::Avx2));
            all.extend(x86::Avx512::detect().map(Self::Avx512));
        }
        all
    }

    fn up_to(simd: Simd) -> Self {
        let best = Self::all()
            .into_iter()
            .rfind(|instructions| instructions.simd() <= simd);
        best.expect("one kind works everywhere")
    }

    fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Self::Portable => task.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(kernel) => kernel.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(kernel) => kernel.run(task),
        }
    }

    const fn simd(self) -> Simd {
        match self {
            Self::Portable => Simd::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Simd::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Simd::Avx512,
        }
    }
}

impl Playouts {
    /// With the best instructions that this processor has, but no more than these.
    pub fn up_to(simd: Simd, evaluation: Arc<Evaluation>) -> Self {
        Self {
            instructions: Instructions::up_to(simd),
            evaluation,
        }
    }

    /// Changes the instructions to the best that this processor has, but no more than these.
    pub fn limit_to(&mut self, simd: Simd) {
        self.instructions = Instructions::up_to(simd);
    }

    /// With each kind of instructions that this processor has, the best last, and the built-in evaluation.
    pub fn all() -> Vec<Self> {
        let with = |instructions| Self {
            instructions,
            evaluation: Evaluation::built_in(),
        };
        Instructions::all().into_iter().map(with).collect()
    }

    /// The instructions in use.
    pub const fn simd(&self) -> Simd {
        self.instructions.simd()
    }

    /// Plays all `games`, at most [`MAX_GAMES`] of them, for so many ring moves or to their ends, and tells how each of
    /// them ended. Several `at_once`, up to [`MAX_AT_ONCE`], are faster than one by one; the games are the same.
    pub fn run(
        &self,
        policy: PlayoutPolicy,
        length: u32,
        at_once: usize,
        games: &[Game],
    ) -> ArrayVec<Ending, MAX_GAMES> {
        match policy {
            PlayoutPolicy::Uniform => self.run_by(policy::Uniform, length, at_once, games),
            PlayoutPolicy::TakeFive => self.run_by(policy::TakeFive, length, at_once, games),
        }
    }

    fn run_by<P: policy::Policy>(
        &self,
        policy: P,
        length: u32,
        at_once: usize,
        games: &[Game],
    ) -> ArrayVec<Ending, MAX_GAMES> {
        let mut endings: ArrayVec<_, _> = games.iter().map(|_| Ending::default()).collect();
        let conduct = Conduct {
            policy,
            length,
            evaluation: &self.evaluation,
            at_once: at_once.clamp(1, MAX_AT_ONCE),
        };
        self.instructions.run(PlayOut {
            conduct,
            games,
            endings: &mut endings,
        });
        endings
    }

    /// The node to try next among those side by side, at least one; see [`selection`](super::selection::most_urgent).
    pub(super) fn most_urgent(&self, nodes: &[Slot], exploration: &Exploration) -> usize {
        self.instructions.run(Selection { nodes, exploration })
    }

    /// How good each of `actions`, all those of `position`, looks, in their order; the higher the `temperature`, the more
    /// alike.
    pub fn priors(
        &self,
        position: &Position,
        actions: &[Action],
        temperature: f32,
    ) -> ArrayVec<Prior, MAX_ACTIONS> {
        self.instructions.run(Comparison {
            evaluation: &self.evaluation,
            position,
            actions,
            temperature,
        })
    }
}

/// The choice among some nodes.
struct Selection<'a> {
    nodes: &'a [Slot],
    exploration: &'a Exploration,
}

impl Task for Selection<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        kernel.most_urgent(self.nodes, self.exploration)
    }
}

/// Plays one game by the plain rules, listing the legal actions at every step: slow, and what the fast games are
/// measured and tested by. Tells who won; `None` is a draw.
pub fn play_by_rules(position: &Position, random: &mut Random) -> Option<Color> {
    let mut here = *position;
    loop {
        if let Some(outcome) = here.outcome() {
            return outcome.winner;
        }
        let actions = here.actions();
        here.play_unchecked(actions[below(random, actions.len() as u32) as usize]);
    }
}

#[cfg(test)]
mod tests;
