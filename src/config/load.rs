//! Puts the sources together, the later over the earlier.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::assignment::{Assignment, Given};
use super::{Cause, Config, ConfigError, Origin, Problem, file};
use crate::bot::TOKEN_VARIABLE;

/// What an environment variable must begin with to be a setting: `YINSH_BOT_SEARCH__THREADS`.
pub const ENVIRONMENT_PREFIX: &str = "YINSH_BOT_";

/// Everything that a configuration is made of besides the built-in defaults.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The config file.
    pub file: Option<PathBuf>,
    /// Environment variables; those without [`ENVIRONMENT_PREFIX`] are not looked at.
    pub environment: Vec<(String, String)>,
    /// The texts of `--set` flags: `section.key=value`.
    pub flags: Vec<String>,
}

/// A configuration that knows where its values come from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    origins: BTreeMap<(String, String), Origin>,
}

impl Loaded {
    /// Where a value comes from; `None` for a built-in default.
    pub fn origin(&self, section: &str, key: &str) -> Option<&Origin> {
        self.origins.get(&(section.to_owned(), key.to_owned()))
    }
}

impl Sources {
    /// Reads all sources.
    ///
    /// # Errors
    /// A file that cannot be read, or the list of everything that is wrong in any of the sources.
    pub fn load(&self) -> Result<Loaded, ConfigError> {
        let mut problems = Vec::new();
        let mut loaded = Loaded::default();
        if let Some(path) = &self.file {
            let content = file::read(path, &read_text(path)?);
            let refused = loaded.apply_all(content.assignments);
            problems.extend(in_order(content.problems, refused));
        }
        let mut variables = self.environment.clone();
        variables.sort();
        let flags = self.flags.iter();
        let wishes = variables
            .iter()
            .filter_map(|(name, value)| from_variable(name, value))
            .chain(flags.map(|flag| from_flag(flag)));
        for wish in wishes {
            match wish {
                Ok(assignment) => problems.extend(loaded.apply_all(vec![assignment])),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            Ok(loaded)
        } else {
            Err(ConfigError::Invalid(problems))
        }
    }
}

impl Loaded {
    /// Applies what can be applied and returns what is wrong with the rest.
    fn apply_all(&mut self, assignments: Vec<Assignment>) -> Vec<Problem> {
        let mut problems = Vec::new();
        for assignment in assignments {
            match assignment.apply(&mut self.config) {
                Ok(()) => {
                    let place = (assignment.section, assignment.key);
                    self.origins.insert(place, assignment.origin);
                }
                Err(problem) => problems.push(problem),
            }
        }
        problems
    }
}

fn read_text(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

/// The problems of one file, those of its text and those of its values, by line.
fn in_order(mut problems: Vec<Problem>, others: Vec<Problem>) -> Vec<Problem> {
    problems.extend(others);
    problems.sort_by_key(|problem| match problem.origin {
        Origin::File { line, .. } => line,
        Origin::Environment(_) | Origin::Flag(_) => usize::MAX,
    });
    problems
}

fn from_variable(name: &str, value: &str) -> Option<Result<Assignment, Problem>> {
    if name == TOKEN_VARIABLE {
        // No setting, but known to everybody who looks for the token.
        return None;
    }
    let place = name.strip_prefix(ENVIRONMENT_PREFIX)?.to_lowercase();
    let origin = Origin::Environment(name.to_owned());
    Some(match place.split_once("__") {
        Some((section, key)) => Ok(Assignment {
            origin,
            section: section.to_owned(),
            key: key.to_owned(),
            value: Given::Untyped(value.to_owned()),
        }),
        None => Err(Problem {
            origin,
            section: None,
            cause: Box::new(Cause::Form(
                "YINSH_BOT_SECTION__KEY, with two underscores between",
            )),
        }),
    })
}

fn from_flag(flag: &str) -> Result<Assignment, Problem> {
    let (place, value) = match flag.split_once('=') {
        Some((place, value)) => (place.trim(), Some(value.trim())),
        None => (flag, None),
    };
    let origin = Origin::Flag(place.to_owned());
    match (place.split_once('.'), value) {
        (Some((section, key)), Some(value)) => Ok(Assignment {
            origin,
            section: section.to_owned(),
            key: key.to_owned(),
            value: Given::Untyped(value.to_owned()),
        }),
        _ => Err(Problem {
            origin,
            section: None,
            cause: Box::new(Cause::Form(
                "section.key=value, for example search.threads=2",
            )),
        }),
    }
}
