//! Random games from a position to the end, as fast as the processor allows.
//!
//! The board is kept as line words ([`lines`]). For the side to move, one look along every ray of every ring gives all
//! legal moves as bits; one number drawn exactly among them is the move. All instruction sets draw the same numbers
//! for the same moves, so they play the same games.

mod board;
mod game;
mod kernel;
mod lines;
mod policy;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use arrayvec::ArrayVec;
use game::play_out;
use portable::Portable;

pub use game::{Ending, Game, MAX_GAMES};

use super::random::{Random, below};
use crate::choices;
use crate::game::{Color, Position};

/// Plays random games with the best instructions of this processor.
#[derive(Clone, Copy, Debug)]
pub struct Playouts(Instructions);

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

impl Playouts {
    /// Every way to play that this processor has, the best one last.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self(Instructions::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(x86::Avx2::detect().map(|kernel| Self(Instructions::Avx2(kernel))));
            all.extend(x86::Avx512::detect().map(|kernel| Self(Instructions::Avx512(kernel))));
        }
        all
    }

    /// The best way to play that this processor has, with no more than these instructions.
    pub fn up_to(simd: Simd) -> Self {
        Self::all()
            .into_iter()
            .rfind(|playouts| playouts.simd() <= simd)
            .expect("one way works everywhere")
    }

    /// The instructions in use.
    pub const fn simd(self) -> Simd {
        match self.0 {
            Instructions::Portable => Simd::Portable,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => Simd::Avx2,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => Simd::Avx512,
        }
    }

    /// Plays all `games` to their ends, at most [`MAX_GAMES`] of them, and tells how each of them ended. Several at once
    /// are faster than one by one.
    pub fn run(self, policy: PlayoutPolicy, games: &[Game]) -> ArrayVec<Ending, MAX_GAMES> {
        let mut endings: ArrayVec<_, _> = games.iter().map(|_| Ending::default()).collect();
        match policy {
            PlayoutPolicy::Uniform => self.run_by(policy::Uniform, games, &mut endings),
            PlayoutPolicy::TakeFive => self.run_by(policy::TakeFive, games, &mut endings),
        }
        endings
    }

    fn run_by<P: policy::Policy>(self, policy: P, games: &[Game], endings: &mut [Ending]) {
        match self.0 {
            Instructions::Portable => play_out(Portable, policy, games, endings),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(kernel) => kernel.play_out(policy, games, endings),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(kernel) => kernel.play_out(policy, games, endings),
        }
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
