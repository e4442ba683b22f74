//! Plays the games of a run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::chain::{Batch, Course};
use super::config::TuneConfig;
use super::parameter::{Parameter, text};
use super::state::{BatchLine, TuneFileError, TuneHeader, TuneIdentity, TuneStore};
use super::tuning::Tuning;
use crate::arena::config::MatchConfig;
use crate::arena::header::{OpeningsLine, Program, SideLine};
use crate::arena::opening::{OpeningError, Openings};
use crate::arena::plan::{MatchOptions, Plan, PlanError, prepare, threads};
use crate::arena::pool::{Job, Next, Pool};
use crate::arena::record::GameLine;
use crate::arena::schedule::{ScheduledGame, SideId};
use crate::arena::side::Side;
use crate::game::ByColor;
use crate::search::StopFlag;
use crate::setting::Value;

/// A run, ready to be played.
pub struct TunePlan {
    /// The first line of its file.
    pub header: TuneHeader,
    /// What plays, with the present values.
    pub side: Side,
    openings: Openings,
    /// Pairs of games, each with an opening of its own.
    rounds: u64,
    margin: Duration,
}

/// Why a run cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The games cannot be shared out.
    #[error(
        "{games} games cannot be shared out to {chains} chains in pairs: take a multiple of {}", 2 * .chains
    )]
    Games {
        /// All games.
        games: u64,
        /// Chains.
        chains: u64,
    },
    /// A part would have nothing to play.
    #[error("there are only {chains} chains, too few for {parts} parts; set more with --chains")]
    Parts {
        /// Chains.
        chains: u64,
        /// Parts.
        parts: u64,
    },
    /// All games would begin alike.
    #[error("every game would begin with the empty board: take random openings, or a file of them")]
    NoOpenings,
    /// Its openings or the program's file.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Its file cannot be used.
    #[error(transparent)]
    File(#[from] TuneFileError),
}

impl From<OpeningError> for TuneError {
    fn from(error: OpeningError) -> Self {
        Self::Plan(error.into())
    }
}

impl TunePlan {
    /// Prepares a run of `tune` that begins with `side` and its parameters' present values. Variant, openings and part
    /// are those of `options`, everything else of games is that of `config`.
    ///
    /// # Errors
    /// Games that cannot be shared out, or openings that cannot be had.
    pub fn new(
        (side, parameters): (Side, Vec<Parameter>),
        tune: &TuneConfig,
        config: &MatchConfig,
        options: &MatchOptions,
    ) -> Result<Self, TuneError> {
        let (games, chains) = (tune.games, tune.chains);
        if !games.is_multiple_of(2 * chains) {
            return Err(TuneError::Games { games, chains });
        }
        let parts = options.shard.count();
        if parts > chains {
            return Err(TuneError::Parts { chains, parts });
        }
        let rounds = games / 2;
        let (openings, line) =
            prepare(&options.openings, options.variant, config, rounds as usize)?;
        if line == OpeningsLine::Empty {
            return Err(TuneError::NoOpenings);
        }
        let identity = TuneIdentity {
            format: TuneIdentity::FORMAT,
            program: Program::current().map_err(PlanError::Program)?,
            variant: options.variant.as_str().to_owned(),
            seed: config.seed,
            openings: line,
            margin_ms: config.margin_ms,
            side: SideLine::from(&side),
            parameters,
            course: Course {
                chains,
                pairs: rounds / chains,
                batch: tune.batch,
                gain: tune.gain,
                gains: tune.gains(),
            },
        };
        Ok(Self {
            header: TuneHeader {
                identity,
                shard: options.shard,
            },
            side,
            openings,
            rounds,
            margin: Duration::from_millis(config.margin_ms),
        })
    }

    /// The file of this run in `folder`: the same run always has the same.
    pub fn default_file(&self, folder: &Path) -> PathBuf {
        let hash = self.header.identity.short_hash();
        folder.join(format!(
            "tune-{hash}{}.jsonl",
            self.header.shard.file_suffix()
        ))
    }

    /// The threads that one game keeps busy.
    pub fn threads_per_game(&self) -> usize {
        threads(&self.side)
    }

