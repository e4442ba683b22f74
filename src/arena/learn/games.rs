//! Games that the program plays against itself to learn from.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use serde::{Deserialize, Serialize};

use super::LearnPlan;
use super::folder::{Folder, LearnError};
use crate::game::{Action, Color, PackedAction, Position, Variant};
use crate::search::{
    Candidate, Evaluation, Limits, PlayoutPolicy, Proof, Random, SearchParams, SearchReport,
    Searcher, SelectionRule, StopFlag, TO_THE_END, below, mean_value, random_stream,
};

/// One game in so many begins with rings that were placed by search; all others with random ones.
const OWN_PLACEMENTS: u32 = 4;

/// One action in so many is random, so that the games show what follows a mistake.
const RANDOM_ACTIONS: u32 = 14;

/// Turns from the beginning in which an action is chosen as often as it was tried, so that no two games are alike.
const VARIED_TURNS: u16 = 16;

/// A candidate that has less than this part of all visits is not written down.
const LEAST_SHARE: u64 = 200;

/// A game that is over, as a line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number in the round, from 0.
    pub game: u64,
    /// What White got: 1, ½ or 0.
    pub white: f32,
    /// What was decided by search, in order.
    pub decisions: Vec<Decision>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Where, as position text.
    pub position: String,
    /// Mean value of the search for the side to decide.
    pub value: f32,
    /// Actions, packed, and how often they were tried.
    pub visits: Vec<(u16, u64)>,
}

/// Plays the games of a round.
pub struct Runner<'a> {
    /// What is to be done.
    pub plan: &'a LearnPlan,
    /// The round.
    pub round: u32,
    /// What the round before has learned.
    pub evaluation: Option<Arc<Evaluation>>,
    /// Games at a time.
    pub concurrency: usize,
    /// Ends the round early.
    pub stop: &'a StopFlag,
}

impl Runner<'_> {
    /// Plays all games that the folder does not hold, and writes each down; `observe` is told how many are over.
    ///
    /// # Errors
    /// The folder cannot be used.
    pub fn run(&self, folder: &Folder, observe: &mut dyn FnMut(u64)) -> Result<(), LearnError> {
        let (mut journal, known) = folder.open_games(self.round)?;
        let is_known: Vec<bool> = {
            let mut is_known = vec![false; self.plan.games as usize];
            for game in &known {
                if let Some(slot) = is_known.get_mut(game.game as usize) {
                    *slot = true;
                }
            }
            is_known
        };
        let missing: Vec<u64> = (0..self.plan.games)
            .filter(|game| !is_known[*game as usize])
            .collect();
        let mut games = known.len() as u64;
        drop(known);
        let next = AtomicUsize::new(0);
        let (sender, finished) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.min(missing.len()) {
                let (sender, next, missing) = (sender.clone(), &next, &missing);
                scope.spawn(move || {
                    let mut searcher = self.searcher();
                    while let Some(game) = missing.get(next.fetch_add(1, Ordering::Relaxed))
                        && let Some(played) = self.play(&mut searcher, *game)
                        && sender.send(played).is_ok()
                    {}
                });
            }
            drop(sender);
            observe(games);
            for played in finished {
                journal.append(&played)?;
                games += 1;
                observe(games);
            }
            Ok(())
        })
    }

    fn searcher(&self) -> Searcher {
        let params = SearchParams {
            threads: 1,
            memory_mb: 64,
            ..SearchParams::default()
        };
        match &self.evaluation {
            Some(evaluation) => Searcher::with_evaluation(params, evaluation.clone()),
            None => Searcher::new(SearchParams {
                selection: SelectionRule::Uct,
                exploration: 0.5,
                playouts: PlayoutPolicy::TakeFive,
                playout_moves: TO_THE_END,
                ..params
            }),
        }
    }

    /// Plays a game; `None` if it was stopped.
    fn play(&self, searcher: &mut Searcher, game: u64) -> Option<PlayedGame> {
        let mut random = random_stream(self.plan.seed, u64::from(self.round) << 40 | game);
        let mut position = Position::start(Variant::Standard);
        if below(&mut random, OWN_PLACEMENTS) != 0 {
            position = with_random_rings(position, &mut random);
        }
        searcher.new_game();
        let mut decisions = Vec::new();
        loop {
            if let Some(outcome) = position.outcome() {
                let white = Color::White.points(outcome.winner) as f32;
                return Some(PlayedGame {
                    game,
                    white,
                    decisions,
                });
            }
            let actions = position.actions();
            if let [only] = actions[..] {
                position.play(only);
                continue;
            }
            let limits = Limits::simulations(self.plan.simulations);
            let report = searcher
                .search(&position, &limits, self.stop, &mut |_| {})
                .ok()?;
            if self.stop.is_stopped() {
                return None;
            }
            decisions.push(Decision {
                position: position.to_string(),
                value: report.win_probability.map_or(0.5, mean_value) as f32,
                visits: tried(&report),
            });
            position.play(if below(&mut random, RANDOM_ACTIONS) == 0 {
                actions[below(&mut random, actions.len() as u32) as usize]
            } else if position.ply() < VARIED_TURNS {
                by_visits(&report.candidates, &mut random)
            } else {
                report.turn.actions()[0]
            });
        }
    }
}

/// The position with all rings at random points.
fn with_random_rings(mut position: Position, random: &mut Random) -> Position {
    while matches!(position.actions()[0], Action::PlaceRing(_)) {
        let actions = position.actions();
        position.play(actions[below(random, actions.len() as u32) as usize]);
    }
    position
}

fn all_visits(candidates: &[Candidate]) -> u64 {
    candidates.iter().map(|candidate| candidate.visits).sum()
}

/// The candidates that are worth writing down. A win that is proved needs no other, however little it was tried.
fn tried(report: &SearchReport) -> Vec<(u16, u64)> {
    let all = all_visits(&report.candidates);
    if report.proof == Some(Proof::Win) || all == 0 {
        return vec![(PackedAction::from(report.turn.actions()[0]).bits(), 1)];
    }
    report
        .candidates
        .iter()
        .filter(|candidate| candidate.visits * LEAST_SHARE >= all)
        .map(|candidate| {
            (
                PackedAction::from(candidate.action).bits(),
                candidate.visits,
            )
        })
        .collect()
}

/// A candidate, each with a probability in proportion to its visits; the best without any.
fn by_visits(candidates: &[Candidate], random: &mut Random) -> Action {
    let all = all_visits(candidates).max(1);
    let mut left = u64::from(below(random, all.min(u64::from(u32::MAX)) as u32));
    for candidate in candidates {
        if left < candidate.visits {
            return candidate.action;
        }
        left -= candidate.visits;
    }
    candidates[0].action
}
