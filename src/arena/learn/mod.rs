//! Learning the weights of the evaluation from games that the program plays against itself.
//!
//! In each round the program plays with the weights of the round before, and new ones are fitted to its games: those
//! that judge to how the games ended and what the searches thought of them, the priors to what the searches tried most
//! (expert iteration: Anthony, Tian and Barber, 2017). The first round knows nothing: it plays random games to the end
//! and tries all actions alike. The same plan gives the same weights, whatever the number of games at a time; on another
//! machine the last digits may differ, as the exponential function does.
//!
//! A folder holds what is done, so that a run that was interrupted goes on where it was: the plan, and for each round
//! its games, one a line, and its weights.

mod example;
mod fit;
mod folder;
mod games;

use std::path::PathBuf;
use std::sync::Arc;

pub use folder::LearnError;

use self::example::Examples;
use self::fit::{Quality, fit};
use self::folder::Folder;
use crate::search::{Evaluation, StopFlag};

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LearnPlan {
    /// Rounds, at least one.
    pub rounds: u32,
    /// Games of a round.
    pub games: u64,
    /// Simulations for each decision.
    pub simulations: u64,
    /// Seed of all random choices.
    pub seed: u64,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnProgress {
    /// Games of a round are played.
    Playing {
        /// The round, from 1.
        round: u32,
        /// Games that are over.
        games: u64,
    },
    /// Weights are fitted to them.
    Fitting {
        /// The round.
        round: u32,
    },
    /// A round is over.
    Learned {
        /// The round.
        round: u32,
        /// How good the fit is.
        quality: Quality,
        /// Where its weights are.
        weights: PathBuf,
    },
}

/// Does all rounds of `plan` that `folder` does not hold yet, with so many games at a time; gives the file of the last
/// weights, or `None` if it was stopped.
///
/// # Errors
/// The folder cannot be used or holds another run.
pub fn learn(
    plan: &LearnPlan,
    folder: PathBuf,
    concurrency: usize,
    stop: &StopFlag,
    observe: &mut dyn FnMut(LearnProgress),
) -> Result<Option<PathBuf>, LearnError> {
    let folder = Folder::open(folder, plan)?;
    let mut evaluation: Option<Arc<Evaluation>> = None;
    for round in 1..=plan.rounds {
        if let Some(known) = folder.weights(round)? {
            evaluation = Some(Arc::new(known));
            continue;
        }
        let runner = games::Runner {
            plan,
            round,
            evaluation: evaluation.clone(),
            concurrency,
            stop,
        };
        runner.run(&folder, &mut |games| {
            observe(LearnProgress::Playing { round, games })
        })?;
        if stop.is_stopped() {
            return Ok(None);
        }
        observe(LearnProgress::Fitting { round });
        let examples = Examples::read(&folder, round, plan)?;
        let Some((fitted, quality)) = fit(&examples, plan.seed, stop) else {
            return Ok(None);
        };
        let weights = folder.save_weights(round, &fitted)?;
        evaluation = Some(Arc::new(fitted));
        observe(LearnProgress::Learned {
            round,
            quality,
            weights,
        });
    }
    Ok(Some(folder.weights_path(plan.rounds)))
}
