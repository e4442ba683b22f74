//! What can be wrong with a configuration, and where it stands.

use std::fmt;
use std::path::PathBuf;

use super::Config;
use crate::setting::{Kind, SettingError};

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of the config file.
    File {
        /// The file as it was named.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// The `section.key` of a `--set` flag; its value may be a secret that was put there by mistake.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment(variable) => write!(f, "{variable}"),
            Self::Flag(key) => write!(f, "--set {key}"),
        }
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where it stands.
    pub origin: Origin,
    /// The section it stands in, if it stands in one.
    pub section: Option<String>,
    /// What is wrong.
    pub cause: Box<Cause>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.origin)?;
        if let Some(section) = &self.section {
            write!(f, "[{section}] ")?;
        }
        write!(f, "{}", self.cause)
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Cause {
    /// The file is no TOML.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// The key or its value is refused.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The value is of a sort that no setting has.
    #[error("`{key}` must be {allowed}, not {found}")]
    Shape {
        /// The key.
        key: String,
        /// What would be right.
        allowed: Kind,
        /// What was given.
        found: String,
    },
    /// The key exists, but in another section.
    #[error("unknown key `{key}`, it belongs in [{home}]")]
    Misplaced {
        /// The key.
        key: String,
        /// The section that has it.
        home: &'static str,
    },
    /// There is no such section.
    #[error("unknown section [{name}], {}", match .nearest {
        Some(nearest) => format!("did you mean [{nearest}]?"),
        None => format!("the sections are {}", section_names()),
    })]
    UnknownSection {
        /// What was given.
        name: String,
        /// The section that looks most like it.
        nearest: Option<&'static str>,
    },
    /// A section is written like a key.
    #[error("`{0}` is a section, write [{0}] and its keys below")]
    NotASection(String),
    /// A key stands above all sections.
    #[error("`{key}` stands outside of a section, {}", match .home {
        Some(home) => format!("put it below [{home}]"),
        None => format!("the sections are {}", section_names()),
    })]
    OutsideSection {
        /// The key.
        key: String,
        /// The section that has such a key.
        home: Option<&'static str>,
    },
    /// The name of a variable or the text of a flag does not have its form.
    #[error("write {0}")]
    Form(&'static str),
    /// Everybody on the machine can read the arguments of a process.
    #[error(
        "`{0}` is a secret and must not stand on a command line, use the file or the environment"
    )]
    SecretInArguments(String),
}

fn section_names() -> String {
    let names: Vec<_> = Config::SECTIONS.iter().map(|s| format!("[{s}]")).collect();
    names.join(" ")
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the config file {}", .path.display())]
    Unreadable {
        /// The file as it was named.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The values are not right; all problems are listed.
    #[error("the configuration is not valid{}", list(.0))]
    Invalid(Vec<Problem>),
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(|p| format!("\n  {p}")).collect()
}
