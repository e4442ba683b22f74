//! The closed word lists of the wire.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Defines an enum of wire words, and `Unknown` for a word that this version does not know.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:tt),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
            /// A word of a newer version; read, never written.
            #[serde(other, skip_serializing)]
            Unknown,
        }

        impl $name {
            /// Every known word.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unknown => "unknown",
                }
            }

            /// The member of the list that is written `word`.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::KNOWN.iter().copied().find(|known| known.as_str() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+};
}
pub(super) use words;

words! {
    /// A side of the game.
    ColorWord {
        /// Begins.
        White = "white",
        /// Answers.
        Black = "black",
    }

    /// Which game is played.
    VariantWord {
        /// Three rings off the board win.
        Standard = "standard",
        /// The first row wins.
        Blitz = "blitz",
    }

    /// How a game ended.
    ReasonWord {
        /// The winner took off three rings.
        Rings = "rings",
        /// The winner's row was the first (blitz).
        Row = "row",
        /// All markers lay on the board.
        MarkersExhausted = "markers_exhausted",
        /// Two turns in a row were passes.
        NoMoves = "no_moves",
        /// The loser gave up.
        Resign = "resign",
        /// The loser's flag fell.
        Timeout = "timeout",
        /// The loser sent too many illegal turns at one ply.
        IllegalTurns = "illegal_turns",
        /// Called off before both had played; nobody won.
        Abort = "abort",
    }

    /// Whether a game still runs.
    GameStatus {
        /// It runs.
        Active = "active",
        /// It has a result.
        Finished = "finished",
    }

    /// Who sits behind an account.
    PlayerKind {
        /// A program.
        Bot = "bot",
        /// A person.
        Human = "human",
    }

    /// The colour that the maker of a seek or challenge wants to play.
    ColorChoice {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
        /// The server draws.
        Random = "random",
    }

    /// Whom a seek is meant for.
    OpponentKind {
        /// Everyone.
        Any = "any",
        /// Programs only.
        Bot = "bot",
        /// People only.
        Human = "human",
    }

    /// How far a challenge has come.
    ChallengeStatus {
        /// Waits for an answer.
        Open = "open",
        /// Was declined, with a reason.
        Declined = "declined",
        /// Became a game.
        Accepted = "accepted",
    }

    /// Why a challenge was declined.
    DeclineReason {
        /// No reason given.
        Generic = "generic",
        /// Ask again later.
        Later = "later",
        /// The clock is too short.
        TooFast = "too_fast",
        /// The clock is too long.
        TooSlow = "too_slow",
        /// No rated games, or not this one.
        Rated = "rated",
        /// No casual games.
        Casual = "casual",
        /// Not this variant.
        Variant = "variant",
        /// The server's rules are not supported.
        Rules = "rules",
        /// No bots.
        NoBots = "no_bots",
        /// Only bots.
        OnlyBots = "only_bots",
        /// As many games as it can take.
        Busy = "busy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_travel_both_ways() {
        for &reason in DeclineReason::KNOWN {
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{reason}\""));
            assert_eq!(
                serde_json::from_str::<DeclineReason>(&json).unwrap(),
                reason
            );
            assert_eq!(DeclineReason::from_word(reason.as_str()), Some(reason));
        }
    }

    #[test]
    fn a_word_of_a_newer_version_is_read_and_never_written() {
        let read: GameStatus = serde_json::from_str("\"adjourned\"").unwrap();
        assert_eq!(read, GameStatus::Unknown);
        assert!(serde_json::to_string(&read).is_err());
        assert_eq!(GameStatus::from_word("unknown"), None);
    }
}
