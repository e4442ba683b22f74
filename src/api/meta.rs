//! What a server says about itself.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::VariantWord;
use super::whole;

/// `GET /meta`: what a client checks before it plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Meta {
    /// The API's version.
    pub api: String,
    /// The server's clock.
    pub server_time: u64,
    /// Always `yinsh`.
    pub game: String,
    /// How the server settles what the printed rules leave open.
    pub rules: Rules,
    /// What it bears.
    pub limits: Limits,
    /// The clocks it suggests; others are taken too.
    #[serde(default)]
    pub time_controls: Vec<Clock>,
}

/// The rules a server plays, in words that another implementation can disagree with openly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rules {
    /// Variants on offer.
    pub variants: Vec<VariantWord>,
    /// Rings a side.
    pub rings: u8,
    /// Markers in the pool.
    pub markers: u8,
    /// Markers in a row.
    pub row: u8,
    /// What wins, by variant.
    pub win: WinRules,
    /// When rows that the opponent's turn left are taken.
    pub opponent_rows: String,
    /// What a player without a ring move does.
    pub no_legal_move: String,
    /// How a game ends when all markers lie on the board.
    pub markers_exhausted: String,
    /// What happens to whole rows at that moment.
    pub pending_rows_when_exhausted: String,
}

/// What wins a game of each variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WinRules {
    /// The standard game.
    pub standard: String,
    /// The blitz game.
    pub blitz: String,
}

impl Rules {
    /// The rules that this program plays.
    pub fn ours() -> Self {
        Self {
            variants: vec![VariantWord::Standard, VariantWord::Blitz],
            rings: 5,
            markers: 51,
            row: 5,
            win: WinRules {
                standard: "three_rings_off".to_owned(),
                blitz: "first_row".to_owned(),
            },
            opponent_rows: "taken_at_start_of_turn".to_owned(),
            no_legal_move: "pass".to_owned(),
            markers_exhausted: "more_rings_off_wins_else_draw".to_owned(),
            pending_rows_when_exhausted: "taken_first".to_owned(),
        }
    }
}

/// What a server bears from one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Limits {
    /// Longest `wait`, in seconds.
    pub wait_max_s: u64,
    /// Largest request body.
    pub body_max_bytes: u64,
    /// Most games at once.
    pub games_max: u32,
    /// Requests a minute, turns not counted; a long poll counts once.
    pub requests_per_minute: u32,
}

/// A time control: a first amount, and an increment after each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Clock {
    /// Each player's time at the start.
    #[schema(minimum = 100, maximum = 86_400_000)]
    #[serde(deserialize_with = "whole::number")]
    pub initial_ms: u64,
    /// What a player gets back for each turn.
    #[schema(maximum = 3_600_000)]
    #[serde(deserialize_with = "whole::number")]
    pub increment_ms: u64,
}
