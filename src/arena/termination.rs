use serde::{Deserialize, Serialize};

use crate::game::EndReason;
use crate::player::{EngineError, PlayerError};

/// Why a game of a match ended: by the rules, or because a side failed and lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Three rings taken off.
    Rings,
    /// Blitz: a row on the board.
    Row,
    /// All markers on the board.
    MarkersExhausted,
    /// No ring of either side can move.
    NoMoves,
    /// A side took too long.
    Time,
    /// A side played a turn that is not legal.
    IllegalTurn,
    /// A player's program ended, closed its streams or panicked.
    Crash,
    /// An engine gave no answer to a turn.
    Stall,
    /// An engine did not start.
    NoStart,
    /// An engine gave an answer that is no turn.
    Garbage,
    /// An engine wrote without end.
    Flood,
}

impl Termination {
    /// All of them, those by the rules first.
    pub const ALL: [Self; 11] = [
        Self::Rings,
        Self::Row,
        Self::MarkersExhausted,
        Self::NoMoves,
        Self::Time,
        Self::IllegalTurn,
        Self::Crash,
        Self::Stall,
        Self::NoStart,
        Self::Garbage,
        Self::Flood,
    ];

    /// How the rules ended a game.
    ///
    /// # Panics
    /// The rules alone do not end games so.
    pub(super) fn by_rules(reason: EndReason) -> Self {
        match reason {
            EndReason::Rings => Self::Rings,
            EndReason::Row => Self::Row,
            EndReason::MarkersExhausted => Self::MarkersExhausted,
            EndReason::NoMoves => Self::NoMoves,
            EndReason::Resign | EndReason::Timeout | EndReason::IllegalTurns | EndReason::Abort => {
                unreachable!("a board knows nothing of {reason}")
            }
        }
    }

    /// How a player that gives no turn ends its game.
    pub(super) fn by_failure(error: &PlayerError, is_timed: bool) -> Self {
        let PlayerError::Engine(error) = error else {
            return Self::Crash;
        };
        match error {
            EngineError::NotRunnable { .. }
            | EngineError::NoStart(_)
            | EngineError::UnknownOption { .. } => Self::NoStart,
            EngineError::Gone(_) => Self::Crash,
            EngineError::Stall(_) if is_timed => Self::Time,
            EngineError::Stall(_) => Self::Stall,
            EngineError::Garbage(_) => Self::Garbage,
            EngineError::Illegal { .. } => Self::IllegalTurn,
            EngineError::Flood => Self::Flood,
        }
    }

    /// In words, for tables.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Rings => "three rings off",
            Self::Row => "first row",
            Self::MarkersExhausted => "all markers placed",
            Self::NoMoves => "no ring can move",
            Self::Time => "lost on time",
            Self::IllegalTurn => "illegal turn",
            Self::Crash => "crash",
            Self::Stall => "no answer",
            Self::NoStart => "did not start",
            Self::Garbage => "answer that is no turn",
            Self::Flood => "endless output",
        }
    }

    /// Whether a side failed, rather than the board deciding.
    pub const fn is_failure(self) -> bool {
        !matches!(
            self,
            Self::Rings | Self::Row | Self::MarkersExhausted | Self::NoMoves
        )
    }
}
