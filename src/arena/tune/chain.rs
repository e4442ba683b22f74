//! One run of the search for better values, and what it plays next.

use std::sync::Arc;

use rand::Rng;
use serde::{Deserialize, Serialize};

use super::parameter::{Domain, Parameter};
use super::spsa::{Axis, Flip, Gains, Spsa, Trial};
use crate::arena::stats::Pentanomial;
use crate::search::{Random, below, random_stream};
use crate::setting::Value;

/// What shapes all chains.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// How long, and in which steps.
    pub course: Course,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The length of a run and its steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Independent runs.
    pub chains: u64,
    /// Pairs of games of each.
    pub pairs: u64,
    /// Pairs of games between two movements.
    pub batch: u64,
    /// What [`Course::r_end`] is made of.
    pub gain: f64,
    /// How the steps shrink.
    pub gains: Gains,
}

/// Greater movements would let a few games throw a value across its range.
const GREATEST_R_END: f64 = 0.3;

impl Course {
    /// The movement at the end of a chain, in parts of the perturbation for a game won more than lost.
    ///
    /// The shorter a chain, the greater: values then forget where they began within about the same part of it.
    pub fn r_end(&self) -> f64 {
        (self.gain / self.pairs as f64).min(GREATEST_R_END)
    }

    /// Pairs of games of all chains.
    pub const fn all_pairs(&self) -> u64 {
        self.chains * self.pairs
    }

    /// Number among the pairs of all chains of a pair of one of them.
    pub const fn number(&self, chain: u64, pair: u64) -> u64 {
        chain + self.chains * pair
    }
}

/// Games to be played before the values move again.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The chain that it belongs to.
    pub chain: u64,
    /// Its first pair of games in the chain.
    pub first: u64,
    /// Pairs of games.
    pub pairs: u64,
    /// What the first side plays with, in the order of the parameters.
    pub plus: Vec<Value>,
    /// What the second side plays with.
    pub minus: Vec<Value>,
    trial: Trial,
}

/// A batch that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Pairs of the chain up to the end of this batch.
    pub done: u64,
    /// Results from the view of the first side.
    pub results: Pentanomial,
    /// What the first side played with, in the order of the parameters.
    pub plus: Vec<Value>,
    /// What the second side played with.
    pub minus: Vec<Value>,
    /// Where the numbers stand after it, each on its scale, in the order of the parameters that are numbers.
    pub theta: Vec<f64>,
}

/// One run: a row of batches, each of which depends on the results of those before.
#[derive(Clone, Debug)]
pub struct Chain {
    design: Arc<Design>,
    index: u64,
    spsa: Spsa,
    steps: Vec<Step>,
}

impl Chain {
    /// The chain of that index, before its first game.
    pub fn new(design: &Arc<Design>, index: u64) -> Self {
        let r_end = design.course.r_end();
        let axis = |parameter: &Parameter| -> Option<Axis> {
            match &parameter.domain {
                Domain::Number(domain) => Some(domain.axis(r_end)),
                Domain::Words { .. } => None,
            }
        };
        let axes = design.parameters.iter().filter_map(axis).collect();
        Self {
            spsa: Spsa::new(design.course.gains, axes, design.course.pairs),
            design: Arc::clone(design),
            index,
            steps: Vec::new(),
        }
    }

    /// Which chain it is.
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Pairs of games that are played.
    pub const fn done(&self) -> u64 {
        self.spsa.done()
    }

    /// The batches that were played.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What is to be played next; `None` when the chain is at its end. It depends on nothing but the design and the
    /// results so far.
    ///
    /// A number moves by SPSA. A switch or word has no small steps, so it is compared instead: in each batch one side has
    /// the present word and the other side another one.
    pub fn next(&self) -> Option<Batch> {
        let course = &self.design.course;
        let pairs = course.batch.min(self.spsa.left());
        if pairs == 0 {
            return None;
        }
        let mut random = self.random();
        let axes = self.spsa.theta().len();
        let flips = (0..axes).map(|_| flip(&mut random)).collect();
        let trial = self.spsa.trial(flips);
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        let mut places = trial.plus.iter().zip(&trial.minus);
        for parameter in &self.design.parameters {
            let (first, second) = match &parameter.domain {
                Domain::Number(domain) => {
                    let (up, down) = places.next().expect("there is an axis for each number");
                    let dither = fraction(&mut random);
                    (domain.played(*up, dither), domain.played(*down, dither))
                }
                Domain::Words { current, others } => {
                    let other = &others[below(&mut random, others.len() as u32) as usize];
                    let (current, other) = (parameter.word(current), parameter.word(other));
                    match flip(&mut random) {
                        Flip::Up => (other, current),
                        Flip::Down => (current, other),
                    }
                }
            };
            plus.push(first);
            minus.push(second);
        }
        Some(Batch {
            chain: self.index,
            first: self.spsa.done(),
            pairs,
            plus,
            minus,
            trial,
        })
    }

    /// Moves on by the results of the batch that came next.
    pub fn take_in(&mut self, batch: Batch, results: Pentanomial) {
        self.spsa
            .take_in(&batch.trial, batch.pairs, net_wins(&results));
        self.steps.push(Step {
            done: self.spsa.done(),
            results,
            plus: batch.plus,
            minus: batch.minus,
            theta: self.spsa.theta().to_vec(),
        });
    }

    /// A generator of its own for each batch.
    fn random(&self) -> Random {
        const MAX_PAIRS: u64 = 1 << 32;
        random_stream(
            self.design.seed ^ STREAMS,
            self.index * MAX_PAIRS + self.spsa.done(),
        )
    }
}

/// Keeps the random choices of chains apart from those of openings and games, which have the same seed.
const STREAMS: u64 = 0x7475_6e65_7475_6e65;

/// Games that the first side won more than it lost.
pub fn net_wins(results: &Pentanomial) -> i64 {
    let cells = results.cells();
    let weighted = (-2..)
        .zip(cells)
        .map(|(net, count): (i64, u64)| net * count as i64);
    weighted.sum()
}

fn flip(random: &mut Random) -> Flip {
    match below(random, 2) {
        0 => Flip::Up,
        _ => Flip::Down,
    }
}

/// A number from 0 up to, but not including, 1.
fn fraction(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn net_wins_are_counted() {
        assert_eq!(net_wins(&Pentanomial::new([1, 0, 7, 0, 0])), -2);
        assert_eq!(net_wins(&Pentanomial::new([0, 1, 0, 2, 3])), 7);
    }
}
