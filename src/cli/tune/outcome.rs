//! What came of a run.

use std::fmt;
use std::path::Path;

use super::write::Written;
use crate::arena::stats::Verdict;
use crate::cli::ExitCode;

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was stopped.
    Stopped,
    /// Other parts are to be put together with it.
    Part,
    /// The values were not tested.
    Untested,
    /// The values are the present ones.
    Same,
    /// The test says that the tuned values are stronger; where they were written.
    Gained(Option<Written>),
    /// The test does not say so; where they were written nevertheless.
    NotGained(Verdict, Option<Written>),
    /// They were written without a test.
    Forced(Written),
}

impl Outcome {
    /// One word, for programs.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Part => "part",
            Self::Untested | Self::Forced(_) => "untested",
            Self::Same => "same",
            Self::Gained(_) => "gained",
            Self::NotGained(Verdict::H0, _) => "not_gained",
            Self::NotGained(_, _) => "inconclusive",
        }
    }

    fn change(&self) -> Option<&Written> {
        match self {
            Self::Gained(written) | Self::NotGained(_, written) => written.as_ref(),
            Self::Forced(written) => Some(written),
            Self::Stopped | Self::Part | Self::Untested | Self::Same => None,
        }
    }

    /// The config file, if it was written.
    pub fn written(&self) -> Option<&Path> {
        self.change().map(|written| written.file.as_path())
    }

    /// The old config file, if it was written over.
    pub fn backup(&self) -> Option<&Path> {
        self.change().and_then(|written| written.backup.as_deref())
    }

    /// How the program ends.
    pub const fn exit_code(&self) -> ExitCode {
        match self {
            Self::Stopped => ExitCode::MatchStopped,
            Self::Part | Self::Untested | Self::Same | Self::Forced(_) => ExitCode::Ok,
            Self::Gained(_) => ExitCode::H1,
            Self::NotGained(Verdict::H0, _) => ExitCode::H0,
            Self::NotGained(_, _) => ExitCode::Inconclusive,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "stopped; the same command goes on",
            Self::Part => "a part; `yinsh-bot tune merge` puts the parts together",
            Self::Untested | Self::Forced(_) => "the values were not tested",
            Self::Same => "nothing was gained: the tuned values are the present ones",
            Self::Gained(_) => "the tuned values are stronger",
            Self::NotGained(Verdict::H0, _) => {
                "nothing was gained: the tuned values are not stronger"
            }
            Self::NotGained(_, _) => {
                "nothing was gained: the games were spent before the test could tell"
            }
        })?;
        match (self.written(), self.backup()) {
            (Some(file), Some(backup)) => write!(
                f,
                "; {} has them now, and the old one is {}",
                file.display(),
                backup.display()
            ),
            (Some(file), None) => write!(f, "; {} was made with them", file.display()),
            (None, _) => Ok(()),
        }
    }
}
