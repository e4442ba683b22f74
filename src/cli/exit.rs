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

/// The exit codes as the help text lists them.
pub(super) const TABLE: &str = "\
Exit codes:
  0  everything was done
  1  something went wrong while running
  2  the command line or the configuration is not valid; nothing was done";

impl ExitCode {
    /// The exit code that fits an error.
    pub fn of(error: &anyhow::Error) -> Self {
        let is = |kind| {
            let io = error.downcast_ref::<io::Error>();
            io.is_some_and(|error| error.kind() == kind)
        };
        if is(io::ErrorKind::BrokenPipe) {
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
