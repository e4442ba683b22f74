//! One error for everything that a request can fail by; it becomes a status and a problem in one place.

use axum::http::StatusCode;

use crate::api::{GameId, Problem, ProblemCode};

use super::store::StoreError;

/// Why a request was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The request does not read as it should.
    #[error("{0}")]
    Malformed(String),
    /// No token, or none that is known.
    #[error("this needs a valid token, sent as `Authorization: Bearer ynb_…`")]
    Unauthorized,
    /// The token's time is over.
    #[error(
        "the token has expired; get a new one with POST /bots/{{id}}/tokens or from the operator"
    )]
    TokenExpired,
    /// Not this player's to do.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The other player's turn.
    #[error("it is your opponent's turn")]
    NotYourTurn {
        /// The game's ply.
        current_ply: u16,
    },
    /// There is no such thing.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Not with this method.
    #[error("this path does not take this method")]
    MethodNotAllowed,
    /// The game has moved on from there.
    #[error("{detail}")]
    PlyConflict {
        /// What happened instead.
        detail: &'static str,
        /// The game's ply.
        current_ply: u16,
        /// The turn recorded at the ply asked for.
        recorded_turn: Option<String>,
    },
    /// That ply has not been reached.
    #[error("the game has not come so far")]
    PlyAhead {
        /// The game's ply.
        current_ply: u16,
    },
    /// The client believes in another position.
    #[error("the game stands at another position than `position_before`; nothing was played")]
    PositionMismatch {
        /// The game's ply.
        current_ply: u16,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver {
        /// The game's ply.
        current_ply: u16,
    },
    /// The seek or challenge has been answered.
    #[error("this has been answered before")]
    AlreadyAccepted {
        /// The game it became, if it did.
        game_id: Option<GameId>,
    },
    /// Somebody has as many as allowed.
    #[error("{0}")]
    Busy(&'static str),
    /// Another account has the name.
    #[error("another account has this name, or one that looks like it")]
    NameTaken,
    /// It was there, and its time is over.
    #[error("its time is over")]
    Expired,
    /// The body is too large.
    #[error("the body is larger than this server takes")]
    TooLarge,
    /// The body is not JSON by its media type.
    #[error("the body must be JSON, with `Content-Type: application/json`")]
    MediaType,
    /// The rules forbid the turn.
    #[error("{detail}{}", if *.is_last { "; it was one illegal turn too many, the game is lost" } else { "" })]
    IllegalTurn {
        /// Index of the bad part.
        at: usize,
        /// A word for programs.
        reason: &'static str,
        /// A sentence for people.
        detail: String,
        /// The game's ply.
        current_ply: u16,
        /// Whether the game is lost by it.
        is_last: bool,
    },
    /// It reads well, but is not on offer.
    #[error("{0}")]
    Unsupported(String),
    /// Too many requests.
    #[error("too many requests; wait {retry_after_s} s")]
    RateLimited {
        /// How long to wait.
        retry_after_s: u64,
    },
    /// The server's own fault; its log says more.
    #[error("the server failed; its log says more under this request's id")]
    Internal,
    /// The server cannot do it now.
    #[error("the server cannot do this at the moment; the same request may be sent again")]
    Unavailable,
}

/// Seconds that a client is asked to wait when the server is unavailable.
const UNAVAILABLE_RETRY_AFTER_S: u64 = 2;

impl ApiError {
    /// The code that tells a client what to do.
    pub fn code(&self) -> ProblemCode {
        match self {
            Self::Malformed(_) => ProblemCode::Malformed,
            Self::Unauthorized => ProblemCode::Unauthorized,
            Self::TokenExpired => ProblemCode::TokenExpired,
            Self::Forbidden(_) => ProblemCode::Forbidden,
            Self::NotYourTurn { .. } => ProblemCode::NotYourTurn,
            Self::NotFound(_) => ProblemCode::NotFound,
            Self::MethodNotAllowed => ProblemCode::MethodNotAllowed,
            Self::PlyConflict { .. } => ProblemCode::PlyConflict,
            Self::PlyAhead { .. } => ProblemCode::PlyAhead,
            Self::PositionMismatch { .. } => ProblemCode::PositionMismatch,
            Self::GameOver { .. } => ProblemCode::GameOver,
            Self::AlreadyAccepted { .. } => ProblemCode::AlreadyAccepted,
            Self::Busy(_) => ProblemCode::Busy,
            Self::NameTaken => ProblemCode::NameTaken,
            Self::Expired => ProblemCode::Expired,
            Self::TooLarge => ProblemCode::TooLarge,
            Self::MediaType => ProblemCode::MediaType,
            Self::IllegalTurn { .. } => ProblemCode::IllegalTurn,
            Self::Unsupported(_) => ProblemCode::Unsupported,
            Self::RateLimited { .. } => ProblemCode::RateLimited,
            Self::Internal => ProblemCode::Internal,
            Self::Unavailable => ProblemCode::Unavailable,
        }
    }

    /// The error behind a bare status, such as one that the framework answers with; `None` when it is no error.
    pub fn from_status(status: StatusCode) -> Option<Self> {
        match status {
            StatusCode::NOT_FOUND => Some(Self::NotFound("path")),
            StatusCode::METHOD_NOT_ALLOWED => Some(Self::MethodNotAllowed),
            StatusCode::PAYLOAD_TOO_LARGE => Some(Self::TooLarge),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Some(Self::MediaType),
            StatusCode::SERVICE_UNAVAILABLE => Some(Self::Unavailable),
            status if status.is_client_error() => {
                Some(Self::Malformed("the request cannot be read".to_owned()))
            }
            status if status.is_server_error() => Some(Self::Internal),
            _ => None,
        }
    }

    /// How long the client should wait before it asks again, if that is worth telling.
    pub fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_s } => Some(*retry_after_s),
            Self::Unavailable => Some(UNAVAILABLE_RETRY_AFTER_S),
            _ => None,
        }
    }

    /// The body of the answer.
    pub fn problem(&self, request_id: &str) -> Problem {
        let code = self.code();
        let mut problem = Problem {
            kind: "about:blank".to_owned(),
            title: title(code).to_owned(),
            status: status(code).as_u16(),
            code,
            detail: self.to_string(),
            at: None,
            reason: None,
            current_ply: None,
            recorded_turn: None,
            game_id: None,
            request_id: Some(request_id.to_owned()),
        };
        match self {
            Self::NotYourTurn { current_ply }
            | Self::PlyAhead { current_ply }
            | Self::PositionMismatch { current_ply }
            | Self::GameOver { current_ply } => problem.current_ply = Some(*current_ply),
            Self::PlyConflict {
                current_ply,
                recorded_turn,
                ..
            } => {
                problem.current_ply = Some(*current_ply);
                problem.recorded_turn.clone_from(recorded_turn);
            }
            Self::IllegalTurn {
                at,
                reason,
                current_ply,
                ..
            } => {
                problem.at = Some(*at);
                problem.reason = Some((*reason).to_owned());
                problem.current_ply = Some(*current_ply);
            }
            Self::AlreadyAccepted { game_id } => problem.game_id.clone_from(game_id),
            _ => {}
        }
        problem
    }
}

