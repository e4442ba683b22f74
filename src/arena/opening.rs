//! Where the games of a match begin.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::config::MatchConfig;
use crate::game::{Phase, Position, PositionError, Symmetry, Variant};
use crate::search::{Limits, Random, SearchParams, Searcher, StopFlag, below, random_stream};

/// Candidates for each opening; the first balanced one is taken.
const CANDIDATES: usize = 16;

/// Simulations that judge a candidate.
const BALANCE_SIMULATIONS: u64 = 1000;

/// Random openings in a row that are no new ones, after which there are taken to be no more.
const PATIENCE: usize = 10_000;

/// Why a game has no opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// There are no more openings of this kind.
    #[error(
        "there are only {found} different openings with {placements} random placements; use more placements or turns, or fewer games"
    )]
    Exhausted {
        /// How many there are.
        found: usize,
        /// Random placements.
        placements: u32,
    },
    /// The file cannot be read.
    #[error("cannot read the openings in {}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is no position.
    #[error("{}:{line}: {source}", .path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        source: PositionError,
    },
    /// A position at which no game can begin.
    #[error("{}:{line}: {problem}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        problem: String,
    },
    /// The file has fewer positions than the match needs.
    #[error("{} has {found} positions, but {needed} pairs of games are to be played; use fewer games or more positions", .path.display())]
    TooFew {
        /// The file.
        path: PathBuf,
        /// Its positions.
        found: usize,
        /// Pairs.
        needed: usize,
    },
}

/// The openings of a match, one for each round: a pair of games, or in a round robin one pair for each two players.
pub struct Openings {
    source: Source,
    /// Those at the beginning that are left out.
    seen: usize,
    /// What was found so far.
    chosen: Vec<OnceLock<Position>>,
}

enum Source {
    Empty(Variant),
    File(Vec<Position>),
    Random {
        seed: u64,
        balance: f64,
        candidates: Mutex<Candidates>,
    },
}

impl Openings {
    /// The empty board for every round: only the players' random choices differ.
    pub fn empty(variant: Variant, rounds: usize) -> Self {
        Self::new(Source::Empty(variant), rounds)
    }

    /// Random rings and turns as `config` says, no two alike, not even turned or mirrored.
    pub fn random(variant: Variant, config: &MatchConfig, rounds: usize) -> Self {
        if config.placements == 0 && config.opening_turns == 0 {
            return Self::empty(variant, rounds);
        }
        let source = Source::Random {
            seed: config.seed,
            balance: config.balance,
            candidates: Mutex::new(Candidates::new(variant, config)),
        };
        Self::new(source, rounds)
    }

    /// The positions of a text file, one a line; what follows a `#` is a comment.
    ///
    /// # Errors
    /// The file cannot be read, or names the line that is no position to begin at, or has too few.
    pub fn from_file(path: &Path, variant: Variant, rounds: usize) -> Result<Self, OpeningError> {
        let text = std::fs::read_to_string(path).map_err(|source| OpeningError::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let positions = positions_of(path, &text, variant)?;
        if positions.len() < rounds {
            return Err(OpeningError::TooFew {
                path: path.to_owned(),
                found: positions.len(),
                needed: rounds,
            });
        }
        Ok(Self::new(Source::File(positions), rounds))
    }

    fn new(source: Source, rounds: usize) -> Self {
        Self {
            source,
            seen: 0,
            chosen: (0..rounds).map(|_| OnceLock::new()).collect(),
        }
    }

    /// The same without the first `seen`, so that no game begins as one of those.
    #[must_use]
    pub fn after(self, seen: usize) -> Self {
        Self { seen, ..self }
    }

    /// The opening of a round: the same whenever and in whatever order they are asked for.
    ///
    /// # Errors
    /// There are no more different openings.
    ///
    /// # Panics
    /// The match does not have so many rounds.
    pub fn opening(&self, round: usize) -> Result<Position, OpeningError> {
        let round = self.seen + round;
        let chosen = &self.chosen[round];
        if let Some(position) = chosen.get() {
            return Ok(*position);
        }
        Ok(match &self.source {
            Source::Empty(variant) => Position::start(*variant),
            Source::File(positions) => positions[round],
            Source::Random {
                seed,
                balance,
                candidates,
            } => {
                let of_round = {
                    let mut candidates = candidates.lock().unwrap_or_else(PoisonError::into_inner);
                    candidates.of_round(round)?
                };
                *chosen.get_or_init(|| most_balanced(&of_round, *seed, *balance))
            }
        })
    }
}

fn positions_of(path: &Path, text: &str, variant: Variant) -> Result<Vec<Position>, OpeningError> {
    let mut positions = Vec::new();
    let mut seen = HashSet::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let position =
            Position::parse(content, variant).map_err(|source| OpeningError::Position {
                path: path.to_owned(),
                line: line_number,
                source,
            })?;
        let unusable = |problem: &str| OpeningError::Unusable {
            path: path.to_owned(),
            line: line_number,
            problem: problem.to_owned(),
        };
        if position.is_over() {
            return Err(unusable("the game is over in this position"));
        }
        if matches!(
            position.phase(),
            Phase::EarlyRing | Phase::LateRow | Phase::LateRing
        ) {
            return Err(unusable("this position lies in the middle of a turn"));
        }
        if !seen.insert(canonical(&position)) {
            return Err(unusable(
                "this position has stood before, perhaps turned or mirrored",
            ));
        }
        positions.push(position);
    }
    Ok(positions)
}

