//! Writes tuned values into the config file.

use std::path::PathBuf;

use crate::arena::tune::{Estimate, Parameter};
use crate::cli::{DEFAULT_FILE, GlobalArgs};
use crate::config::{Edit, EditError, Loaded, Origin, edit};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The config file.
    pub file: PathBuf,
    /// The old one, if there was any.
    pub backup: Option<PathBuf>,
}

/// Writes the values that differ from the present ones into the config file in use, or into a new one.
///
/// # Errors
/// The file cannot be changed; it is as it was then.
pub(super) fn write(
    parameters: &[Parameter],
    estimates: &[Estimate],
    global: &GlobalArgs,
) -> Result<Written, EditError> {
    let file = global
        .config
        .clone()
        .unwrap_or_else(|| PathBuf::from(DEFAULT_FILE));
    let changed = parameters.iter().zip(estimates);
    let changed = changed.filter(|(parameter, estimate)| estimate.value != parameter.current());
    let edits: Vec<Edit> = changed
        .map(|(parameter, estimate)| Edit {
            section: parameter.section.name(),
            key: parameter.name.clone(),
            value: estimate.value.clone(),
        })
        .collect();
    let backup = edit(&file, &edits)?;
    Ok(Written { file, backup })
}

/// Warns of parameters that something overrides, whatever the file says.
pub(super) fn warn_of_overrides(parameters: &[Parameter], loaded: &Loaded) {
    for parameter in parameters {
        match loaded.origin(parameter.section.name(), &parameter.name) {
            Some(origin @ (Origin::Environment(_) | Origin::Flag(_))) => tracing::warn!(
                "`{}` comes from {origin}, which wins over the config file",
                parameter.name
            ),
            Some(Origin::File { .. }) | None => {}
        }
    }
}
