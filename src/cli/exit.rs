//! How the program ends.

use std::io;
use std::process::Termination;

use crate::bot::{Exit, HttpSetupError, TokenError};
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
    /// There is no token, or the server does not accept it.
    Token = 3,
    /// The server plays other rules.
    Rules = 4,
    /// Stopped on request, and games were still running when their time was over.
    GamesLeft = 5,
    /// Left at once on the second request to stop.
    Aborted = 6,
}

impl ExitCode {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Ok,
        Self::Failure,
        Self::Usage,
        Self::Token,
        Self::Rules,
        Self::GamesLeft,
        Self::Aborted,
    ];

    /// The meaning, for help texts.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "everything was done",
            Self::Failure => "something went wrong while running",
            Self::Usage => "the command line or the configuration is not valid; nothing was done",
            Self::Token => "there is no token, or the server does not accept it",
            Self::Rules => "the server plays other rules",
            Self::GamesLeft => "stopped on request with games still running after [play] drain_s",
            Self::Aborted => "left at once on the second request to stop",
        }
    }

    /// The exit code that fits an error.
    pub fn of(error: &anyhow::Error) -> Self {
        if is_closed_pipe(error) {
            // Whoever read the output has seen enough, as in `yinsh-bot config show | head`.
            Self::Ok
        } else if is_usage(error) {
            Self::Usage
        } else if error.is::<TokenError>() {
            Self::Token
        } else {
            Self::Failure
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let stream = error.downcast_ref::<io::Error>();
    stream.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn is_usage(error: &anyhow::Error) -> bool {
    let http = error.downcast_ref::<HttpSetupError>();
    error.is::<ConfigError>()
        || error.is::<PositionError>()
        || http.is_some_and(|error| !matches!(error, HttpSetupError::Client(_)))
}

impl From<&Exit> for ExitCode {
    fn from(exit: &Exit) -> Self {
        match exit {
            Exit::Done | Exit::Drained => Self::Ok,
            Exit::DrainTimeout => Self::GamesLeft,
            Exit::Aborted => Self::Aborted,
            Exit::BadToken { .. } => Self::Token,
            Exit::RulesUnsupported { .. } => Self::Rules,
        }
    }
}

impl Termination for ExitCode {
    fn report(self) -> std::process::ExitCode {
        std::process::ExitCode::from(self as u8)
    }
}