    /// Plays what is missing, until it is stopped. Each batch is written into `store` before the values move;
    /// `observe` is told after each game and now and then.
    ///
    /// # Errors
    /// A batch cannot be written down or a game has no opening. Batches finished before are in the store.
    pub fn run(
        &self,
        (tuning, store): (&mut Tuning, &mut TuneStore),
        concurrency: usize,
        stop: &StopFlag,
        observe: &mut dyn FnMut(&Tuning, u64),
    ) -> Result<(), TuneError> {
        let pool = Pool {
            openings: &self.openings,
            seed: self.header.identity.seed,
            margin: self.margin,
            concurrency,
            stop,
        };
        let course = &self.header.identity.course;
        let mut running = Running::default();
        let mut jobs = Vec::new();
        for batch in tuning.next() {
            jobs.extend(self.jobs(&batch));
            running.begin(batch);
        }
        pool.play(jobs, &mut |game| {
            let mut more = Vec::new();
            if let Some(line) = game.and_then(|game| running.take_in(&game, course)) {
                store.add(&line)?;
                tuning
                    .take_in(&line)
                    .expect("it is the batch that came next");
                if let Some(batch) = tuning.next_of(line.chain) {
                    more = self.jobs(&batch);
                    running.begin(batch);
                }
            }
            observe(tuning, running.finished());
            Ok(Next::Games(more))
        })
    }

    /// The games of a batch.
    fn jobs(&self, batch: &Batch) -> Vec<Job> {
        let identity = &self.header.identity;
        let side =
            |values: &[Value]| Arc::new(with_values(&self.side, &identity.parameters, values));
        let (plus, minus) = (side(&batch.plus), side(&batch.minus));
        let mut jobs = Vec::new();
        for pair in batch.first..batch.first + batch.pairs {
            let round = identity.course.number(batch.chain, pair);
            let ids = ByColor {
                white: SideId::A,
                black: SideId::B,
            };
            let sides = ByColor {
                white: Arc::clone(&plus),
                black: Arc::clone(&minus),
            };
            let first = ScheduledGame {
                number: 2 * round,
                round,
                sides: ids,
            };
            let second = ScheduledGame {
                number: 2 * round + 1,
                round,
                sides: ids.swapped(),
            };
            jobs.push(Job {
                game: first,
                sides: sides.clone(),
            });
            jobs.push(Job {
                game: second,
                sides: sides.swapped(),
            });
        }
        jobs
    }

    /// The match of tuned against present values, on openings that the run has not seen.
    ///
    /// # Errors
    /// Games that are no pairs, or openings that cannot be had.
    pub fn verification(
        &self,
        tuned: &[Value],
        config: &MatchConfig,
        options: &MatchOptions,
    ) -> Result<Plan, PlanError> {
        let options = MatchOptions {
            seen_openings: self.rounds,
            ..options.clone()
        };
        let tuned = with_values(&self.side, &self.header.identity.parameters, tuned);
        Plan::new(vec![tuned, self.side.clone()], config, &options)
    }
}

/// A side with other values of its parameters, named by what differs.
pub fn with_values(side: &Side, parameters: &[Parameter], values: &[Value]) -> Side {
    let mut changed = side.clone();
    for (parameter, value) in parameters.iter().zip(values) {
        parameter.apply(&mut changed, value);
        if *value != parameter.current() {
            changed.name += &format!(",{}={}", parameter.name, text(value));
        }
    }
    changed
}

/// Batches whose games are being played.
#[derive(Default)]
struct Running(BTreeMap<u64, RunningBatch>);

struct RunningBatch {
    batch: Batch,
    /// Points of the first side, times two, by the number of the game.
    games: BTreeMap<u64, usize>,
}

impl Running {
    fn begin(&mut self, batch: Batch) {
        let games = BTreeMap::new();
        self.0.insert(batch.chain, RunningBatch { batch, games });
    }

    /// Games of batches that are not finished.
    fn finished(&self) -> u64 {
        self.0
            .values()
            .map(|running| running.games.len() as u64)
            .sum()
    }

    /// Takes in a game; the results of its batch if it was the last of it.
    fn take_in(&mut self, game: &GameLine, course: &Course) -> Option<BatchLine> {
        let chain = (game.game / 2) % course.chains;
        let running = self.0.get_mut(&chain)?;
        let half_points = SideId::A.half_points(game.end.winner);
        running.games.insert(game.game, half_points);
        if (running.games.len() as u64) < 2 * running.batch.pairs {
            return None;
        }
        let RunningBatch { batch, games } = self.0.remove(&chain)?;
        let points: Vec<usize> = games.into_values().collect();
        let mut results = [0; 5];
        for pair in points.chunks_exact(2) {
            results[pair.iter().sum::<usize>()] += 1;
        }
        Some(BatchLine {
            chain,
            first: batch.first,
            results,
        })
    }
}
