//! The way to a server: what can be asked, and how asking can fail.

use std::time::Duration;

use async_trait::async_trait;

use crate::api::{
    ChallengeCreated, ChallengeId, DeclineReason, GameId, GameState, Me, Meta, NewChallenge,
    NewSeek, Pending, PlayersPage, Problem, ProblemCode, PutTurn, SeekCreated, SeekId, SeeksPage,
};

/// What a bot asks of a server. [`HttpTransport`](super::HttpTransport) speaks this project's API; an adapter for
/// another site implements the same trait.
///
/// Every call ends within a bounded time, and none is retried inside: that is the session's business.
#[async_trait]
pub trait Transport: Send + Sync + 'static {
    /// The server's clock, rules and limits.
    async fn meta(&self) -> Result<Meta, TransportError>;
    /// The account behind the token.
    async fn me(&self) -> Result<Me, TransportError>;
    /// Challenges and games; hangs up to `wait_s` seconds while they still match `tag`, and then gives nothing.
    async fn pending(
        &self,
        wait_s: u64,
        tag: Option<&str>,
    ) -> Result<Option<Tagged<Pending>>, TransportError>;
    /// The state of a game.
    async fn game(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError>;
    /// The state of a game once it does not match `tag` any more; nothing if it still does after `wait_s` seconds.
    async fn game_change(
        &self,
        game: &GameId,
        wait_s: u64,
        tag: &str,
    ) -> Result<Option<Tagged<GameState>>, TransportError>;
    /// Plays a turn; gives up waiting for the answer after `timeout`.
    async fn play(
        &self,
        game: &GameId,
        ply: u16,
        turn: &PutTurn,
        timeout: Duration,
    ) -> Result<Tagged<GameState>, TransportError>;
    /// Calls a game off, as long as not both have played.
    async fn abort(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError>;
    /// Gives a game up.
    async fn resign(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError>;
    /// Accepts a challenge, which becomes a game.
    async fn accept(&self, challenge: &ChallengeId) -> Result<GameId, TransportError>;
    /// Declines a challenge.
    async fn decline(
        &self,
        challenge: &ChallengeId,
        reason: DeclineReason,
    ) -> Result<(), TransportError>;
    /// Challenges another account.
    async fn challenge(&self, challenge: &NewChallenge)
    -> Result<ChallengeCreated, TransportError>;
    /// Takes an own challenge back.
    async fn cancel_challenge(&self, challenge: &ChallengeId) -> Result<(), TransportError>;
    /// All open seeks.
    async fn seeks(&self) -> Result<SeeksPage, TransportError>;
    /// Opens a seek.
    async fn seek(&self, seek: &NewSeek) -> Result<SeekCreated, TransportError>;
    /// Accepts a seek, which becomes a game.
    async fn accept_seek(&self, seek: &SeekId) -> Result<GameId, TransportError>;
    /// Takes an own seek back.
    async fn cancel_seek(&self, seek: &SeekId) -> Result<(), TransportError>;
    /// Players by name, a page at a time; `cursor` is what the page before says.
    async fn players(&self, cursor: Option<&str>) -> Result<PlayersPage, TransportError>;
}

/// A state, and the server's name for just this state of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tagged<T> {
    /// The state.
    pub value: T,
    /// Its name; not every server gives one.
    pub tag: Option<String>,
}

/// Why a request brought no usable answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TransportError {
    /// The server could not be reached, or the connection broke.
    #[error("network: {detail}")]
    Network {
        /// What the network says.
        detail: String,
    },
    /// No complete answer in time.
    #[error("no answer in time")]
    Timeout,
    /// An answer with status 4xx or 5xx, or one that no request of this API can have.
    #[error("status {}{}", .0.status, .0.describe())]
    Refused(Box<Refusal>),
    /// An answer with a good status whose body is not what the API promises.
    #[error("status {status}, but the body does not read: {detail}; it begins `{body}`")]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// What the JSON reader says.
        detail: String,
        /// The first characters of the body.
        body: String,
    },
    /// A body that is larger than any answer of this API.
    #[error("an answer of more than {limit} bytes")]
    TooLarge {
        /// What is accepted at most.
        limit: usize,
    },
}

/// A refusing answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// How long the server asks to be left alone.
    pub retry_after: Option<Duration>,
    /// What the server says about it; `None` when the body is no problem document, as from a proxy.
    pub problem: Option<Problem>,
    /// The first characters of a body that is no problem document.
    pub body: String,
}

