//! One wish to set a key, from whatever source, and its fulfilment.

use super::{Cause, Config, Entry, Origin, Problem, Section};
use crate::setting::{Kind, SettingError, Value, nearest};

/// `section.key = value`, as some source has it.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub origin: Origin,
    pub section: String,
    pub key: String,
    pub value: Given,
}

/// A value as its source gives it.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// With a type.
    Typed(Value),
    /// Text to be read as whatever the key wants.
    Untyped(String),
    /// Something that no key takes, described.
    Odd(String),
}

impl Assignment {
    /// Puts the value into `config`.
    pub fn apply(&self, config: &mut Config) -> Result<(), Problem> {
        self.try_apply(config).map_err(|cause| Problem {
            section: match cause {
                Cause::UnknownSection { .. } => None,
                _ => Some(self.section.clone()),
            },
            origin: self.origin.clone(),
            cause: Box::new(cause),
        })
    }

    fn try_apply(&self, config: &mut Config) -> Result<(), Cause> {
        let home = home_of(config, &self.key);
        let section = config
            .section_mut(&self.section)
            .ok_or_else(|| unknown_section(&self.section))?;
        let entry = section.entries().into_iter().find(|e| e.name == self.key);
        let Some(kind) = entry.map(|e| e.kind) else {
            return Err(self.unknown_key(section.entries(), home));
        };
        if kind == Kind::Secret && matches!(self.origin, Origin::Flag(_)) {
            return Err(Cause::SecretInArguments(self.key.clone()));
        }
        let value = match &self.value {
            Given::Typed(value) => value.clone(),
            Given::Untyped(text) => self.read(kind, text)?,
            Given::Odd(found) => {
                return Err(Cause::Shape {
                    key: self.key.clone(),
                    allowed: kind,
                    found: match kind {
                        Kind::Secret => "***".to_owned(),
                        _ => found.clone(),
                    },
                });
            }
        };
        Ok(section.set(&self.key, value)?)
    }

    fn read(&self, kind: Kind, text: &str) -> Result<Value, Cause> {
        let refused = |found| SettingError::Refused {
            name: self.key.clone(),
            allowed: kind,
            found,
        };
        Ok(kind.parse(text).map_err(refused)?)
    }

    fn unknown_key(&self, entries: Vec<Entry>, home: Option<&'static str>) -> Cause {
        let nearest = nearest(&self.key, entries.iter().map(|e| e.name));
        match (nearest, home) {
            (None, Some(home)) => Cause::Misplaced {
                key: self.key.clone(),
                home,
            },
            (nearest, _) => Cause::Setting(SettingError::Unknown {
                name: self.key.clone(),
                nearest,
            }),
        }
    }
}

/// The section that has a key of this name.
pub(super) fn home_of(config: &Config, key: &str) -> Option<&'static str> {
    let has_key = |section: &dyn Section| section.entries().iter().any(|e| e.name == key);
    let mut sections = config.sections().into_iter();
    sections
        .find(|(_, _, section)| has_key(*section))
        .map(|(name, _, _)| name)
}

/// The complaint about a section that does not exist.
pub(super) fn unknown_section(name: &str) -> Cause {
    Cause::UnknownSection {
        name: name.to_owned(),
        nearest: nearest(name, Config::SECTIONS.iter().copied()),
    }
}