/// The HTTP status that goes with a code.
pub fn status(code: ProblemCode) -> StatusCode {
    use ProblemCode as Code;
    match code {
        Code::Malformed => StatusCode::BAD_REQUEST,
        Code::Unauthorized | Code::TokenExpired => StatusCode::UNAUTHORIZED,
        Code::Forbidden | Code::NotYourTurn | Code::Scope => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Code::PlyConflict
        | Code::PlyAhead
        | Code::PositionMismatch
        | Code::GameOver
        | Code::AlreadyAccepted
        | Code::Busy
        | Code::NameTaken => StatusCode::CONFLICT,
        Code::Expired => StatusCode::GONE,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Code::IllegalTurn | Code::Unsupported => StatusCode::UNPROCESSABLE_ENTITY,
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::Internal | Code::Unknown => StatusCode::INTERNAL_SERVER_ERROR,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn title(code: ProblemCode) -> &'static str {
    use ProblemCode as Code;
    match code {
        Code::Malformed => "Malformed request",
        Code::Unauthorized => "Unauthorized",
        Code::TokenExpired => "Token expired",
        Code::Forbidden => "Forbidden",
        Code::NotYourTurn => "Not your turn",
        Code::Scope => "Out of the token's scope",
        Code::NotFound => "Not found",
        Code::MethodNotAllowed => "Method not allowed",
        Code::PlyConflict => "Ply conflict",
        Code::PlyAhead => "Ply ahead",
        Code::PositionMismatch => "Position mismatch",
        Code::GameOver => "Game over",
        Code::AlreadyAccepted => "Already answered",
        Code::Busy => "Busy",
        Code::NameTaken => "Name taken",
        Code::Expired => "Expired",
        Code::TooLarge => "Too large",
        Code::MediaType => "Unsupported media type",
        Code::IllegalTurn => "Illegal turn",
        Code::Unsupported => "Unsupported",
        Code::RateLimited => "Too many requests",
        Code::Internal | Code::Unknown => "Internal error",
        Code::Unavailable => "Unavailable",
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        tracing::error!("{error}");
        if error.may_pass() {
            Self::Unavailable
        } else {
            Self::Internal
        }
    }
}
