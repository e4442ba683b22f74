//! Who decides a turn: the search, or a simple player to measure it by.

mod child;
mod engine;
mod greedy;
mod mcts;
mod random;
mod ugi_process;

use crate::choices;
use crate::game::{ByColor, Position, Turn};
use crate::search::{ClockView, Limits, SearchParams, SearchReport, StopFlag};

pub use engine::{EngineError, EngineSetup, Patience};
pub use greedy::GreedyPlayer;
pub use mcts::MctsPlayer;
pub use random::RandomPlayer;
pub use ugi_process::UgiProcess;

/// A turn with the thoughts behind it, if the player has any.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The turn; always legal.
    pub turn: Turn,
    /// What the search found.
    pub report: Option<SearchReport>,
}

/// Why a player gives no turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// There is none to give.
    #[error("the game is over, there is no turn to choose")]
    GameOver,
    /// It was stopped and has none at hand.
    #[error("stopped before there was a turn")]
    Stopped,
    /// An external program failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Decides turns.
pub trait Player: Send {
    /// A short name for tables and records.
    fn name(&self) -> &str;

    /// Forgets the last game; with the same seed the next one begins with the same choices.
    fn new_game(&mut self);

    /// Tells the clocks before a turn, of each side that has one. Players that keep to their limits need not listen.
    fn see_clocks(&mut self, _clocks: ByColor<Option<ClockView>>) {}

    /// Sets how many threads the next choices may use. Players that search with one need not listen.
    fn set_threads(&mut self, _threads: usize) {}

    /// Chooses the turn for the side to decide, within the limits, and sooner once `stop` is set.
    ///
    /// `watch` is told about a long search now and then.
    ///
    /// # Errors
    /// The game is over, or an external program failed.
    fn choose_turn(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Choice, PlayerError>;
}

/// The players that are built in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayerKind {
    /// Monte Carlo tree search.
    #[default]
    Mcts,
    /// Takes a row when it can, else plays at random.
    Greedy,
    /// Every legal action with the same probability.
    Random,
}

choices!(PlayerKind { Mcts => "mcts", Greedy => "greedy", Random => "random" });

impl PlayerKind {
    /// Makes such a player; those that do not search use nothing but the seed.
    pub fn build(self, params: &SearchParams) -> Box<dyn Player> {
        match self {
            Self::Mcts => Box::new(MctsPlayer::new(params.clone())),
            Self::Greedy => Box::new(GreedyPlayer::new(params.seed)),
            Self::Random => Box::new(RandomPlayer::new(params.seed)),
        }
    }
}
