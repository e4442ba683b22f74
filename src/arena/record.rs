//! The file of a match: JSON lines, the first saying what is played, then one for each finished game.

use serde::{Deserialize, Serialize};

use super::header::Header;
use super::schedule::SideId;
use super::termination::Termination;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The first one.
    Match(Box<Header>),
    /// A finished game.
    Game(Box<GameLine>),
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Number in the match.
    pub game: u64,
    /// Who had White.
    pub white: SideId,
    /// Who had Black.
    pub black: SideId,
    /// Seed of White's player in this game; Black's is one more.
    pub seed: u64,
    /// The position it began with.
    pub opening: String,
    /// How it ended.
    #[serde(flatten)]
    pub end: End,
    /// What an external program with White calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_program: Option<String>,
    /// What an external program with Black calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_program: Option<String>,
    /// Length in ms.
    pub elapsed_ms: u64,
    /// The turns.
    pub turns: Vec<TurnLine>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Who won; absent for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<SideId>,
    /// Why it ended.
    pub termination: Termination,
    /// More about a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A turn and what the player thought of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnLine {
    /// The turn.
    pub turn: String,
    /// Time it took, in µs.
    pub elapsed_us: u64,
    /// It took longer than its limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overrun: bool,
    /// The clock after it, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Expected score, seen by the side that played it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<f64>,
    /// Simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// Mean depth of them, in actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
}

impl GameLine {
    /// Whether both are the same game, however long it took.
    pub fn is_same_game(&self, other: &Self) -> bool {
        let played = |game: &Self| {
            (
                game.game,
                game.white,
                game.black,
                game.end.winner,
                game.end.termination,
            )
        };
        let turns = |game: &Self| {
            game.turns
                .iter()
                .map(|turn| turn.turn.clone())
                .collect::<Vec<_>>()
        };
        played(self) == played(other)
            && self.opening == other.opening
            && turns(self) == turns(other)
    }

    /// The turns that a side played.
    pub fn turns_of(&self, side: SideId) -> impl Iterator<Item = &TurnLine> {
        let begins = if self.opening.split(' ').nth(1) == Some("b") {
            self.black
        } else {
            self.white
        };
        self.turns
            .iter()
            .skip(usize::from(begins != side))
            .step_by(2)
    }
}
