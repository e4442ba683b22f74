//! What everybody may see, with or without a token: the lobby, and games in lists.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::word::words;
use super::{
    Clock, ColorWord, GameId, GameStatus, Player, PlayerId, PlayerKind, PlayerRef, Players,
    ReasonWord, Seek, VariantWord,
};

/// `GET /lobby`: what goes on at the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lobby {
    /// Who is here, by name.
    pub online: Vec<Player>,
    /// Who has finished rated games, the highest rating first.
    pub standings: Vec<Player>,
    /// Open seeks, the oldest first.
    pub seeks: Vec<Seek>,
    /// Running games, the newest first.
    pub active: Vec<GameSummary>,
    /// Finished games, the newest first.
    pub finished: Vec<GameSummary>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// Names it.
    pub id: GameId,
    /// Whether it still runs.
    pub status: GameStatus,
    /// Which game is played.
    pub variant: VariantWord,
    /// Whether the result counts.
    pub rated: bool,
    /// Who plays.
    pub players: Players,
    /// The time control.
    pub clock: Clock,
    /// When it began.
    pub created_at: u64,
    /// How it ended; `null` while it runs.
    #[serde(default)]
    pub ending: Option<Ending>,
}

/// How a game in a list ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ending {
    /// Who won; `null` is a draw, or a game called off.
    #[serde(default)]
    pub winner: Option<ColorWord>,
    /// Why it ended.
    pub reason: ReasonWord,
    /// Turns completed.
    pub plies: u16,
}

/// `GET /games`: one page, the newest game first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameList {
    /// The games of this page.
    pub games: Vec<GameSummary>,
    /// Asks for the next page; `null` on the last.
    #[serde(default)]
    pub next_cursor: Option<String>,
}

/// `POST /people`: the name under which a person wants to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewPerson {
    /// 2 to 20 letters, digits, `-` or `_`; no other account may have it or one that looks like it.
    #[schema(
        min_length = 2,
        max_length = 20,
        pattern = "^[A-Za-z0-9_-]*[A-Za-z][A-Za-z0-9_-]*$"
    )]
    pub name: String,
}

/// The account of a person; its session travels in a cookie only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedPerson {
    /// The new account.
    pub id: PlayerId,
    /// Its name.
    pub name: String,
    /// Always a person.
    pub kind: PlayerKind,
}

/// `GET /me/session`: who the visitor of a page is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Session {
    /// The account; `null` for somebody who only watches.
    #[serde(default)]
    pub account: Option<PlayerRef>,
}

/// `GET /games/{id}/analysis`: what the server's search thinks of a finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// Whether somebody has asked for it, and how far it has come.
    pub status: AnalysisStatus,
    /// How many positions have been searched, and how many there are.
    pub done: [u16; 2],
    /// One entry for each turn of the game, when all are searched.
    #[serde(default)]
    pub turns: Vec<AnalysedTurn>,
}

words! {
    /// How far an analysis has come.
    AnalysisStatus {
        /// Nobody has asked for it yet.
        None = "none",
        /// It is being made.
        Running = "running",
        /// It is there.
        Done = "done",
    }
}

/// One turn of an analysed game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedTurn {
    /// White's expected result before the turn, in thousandths: 1000 a sure win, 500 a draw, 0 a sure loss.
    pub white_permille: u16,
    /// The turn that the search would have played.
    pub best: String,
    /// By how much the turn that was played lowered its player's expected result, in thousandths.
    pub loss_permille: u16,
}
