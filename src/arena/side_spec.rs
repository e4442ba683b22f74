//! A side as it is written on the command line.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::setting::{SettingError, nearest};

/// A side as it is written on the command line: what it begins with, and what is changed of that.
///
/// `[BASE,][NAME=VALUE,…]`, or `[NAME=VALUE,…,]ugi:COMMAND`, where everything behind `ugi:` is the command.
#[derive(Clone, Debug, PartialEq)]
pub struct SideSpec {
    /// The text itself.
    pub text: String,
    /// What it begins with.
    pub base: Base,
    /// What is changed: names and values.
    pub changes: Vec<(String, String)>,
}

/// What a side begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The settings in effect.
    Default,
    /// The plain search that never changes.
    Baseline,
    /// Every legal action with the same probability.
    Random,
    /// Takes rows, else random.
    Greedy,
    /// The search and time settings of a config file.
    File(PathBuf),
    /// An external program that speaks the Universal Game Interface.
    Engine(String),
}

const BASE_WORDS: [&str; 4] = ["default", "baseline", "random", "greedy"];
const ENGINE_PREFIX: &str = "ugi:";

/// A side that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SideError {
    /// A part that is neither a base nor a change.
    #[error(
        "side `{side}`: `{part}` is neither default, baseline, random, greedy, a file (`name.toml`), name=value, nor \
         ugi:COMMAND{}", .nearest.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
    )]
    Part {
        /// The whole text.
        side: String,
        /// The part.
        part: String,
        /// The word that looks most like it.
        nearest: Option<&'static str>,
    },
    /// There is a second base.
    #[error("side `{side}`: `{part}` must stand first, the changes behind it")]
    SecondBase {
        /// The whole text.
        side: String,
        /// The part.
        part: String,
    },
    /// There is no command behind `ugi:`.
    #[error("side `{0}`: a command must follow `ugi:`")]
    NoCommand(String),
    /// A change that is not possible.
    #[error("side `{side}`: {source}")]
    Setting {
        /// The whole text.
        side: String,
        /// Why.
        source: SettingError,
    },
    /// The seed belongs to the match.
    #[error("side `{0}`: the seed is that of the match, set it with --seed")]
    Seed(String),
    /// A search without any limit.
    #[error("side `{0}` has no limit: set simulations, turn_ms or base_ms")]
    Unlimited(String),
    /// Time for a turn and for the game.
    #[error(
        "side `{0}` has both a time per turn and a clock for the game: set one of turn_ms and base_ms to 0"
    )]
    TwoTimes(String),
}

impl FromStr for SideSpec {
    type Err = SideError;

    fn from_str(text: &str) -> Result<Self, SideError> {
        let (front, command) = split_command(text);
        let mut spec = Self {
            text: text.to_owned(),
            base: Base::Default,
            changes: Vec::new(),
        };
        for (index, part) in front.split(',').map(str::trim).enumerate() {
            if let Some((name, value)) = part.split_once('=') {
                spec.changes
                    .push((name.trim().to_owned(), value.trim().to_owned()));
            } else if index > 0 || (command.is_some() && !part.is_empty()) {
                return Err(match part.is_empty() {
                    true => bad_part(text, part),
                    false => SideError::SecondBase {
                        side: text.to_owned(),
                        part: part.to_owned(),
                    },
                });
            } else if command.is_none() {
                spec.base = base(part).ok_or_else(|| bad_part(text, part))?;
            }
        }
        match command.map(str::trim) {
            Some("") => return Err(SideError::NoCommand(text.to_owned())),
            Some(command) => spec.base = Base::Engine(command.to_owned()),
            None => {}
        }
        Ok(spec)
    }
}

/// What stands before `ugi:` and behind it.
fn split_command(text: &str) -> (&str, Option<&str>) {
    if let Some(command) = text.strip_prefix(ENGINE_PREFIX) {
        return ("", Some(command));
    }
    let separator = format!(",{ENGINE_PREFIX}");
    match text.split_once(&separator) {
        Some((front, command)) => (front, Some(command)),
        None => (text, None),
    }
}

fn base(part: &str) -> Option<Base> {
    let is_file = part.ends_with(".toml") || part.contains('/');
    Some(match part {
        "default" => Base::Default,
        "baseline" => Base::Baseline,
        "random" => Base::Random,
        "greedy" => Base::Greedy,
        _ if is_file => Base::File(PathBuf::from(part)),
        _ => return None,
    })
}

fn bad_part(side: &str, part: &str) -> SideError {
    SideError::Part {
        side: side.to_owned(),
        part: part.to_owned(),
        nearest: nearest(part, BASE_WORDS.into_iter()),
    }
}

impl SideSpec {
    /// The config file that it begins with.
    pub fn file(&self) -> Option<&Path> {
        match &self.base {
            Base::File(path) => Some(path),
            _ => None,
        }
    }
}
