use super::{Choice, Player, PlayerError};
use crate::game::Position;
use crate::search::{GameOver, Limits, SearchParams, SearchReport, Searcher, StopFlag};

/// Plays what the search finds.
pub struct MctsPlayer {
    searcher: Searcher,
}

impl MctsPlayer {
    /// A player with a tree of its own.
    pub fn new(params: SearchParams) -> Self {
        Self {
            searcher: Searcher::new(params),
        }
    }
}

impl Player for MctsPlayer {
    fn name(&self) -> &str {
        "mcts"
    }

    fn new_game(&mut self) {
        self.searcher.new_game();
    }

    fn set_threads(&mut self, threads: usize) {
        self.searcher.set_threads(threads);
    }

    fn choose_turn(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Choice, PlayerError> {
        let report = self
            .searcher
            .search(position, limits, stop, watch)
            .map_err(|GameOver| PlayerError::GameOver)?;
        Ok(Choice {
            turn: report.turn.clone(),
            report: Some(report),
        })
    }
}
