//! From the text of a side to a side.

use std::time::Duration;

use super::config::{LIMITS, MatchConfig};
use super::side::{Contestant, Pace, Side, TimeControl};
use super::side_spec::{Base, SideError, SideSpec};
use crate::game::Variant;
use crate::player::{EngineSetup, Patience, PlayerKind};
use crate::search::{SearchParams, TimeParams};
use crate::setting::{SettingError, Settings, Value, nearest};

impl SideSpec {
    /// Makes a side of it; `search` and `time` are the settings that it begins with, of its file if it names one.
    ///
    /// # Errors
    /// A change that is not possible, or no limit for a turn.
    pub fn resolve(
        &self,
        (search, time): (&SearchParams, &TimeParams),
        config: &MatchConfig,
        variant: Variant,
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
            contestant: self.contestant(&draft, variant),
            time: draft.time,
        })
    }

    fn contestant(&self, draft: &Draft, variant: Variant) -> Contestant {
        match &self.base {
            Base::Random => Contestant::Simple(PlayerKind::Random),
            Base::Greedy => Contestant::Simple(PlayerKind::Greedy),
            Base::Engine(command) => Contestant::Engine {
                setup: draft.engine(command, variant),
                threads: draft.search.threads,
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
    fn engine(&self, command: &str, variant: Variant) -> EngineSetup {
        let memory = self.search.memory_mb.to_string();
        EngineSetup {
            command: command.to_owned(),
            required: self.options.clone(),
            optional: vec![
                ("threads".to_owned(), self.search.threads.to_string()),
                ("memory_mb".to_owned(), memory.clone()),
                ("Hash".to_owned(), memory),
            ],
            variant,
            patience: Patience {
                start: Duration::from_secs(self.limits.engine_start_s),
                turn: Duration::from_secs(self.limits.engine_turn_s),
                margin: Duration::from_millis(self.limits.margin_ms),
            },
        }
    }

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