/// The first candidate whose expected score is close enough to one half, or else the closest.
fn most_balanced(candidates: &[Position], seed: u64, balance: f64) -> Position {
    if balance >= 0.5 {
        return candidates[0];
    }
    let mut closest = (f64::INFINITY, candidates[0]);
    let mut searcher = Searcher::new(SearchParams {
        memory_mb: 8,
        seed,
        ..SearchParams::baseline()
    });
    for candidate in candidates {
        let distance = distance_from_even(&mut searcher, candidate);
        if distance <= balance {
            return *candidate;
        }
        if distance < closest.0 {
            closest = (distance, *candidate);
        }
    }
    closest.1
}

/// By the mean of all simulations: that of the best action alone is too high when each was tried a few times only.
fn distance_from_even(searcher: &mut Searcher, position: &Position) -> f64 {
    searcher.new_game();
    let limits = Limits::simulations(BALANCE_SIMULATIONS);
    let Ok(report) = searcher.search(position, &limits, &StopFlag::new(), &mut |_| {}) else {
        return 0.5;
    };
    let tried = || {
        report
            .candidates
            .iter()
            .filter_map(|c| Some((c.visits as f64, c.win_probability?)))
    };
    let visits: f64 = tried().map(|(visits, _)| visits).sum();
    let score: f64 = tried().map(|(visits, win)| visits * win).sum();
    if visits > 0.0 {
        (score / visits - 0.5).abs()
    } else {
        0.0
    }
}

/// An endless row of random positions, no two alike.
struct Candidates {
    variant: Variant,
    placements: u32,
    turns: u32,
    random: Random,
    seen: HashSet<String>,
    found: Vec<Position>,
}

impl Candidates {
    fn new(variant: Variant, config: &MatchConfig) -> Self {
        Self {
            variant,
            placements: config.placements,
            turns: config.opening_turns,
            random: random_stream(config.seed, 0),
            seen: HashSet::new(),
            found: Vec::new(),
        }
    }

    /// Those of one round; no other round has any of them.
    fn of_round(&mut self, round: usize) -> Result<Vec<Position>, OpeningError> {
        let first = round * CANDIDATES;
        while self.found.len() < first + CANDIDATES {
            match self.next_new() {
                Some(position) => self.found.push(position),
                None if self.found.len() > first => break,
                None => {
                    return Err(OpeningError::Exhausted {
                        found: self.found.len(),
                        placements: self.placements,
                    });
                }
            }
        }
        let end = self.found.len().min(first + CANDIDATES);
        Ok(self.found[first..end].to_vec())
    }

    fn next_new(&mut self) -> Option<Position> {
        for _ in 0..PATIENCE {
            if let Some(position) = self.random_position()
                && self.seen.insert(canonical(&position))
            {
                return Some(position);
            }
        }
        None
    }

    /// `None` if the game was over before, or a pass, of which a position text tells nothing, was the last turn.
    fn random_position(&mut self) -> Option<Position> {
        let mut position = Position::start(self.variant);
        while u32::from(position.ply()) < self.placements
            || (self.turns > 0 && position.phase() == Phase::PlaceRing)
        {
            self.play_random_turn(&mut position);
        }
        for _ in 0..self.turns {
            if !position.is_over() {
                self.play_random_turn(&mut position);
            }
        }
        (!position.is_over() && !position.last_turn_was_pass()).then_some(position)
    }

    fn play_random_turn(&mut self, position: &mut Position) {
        let ply = position.ply();
        while position.ply() == ply && !position.is_over() {
            let actions = position.actions();
            position.play(actions[below(&mut self.random, actions.len() as u32) as usize]);
        }
    }
}

/// The same text for all positions that are one another's image.
fn canonical(position: &Position) -> String {
    let images = Symmetry::all().map(|symmetry| symmetry.position(position).to_string());
    images.min().expect("there are twelve symmetries")
}
