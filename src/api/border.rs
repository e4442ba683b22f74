//! Where wire types become types of the game, and are checked.

use crate::game::{
    Color, EndReason, IllegalTurn, Outcome, Position, PositionError, Turn, TurnError, Variant,
};

use super::{ColorWord, GameResult, GameState, ReasonWord, VariantWord};

/// What a server told that does not hold by the rules this program knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BorderError {
    /// A word of a closed list that this version does not know.
    #[error("the {list} is a word that this version does not know; is there a newer yinsh-bot?")]
    UnknownWord {
        /// Which list.
        list: &'static str,
    },
    /// A position that cannot be read.
    #[error("the server's {which}: {error}")]
    Position {
        /// Which of the two position texts.
        which: &'static str,
        /// What is wrong with it.
        error: PositionError,
    },
    /// A turn that cannot be read.
    #[error("the server's turn at ply {ply}, `{text}`: {error}")]
    TurnText {
        /// Its place in the game.
        ply: usize,
        /// What was told.
        text: String,
        /// What is wrong with it.
        error: TurnError,
    },
    /// A turn that is not legal where it stands.
    #[error("the server's turn at ply {ply}, `{text}`, is not legal here: {error}")]
    IllegalTurn {
        /// Its place in the game.
        ply: usize,
        /// What was told.
        text: String,
        /// Why it is not legal.
        error: IllegalTurn,
    },
    /// The turns lead elsewhere than to the position told.
    #[error("the server's turns lead to `{replayed}`, but it tells the position `{told}`")]
    Mismatch {
        /// What the turns lead to.
        replayed: String,
        /// What the server told.
        told: String,
    },
    /// The turns told are not the whole game.
    #[error("the game was asked for from ply {from} on, which cannot be replayed")]
    Shortened {
        /// The ply at which the turns begin.
        from: u16,
    },
}

impl From<Variant> for VariantWord {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Standard => Self::Standard,
            Variant::Blitz => Self::Blitz,
        }
    }
}

impl TryFrom<VariantWord> for Variant {
    type Error = BorderError;

    fn try_from(word: VariantWord) -> Result<Self, BorderError> {
        match word {
            VariantWord::Standard => Ok(Self::Standard),
            VariantWord::Blitz => Ok(Self::Blitz),
            VariantWord::Unknown => Err(BorderError::UnknownWord { list: "variant" }),
        }
    }
}

impl From<Color> for ColorWord {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl TryFrom<ColorWord> for Color {
    type Error = BorderError;

    fn try_from(word: ColorWord) -> Result<Self, BorderError> {
        match word {
            ColorWord::White => Ok(Self::White),
            ColorWord::Black => Ok(Self::Black),
            ColorWord::Unknown => Err(BorderError::UnknownWord { list: "colour" }),
        }
    }
}

impl From<EndReason> for ReasonWord {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::Rings => Self::Rings,
            EndReason::Row => Self::Row,
            EndReason::MarkersExhausted => Self::MarkersExhausted,
            EndReason::NoMoves => Self::NoMoves,
            EndReason::Resign => Self::Resign,
            EndReason::Timeout => Self::Timeout,
            EndReason::IllegalTurns => Self::IllegalTurns,
            EndReason::Abort => Self::Abort,
        }
    }
}

impl TryFrom<ReasonWord> for EndReason {
    type Error = BorderError;

    fn try_from(word: ReasonWord) -> Result<Self, BorderError> {
        match word {
            ReasonWord::Rings => Ok(Self::Rings),
            ReasonWord::Row => Ok(Self::Row),
            ReasonWord::MarkersExhausted => Ok(Self::MarkersExhausted),
            ReasonWord::NoMoves => Ok(Self::NoMoves),
            ReasonWord::Resign => Ok(Self::Resign),
            ReasonWord::Timeout => Ok(Self::Timeout),
            ReasonWord::IllegalTurns => Ok(Self::IllegalTurns),
            ReasonWord::Abort => Ok(Self::Abort),
            ReasonWord::Unknown => Err(BorderError::UnknownWord {
                list: "reason of the result",
            }),
        }
    }
}

impl TryFrom<GameResult> for Outcome {
    type Error = BorderError;

    fn try_from(result: GameResult) -> Result<Self, BorderError> {
        Ok(Self {
            winner: result.winner.map(Color::try_from).transpose()?,
            reason: result.reason.try_into()?,
        })
    }
}

impl GameState {
    /// The turns, read.
    ///
    /// # Errors
    /// Names the first turn text that cannot be read.
    pub fn read_turns(&self) -> Result<Vec<Turn>, BorderError> {
        let read = |(index, text): (usize, &String)| {
            text.parse().map_err(|error| BorderError::TurnText {
                ply: usize::from(self.turns_from) + index,
                text: text.clone(),
                error,
            })
        };
        self.turns.iter().enumerate().map(read).collect()
    }

    /// Plays all turns from the initial position and compares the end with the position that the server tells.
    ///
    /// # Errors
    /// The server's words and this program's rules disagree, or the turns are not the whole game.
    pub fn replay(&self) -> Result<Position, BorderError> {
        if self.turns_from != 0 {
            return Err(BorderError::Shortened {
                from: self.turns_from,
            });
        }
        let mut position = Position::parse(&self.initial_position, self.variant.try_into()?)
            .map_err(|error| BorderError::Position {
                which: "initial position",
                error,
            })?;
        for (ply, turn) in self.read_turns()?.iter().enumerate() {
            position = position
                .play_turn(turn)
                .map_err(|error| BorderError::IllegalTurn {
                    ply,
                    text: turn.to_string(),
                    error,
                })?;
        }
        let replayed = position.to_string();
        if replayed == self.position {
            Ok(position)
        } else {
            Err(BorderError::Mismatch {
                replayed,
                told: self.position.clone(),
            })
        }
    }
}
