//! What goes into a session, and what comes out of it.

use std::time::Duration;

use crate::api::{
    ChallengeCreated, ChallengeId, DeclineReason, GameId, GameState, Me, Meta, NewChallenge,
    Pending, PutTurn,
};
use crate::bot::event::Event;
use crate::bot::timing::Trip;
use crate::bot::transport::{Tagged, TransportError};
use crate::bot::{ChallengeConfig, PlayConfig, ServerConfig};
use crate::game::Position;
use crate::player::Choice;
use crate::search::Limits;
use crate::search::time::TimeParams;

/// How a session behaves.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// Most games at once.
    pub games_max: usize,
    /// Which challenges are accepted.
    pub challenges: ChallengeConfig,
    /// How the clock is spent.
    pub time: TimeParams,
    /// Simulations a turn, if they are limited beside the clock.
    pub simulations: Option<u64>,
    /// How long a poll may hang; the server's limit holds too.
    pub poll_wait_s: u64,
    /// Longest time to wait for the answer to a turn.
    pub request_timeout: Duration,
    /// How long running games may go on after a request to stop.
    pub drain: Duration,
    /// A challenge to make at the start.
    pub opening: Option<NewChallenge>,
    /// Leave after so many games; without it, play until stopped.
    pub leave_after: Option<u32>,
    /// Seed of the jitter in all waits.
    pub seed: u64,
}

impl SessionSettings {
    /// What the config says; no opening challenge, no end, and jitter that is different each time.
    pub fn new(
        play: &PlayConfig,
        server: &ServerConfig,
        challenges: &ChallengeConfig,
        time: &TimeParams,
    ) -> Self {
        Self {
            games_max: play.games_max,
            challenges: challenges.clone(),
            time: time.clone(),
            simulations: None,
            poll_wait_s: server.poll_wait_s,
            request_timeout: Duration::from_millis(server.request_timeout_ms),
            drain: Duration::from_secs(play.drain_s),
            opening: None,
            leave_after: None,
            seed: rand::random(),
        }
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
    },
    /// End the search of a game; its result is not wanted any more.
    StopThinking {
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
    /// The server plays other rules.
    RulesUnsupported {
        /// What differs.
        detail: String,
    },
}
