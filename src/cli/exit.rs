//! How the program ends.

use std::io;
use std::process::Termination;

use crate::config::ConfigError;
use crate::game::PositionError;

/// What the program's exit status means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// Everything was done.
    Ok = 0,
    /// Something went wrong while running.
    Failure = 1,
    /// The command line or the configuration is not valid; nothing was done.
    Usage = 2,
}

impl ExitCode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ok, Self::Failure, Self::Usage];

    /// The meaning, for help texts.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "everything was done",
            Self::Failure => "something went wrong while running",
            Self::Usage => "the command line or the configuration is not valid; nothing was done",
        }
    }

    /// The exit code that fits an error.
    pub fn of(error: &anyhow::Error) -> Self {
        let stream = error.downcast_ref::<io::Error>();
        if stream.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            // Whoever read the output has seen enough, as in `yinsh-bot config show | head`.
            Self::Ok
        } else if error.is::<ConfigError>() || error.is::<PositionError>() {
            Self::Usage
        } else {
            Self::Failure
        }
    }
}

impl Termination for ExitCode {
    fn report(self) -> std::process::ExitCode {
        std::process::ExitCode::from(self as u8)
    }
}
