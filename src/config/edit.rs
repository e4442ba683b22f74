//! Changes single keys of a config file, and leaves everything else in it as it is.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use toml_edit::{DocumentMut, Item, Table, TomlError};

use super::{ConfigError, Sources};
use crate::setting::Value;

/// A key that gets another value.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The section.
    pub section: &'static str,
    /// The key.
    pub key: String,
    /// Its new value.
    pub value: Value,
}

/// Why a config file was not changed. It is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The system refuses.
    #[error("cannot change the config file {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no TOML.
    #[error("cannot change the config file {}: {source}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: TomlError,
    },
    /// A section is written as something else.
    #[error("cannot change the config file {}: `{section}` is no section in it", .path.display())]
    NotASection {
        /// The file.
        path: PathBuf,
        /// Its name.
        section: &'static str,
    },
    /// The changed file would not be valid.
    #[error("cannot change the config file {}", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What would be wrong.
        source: ConfigError,
    },
}

/// Gives keys other values; comments and order stay. A file that was there before is copied beside itself first, and the
/// path of the copy, which has the date in its name, is given back; a missing file is made.
///
/// The new file takes the place of the old one in one step, so that nobody ever sees half of it.
///
/// # Errors
/// The file cannot be read, written or understood, or would not be valid.
pub fn edit(path: &Path, edits: &[Edit]) -> Result<Option<PathBuf>, EditError> {
    let io_error = |source| EditError::Io {
        path: path.to_owned(),
        source,
    };
    // A link stays a link.
    let target = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => fs::canonicalize(path).map_err(io_error)?,
        _ => path.to_owned(),
    };
    let text = match fs::read_to_string(&target) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(io_error(error)),
    };
    let changed = changed(path, text.as_deref().unwrap_or_default(), edits)?;
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut new = tempfile::Builder::new()
        .suffix(".toml")
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(io_error)?;
    new.write_all(changed.as_bytes()).map_err(io_error)?;
    let sources = Sources {
        file: Some(new.path().to_owned()),
        ..Sources::default()
    };
    sources.load().map_err(|source| EditError::Invalid {
        path: path.to_owned(),
        source,
    })?;
    let backup = match text {
        Some(_) => {
            let permissions = fs::metadata(&target).map_err(io_error)?.permissions();
            new.as_file()
                .set_permissions(permissions)
                .map_err(io_error)?;
            Some(back_up(&target).map_err(io_error)?)
        }
        None => None,
    };
    new.as_file().sync_all().map_err(io_error)?;
    new.persist(&target)
        .map_err(|error| io_error(error.error))?;
    Ok(backup)
}

/// The text of the file with other values.
fn changed(path: &Path, text: &str, edits: &[Edit]) -> Result<String, EditError> {
    let document = text.parse::<DocumentMut>();
    let mut document = document.map_err(|source| EditError::Syntax {
        path: path.to_owned(),
        source,
    })?;
    for edit in edits {
        let section = document
            .entry(edit.section)
            .or_insert_with(|| Item::Table(Table::new()));
        let section = section.as_table_like_mut();
        let section = section.ok_or_else(|| EditError::NotASection {
            path: path.to_owned(),
            section: edit.section,
        })?;
        let mut value = toml_value(&edit.value);
        match section.get_mut(&edit.key).and_then(Item::as_value_mut) {
            Some(old) => {
                // What stands around the old value, such as a comment behind it.
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
            None => drop(section.insert(&edit.key, Item::Value(value))),
        }
    }
    Ok(document.to_string())
}

fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(on) => (*on).into(),
        Value::Int(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(texts) => texts.iter().map(String::as_str).collect(),
    }
}

/// Copies a file beside itself, under a name that no other file has.
fn back_up(path: &Path) -> io::Result<PathBuf> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let date = date(since.map_or(0, |since| since.as_secs()));
    let name = |count: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(match count {
            0 => format!(".{date}.bak"),
            count => format!(".{date}-{count}.bak"),
        });
        PathBuf::from(name)
    };
    let free = (0..).map(name).find(|path| !path.exists());
    let backup = free.unwrap_or_else(|| name(u32::MAX));
    fs::copy(path, &backup)?;
    Ok(backup)
}

/// The moment so many seconds after the beginning of 1970, in UTC, as `2026-11-30-041233`.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{day:02}-{hours:02}{minutes:02}{seconds:02}")
}

/// Year, month and day of the Gregorian calendar, for days since the beginning of 1970 (Hinnant, "chrono-compatible
/// low-level date algorithms", `civil_from_days`). Years begin with March here, so that leap days come last.
const fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits() -> Vec<Edit> {
        let edit = |section, key: &str, value| Edit {
            section,
            key: key.to_owned(),
            value,
        };
        vec![
            edit("search", "exploration", Value::Float(0.52)),
            edit("search", "proofs", Value::Bool(false)),
            edit("time", "max_share", Value::Float(0.2)),
        ]
    }

    const BEFORE: &str = "# mine\n[search]\nthreads = 2   # two\n\n# how curious\nexploration = 5.0   # too much?\n\n[log]\nlevel = \"warn\"\n";
    const AFTER: &str = "# mine\n[search]\nthreads = 2   # two\n\n# how curious\nexploration = 0.52   # too much?\nproofs = false\n\n[log]\nlevel = \"warn\"\n\n[time]\nmax_share = 0.2\n";

    #[test]
    fn only_the_values_change() {
        assert_eq!(
            changed(Path::new("a.toml"), BEFORE, &edits()).unwrap(),
            AFTER
        );
        let inline = "search = { exploration = 5.0 }\n";
        let after = changed(Path::new("a.toml"), inline, &edits()[..1]).unwrap();
        assert_eq!(after, "search = { exploration = 0.52 }\n");
    }

    #[test]
    fn the_old_file_is_kept_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.toml");
        assert_eq!(edit(&path, &edits()[..1]).unwrap(), None, "nothing to keep");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "[search]\nexploration = 0.52\n"
        );

        fs::write(&path, BEFORE).unwrap();
        let first = edit(&path, &edits()).unwrap().unwrap();
        let second = edit(&path, &edits()).unwrap().unwrap();
        assert_eq!(fs::read_to_string(first).unwrap(), BEFORE);
        assert_eq!(fs::read_to_string(second).unwrap(), AFTER);
        assert_eq!(fs::read_to_string(&path).unwrap(), AFTER);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_file_that_would_be_wrong_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.toml");
        for (text, problem) in [
            ("[search\n", "cannot change the config file"),
            ("search = 1\n", "`search` is no section in it"),
            ("[search]\nexplore = 1\n", "cannot change the config file"),
        ] {
            fs::write(&path, text).unwrap();
            let error = edit(&path, &edits()).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (
            folder.path().join("my.toml"),
            folder.path().join("link.toml"),
        );
        fs::write(&path, BEFORE).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, &link).unwrap();
        let backup = edit(&link, &edits()).unwrap().unwrap();
        for file in [&path, &backup] {
            let mode = fs::metadata(file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", file.display());
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates = [0, 951_782_400, 1_709_164_800, 1_796_011_953].map(date);
        let expected = [
            "1970-01-01-000000",
            "2000-02-29-000000",
            "2024-02-29-000000",
            "2026-11-30-041233",
        ];
        assert_eq!(dates, expected);
    }
}
