//! Analyses of finished games in the store.

use crate::api::{AnalysedTurn, GameId};

use super::{Snapshot, StoreError, Tx};

impl Snapshot<'_> {
    /// The analysis of a game, one entry for each turn; empty when there is none.
    ///
    /// # Errors
    /// The store failed.
    pub fn analysis(&self, game: &GameId) -> Result<Vec<AnalysedTurn>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT white_permille, best, loss_permille FROM analyses WHERE game = ?1 ORDER BY ply",
            )?
            .query_and_then([game.as_str()], |row| {
                Ok(AnalysedTurn {
                    white_permille: row.get(0)?,
                    best: row.get(1)?,
                    loss_permille: row.get(2)?,
                })
            })?
            .collect()
    }
}

impl Tx<'_> {
    /// Adds the analysis of a game, in place of an older one.
    ///
    /// # Errors
    /// The store failed.
    pub fn save_analysis(
        &mut self,
        game: &GameId,
        turns: &[AnalysedTurn],
    ) -> Result<(), StoreError> {
        self.connection
            .execute("DELETE FROM analyses WHERE game = ?1", [game.as_str()])?;
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO analyses (game, ply, white_permille, best, loss_permille)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for (ply, turn) in (0u32..).zip(turns) {
            insert.execute((
                game.as_str(),
                ply,
                turn.white_permille,
                &turn.best,
                turn.loss_permille,
            ))?;
        }
        Ok(())
    }
}
