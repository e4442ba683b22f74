//! A settings struct whose type is forgotten, so that all sections can be handled alike.

use crate::setting::{Kind, SettingError, Settings, Value};

/// One key of a section with its present value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub name: &'static str,
    /// Meaning, unit and effect.
    pub doc: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// The present value.
    pub value: Value,
}

/// Any struct with a table of settings.
pub trait Section {
    /// The keys and their present values, in the order of the table.
    fn entries(&self) -> Vec<Entry>;

    /// Sets one key.
    ///
    /// # Errors
    /// An unknown key, a wrong type, or a value out of range.
    fn set(&mut self, key: &str, value: Value) -> Result<(), SettingError>;
}

impl<S: Settings> Section for S {
    fn entries(&self) -> Vec<Entry> {
        let entry = |setting: &crate::setting::Setting<S>| Entry {
            name: setting.name,
            doc: setting.doc,
            kind: setting.kind,
            value: (setting.get)(self),
        };
        S::TABLE.iter().map(entry).collect()
    }

    fn set(&mut self, key: &str, value: Value) -> Result<(), SettingError> {
        self.set_by_name(key, value)
    }
}
