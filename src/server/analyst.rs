//! Analysis of finished games by the own search, on demand: one game at a time, a fixed time for each position, and kept
//! in the store for good.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::{AnalysedTurn, GameId};
use crate::game::{Color, Position, Turn};
use crate::search::{Budget, Limits, SearchParams, Searcher, StopFlag};

use super::game::Game;

/// Memory of the search tree, taken only while a game is analysed.
const MEMORY_MB: u32 = 64;

/// Who analyses, or is free.
#[derive(Debug, Default)]
pub struct Analyst {
    job: Arc<Mutex<Option<Progress>>>,
    stop: StopFlag,
}

/// How far the running analysis has come.
#[derive(Clone, Debug)]
struct Progress {
    game: GameId,
    done: Arc<AtomicU16>,
}

/// The one analysis that may run; dropping it makes way for the next.
pub struct Job {
    job: Arc<Mutex<Option<Progress>>>,
    done: Arc<AtomicU16>,
    stop: StopFlag,
}

/// What one search says, from White's point of view.
#[derive(Clone, Debug)]
struct Verdict {
    /// Expected result, 0 to 1; `None` when the turn was without alternative.
    white: Option<f64>,
    /// The turn to play; `None` in a position that is over.
    best: Option<Turn>,
}

impl Analyst {
    /// Begins the analysis of a game; `None` while another one runs.
    pub fn begin(&self, game: &GameId) -> Option<Job> {
        let mut job = lock(&self.job);
        if job.is_some() {
            return None;
        }
        let done = Arc::<AtomicU16>::default();
        *job = Some(Progress {
            game: game.clone(),
            done: Arc::clone(&done),
        });
        Some(Job {
            job: Arc::clone(&self.job),
            done,
            stop: self.stop.clone(),
        })
    }

    /// How many positions of a game have been searched; `None` when it is not being analysed.
    pub fn progress(&self, game: &GameId) -> Option<u16> {
        let job = lock(&self.job);
        let progress = job.as_ref().filter(|progress| progress.game == *game)?;
        Some(progress.done.load(Ordering::Relaxed))
    }

    /// Ends the running analysis within milliseconds, and lets no other run.
    pub fn stop(&self) {
        self.stop.stop();
    }
}

impl Job {
    /// Searches every position of a finished game for `time` each; `None` when it was stopped. Takes as long as that
    /// sounds, so it wants a thread of its own.
    pub fn run(self, game: &Game, time: Duration) -> Option<Vec<AnalysedTurn>> {
        let mut searcher = Searcher::new(SearchParams {
            threads: 1,
            memory_mb: MEMORY_MB,
            ..SearchParams::default()
        });
        let limits = Limits::time(Budget::fixed(time));
        let mut position = Position::start(game.position.variant());
        let mut verdicts = vec![self.judge(&mut searcher, &position, &limits)?];
        for turn in &game.turns {
            position = position.play_turn(turn).ok()?;
            verdicts.push(self.judge(&mut searcher, &position, &limits)?);
        }
        Some(compare(&verdicts, &game.turns))
    }

    fn judge(
        &self,
        searcher: &mut Searcher,
        position: &Position,
        limits: &Limits,
    ) -> Option<Verdict> {
        let verdict = match searcher.search(position, limits, &self.stop, &mut |_| ()) {
            Ok(report) => Verdict {
                white: report
                    .win_probability
                    .map(|chance| seen_by_white(chance, position.side())),
                best: Some(report.turn),
            },
            Err(_) => Verdict {
                white: position
                    .outcome()
                    .map(|outcome| Color::White.points(outcome.winner)),
                best: None,
            },
        };
        self.done.fetch_add(1, Ordering::Relaxed);
        (!self.stop.is_stopped()).then_some(verdict)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        *lock(&self.job) = None;
    }
}

fn lock(job: &Mutex<Option<Progress>>) -> MutexGuard<'_, Option<Progress>> {
    job.lock().unwrap_or_else(PoisonError::into_inner)
}

fn seen_by_white(chance: f64, side: Color) -> f64 {
    match side {
        Color::White => chance,
        Color::Black => 1.0 - chance,
    }
}

/// What each turn made of the position before it. A forced turn has the value of the position behind it, and the turn that
/// the search would have played loses nothing, whatever a second search thinks of it.
fn compare(verdicts: &[Verdict], turns: &[Turn]) -> Vec<AnalysedTurn> {
    let mut white = 0.5;
    let mut values: Vec<f64> = verdicts
        .iter()
        .rev()
        .map(|verdict| {
            white = verdict.white.unwrap_or(white);
            white
        })
        .collect();
    values.reverse();
    let verdicts = verdicts.iter().zip(turns);
    let turns = verdicts.zip(values.windows(2)).enumerate();
    turns
        .map(|(ply, ((verdict, played), value))| {
            let side = if ply.is_multiple_of(2) {
                Color::White
            } else {
                Color::Black
            };
            let loss = match &verdict.best {
                Some(best) if best == played => 0.0,
                _ => seen_by_white(value[0], side) - seen_by_white(value[1], side),
            };
            AnalysedTurn {
                white_permille: permille(value[0]),
                best: verdict
                    .best
                    .as_ref()
                    .map(Turn::to_string)
                    .unwrap_or_default(),
                loss_permille: permille(loss),
            }
        })
        .collect()
}

fn permille(share: f64) -> u16 {
    (share.clamp(0.0, 1.0) * 1000.0).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(white: Option<f64>) -> Verdict {
        Verdict {
            white,
            best: "e5".parse().ok(),
        }
    }

    #[test]
    fn a_turn_loses_what_its_player_has_less_after_it() {
        let verdicts = [Some(0.5), Some(0.3), Some(0.8), None, Some(1.0)].map(verdict);
        let other: Turn = "e6".parse().unwrap();
        let turns = compare(&verdicts, &vec![other.clone(); 4]);
        let losses: Vec<u16> = turns.iter().map(|turn| turn.loss_permille).collect();
        // White falls to 0.3, Black lets White rise to 0.8, White gains 0.2, and the last turn was forced.
        assert_eq!(losses, [200, 500, 0, 0]);
        let white: Vec<u16> = turns.iter().map(|turn| turn.white_permille).collect();
        assert_eq!(white, [500, 300, 800, 1000]);
        let best = verdicts[0].best.clone().unwrap();
        let turns = compare(&verdicts, &[best, other.clone(), other.clone(), other]);
        assert_eq!((turns[0].loss_permille, turns[1].loss_permille), (0, 500));
    }

    #[test]
    fn one_game_is_analysed_at_a_time() {
        let analyst = Analyst::default();
        let (one, other) = (GameId::from("g1"), GameId::from("g2"));
        let job = analyst.begin(&one).unwrap();
        assert!(analyst.begin(&other).is_none());
        assert_eq!(
            (analyst.progress(&one), analyst.progress(&other)),
            (Some(0), None)
        );
        drop(job);
        assert_eq!(analyst.progress(&one), None);
        assert!(analyst.begin(&other).is_some());
    }
}
