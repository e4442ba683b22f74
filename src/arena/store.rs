//! The file of a match on disk: read back, checked and appended to.

use std::path::{Path, PathBuf};

use super::header::{FORMAT, Header, Identity};
use super::journal::{Journal, JournalError, Lines};
use super::record::{GameLine, Line};

/// A match file that is being written.
pub struct Store(Journal);

/// What a match file held.
#[derive(Debug)]
pub struct Contents {
    /// Its first line.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub games: Vec<GameLine>,
    /// Bytes of a last line that was not written to its end.
    pub torn: usize,
}

/// Why a match file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written, or another process has it.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A line cannot be read.
    #[error("{}:{line}: this is no line of a match file: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The file is of another match.
    #[error("the match file {} is of another match: {difference}; use another file", .path.display())]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// What is different.
        difference: String,
    },
}

impl Store {
    /// Opens a match file, or begins it; gives what it holds. A last line that was torn by a crash is cut off.
    ///
    /// # Errors
    /// The file cannot be used, belongs to another match, or is in use.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Contents), StoreError> {
        let (mut journal, lines) = Journal::open(path)?;
        let contents = match lines.is_empty() {
            true => Contents {
                header: header.clone(),
                games: Vec::new(),
                torn: lines.torn(),
            },
            false => parse(path, &lines)?,
        };
        if let Some(difference) = difference(&contents.header, header) {
            return Err(StoreError::OtherMatch {
                path: path.to_owned(),
                difference,
            });
        }
        journal.repair(&lines)?;
        if lines.is_empty() {
            journal.append(&Line::Match(Box::new(header.clone())))?;
        }
        Ok((Self(journal), contents))
    }

    /// Writes a finished game.
    ///
    /// # Errors
    /// The system refuses, as on a full disk.
    pub fn add(&mut self, game: &GameLine) -> Result<(), StoreError> {
        Ok(self.0.append(&Line::Game(Box::new(game.clone())))?)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Reads a match file that nobody writes any more.
///
/// # Errors
/// The file cannot be read or is no match file.
pub fn read(path: &Path) -> Result<Contents, StoreError> {
    parse(path, &Lines::read(path)?)
}

fn parse(path: &Path, lines: &Lines) -> Result<Contents, StoreError> {
    let bad_line = |line: usize, problem: String| StoreError::Line {
        path: path.to_owned(),
        line,
        problem,
    };
    let mut header = None;
    let mut games = Vec::new();
    for (number, line) in lines.iter() {
        match serde_json::from_slice(line) {
            Ok(Line::Match(found)) if header.is_none() && found.identity.format == FORMAT => {
                header = Some(*found)
            }
            Ok(Line::Match(found)) if header.is_none() => {
                let problem = format!("form {} instead of {FORMAT}", found.identity.format);
                return Err(bad_line(number, problem));
            }
            Ok(Line::Match(_)) => return Err(bad_line(number, "a second match begins".to_owned())),
            Ok(Line::Game(_)) if header.is_none() => {
                return Err(bad_line(
                    number,
                    "it does not begin with a match".to_owned(),
                ));
            }
            Ok(Line::Game(game)) => games.push(*game),
            Err(error) => return Err(bad_line(number, error.to_string())),
        }
    }
    let header = header.ok_or_else(|| bad_line(1, "the file is empty".to_owned()))?;
    Ok(Contents {
        header,
        games,
        torn: lines.torn(),
    })
}

/// The first thing in which a file differs from what is to be played.
fn difference(file: &Header, wanted: &Header) -> Option<String> {
    let shard = (file.shard != wanted.shard).then(|| {
        format!(
            "it has part {} of the pairs, not {}",
            file.shard, wanted.shard
        )
    });
    identity_difference(&file.identity, &wanted.identity).or(shard)
}

/// The first thing in which two matches differ; `None` if their games can be counted together.
pub fn identity_difference(file: &Identity, wanted: &Identity) -> Option<String> {
    if file.sides.len() != wanted.sides.len() {
        return Some(format!(
            "it has {} sides, not {}",
            file.sides.len(),
            wanted.sides.len()
        ));
    }
    for (found, wanted) in file.sides.iter().zip(&wanted.sides) {
        if found.name != wanted.name {
            return Some(format!(
                "`{}` plays in it instead of `{}`",
                found.name, wanted.name
            ));
        }
        if found != wanted {
            return Some(format!(
                "`{}` has other settings or limits in it",
                found.name
            ));
        }
    }
    let seed = || format!("its seed is {}, not {}", file.seed, wanted.seed);
    let program = || {
        format!(
            "it was played by another build of the program ({} instead of {})",
            file.program.build, wanted.program.build
        )
    };
    let differences = [
        (file.variant != wanted.variant).then(|| format!("it is of the variant {}", file.variant)),
        (file.seed != wanted.seed).then(seed),
        (file.openings != wanted.openings || file.seen_openings != wanted.seen_openings)
            .then(|| "it has other openings".to_owned()),
        (file.margin_ms != wanted.margin_ms).then(|| "its time margin is another one".to_owned()),
        (file.program != wanted.program).then(program),
    ];
    differences.into_iter().flatten().next()
}
