//! Everything that is fixed before the first game of a match.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::config::MatchConfig;
use super::header::{FORMAT, Header, Identity, OpeningsLine, Program, SideLine, SprtLine};
use super::opening::{OpeningError, Openings};
use super::pool::Pool;
use super::runner::Runner;
use super::schedule::{Schedule, Shard};
use super::side::{Contestant, Side};
use super::stats::{Hypotheses, Sprt, SprtError};
use crate::game::Variant;
use crate::search::StopFlag;

/// Where the openings of a match come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// Random rings and turns.
    Random,
    /// The empty board.
    Empty,
    /// The positions of a text file.
    File(PathBuf),
}

/// What is said of a match beside its sides and settings.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchOptions {
    /// The rules.
    pub variant: Variant,
    /// Where games begin.
    pub openings: OpeningSource,
    /// Openings at the beginning that are left out, because something else has seen them.
    pub seen_openings: u64,
    /// The sequential test that may end it.
    pub sprt: Option<Sprt>,
    /// The part of it that is played.
    pub shard: Shard,
}

/// A match, ready to be played.
pub struct Plan {
    /// The sides, A first.
    pub sides: Vec<Side>,
    /// The first line of its file.
    pub header: Header,
    /// Where games begin.
    pub openings: Openings,
    /// The order of games.
    pub schedule: Schedule,
    margin: Duration,
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Games come in pairs.
    #[error("the number of games must be even, not {0}: every opening is played with both colours")]
    OddGames(u64),
    /// The openings cannot be had.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The program's own file cannot be read.
    #[error("cannot read the program's own file")]
    Program(#[source] io::Error),
}

/// The sequential test that `config` describes.
///
/// # Errors
/// There is no such test.
pub fn sprt(config: &MatchConfig) -> Result<Sprt, SprtError> {
    let hypotheses = Hypotheses {
        elo0: config.elo0,
        elo1: config.elo1,
        model: config.model,
    };
    Sprt::new(hypotheses, config.alpha, config.beta)
}

impl Plan {
    /// Prepares the match of `sides` that `config` and `options` describe.
    ///
    /// # Errors
    /// An odd number of games, or openings that cannot be had.
    pub fn new(
        sides: Vec<Side>,
        config: &MatchConfig,
        options: &MatchOptions,
    ) -> Result<Self, PlanError> {
        let MatchOptions {
            variant,
            openings,
            seen_openings,
            sprt,
            shard,
        } = options;
        let (variant, shard) = (*variant, *shard);
        if !config.games.is_multiple_of(2) {
            return Err(PlanError::OddGames(config.games));
        }
        let rounds = config.games / 2;
        let seen = *seen_openings;
        let all = (seen + rounds) as usize;
        let (openings, line) = prepare(openings, variant, config, all)?;
        let identity = Identity {
            format: FORMAT,
            program: Program::current().map_err(PlanError::Program)?,
            variant: variant.as_str().to_owned(),
            seed: config.seed,
            openings: line,
            seen_openings: seen,
            margin_ms: config.margin_ms,
            sides: sides.iter().map(SideLine::from).collect(),
        };
        Ok(Self {
            schedule: Schedule::new(sides.len(), rounds, shard),
            header: Header {
                identity,
                rounds,
                sprt: sprt.as_ref().map(SprtLine::from),
                shard,
            },
            sides,
            openings: openings.after(seen as usize),
            margin: Duration::from_millis(config.margin_ms),
        })
    }

    /// The file of this match in `folder`: the same match always has the same.
    pub fn default_file(&self, folder: &Path) -> PathBuf {
        let hash = self.header.identity.short_hash();
        let part = self.header.shard.file_suffix();
        folder.join(format!("match-{hash}{part}.jsonl"))
    }

    /// The most threads that one game keeps busy: only one side thinks at a time.
    pub fn threads_per_game(&self) -> usize {
        self.sides.iter().map(threads).max().unwrap_or(1)
    }

    /// What plays it, `concurrency` games at a time.
    pub fn runner<'a>(&'a self, concurrency: usize, stop: &'a StopFlag) -> Runner<'a> {
        Runner {
            sides: self.sides.iter().cloned().map(Arc::new).collect(),
            pool: Pool {
                openings: &self.openings,
                seed: self.header.identity.seed,
                margin: self.margin,
                concurrency,
                stop,
            },
        }
    }
}

/// The threads that a side keeps busy.
pub(super) fn threads(side: &Side) -> usize {
    match &side.contestant {
        Contestant::Search(search) => search.resolved_threads(),
        Contestant::Simple(_) => 1,
        Contestant::Engine { threads, .. } => *threads as usize,
    }
}

/// The openings, and what the first line of a file says of them.
pub(super) fn prepare(
    source: &OpeningSource,
    variant: Variant,
    config: &MatchConfig,
    rounds: usize,
) -> Result<(Openings, OpeningsLine), OpeningError> {
    Ok(match source {
        OpeningSource::Random => (
            Openings::random(variant, config, rounds),
            OpeningsLine::random(config),
        ),
        OpeningSource::Empty => (Openings::empty(variant, rounds), OpeningsLine::Empty),
        OpeningSource::File(path) => {
            let content = std::fs::read(path).map_err(|source| OpeningError::Unreadable {
                path: path.clone(),
                source,
            })?;
            (
                Openings::from_file(path, variant, rounds)?,
                OpeningsLine::file(&content),
            )
        }
    })
}
