//! How the program ends.

use std::io;
use std::process::Termination;

use crate::arena::stats::SprtError;
use crate::arena::tune::{ParameterError, TuneError, TuneFileError};
use crate::arena::{JournalError, MergeError, PlanError, SideError, StoreError};
use crate::bot::{Exit, HttpSetupError, PortError, TokenError};
use crate::config::ConfigError;
use crate::diagnostics::LogFileError;
use crate::game::PositionError;
use crate::player::EngineError;
use crate::server::{ApiError, ServeError};
use crate::setting::SettingError;

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
    /// The account cannot be locked for this process: another one plays it.
    Locked = 7,
    /// No poll has succeeded for too long, and the configuration says to leave then.
    Stale = 8,
    /// The sequential test of a match has accepted H1.
    H1 = 10,
    /// The sequential test of a match has accepted H0.
    H0 = 11,
    /// The games of a match were spent before its sequential test could decide.
    Inconclusive = 12,
    /// A match was stopped on request.
    MatchStopped = 13,
}

impl ExitCode {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Ok,
        Self::Failure,
        Self::Usage,
        Self::Token,
        Self::Rules,
        Self::GamesLeft,
        Self::Aborted,
        Self::Locked,
        Self::Stale,
        Self::H1,
        Self::H0,
        Self::Inconclusive,
        Self::MatchStopped,
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
            Self::Locked => "another process plays the account, or its lock cannot be used",
            Self::Stale => "no poll succeeded for too long ([monitor] exit_when_stale)",
            Self::H1 => "match --sprt, tune: A, or the tuned side, is stronger (H1 is accepted)",
            Self::H0 => "match --sprt, tune: it is not stronger (H0 is accepted)",
            Self::Inconclusive => {
                "match --sprt, tune: the games were spent before the test could decide"
            }
            Self::MatchStopped => {
                "match, tune: stopped on request; the same command goes on with it"
            }
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
    let plan = error.downcast_ref::<PlanError>();
    let file = error.downcast_ref::<StoreError>();
    let tune = error.downcast_ref::<TuneError>();
    let tune_file = error.downcast_ref::<TuneFileError>();
    let serve = error.downcast_ref::<ServeError>();
    error.is::<ConfigError>()
        || error.is::<LogFileError>()
        || error.is::<PortError>()
        || error.is::<SideError>()
        || error.is::<SprtError>()
        || error.is::<SettingError>()
        || error.is::<ParameterError>()
        || error.is::<EngineError>()
        || error.is::<MergeError>()
        || file.is_some_and(|error| !matches!(error, StoreError::Journal(JournalError::Io { .. })))
        || plan.is_some_and(|error| !matches!(error, PlanError::Program(_)))
        || tune.is_some_and(is_wrong_for_tune)
        || tune_file.is_some_and(is_wrong_file)
        || error.is::<PositionError>()
        || serve.is_some_and(is_wrong_for_serve)
        || http.is_some_and(|error| !matches!(error, HttpSetupError::Client(_)))
}

fn is_wrong_for_tune(error: &TuneError) -> bool {
    match error {
        TuneError::Games { .. } | TuneError::Parts { .. } | TuneError::NoOpenings => true,
        TuneError::Plan(error) => !matches!(error, PlanError::Program(_)),
        TuneError::File(error) => is_wrong_file(error),
    }
}

/// Whether a file is not the right one, whatever the machine says.
const fn is_wrong_file(error: &TuneFileError) -> bool {
    !matches!(error, TuneFileError::Journal(JournalError::Io { .. }))
}

/// Whether the address or the name reads wrong, whatever the machine and the store say.
fn is_wrong_for_serve(error: &ServeError) -> bool {
    match error {
        ServeError::Bind { source, .. } => source.kind() == io::ErrorKind::InvalidInput,
        ServeError::Account(error) => matches!(error, ApiError::Unsupported(_)),
        ServeError::Store(_) | ServeError::Stopped(_) => false,
    }
}

impl From<&Exit> for ExitCode {
    fn from(exit: &Exit) -> Self {
        match exit {
            Exit::Done | Exit::Drained => Self::Ok,
            Exit::DrainTimeout => Self::GamesLeft,
            Exit::Aborted => Self::Aborted,
            Exit::BadToken { .. } => Self::Token,
            Exit::Locked { .. } => Self::Locked,
            Exit::RulesUnsupported { .. } => Self::Rules,
        }
    }
}

impl Termination for ExitCode {
    fn report(self) -> std::process::ExitCode {
        std::process::ExitCode::from(self as u8)
    }
}
