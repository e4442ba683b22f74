//! What a bot tells whoever watches it. The bot itself prints nothing.

use std::path::PathBuf;
use std::time::Duration;

use super::answered::Answered;
use super::config::Way;
use crate::api::{Clock, DeclineReason, GameId, PlayerRef};
use crate::game::{ByColor, Color, Outcome, Position, Turn, Variant};
use crate::search::SearchReport;
use crate::search::time::{Budget, ClockView, Latency};

/// Something that happened to the account.
#[derive(Clone, Debug)]
pub enum Event {
    /// The server knows the account and plays rules that this program plays.
    Connected {
        /// The account's name.
        account: String,
    },
    /// The server has told what waits for the account.
    Listed {
        /// Challenges that are open.
        challenges: usize,
    },
    /// A challenge was answered.
    ChallengeAnswered {
        /// Who asked.
        from: String,
        /// Why it was declined; `None`: it was accepted.
        declined: Option<DeclineReason>,
    },
    /// The account has offered a game, or accepted an offer, by itself.
    GameSought {
        /// How.
        way: Way,
        /// The name of the other player; a seek is for everybody.
        opponent: Option<String>,
    },
    /// Another account declined a challenge of this one.
    ChallengeDeclined {
        /// Why, if that was told.
        reason: Option<DeclineReason>,
        /// How long until it is asked again.
        again_in: Duration,
    },
    /// A game begins, or goes on after a restart; its turns so far are told next.
    GameStarted(GameInfo),
    /// The account begins to search for a turn.
    Thinking(TurnTime),
    /// A search did not end although it had to; the best turn known is played, and the next search gets a new thread.
    SearchHung {
        /// The game.
        game: GameId,
        /// Turns before the position searched.
        ply: u16,
    },
    /// A search ended without a turn; the best turn known is played.
    SearchFailed {
        /// The game.
        game: GameId,
        /// Turns before the position searched.
        ply: u16,
        /// Why.
        problem: String,
    },
    /// The account's search has ended; its turn is sent next.
    Searched {
        /// The game.
        game: GameId,
        /// Turns before the position searched.
        ply: u16,
        /// What was found.
        report: SearchReport,
    },
    /// A turn was played, by either player.
    TurnPlayed(PlayedTurn),
    /// A game is over.
    GameFinished {
        /// The game.
        game: GameId,
        /// How it ended; `None` when the server gave a reason that this program does not know.
        outcome: Option<Outcome>,
    },
    /// A finished game's record is complete.
    Recorded {
        /// The game.
        game: GameId,
        /// Where the record lies.
        path: PathBuf,
    },
    /// Something went wrong.
    Trouble {
        /// The game that it concerns.
        game: Option<GameId>,
        /// What.
        what: String,
        /// How long until the next attempt.
        again_in: Option<Duration>,
    },
    /// No new games from now on; running ones may go on for so long.
    Stopping {
        /// The time they have.
        within: Duration,
    },
}

/// How much time a turn gets, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnTime {
    /// The game.
    pub game: GameId,
    /// Turns before it.
    pub ply: u16,
    /// The clock when the search begins.
    pub clock: ClockView,
    /// What requests to the server take.
    pub latency: Latency,
    /// `overhead_ms` of `[time]`.
    pub overhead: Duration,
    /// What the search gets of all that.
    pub budget: Budget,
    /// Threads of the search.
    pub threads: usize,
}

impl TurnTime {
    /// What is kept back of the clock: the configured overhead and the bad case of the latency.
    pub fn kept_back(&self) -> Duration {
        self.overhead + self.latency.p99
    }
}

/// What stays the same throughout a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The game.
    pub game: GameId,
    /// Which game is played.
    pub variant: Variant,
    /// Whether the result counts.
    pub rated: bool,
    /// Who plays.
    pub players: ByColor<PlayerRef>,
    /// The account's colour.
    pub me: Color,
    /// The time control.
    pub clock: Clock,
    /// Where the game began.
    pub initial: Position,
}

/// A turn that the server has recorded.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// The game.
    pub game: GameId,
    /// Turns before it.
    pub ply: u16,
    /// Who played it.
    pub by: Color,
    /// The turn.
    pub turn: Turn,
    /// The position after it.
    pub position: Position,
    /// What the account's own search thought of it.
    pub report: Option<SearchReport>,
    /// Time left, as last told by the server.
    pub clocks: ByColor<Duration>,
}

/// Whoever wants to know what happens.
pub trait Watcher: Send {
    /// Called for every event, in order. It should be quick: the bot waits for it.
    fn see(&mut self, event: &Event);

    /// Called for the end of every request, before the events that come of it.
    fn see_answer(&mut self, _answered: &Answered) {}
}

impl<F: FnMut(&Event) + Send> Watcher for F {
    fn see(&mut self, event: &Event) {
        self(event);
    }
}
