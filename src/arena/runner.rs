//! Plays the games of a match, several at a time.

use std::collections::VecDeque;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::game::{Setup, play};
use super::ledger::Ledger;
use super::opening::{OpeningError, Openings};
use super::record::GameLine;
use super::schedule::ScheduledGame;
use super::side::Side;
use super::store::{Store, StoreError};
use crate::game::{ByColor, Color};
use crate::search::{StopFlag, random_stream};
use rand::Rng;

/// How often the match looks whether it was stopped.
const POLL: Duration = Duration::from_millis(100);

/// What is needed to play the games of a match.
pub struct Runner<'a> {
    /// The sides, A first.
    pub sides: &'a [Side],
    /// Where games begin.
    pub openings: &'a Openings,
    /// The seed of the match.
    pub seed: u64,
    /// How far a side may overstep its time before it loses.
    pub margin: Duration,
    /// Games at the same time, at least one.
    pub concurrency: usize,
    /// Ends the match when set; games that run then are dropped.
    pub stop: &'a StopFlag,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game cannot be written down.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game has no opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

impl Runner<'_> {
    /// Plays all games of the schedule that the ledger does not have, until its test has decided or it is stopped. Each
    /// game is written into `store` before it is counted; `observe` is told after each.
    ///
    /// # Errors
    /// A game cannot be written down or has no opening. Games finished before are in the store.
    pub fn run(
        &self,
        ledger: &mut Ledger,
        store: &mut Store,
        observe: &mut dyn FnMut(&Ledger),
    ) -> Result<(), RunError> {
        let missing = ledger
            .schedule()
            .games()
            .filter(|game| !ledger.has(game.number));
        let missing = match ledger.verdict() {
            Some(_) => VecDeque::new(),
            None => missing.collect::<VecDeque<_>>(),
        };
        let workers = self.concurrency.min(missing.len());
        let queue = Mutex::new(missing);
        let enough = StopFlag::new();
        let (sender, finished) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (sender, queue, enough) = (sender.clone(), &queue, &enough);
                scope.spawn(move || self.work(queue, enough, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            loop {
                match finished.recv_timeout(POLL) {
                    Ok(game) if result.is_ok() => result = take_in(game, ledger, store),
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break result,
                }
                observe(ledger);
                if result.is_err() || ledger.verdict().is_some() || self.stop.is_stopped() {
                    enough.stop();
                }
            }
        })
    }

    /// Plays game after game until none is left or it is enough.
    fn work(&self, queue: &Queue, enough: &StopFlag, sender: &Sender<Finished>) {
        while !enough.is_stopped()
            && let Some(game) = next(queue)
        {
            let finished = match self.play(game, enough) {
                Ok(None) => return,
                Ok(Some(line)) => Ok(line),
                Err(error) => Err(error),
            };
            if sender.send(finished).is_err() {
                return;
            }
        }
    }

    /// Plays one game; `None` if it was stopped.
    fn play(&self, game: ScheduledGame, stop: &StopFlag) -> Result<Option<GameLine>, OpeningError> {
        let setup = Setup {
            game,
            opening: self.openings.opening(game.round as usize)?,
            seed: game_seed(self.seed, game.number),
            margin: self.margin,
        };
        let sides = ByColor::from_fn(|color| &self.sides[game.sides[color].index()]);
        let player = |color: Color| {
            let seed = setup.seed + u64::from(color == Color::Black);
            sides[color].player(seed, stop)
        };
        Ok(play(&setup, sides, ByColor::from_fn(player), stop))
    }
}

/// A game that is over, or why it could not begin.
type Finished = Result<GameLine, OpeningError>;

/// The games still to begin.
type Queue = Mutex<VecDeque<ScheduledGame>>;

fn next(queue: &Queue) -> Option<ScheduledGame> {
    queue
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .pop_front()
}

fn take_in(game: Finished, ledger: &mut Ledger, store: &mut Store) -> Result<(), RunError> {
    let game = game?;
    store.add(&game)?;
    ledger.add(&game);
    Ok(())
}

/// The seed of White's player in a game; Black's is one more.
fn game_seed(seed: u64, number: u64) -> u64 {
    // One bit less than there are, because settings are signed numbers.
    (random_stream(seed, number + 1).next_u64() >> 1) & !1
}
