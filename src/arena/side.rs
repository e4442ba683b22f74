//! What plays on one side of a match.

use std::time::Duration;

use crate::player::{EngineSetup, MctsPlayer, Player, PlayerError, PlayerKind, UgiProcess};
use crate::search::{SearchParams, StopFlag, TimeParams};

/// One side, ready to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// How the user calls it.
    pub name: String,
    /// Who decides its turns.
    pub contestant: Contestant,
    /// Its limits for a turn.
    pub pace: Pace,
    /// How it spends a clock.
    pub time: TimeParams,
}

/// Who decides the turns of a side.
#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// The own search.
    Search(SearchParams),
    /// A built-in player that does not search.
    Simple(PlayerKind),
    /// An external program.
    Engine {
        /// How it is set up, but for its seed.
        setup: EngineSetup,
        /// Threads for it, if it has such an option.
        threads: u32,
    },
}

/// Limits for each turn; with several, the one that is reached first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// Simulations.
    pub simulations: Option<u64>,
    /// Time.
    pub time: Option<TimeControl>,
}

/// How time is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// The same for each turn.
    PerTurn(Duration),
    /// A clock for the game.
    Clock {
        /// At the beginning.
        base: Duration,
        /// Added for each turn.
        increment: Duration,
    },
}

impl Side {
    /// Makes its player for a game.
    ///
    /// # Errors
    /// An external program does not start; [`PlayerError::Stopped`] if `stop` is set before.
    pub fn player(&self, seed: u64, stop: &StopFlag) -> Result<Box<dyn Player>, PlayerError> {
        Ok(match &self.contestant {
            Contestant::Search(search) => Box::new(MctsPlayer::new(SearchParams {
                seed,
                ..search.clone()
            })),
            Contestant::Simple(kind) => kind.build(&SearchParams {
                seed,
                ..SearchParams::default()
            }),
            Contestant::Engine { setup, .. } => {
                let mut setup = setup.clone();
                setup.optional.push(("seed".to_owned(), seed.to_string()));
                Box::new(UgiProcess::start(&setup, stop)?)
            }
        })
    }

    /// Whether its player is an external program.
    pub const fn is_external(&self) -> bool {
        matches!(self.contestant, Contestant::Engine { .. })
    }
}
