use std::fmt;
use std::str::FromStr;

use super::color::Color;
use super::outcome::{EndReason, Outcome, Variant};
use super::position::Position;
use super::turn::{IllegalTurn, Turn};

/// A game as it was played, in a text form that people and programs read.
///
/// Tags in brackets, a blank line, then numbered turns, White's and Black's on a line, and the result:
/// ```
/// use yinsh_bot::game::GameRecord;
/// let text = "[Variant \"standard\"]\n[White \"ada\"]\n\n1. e5 f6\n2. g7 *\n";
/// let record: GameRecord = text.parse().unwrap();
/// assert_eq!(record.to_string(), text);
/// assert_eq!(record.replay().unwrap().ply(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Which game was played.
    pub variant: Variant,
    /// Further tags such as `White` and `Date`, in their order; names are letters, digits and `_`.
    pub tags: Vec<(String, String)>,
    /// Where the game began.
    pub initial: Position,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// The result; `None` while the game runs.
    pub outcome: Option<Outcome>,
}

/// A record that cannot be read or does not replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A line cannot be read.
    #[error("line {line}: {problem}")]
    Text {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// A turn is not legal where it stands.
    #[error("turn {} (`{turn}`): {error}", .ply + 1)]
    Turn {
        /// Index of the turn in the record.
        ply: usize,
        /// The turn.
        turn: Turn,
        /// Why it is not legal.
        error: IllegalTurn,
    },
    /// The board at the end contradicts the result.
    #[error("the record says {claimed:?}, the board after the last turn says {board:?}")]
    Outcome {
        /// What the record says.
        claimed: Option<Outcome>,
        /// What the board says.
        board: Option<Outcome>,
    },
}

impl GameRecord {
    /// A game that is about to begin on the empty board.
    pub fn new(variant: Variant) -> Self {
        Self {
            variant,
            tags: Vec::new(),
            initial: Position::start(variant),
            turns: Vec::new(),
            outcome: None,
        }
    }

    /// Plays all turns from the initial position and checks the result.
    ///
    /// # Errors
    /// Names the first turn that is not legal, or a result that the board contradicts.
    pub fn replay(&self) -> Result<Position, RecordError> {
        let mut position = self.initial;
        for (ply, turn) in self.turns.iter().enumerate() {
            position = position
                .play_turn(turn)
                .map_err(|error| RecordError::Turn {
                    ply,
                    turn: turn.clone(),
                    error,
                })?;
        }
        let claimed_by_rules = self.outcome.filter(|outcome| outcome.reason.is_by_rules());
        let board = position.outcome();
        if claimed_by_rules != board && (claimed_by_rules.is_some() || self.outcome.is_none()) {
            return Err(RecordError::Outcome {
                claimed: self.outcome,
                board,
            });
        }
        Ok(position)
    }

    fn result_token(&self) -> &'static str {
        match self.outcome {
            None
            | Some(Outcome {
                reason: EndReason::Abort,
                ..
            }) => "*",
            Some(Outcome {
                winner: Some(Color::White),
                ..
            }) => "1-0",
            Some(Outcome {
                winner: Some(Color::Black),
                ..
            }) => "0-1",
            Some(Outcome { winner: None, .. }) => "1/2-1/2",
        }
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[Variant \"{}\"]", self.variant)?;
        for (name, value) in &self.tags {
            let value: String = value
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            writeln!(
                f,
                "[{name} \"{}\"]",
                value.replace('\\', "\\\\").replace('"', "\\\"")
            )?;
        }
        if self.initial != Position::start(self.variant) {
            writeln!(f, "[Position \"{}\"]", self.initial)?;
        }
        if let Some(outcome) = self.outcome {
            writeln!(f, "[Reason \"{}\"]", outcome.reason)?;
        }
        writeln!(f)?;
        let black_begins = usize::from(self.initial.side() == Color::Black);
        for (index, turn) in self.turns.iter().enumerate() {
            let place = index + black_begins;
            if place.is_multiple_of(2) {
                write!(f, "{}. {turn} ", place / 2 + 1)?;
            } else if index == 0 {
                writeln!(f, "1. ... {turn}")?;
            } else {
                writeln!(f, "{turn}")?;
            }
        }
        writeln!(f, "{}", self.result_token())
    }
}

impl FromStr for GameRecord {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let mut reader = Reader::default();
        for (index, line) in text.lines().enumerate() {
            let at = |problem: String| RecordError::Text {
                line: index + 1,
                problem,
            };
            let line = line.trim();
            if line.starts_with('[') {
                reader.read_tag(line).map_err(at)?;
            } else {
                line.split_whitespace()
                    .try_for_each(|word| reader.read_word(word))
                    .map_err(at)?;
            }
        }
        let end = text.lines().count();
        reader
            .finish()
            .map_err(|problem| RecordError::Text { line: end, problem })
    }
}

#[derive(Default)]
struct Reader {
    variant: Variant,
    tags: Vec<(String, String)>,
    position: Option<String>,
    reason: Option<EndReason>,
    turns: Vec<Turn>,
    result: Option<String>,
}

impl Reader {
    fn read_tag(&mut self, line: &str) -> Result<(), String> {
        let malformed = || {
            format!(
                "a tag is `[Name \"value\"]`, not `{}`",
                line.chars().take(40).collect::<String>()
            )
        };
        let inner = line
            .strip_prefix('[')
            .and_then(|l| l.strip_suffix("\"]"))
            .ok_or_else(malformed)?;
        let (name, value) = inner.split_once(" \"").ok_or_else(malformed)?;
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(malformed());
        }
        let value = unescape(value);
        match name {
            "Variant" => {
                self.variant = value
                    .parse()
                    .map_err(|e: super::color::UnknownWord| e.to_string())?
            }
            "Position" => self.position = Some(value),
            "Reason" => {
                self.reason = Some(
                    value
                        .parse()
                        .map_err(|e: super::color::UnknownWord| e.to_string())?,
                )
            }
            _ => self.tags.push((name.to_owned(), value)),
        }
        Ok(())
    }

    fn read_word(&mut self, word: &str) -> Result<(), String> {
        if let Some(result) = &self.result {
            return Err(format!("`{word}` after the result `{result}`"));
        }
        let is_number = word
            .strip_suffix('.')
            .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.result = Some(word.to_owned());
        } else if !is_number && word != "..." {
            self.turns.push(
                word.parse()
                    .map_err(|error: super::turn::TurnError| error.to_string())?,
            );
        }
        Ok(())
    }

    fn finish(self) -> Result<GameRecord, String> {
        let result = self
            .result
            .ok_or("the record ends without a result: `1-0`, `0-1`, `1/2-1/2` or `*`")?;
        let winner = match result.as_str() {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        };
        let outcome = self.reason.map(|reason| Outcome { winner, reason });
        let initial = match &self.position {
            None => Position::start(self.variant),
            Some(text) => Position::parse(text, self.variant).map_err(|error| error.to_string())?,
        };
        let record = GameRecord {
            variant: self.variant,
            tags: self.tags,
            initial,
            turns: self.turns,
            outcome,
        };
        if record.result_token() != result {
            return Err(format!("the result `{result}` does not fit the tag Reason"));
        }
        Ok(record)
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' {
            chars.next().unwrap_or('\\')
        } else {
            c
        });
    }
    plain
}
