//! Answers as those see them who only count.

use super::session::{Answer, Input};
use super::timing::Trip;
use super::transport::TransportError;
use crate::api::GameId;
use crate::choices;

/// A request that has come to its end.
#[derive(Clone, Debug)]
pub struct Answered {
    /// What was asked.
    pub request: RequestKind,
    /// The game that it was about.
    pub game: Option<GameId>,
    /// When it was sent, and when the end came.
    pub trip: Trip,
    /// How it went.
    pub class: AnswerClass,
}

/// What is asked of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestKind {
    /// The rules and limits.
    Meta,
    /// Who the account is.
    Me,
    /// Challenges and games, once there is news.
    Poll,
    /// A game.
    Read,
    /// A game, once it has changed.
    Watch,
    /// To play a turn.
    Play,
    /// To resign or abort a game.
    End,
    /// To accept a challenge.
    Accept,
    /// To decline a challenge.
    Decline,
    /// To challenge somebody.
    Challenge,
    /// To take a challenge or a seek back.
    Cancel,
    /// The open seeks.
    Seeks,
    /// To accept a seek.
    AcceptSeek,
    /// To open a seek.
    Seek,
    /// Who is there.
    Players,
}
choices!(RequestKind {
    Meta => "meta", Me => "me", Poll => "poll", Read => "read", Watch => "watch", Play => "play", End => "end",
    Accept => "accept", Decline => "decline", Challenge => "challenge",
    Cancel => "cancel", Seeks => "seeks", AcceptSeek => "accept_seek", Seek => "seek", Players => "players",
});

impl RequestKind {
    /// Whether the server holds its answer back until there is news, so that its duration is no latency.
    pub const fn hangs(self) -> bool {
        matches!(self, Self::Poll | Self::Watch)
    }
}

/// How a request went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerClass {
    /// It was answered as it should be.
    Ok,
    /// The server could not be reached, or the connection broke.
    Network,
    /// No complete answer came in time.
    Timeout,
    /// The account sends too much.
    Limited,
    /// The game server says no.
    Refused,
    /// The game server, or something before it, has failed.
    Failed,
    /// The answer came from something else than the game server, or does not read.
    Unreadable,
}
choices!(AnswerClass {
    Ok => "ok", Network => "network", Timeout => "timeout", Limited => "limited", Refused => "refused",
    Failed => "failed", Unreadable => "unreadable",
});

impl AnswerClass {
    /// The class of a failure.
    pub fn of(error: &TransportError) -> Self {
        match error {
            TransportError::Network { .. } => Self::Network,
            TransportError::Timeout => Self::Timeout,
            TransportError::Refused(refusal) => match refusal.status {
                429 => Self::Limited,
                500.. => Self::Failed,
                _ if refusal.problem.is_some() => Self::Refused,
                _ => Self::Unreadable,
            },
            TransportError::Unreadable { .. } | TransportError::TooLarge { .. } => Self::Unreadable,
        }
    }
}

impl Input {
    /// The request that this ends; `None` if it is no answer.
    pub(super) fn answered(&self) -> Option<Answered> {
        use RequestKind as Kind;
        match self {
            Self::Meta(answer) => of(Kind::Meta, None, answer),
            Self::Me(answer) => of(Kind::Me, None, answer),
            Self::Polled(answer) => of(Kind::Poll, None, answer),
            Self::Read { game, answer } => of(Kind::Read, Some(game), answer),
            Self::Watched { game, answer, .. } => of(Kind::Watch, Some(game), answer),
            Self::Played { game, answer, .. } => of(Kind::Play, Some(game), answer),
            Self::Ended { game, answer, .. } => of(Kind::End, Some(game), answer),
            Self::Accepted { answer, .. } => of(Kind::Accept, None, answer),
            Self::Declined { answer, .. } => of(Kind::Decline, None, answer),
            Self::Challenged(answer) => of(Kind::Challenge, None, answer),
            Self::Cancelled { answer, .. } => of(Kind::Cancel, None, answer),
            Self::Seeks(answer) => of(Kind::Seeks, None, answer),
            Self::SeekAccepted(answer) => of(Kind::AcceptSeek, None, answer),
            Self::Sought(answer) => of(Kind::Seek, None, answer),
            Self::Players(answer) => of(Kind::Players, None, answer),
            Self::Tick
            | Self::Stop
            | Self::Configure(_)
            | Self::Considered { .. }
            | Self::Thought { .. } => None,
        }
    }
}

fn of<T>(request: RequestKind, game: Option<&GameId>, answer: &Answer<T>) -> Option<Answered> {
    Some(Answered {
        request,
        game: game.cloned(),
        trip: answer.trip,
        class: match &answer.result {
            Ok(_) => AnswerClass::Ok,
            Err(error) => AnswerClass::of(error),
        },
    })
}
