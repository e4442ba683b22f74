//! What went wrong, as RFC 9457 tells it.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::GameId;
use super::word::words;

words! {
    /// What a client decides by; the status only says whose fault it is.
    ProblemCode {
        /// 400: the request does not read as it should.
        Malformed = "malformed",
        /// 401: no token, or one that the server does not know.
        Unauthorized = "unauthorized",
        /// 401: the token's time is over.
        TokenExpired = "token-expired",
        /// 403: not yours.
        Forbidden = "forbidden",
        /// 403: it is the other player's turn.
        NotYourTurn = "not-your-turn",
        /// 403: the token may not do this.
        Scope = "scope",
        /// 404: there is no such thing.
        NotFound = "not-found",
        /// 405: the thing exists, but not with this method.
        MethodNotAllowed = "method-not-allowed",
        /// 409: another turn is recorded at this ply.
        PlyConflict = "ply-conflict",
        /// 409: that ply has not been reached.
        PlyAhead = "ply-ahead",
        /// 409: the client believes in another position.
        PositionMismatch = "position-mismatch",
        /// 409: the game is over.
        GameOver = "game-over",
        /// 409: the seek or challenge has been answered.
        AlreadyAccepted = "already-accepted",
        /// 409: somebody has as many games, seeks, challenges or tokens as allowed.
        Busy = "busy",
        /// 409: the name is taken.
        NameTaken = "name-taken",
        /// 410: it was there, and its time is over.
        Expired = "expired",
        /// 413: the body is too large.
        TooLarge = "too-large",
        /// 415: the body is not JSON by its media type.
        MediaType = "media-type",
        /// 422: the rules forbid the turn.
        IllegalTurn = "illegal-turn",
        /// 422: it reads well, but this server does not offer it.
        Unsupported = "unsupported",
        /// 429: too many requests.
        RateLimited = "rate-limited",
        /// 500: the server's own fault.
        Internal = "internal",
        /// 503: the server cannot do it now.
        Unavailable = "unavailable",
    }
}

/// The body of every answer with status 4xx or 5xx.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the code says what it is.
    #[serde(rename = "type", default = "about_blank")]
    pub kind: String,
    /// The code in words.
    #[serde(default)]
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What a client decides by.
    pub code: ProblemCode,
    /// What went wrong here.
    #[serde(default)]
    pub detail: String,
    /// Index of the bad part of an illegal turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// Why the turn is illegal, as a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The game's ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_ply: Option<u16>,
    /// The turn recorded at the ply asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_turn: Option<String>,
    /// The game that a challenge or seek became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_id: Option<GameId>,
    /// Names the request in the server's log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

fn about_blank() -> String {
    "about:blank".to_owned()
}
