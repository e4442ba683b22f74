//! The bot API's wire types, shared by client and server.
//!
//! A reader ignores unknown fields, and reads an unknown word of a closed list as that list's `Unknown`, so an older
//! program survives a newer one. Instants are milliseconds since the epoch (`*_at`), durations milliseconds (`*_ms`)
//! or whole seconds (`*_s`). Texts of the game (positions, turns, variants, colours) are checked where they become
//! types of [`crate::game`], and only there.

mod account;
mod border;
mod games;
mod id;
mod lobby;
mod meta;
mod page;
mod problem;
mod whole;
mod word;

pub use account::{CreatedBot, CreatedToken, Me, NewBot, NewToken, Player, PlayerRef, PlayersPage};
pub use border::BorderError;
pub use games::{
    ClockState, GameResult, GameState, GamesPage, LegalTurns, MyGame, Players, PutTurn,
};
pub use id::{ChallengeId, GameId, PlayerId, SeekId, TokenId};
pub use lobby::{
    Challenge, ChallengeCreated, Decline, NewChallenge, NewSeek, Pending, Seek, SeekCreated,
    SeeksPage,
};
pub use meta::{Clock, Limits, Meta, Rules, WinRules};
pub use page::{
    AnalysedTurn, Analysis, AnalysisStatus, CreatedPerson, Ending, GameList, GameSummary, Lobby,
    NewPerson, Session,
};
pub use problem::{Problem, ProblemCode};
pub use word::{
    ChallengeStatus, ColorChoice, ColorWord, DeclineReason, GameStatus, OpponentKind, PlayerKind,
    ReasonWord, VariantWord,
};

/// Where every path of the API begins.
pub const BASE_PATH: &str = "/api/v1";
/// The version that `meta` tells; a change of the first number breaks clients.
pub const API_VERSION: &str = "1.0";
/// How every token begins, so that a leaked one can be recognised.
pub const TOKEN_PREFIX: &str = "ynb_";
/// The media type of every answer with status 4xx or 5xx.
pub const PROBLEM_MEDIA_TYPE: &str = "application/problem+json";
/// The header of an answer that repeats what an earlier, equal request did.
pub const IDEMPOTENT_REPLAYED: &str = "idempotent-replayed";
