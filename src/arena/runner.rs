//! Plays the games of a match.

use std::sync::Arc;

use super::ledger::Ledger;
use super::opening::OpeningError;
use super::pool::{Job, Next, Pool};
use super::record::GameLine;
use super::schedule::ScheduledGame;
use super::side::Side;
use super::store::{Store, StoreError};
use crate::game::ByColor;

/// What plays the games of a match.
pub struct Runner<'a> {
    /// The sides, A first.
    pub(super) sides: Vec<Arc<Side>>,
    /// What is the same for all games.
    pub(super) pool: Pool<'a>,
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
        if ledger.verdict().is_some() {
            return Ok(());
        }
        let missing = ledger
            .schedule()
            .games()
            .filter(|game| !ledger.has(game.number));
        let jobs = missing.map(|game| self.job(game)).collect();
        self.pool.play(jobs, &mut |game| {
            if let Some(game) = game {
                take_in(&game, ledger, store)?;
            }
            observe(ledger);
            Ok(match ledger.verdict() {
                Some(_) => Next::Enough,
                None => Next::Games(Vec::new()),
            })
        })
    }

    fn job(&self, game: ScheduledGame) -> Job {
        Job {
            sides: ByColor::from_fn(|color| Arc::clone(&self.sides[game.sides[color].index()])),
            game,
        }
    }
}

fn take_in(game: &GameLine, ledger: &mut Ledger, store: &mut Store) -> Result<(), RunError> {
    store.add(game)?;
    ledger.add(game);
    Ok(())
}