impl Refusal {
    fn describe(&self) -> String {
        match &self.problem {
            Some(problem) => format!(" {}: {}", problem.code, problem.detail),
            None if self.body.is_empty() => String::new(),
            None => format!(", not from the game server: `{}`", self.body),
        }
    }
}

/// What a failed request calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The same request again, after a growing wait, or after the one asked for.
    TryAgain {
        /// The wait that the server asked for.
        asked: Option<Duration>,
    },
    /// The server knows better: read the state again.
    ReadAgain,
    /// The rules forbid the turn: read the state again and play another.
    PlayAnother,
    /// There is nothing to be had: forget the thing asked for.
    Drop,
    /// The token is not accepted.
    BadToken,
}

impl TransportError {
    /// What the server says about the failure, if the answer came from the game server at all.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Refused(refusal) => refusal.problem.as_ref(),
            _ => None,
        }
    }

    /// How long the server asks to be left alone.
    pub fn asked_wait(&self) -> Option<Duration> {
        match self {
            Self::Refused(refusal) => refusal.retry_after,
            _ => None,
        }
    }

    /// Whether the request may have been carried out all the same.
    pub fn is_ambiguous(&self) -> bool {
        match self {
            Self::Network { .. }
            | Self::Timeout
            | Self::Unreadable { .. }
            | Self::TooLarge { .. } => true,
            Self::Refused(refusal) => {
                refusal.status != 429 && (refusal.status >= 500 || refusal.problem.is_none())
            }
        }
    }

    /// What the failure calls for. Only a problem document with a known code counts as the game server's word: a page
    /// from a proxy, whatever its status, is a disturbance like any other.
    pub fn remedy(&self) -> Remedy {
        let Self::Refused(refusal) = self else {
            return Remedy::TryAgain { asked: None };
        };
        let again = Remedy::TryAgain {
            asked: refusal.retry_after,
        };
        let Some(problem) = &refusal.problem else {
            return again;
        };
        match problem.code {
            ProblemCode::RateLimited
            | ProblemCode::Internal
            | ProblemCode::Unavailable
            | ProblemCode::Unknown => again,
            ProblemCode::Unauthorized | ProblemCode::TokenExpired => Remedy::BadToken,
            ProblemCode::IllegalTurn => Remedy::PlayAnother,
            ProblemCode::Forbidden
            | ProblemCode::Scope
            | ProblemCode::NotYourTurn
            | ProblemCode::PlyConflict
            | ProblemCode::PlyAhead
            | ProblemCode::PositionMismatch
            | ProblemCode::GameOver
            | ProblemCode::AlreadyAccepted
            | ProblemCode::Busy
            | ProblemCode::NameTaken => Remedy::ReadAgain,
            ProblemCode::Malformed
            | ProblemCode::NotFound
            | ProblemCode::MethodNotAllowed
            | ProblemCode::Expired
            | ProblemCode::TooLarge
            | ProblemCode::MediaType
            | ProblemCode::Unsupported => Remedy::Drop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, code: Option<ProblemCode>) -> TransportError {
        TransportError::Refused(Box::new(Refusal {
            status,
            retry_after: Some(Duration::from_secs(3)),
            problem: code.map(|code| {
                let json = serde_json::json!({"status": status, "code": code});
                serde_json::from_value(json).unwrap()
            }),
            body: "<html>".to_owned(),
        }))
    }

    #[test]
    fn a_page_from_a_proxy_is_never_the_servers_word() {
        for status in [400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504] {
            let remedy = refused(status, None).remedy();
            assert!(
                matches!(remedy, Remedy::TryAgain { .. }),
                "{status}: {remedy:?}"
            );
        }
    }

    #[test]
    fn the_code_decides() {
        let asked = Some(Duration::from_secs(3));
        let cases = [
            (401, ProblemCode::Unauthorized, Remedy::BadToken),
            (403, ProblemCode::NotYourTurn, Remedy::ReadAgain),
            (404, ProblemCode::NotFound, Remedy::Drop),
            (409, ProblemCode::PlyConflict, Remedy::ReadAgain),
            (410, ProblemCode::Expired, Remedy::Drop),
            (422, ProblemCode::IllegalTurn, Remedy::PlayAnother),
            (429, ProblemCode::RateLimited, Remedy::TryAgain { asked }),
            (503, ProblemCode::Unavailable, Remedy::TryAgain { asked }),
        ];
        for (status, code, remedy) in cases {
            assert_eq!(refused(status, Some(code)).remedy(), remedy, "{code}");
        }
    }
}
