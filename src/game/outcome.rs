use std::fmt;
use std::str::FromStr;

use super::color::{Color, UnknownWord};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; `None` is a draw, or nobody when the game was aborted.
    pub winner: Option<Color>,
    /// Why it ended.
    pub reason: EndReason,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A third ring was taken off.
    Rings,
    /// Blitz: a row lay on the board.
    Row,
    /// All markers lay on the board: more rings off wins.
    MarkersExhausted,
    /// Neither side could move a ring: more rings off wins.
    NoMoves,
    /// A player gave up.
    Resign,
    /// A player's clock ran out.
    Timeout,
    /// A player sent too many illegal turns.
    IllegalTurns,
    /// The game was called off before it had begun in earnest.
    Abort,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [Self; 8] = [
        Self::Rings,
        Self::Row,
        Self::MarkersExhausted,
        Self::NoMoves,
        Self::Resign,
        Self::Timeout,
        Self::IllegalTurns,
        Self::Abort,
    ];

    /// The word used on the wire and in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rings => "rings",
            Self::Row => "row",
            Self::MarkersExhausted => "markers_exhausted",
            Self::NoMoves => "no_moves",
            Self::Resign => "resign",
            Self::Timeout => "timeout",
            Self::IllegalTurns => "illegal_turns",
            Self::Abort => "abort",
        }
    }

    /// Whether the rules alone end the game so, seen from the board.
    pub const fn is_by_rules(self) -> bool {
        matches!(
            self,
            Self::Rings | Self::Row | Self::MarkersExhausted | Self::NoMoves
        )
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for EndReason {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or_else(|| UnknownWord {
                expected: "a reason for the end of a game",
                found: text.to_owned(),
            })
    }
}

/// The two games that are played with the same board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Three rings off win.
    #[default]
    Standard,
    /// The first row wins.
    Blitz,
}

impl Variant {
    /// `standard` or `blitz`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Blitz => "blitz",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Variant {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "standard" => Ok(Self::Standard),
            "blitz" => Ok(Self::Blitz),
            _ => Err(UnknownWord {
                expected: "`standard` or `blitz`",
                found: text.to_owned(),
            }),
        }
    }
}
