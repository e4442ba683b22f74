//! What goes into a session, and what comes out of it.

use std::time::Duration;

use crate::api::{
    ChallengeCreated, ChallengeId, DeclineReason, GameId, GameState, Me, Meta, NewChallenge,
    NewSeek, Pending, PlayersPage, PutTurn, SeekCreated, SeekId, SeeksPage,
};
use crate::bot::event::Event;
use crate::bot::timing::Trip;
use crate::bot::transport::{Tagged, TransportError};
use crate::bot::{ChallengeConfig, MatchmakingConfig, PlayConfig, ServerConfig};
use crate::game::Position;
use crate::player::Choice;
use crate::search::time::TimeParams;
use crate::search::{Limits, SearchReport};

/// How a session behaves.
#[derive(Clone, Debug, Default)]
pub struct SessionSettings {
    /// How the account plays.
    pub play: PlayConfig,
    /// How the server is asked.
    pub server: ServerConfig,
    /// Which challenges are accepted.
    pub challenges: ChallengeConfig,
    /// How games are looked for.
    pub matchmaking: MatchmakingConfig,
    /// How the clock is spent.
    pub time: TimeParams,
    /// Search threads to share out over the games that think; 0 counts as 1.
    pub threads: usize,
    /// Simulations a turn, if they are limited beside the clock.
    pub simulations: Option<u64>,
    /// A challenge to make at the start.
    pub opening: Option<NewChallenge>,
    /// Leave after so many games; without it, play until stopped.
    pub leave_after: Option<u32>,
    /// Seed of the jitter in all waits.
    pub seed: u64,
}

impl SessionSettings {
    /// How many searches may run at once: each needs a thread and a tree of its own.
    pub fn searches_max(&self) -> usize {
        self.threads.min(self.play.games_max).max(1)
    }
}

/// What came of a request, and when.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    /// When it was sent and answered.
    pub trip: Trip,
    /// The answer.
    pub result: Result<T, TransportError>,
}

/// Something that has happened.
#[derive(Debug)]
pub enum Input {
    /// Time has passed.
    Tick,
    /// Somebody wants the bot to stop. The first time it finishes its games, the second time it leaves them.
    Stop,
    /// Other settings are in effect from now on; games that run keep how they spend their clock.
    Configure(Box<SessionSettings>),
    /// The answer to [`Request::Meta`].
    Meta(Answer<Meta>),
    /// The answer to [`Request::Me`].
    Me(Answer<Me>),
    /// The answer to [`Request::Poll`].
    Polled(Answer<Option<Tagged<Pending>>>),
    /// The answer to [`Request::Read`].
    Read {
        /// The game.
        game: GameId,
        /// Its state.
        answer: Answer<Tagged<GameState>>,
    },
    /// The answer to [`Request::Watch`].
    Watched {
        /// The game.
        game: GameId,
        /// The state that was known when it was asked.
        tag: String,
        /// Its state, if it has changed.
        answer: Answer<Option<Tagged<GameState>>>,
    },
    /// The answer to [`Request::Play`].
    Played {
        /// The game.
        game: GameId,
        /// The ply of the turn.
        ply: u16,
        /// The game's state after it.
        answer: Answer<Tagged<GameState>>,
    },
    /// The answer to [`Request::End`].
    Ended {
        /// The game.
        game: GameId,
        /// What was asked for.
        how: Ending,
        /// The game's state after it.
        answer: Answer<Tagged<GameState>>,
    },
    /// The answer to [`Request::Accept`].
    Accepted {
        /// The challenge.
        challenge: ChallengeId,
        /// The game that came of it.
        answer: Answer<GameId>,
    },
    /// The answer to [`Request::Decline`].
    Declined {
        /// The challenge.
        challenge: ChallengeId,
        /// Whether the server has taken note.
        answer: Answer<()>,
    },
    /// The answer to [`Request::Challenge`].
    Challenged(Answer<ChallengeCreated>),
    /// The answer to [`Request::Cancel`].
    Cancelled {
        /// The offer.
        offer: OfferId,
        /// Whether it is gone.
        answer: Answer<()>,
    },
    /// The answer to [`Request::Seeks`].
    Seeks(Answer<SeeksPage>),
    /// The answer to [`Request::AcceptSeek`]: the game that came of it.
    SeekAccepted(Answer<GameId>),
    /// The answer to [`Request::Seek`].
    Sought(Answer<SeekCreated>),
    /// The answer to [`Request::Players`].
    Players(Answer<PlayersPage>),
    /// What the search that [`Command::Think`] began thinks so far.
    Considered {
        /// The game.
        game: GameId,
        /// The ply of the position searched.
        ply: u16,
        /// The best turn so far.
        so_far: Box<SearchReport>,
    },
    /// The end of the search that [`Command::Think`] began.
    Thought {
        /// The game.
        game: GameId,
        /// The ply of the position searched.
        ply: u16,
        /// What was found, or why nothing was.
        choice: Result<Choice, String>,
    },
}

