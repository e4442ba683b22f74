//! All chains of a run, as far as they are played.

use std::sync::Arc;

use super::chain::{Batch, Chain, Design};
use super::state::BatchLine;
use crate::arena::schedule::Shard;
use crate::arena::stats::Pentanomial;

/// A run with its results.
#[derive(Clone, Debug)]
pub struct Tuning {
    design: Arc<Design>,
    shard: Shard,
    chains: Vec<Chain>,
}

impl Tuning {
    /// A run before its first game: the chains of one part of it.
    pub fn new(design: Design, shard: Shard) -> Self {
        let design = Arc::new(design);
        let chains = shard.of(design.course.chains);
        Self {
            chains: chains.map(|index| Chain::new(&design, index)).collect(),
            design,
            shard,
        }
    }

    /// What shapes it.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The part of it that this is.
    pub const fn shard(&self) -> Shard {
        self.shard
    }

    /// The chains.
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }

    /// Games that are to be played in all.
    pub fn games(&self) -> u64 {
        2 * self.design.course.pairs * self.chains.len() as u64
    }

    /// Games of the batches that are finished.
    pub fn done(&self) -> u64 {
        2 * self.chains.iter().map(Chain::done).sum::<u64>()
    }

    /// Whether all games are played.
    pub fn is_over(&self) -> bool {
        self.done() == self.games()
    }

    /// What comes next in each chain.
    pub fn next(&self) -> Vec<Batch> {
        self.chains.iter().filter_map(Chain::next).collect()
    }

    /// What comes next in one chain.
    pub fn next_of(&self, chain: u64) -> Option<Batch> {
        self.chain(chain)?.next()
    }

    /// Takes in the results of the batch that came next in its chain.
    ///
    /// # Errors
    /// The line is of another batch, with what is wrong.
    pub fn take_in(&mut self, line: &BatchLine) -> Result<(), String> {
        let chain = self.chain(line.chain);
        let chain = chain.ok_or_else(|| format!("chain {} does not belong here", line.chain))?;
        let batch = chain.next();
        let batch = batch.ok_or_else(|| format!("chain {} is at its end", line.chain))?;
        let results = Pentanomial::new(line.results);
        if batch.first != line.first || batch.pairs != results.total() {
            return Err(format!(
                "chain {} goes on with {} pairs from pair {}, not with {} from pair {}",
                line.chain,
                batch.pairs,
                batch.first,
                results.total(),
                line.first
            ));
        }
        let chain = self
            .chains
            .iter_mut()
            .find(|chain| chain.index() == line.chain);
        chain.expect("it was there").take_in(batch, results);
        Ok(())
    }

    /// The way of a number, by its place among those that are numbers: its mean over all chains at so many moments, from
    /// the first to the last game so far, on its scale. Empty before the first batch.
    pub fn path(&self, axis: usize, moments: usize) -> Vec<f64> {
        let chains = self.chains.iter().filter(|chain| !chain.steps().is_empty());
        let chains: Vec<&Chain> = chains.collect();
        let at = |moment: usize| {
            let place = |chain: &&Chain| {
                let steps = chain.steps();
                steps[(moment * (steps.len() - 1)) / (moments - 1).max(1)].theta[axis]
            };
            chains.iter().map(place).sum::<f64>() / chains.len() as f64
        };
        match chains.is_empty() {
            true => Vec::new(),
            false => (0..moments).map(at).collect(),
        }
    }

    fn chain(&self, index: u64) -> Option<&Chain> {
        self.chains.iter().find(|chain| chain.index() == index)
    }
}
