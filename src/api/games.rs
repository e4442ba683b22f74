//! Games and turns.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::whole;
use super::{ColorWord, GameId, GameStatus, PlayerRef, ReasonWord, VariantWord};

/// `GET /games/{id}`: everything a client needs to go on playing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// Names it.
    pub id: GameId,
    /// Grows with every change; the ETag is made of it.
    pub version: u64,
    /// The server's clock.
    pub server_time: u64,
    /// Whether it still runs.
    pub status: GameStatus,
    /// Which game is played.
    pub variant: VariantWord,
    /// Whether the result counts.
    pub rated: bool,
    /// Who plays.
    pub players: Players,
    /// Turns completed.
    pub ply: u16,
    /// Who plays the next turn; `null` when the game is over.
    #[serde(default)]
    pub to_move: Option<ColorWord>,
    /// Where it began, as position text.
    pub initial_position: String,
    /// Where it stands, as position text.
    pub position: String,
    /// The ply at which `turns` begins: 0 unless `since_ply` asked for less.
    #[serde(default)]
    pub turns_from: u16,
    /// The turns as canonical turn texts.
    pub turns: Vec<String>,
    /// What the players published with these turns: each one's own chance to win in thousandths; `null` where nothing
    /// was published, empty where nothing was published at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub win_permille: Vec<Option<u16>>,
    /// Both clocks.
    pub clock: ClockState,
    /// How it ended.
    #[serde(default)]
    pub result: Option<GameResult>,
}

/// The two players of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Players {
    /// Plays white.
    pub white: PlayerRef,
    /// Plays black.
    pub black: PlayerRef,
}

/// Both clocks, as of one instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockState {
    /// Each player's time at the start.
    pub initial_ms: u64,
    /// What a player gets back for each turn.
    pub increment_ms: u64,
    /// White's time left.
    pub white_ms: u64,
    /// Black's time left.
    pub black_ms: u64,
    /// Whose clock runs.
    #[serde(default)]
    pub running: Option<ColorWord>,
    /// When these values held.
    pub as_of: u64,
    /// When the running clock's flag falls.
    #[serde(default)]
    pub deadline_at: Option<u64>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameResult {
    /// Who won; `null` is a draw, or a game called off.
    #[serde(default)]
    pub winner: Option<ColorWord>,
    /// Why it ended.
    pub reason: ReasonWord,
    /// Rings off the board, white's and black's.
    pub score: [u8; 2],
}

/// A game as one of its players sees it in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MyGame {
    /// Names it.
    pub id: GameId,
    /// Whether a turn is wanted from me.
    pub my_turn: bool,
    /// My colour.
    pub color: ColorWord,
    /// Turns completed.
    pub ply: u16,
    /// The game's version.
    pub version: u64,
    /// When the running clock's flag falls.
    #[serde(default)]
    pub deadline_at: Option<u64>,
    /// The other player.
    pub opponent: PlayerRef,
    /// Whether it still runs.
    pub status: GameStatus,
}

/// `GET /me/games`: one page, the newest game first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GamesPage {
    /// The games of this page.
    pub games: Vec<MyGame>,
    /// Asks for the next page; `null` on the last.
    #[serde(default)]
    pub next_cursor: Option<String>,
}

/// `PUT /games/{id}/turns/{ply}`: the turn to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PutTurn {
    /// A whole turn as turn text.
    pub turn: String,
    /// The position that the client believes in; when it differs, nothing is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_before: Option<String>,
    /// The player's own chance to win in thousandths, 0 to 1000, if it wants to show it to everybody.
    #[schema(maximum = 1000)]
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "whole::optional"
    )]
    pub win_permille: Option<u16>,
}

/// `GET /games/{id}/legal-turns`: whole turns that go on from a prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LegalTurns {
    /// Turns completed; the ply to which a turn may be put.
    pub ply: u16,
    /// The prefix asked for, in canonical form.
    pub prefix: String,
    /// Legal turns that begin with the prefix, as many as the server lists.
    pub turns: Vec<String>,
    /// Whether there are more than listed.
    pub truncated: bool,
    /// Every part that may follow the prefix, so that a compound turn can be walked part by part, never cut short.
    #[serde(default)]
    pub next_parts: Vec<String>,
}
