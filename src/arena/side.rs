//! What plays on one side of a match.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::config::{LIMITS, MatchConfig};
use crate::player::PlayerKind;
use crate::search::{SearchParams, TimeParams};
use crate::setting::{SettingError, Settings, Value, nearest};

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

/// One side, ready to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// How the user calls it.
    pub name: String,
    /// Who decides its turns.
    pub contestant: Contestant,
    /// Its limits for a turn.
    pub pace: Pace,
    /// How it spends a clock.
    pub time: TimeParams,
}

/// Who decides the turns of a side.
#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// The own search.
    Search(SearchParams),
    /// A built-in player that does not search.
    Simple(PlayerKind),
    /// An external program.
    Engine {
        /// The command, run by the shell.
        command: String,
        /// Options that it must have.
        options: Vec<(String, String)>,
        /// Threads for it, if it has such an option.
        threads: u32,
        /// Memory for it in MiB, if it has such an option.
        memory_mb: u32,
    },
}

/// Limits for each turn; with several, the one that is reached first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// Simulations.
    pub simulations: Option<u64>,
    /// Time.
    pub time: Option<TimeControl>,
}

/// How time is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// The same for each turn.
    PerTurn(Duration),
    /// A clock for the game.
    Clock {
        /// At the beginning.
        base: Duration,
        /// Added for each turn.
        increment: Duration,
    },
}

impl SideSpec {
    /// The config file that it begins with.
    pub fn file(&self) -> Option<&Path> {
        match &self.base {
            Base::File(path) => Some(path),
            _ => None,
        }
    }

    /// Makes a side of it; `search` and `time` are the settings that it begins with, of its file if it names one.
    ///
    /// # Errors
    /// A change that is not possible, or no limit for a turn.
    pub fn resolve(
        &self,
        search: &SearchParams,
        time: &TimeParams,
        config: &MatchConfig,
    ) -> Result<Side, SideError> {
        let (search, time) = match self.base {
            Base::Baseline => (SearchParams::baseline(), TimeParams::default()),
            _ => (search.clone(), time.clone()),
        };
        let mut draft = Draft {
            search: SearchParams {
                threads: config.threads,
                memory_mb: config.memory_mb,
                ..search
            },
            time,
            limits: config.clone(),
            has_own_limits: false,
            options: Vec::new(),
        };
        let is_engine = matches!(self.base, Base::Engine(_));
        for (name, value) in &self.changes {
            if name == "seed" {
                return Err(SideError::Seed(self.text.clone()));
            }
            let changed = draft.change(name, value, is_engine);
            changed.map_err(|source| SideError::Setting {
                side: self.text.clone(),
                source,
            })?;
        }
        Ok(Side {
            name: self.text.clone(),
            pace: self.pace(&draft.limits)?,
            contestant: self.contestant(&draft),
            time: draft.time,
        })
    }

    fn contestant(&self, draft: &Draft) -> Contestant {
        match &self.base {
            Base::Random => Contestant::Simple(PlayerKind::Random),
            Base::Greedy => Contestant::Simple(PlayerKind::Greedy),
            Base::Engine(command) => Contestant::Engine {
                command: command.clone(),
                options: draft.options.clone(),
                threads: draft.search.threads,
                memory_mb: draft.search.memory_mb,
            },
            Base::Default | Base::Baseline | Base::File(_) => {
                Contestant::Search(draft.search.clone())
            }
        }
    }

    fn pace(&self, limits: &MatchConfig) -> Result<Pace, SideError> {
        let some_ms = |ms: u64| (ms > 0).then(|| Duration::from_millis(ms));
        let time = match (some_ms(limits.turn_ms), some_ms(limits.base_ms)) {
            (Some(_), Some(_)) => return Err(SideError::TwoTimes(self.text.clone())),
            (Some(turn), None) => Some(TimeControl::PerTurn(turn)),
            (None, Some(base)) => Some(TimeControl::Clock {
                base,
                increment: Duration::from_millis(limits.increment_ms),
            }),
            (None, None) => None,
        };
        let simulations = (limits.simulations > 0).then_some(limits.simulations);
        match (time, simulations) {
            (None, None) => Err(SideError::Unlimited(self.text.clone())),
            _ => Ok(Pace { simulations, time }),
        }
    }
}

/// A side on which changes are made.
struct Draft {
    search: SearchParams,
    time: TimeParams,
    limits: MatchConfig,
    /// Whether the side names limits; then those of the match do not count for it.
    has_own_limits: bool,
    /// For an engine: what it alone knows.
    options: Vec<(String, String)>,
}

impl Draft {
    fn change(&mut self, name: &str, value: &str, is_engine: bool) -> Result<(), SettingError> {
        if LIMITS.contains(&name) {
            if !self.has_own_limits {
                self.limits.clear_limits();
                self.has_own_limits = true;
            }
            set(&mut self.limits, name, value)
        } else if is_engine && !["threads", "memory_mb"].contains(&name) {
            self.options.push((name.to_owned(), value.to_owned()));
            Ok(())
        } else if has_key::<SearchParams>(name) {
            set(&mut self.search, name, value)
        } else if has_key::<TimeParams>(name) {
            set(&mut self.time, name, value)
        } else {
            let known = keys::<SearchParams>()
                .chain(keys::<TimeParams>())
                .chain(LIMITS);
            Err(SettingError::Unknown {
                name: name.to_owned(),
                nearest: nearest(name, known),
            })
        }
    }
}

/// Sets a key, which exists, from text.
fn set<S: Settings>(section: &mut S, name: &str, text: &str) -> Result<(), SettingError> {
    let kind = S::TABLE
        .iter()
        .find(|setting| setting.name == name)
        .map(|setting| setting.kind);
    let value = match kind {
        Some(kind) => kind.parse(text).map_err(|found| SettingError::Refused {
            name: name.to_owned(),
            allowed: kind,
            found,
        })?,
        None => Value::Text(text.to_owned()),
    };
    section.set_by_name(name, value)
}

fn keys<S: Settings>() -> impl Iterator<Item = &'static str> {
    S::TABLE.iter().map(|setting| setting.name)
}

fn has_key<S: Settings>(name: &str) -> bool {
    keys::<S>().any(|key| key == name)
}