/// Something to do.
#[derive(Debug)]
pub enum Command {
    /// Ask the server for something; its answer is wanted as an [`Input`].
    Send(Request),
    /// Begin to search a position of a game.
    Think {
        /// The game.
        game: GameId,
        /// The position.
        position: Box<Position>,
        /// When to end.
        limits: Limits,
        /// How many threads may search.
        threads: usize,
    },
    /// Search a position in which the opponent is to move, until told otherwise. Nothing is answered.
    Ponder {
        /// The game.
        game: GameId,
        /// The position.
        position: Box<Position>,
        /// How many threads may search.
        threads: usize,
    },
    /// End the search of a game with the best turn so far.
    StopThinking {
        /// The game.
        game: GameId,
    },
    /// Do not wait for the search of a game any more: it hangs. The next one gets a new thread and a new tree.
    ReplaceSearch {
        /// The game.
        game: GameId,
    },
    /// Free what is held for a game.
    Release {
        /// The game.
        game: GameId,
    },
    /// Tell whoever watches.
    Tell(Box<Event>),
    /// End the session.
    Leave(Exit),
}

/// Something to ask of the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Ask for the server's rules and limits.
    Meta,
    /// Ask who the account is.
    Me,
    /// Ask for challenges and games.
    Poll {
        /// How long the server may wait for news.
        wait_s: u64,
        /// The state that is known.
        tag: Option<String>,
    },
    /// Ask for a game's state.
    Read {
        /// The game.
        game: GameId,
        /// How long to wait for the answer.
        timeout: Duration,
    },
    /// Ask for a game's state once it has changed.
    Watch {
        /// The game.
        game: GameId,
        /// How long the server may wait for a change.
        wait_s: u64,
        /// The state that is known.
        tag: String,
    },
    /// Play a turn.
    Play {
        /// The game.
        game: GameId,
        /// Turns before it.
        ply: u16,
        /// The turn.
        turn: PutTurn,
        /// How long to wait for the answer.
        timeout: Duration,
    },
    /// End a game without playing it out.
    End {
        /// The game.
        game: GameId,
        /// How.
        how: Ending,
    },
    /// Accept a challenge.
    Accept {
        /// The challenge.
        challenge: ChallengeId,
    },
    /// Decline a challenge.
    Decline {
        /// The challenge.
        challenge: ChallengeId,
        /// Why.
        reason: DeclineReason,
    },
    /// Challenge another account.
    Challenge(NewChallenge),
    /// Take an own challenge or seek back.
    Cancel(OfferId),
    /// Ask for the open seeks.
    Seeks,
    /// Accept a seek.
    AcceptSeek {
        /// The seek.
        seek: SeekId,
    },
    /// Open a seek.
    Seek(NewSeek),
    /// Ask for a page of players.
    Players {
        /// Where the page begins: what the page before says.
        cursor: Option<String>,
    },
}

/// An own offer of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferId {
    /// A challenge.
    Challenge(ChallengeId),
    /// A seek.
    Seek(SeekId),
}

/// How a game is ended without being played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Called off, which is possible until both have played.
    Abort,
    /// Given up.
    Resign,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// As many games as asked for have been played.
    Done,
    /// Stopped on request, with every game finished.
    Drained,
    /// Stopped on request; games were still running when their time was over.
    DrainTimeout,
    /// Left at once on the second request.
    Aborted,
    /// The server does not accept the token.
    BadToken {
        /// What the server says.
        detail: String,
    },
    /// The account cannot be locked for this process alone.
    Locked {
        /// Who has it, or what is wrong with the lock.
        detail: String,
    },
    /// The server plays other rules.
    RulesUnsupported {
        /// What differs.
        detail: String,
    },
}
