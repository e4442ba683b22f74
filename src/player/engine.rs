//! What an external program is to do, and how it can fail.

use std::time::Duration;

use crate::game::{IllegalTurn, Turn, Variant};

/// A program and how it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSetup {
    /// The command, run by the shell.
    pub command: String,
    /// Options that it must have.
    pub required: Vec<(String, String)>,
    /// Options that are set if it has them; their case does not matter.
    pub optional: Vec<(String, String)>,
    /// The rules; a program without an option `Variant` plays the standard ones.
    pub variant: Variant,
    /// How long it may take.
    pub patience: Patience,
}

/// How long a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To start.
    pub start: Duration,
    /// For a turn without time limit.
    pub turn: Duration,
    /// For a turn, beyond its time limit.
    pub margin: Duration,
}

/// How a program failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is no such program.
    #[error("the shell cannot run `{command}`: {problem}")]
    NotRunnable {
        /// The command.
        command: String,
        /// Why.
        problem: String,
    },
    /// It does not get ready.
    #[error("it does not start: {0}")]
    NoStart(String),
    /// It has no such option.
    #[error("it has no option `{name}`, its options are {}", .known.join(", "))]
    UnknownOption {
        /// What was to be set.
        name: String,
        /// What it has.
        known: Vec<String>,
    },
    /// It is gone, or does not listen or speak any more.
    #[error("it {0}")]
    Gone(String),
    /// It gives no answer.
    #[error("no answer within {} ms", .0.as_millis())]
    Stall(Duration),
    /// Its answer is no turn.
    #[error("its answer is no turn: `{0}`")]
    Garbage(String),
    /// Its turn is not legal.
    #[error("`{turn}`: {source}")]
    Illegal {
        /// The turn.
        turn: Turn,
        /// Why it is not legal.
        source: IllegalTurn,
    },
    /// It writes without end.
    #[error("it writes without end")]
    Flood,
}
