//! Threads that play games, several at a time.

use std::collections::VecDeque;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use rand::Rng;

use super::game::{Setup, play};
use super::opening::{OpeningError, Openings};
use super::record::GameLine;
use super::schedule::ScheduledGame;
use super::side::Side;
use crate::game::{ByColor, Color};
use crate::search::{StopFlag, random_stream};

/// How often it is looked whether to stop.
const POLL: Duration = Duration::from_millis(100);

/// What is the same for all games.
pub(super) struct Pool<'a> {
    /// Where games begin.
    pub openings: &'a Openings,
    /// The seed of all games.
    pub seed: u64,
    /// How far a side may overstep its time before it loses.
    pub margin: Duration,
    /// Games at the same time, at least one.
    pub concurrency: usize,
    /// Ends everything when set; games that run then are dropped.
    pub stop: &'a StopFlag,
}

/// A game to be played.
pub(super) struct Job {
    /// Its number, opening and colours.
    pub game: ScheduledGame,
    /// Who plays.
    pub sides: ByColor<Arc<Side>>,
}

/// What is to be done after a game.
pub(super) enum Next {
    /// These games too.
    Games(Vec<Job>),
    /// Nothing more: the games that run are dropped.
    Enough,
}

/// A game that is over, or why it could not begin.
type Finished = Result<GameLine, OpeningError>;

impl Pool<'_> {
    /// Plays these games and those that `next` asks for, until there are none left. `next` is told each finished game,
    /// in the order in which they end, and now and then that time has passed.
    ///
    /// # Errors
    /// A game has no opening, or what `next` says. Games that run then are dropped.
    pub fn play<E: From<OpeningError>>(
        &self,
        jobs: Vec<Job>,
        next: &mut dyn FnMut(Option<GameLine>) -> Result<Next, E>,
    ) -> Result<(), E> {
        let mut open = jobs.len();
        let queue = Queue::new(jobs);
        let enough = StopFlag::new();
        let (sender, finished) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency {
                let (sender, queue, enough) = (sender.clone(), &queue, &enough);
                scope.spawn(move || self.work(queue, enough, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            loop {
                if open == 0 || enough.is_stopped() {
                    queue.close();
                }
                let game = match finished.recv_timeout(POLL) {
                    Ok(game) => Some(game),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break result,
                };
                open -= usize::from(game.is_some());
                if result.is_ok() {
                    match game.transpose().map_err(E::from).and_then(&mut *next) {
                        Ok(Next::Games(more)) => {
                            open += more.len();
                            queue.add(more);
                        }
                        Ok(Next::Enough) => enough.stop(),
                        Err(error) => result = Err(error),
                    }
                }
                if result.is_err() || self.stop.is_stopped() {
                    enough.stop();
                }
            }
        })
    }

    /// Plays game after game until none is left or it is enough.
    fn work(&self, queue: &Queue, enough: &StopFlag, sender: &Sender<Finished>) {
        while let Some(job) = queue.next()
            && let Some(finished) = self.play_one(&job, enough).transpose()
            && sender.send(finished).is_ok()
        {}
    }

    /// Plays one game; `None` if it was stopped.
    fn play_one(&self, job: &Job, stop: &StopFlag) -> Result<Option<GameLine>, OpeningError> {
        let setup = Setup {
            game: job.game,
            opening: self.openings.opening(job.game.round as usize)?,
            seed: game_seed(self.seed, job.game.number),
            margin: self.margin,
        };
        let sides = ByColor::from_fn(|color| &*job.sides[color]);
        let player = |color: Color| {
            let seed = setup.seed + u64::from(color == Color::Black);
            sides[color].player(seed, stop)
        };
        Ok(play(&setup, sides, ByColor::from_fn(player), stop))
    }
}

/// The seed of White's player in a game; Black's is one more.
fn game_seed(seed: u64, number: u64) -> u64 {
    // One bit less than there are, because settings are signed numbers.
    (random_stream(seed, number + 1).next_u64() >> 1) & !1
}

/// The games still to begin.
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    jobs: VecDeque<Job>,
    /// Nothing more is to be begun.
    is_closed: bool,
}

impl Queue {
    fn new(jobs: Vec<Job>) -> Self {
        Self {
            state: Mutex::new(QueueState {
                jobs: jobs.into(),
                is_closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn add(&self, jobs: Vec<Job>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.jobs.extend(jobs);
        self.changed.notify_all();
    }

    fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_closed = true;
        self.changed.notify_all();
    }

    /// The next game; waits for it until the queue is closed.
    fn next(&self) -> Option<Job> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let must_wait = |state: &mut QueueState| state.jobs.is_empty() && !state.is_closed;
        let state = self.changed.wait_while(state, must_wait);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        match state.is_closed {
            true => None,
            false => state.jobs.pop_front(),
        }
    }
}
