//! The file of a run: JSON lines, the first saying what is tuned, then one for each batch of games.
//!
//! The results are all that is kept. The values, the next games and the estimate follow from them, so that a run that was
//! killed goes on as if nothing had happened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::chain::{Course, Design};
use super::parameter::Parameter;
use super::tuning::Tuning;
use crate::arena::header::{OpeningsLine, Program, SideLine, short_hash};
use crate::arena::journal::{Journal, JournalError, Lines};
use crate::arena::schedule::Shard;

/// Number of the form of these files.
const FORMAT: u32 = 1;

/// What is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneHeader {
    /// What must be the same in all files of a run.
    pub identity: TuneIdentity,
    /// The part of it in this file.
    pub shard: Shard,
}

/// Everything that shapes the games of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneIdentity {
    /// Number of the form of the file.
    pub format: u32,
    /// The program.
    pub program: Program,
    /// The rules.
    pub variant: String,
    /// The seed of everything.
    pub seed: u64,
    /// The openings.
    pub openings: OpeningsLine,
    /// How far time may be overstepped, in ms.
    pub margin_ms: u64,
    /// The present settings and the limits.
    pub side: SideLine,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// How long, and in which steps.
    pub course: Course,
}

impl TuneIdentity {
    /// The form that this program writes.
    pub(super) const FORMAT: u32 = FORMAT;

    /// What shapes the chains.
    pub fn design(&self) -> Design {
        Design {
            parameters: self.parameters.clone(),
            course: self.course,
            seed: self.seed,
        }
    }

    /// The first digits of a hash of it, for names of files.
    pub fn short_hash(&self) -> String {
        short_hash(self)
    }

    /// The first thing in which another run differs; `None` if it is the same.
    fn difference(&self, other: &Self) -> Option<String> {
        let names = |identity: &Self| {
            let names = identity.parameters.iter().map(|p| p.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let differs = |found: bool, what: String| found.then_some(what);
        let (own, its) = (names(self), names(other));
        let differences = [
            differs(own != its, format!("it tunes {own}, not {its}")),
            differs(
                self.side != other.side,
                "the settings in effect or the limits of a turn were others".to_owned(),
            ),
            differs(
                self.parameters != other.parameters,
                "ranges of parameters were others".to_owned(),
            ),
            differs(
                self.course != other.course,
                "it has other games, chains or steps".to_owned(),
            ),
            differs(
                self.seed != other.seed,
                format!("its seed is {}, not {}", self.seed, other.seed),
            ),
            differs(
                self.variant != other.variant,
                format!("it is of the variant {}", self.variant),
            ),
            differs(
                self.openings != other.openings,
                "it has other openings".to_owned(),
            ),
            differs(
                self.margin_ms != other.margin_ms,
                "its time margin is another one".to_owned(),
            ),
            differs(
                self.program != other.program,
                "it was played by another build of the program".to_owned(),
            ),
        ];
        differences.into_iter().flatten().next()
    }
}

/// The results of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchLine {
    /// Its chain.
    pub chain: u64,
    /// Its first pair of games in the chain.
    pub first: u64,
    /// Pairs with 0, ½, 1, 1½ and 2 points, from the view of the first side.
    pub results: [u64; 5],
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TuneLine {
    Tune(Box<TuneHeader>),
    Batch(BatchLine),
}

/// A file of a run that is being written.
pub struct TuneStore(Journal);

/// What a file of a run held.
#[derive(Debug)]
pub struct TuneContents {
    /// What is tuned.
    pub header: TuneHeader,
    /// Its batches, with the numbers of their lines, in the order in which they ended.
    pub batches: Vec<(usize, BatchLine)>,
    /// Bytes of a last line that was not written to its end.
    pub torn: usize,
}

/// Why a file of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TuneFileError {
    /// The file cannot be read or written, or another process has it.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A line cannot be read, or does not belong there.
    #[error("{}:{line}: this is no line of a tuning file: {problem}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The file is of another run.
    #[error("the tuning file {} is of another run: {difference}; use another file", .path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What is different.
        difference: String,
    },
    /// A batch was played twice, and not alike.
    #[error("the games of chain {chain} from pair {first} in {} are others than in an earlier file", .path.display())]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The chain.
        chain: u64,
        /// Its pair.
        first: u64,
    },
    /// There is nothing to put together.
    #[error("name at least one file")]
    NoFile,
}

impl TuneStore {
    /// Opens the file of a run, or begins it; gives the run as far as it is played. A last line that was torn by a crash
    /// is cut off.
    ///
    /// # Errors
    /// The file cannot be used, belongs to another run, or is in use.
    pub fn open(path: &Path, header: &TuneHeader) -> Result<(Self, Tuning), TuneFileError> {
        let (mut journal, lines) = Journal::open(path)?;
        let mut tuning = Tuning::new(header.identity.design(), header.shard);
        if !lines.is_empty() {
            let contents = parse(path, &lines)?;
            check(path, &contents.header.identity, &header.identity)?;
            if contents.header.shard != header.shard {
                let difference = format!(
                    "it has part {}, not {}",
                    contents.header.shard, header.shard
                );
                return Err(other_run(path, difference));
            }
            for (line, batch) in &contents.batches {
                tuning
                    .take_in(batch)
                    .map_err(|problem| TuneFileError::Line {
                        path: path.to_owned(),
                        line: *line,
                        problem,
                    })?;
            }
        }
        journal.repair(&lines)?;
        if lines.is_empty() {
            journal.append(&TuneLine::Tune(Box::new(header.clone())))?;
        }
        Ok((Self(journal), tuning))
    }

    /// Writes the results of a batch.
    ///
    /// # Errors
    /// The system refuses, as on a full disk.
    pub fn add(&mut self, batch: &BatchLine) -> Result<(), TuneFileError> {
        Ok(self.0.append(&TuneLine::Batch(batch.clone()))?)
    }
}

/// Reads a file that nobody writes any more.
///
/// # Errors
/// The file cannot be read or is of no run.
pub fn read_tuning(path: &Path) -> Result<TuneContents, TuneFileError> {
    parse(path, &Lines::read(path)?)
}

/// Puts the files of the parts of a run together: the whole run, and its batches in the order of their chains.
///
/// # Errors
/// They are not of one run, or contradict each other.
pub fn merge_tunings(
    files: Vec<(PathBuf, TuneContents)>,
) -> Result<(TuneHeader, Vec<BatchLine>), TuneFileError> {
    let (_, first) = files.first().ok_or(TuneFileError::NoFile)?;
    let header = TuneHeader {
        shard: Shard::WHOLE,
        ..first.header.clone()
    };
    let mut batches: BTreeMap<(u64, u64), BatchLine> = BTreeMap::new();
    for (path, contents) in files {
        let same_build = TuneIdentity {
            program: header.identity.program.clone(),
            ..contents.header.identity
        };
        check(&path, &same_build, &header.identity)?;
        for (_, batch) in contents.batches {
            let (chain, first) = (batch.chain, batch.first);
            match batches.get(&(chain, first)) {
                Some(known) if *known != batch => {
                    return Err(TuneFileError::Conflict { path, chain, first });
                }
                _ => drop(batches.insert((chain, first), batch)),
            }
        }
    }
    Ok((header, batches.into_values().collect()))
}

fn check(path: &Path, found: &TuneIdentity, wanted: &TuneIdentity) -> Result<(), TuneFileError> {
    match found.difference(wanted) {
        None => Ok(()),
        Some(difference) => Err(other_run(path, difference)),
    }
}

fn other_run(path: &Path, difference: String) -> TuneFileError {
    TuneFileError::OtherRun {
        path: path.to_owned(),
        difference,
    }
}

fn parse(path: &Path, lines: &Lines) -> Result<TuneContents, TuneFileError> {
    let bad_line = |line: usize, problem: String| TuneFileError::Line {
        path: path.to_owned(),
        line,
        problem,
    };
    let mut header: Option<TuneHeader> = None;
    let mut batches = Vec::new();
    for (number, line) in lines.iter() {
        let line = serde_json::from_slice(line);
        match (
            line.map_err(|error| bad_line(number, error.to_string()))?,
            &header,
        ) {
            (TuneLine::Tune(found), None) if found.identity.format == FORMAT => {
                header = Some(*found);
            }
            (TuneLine::Tune(found), None) => {
                let problem = format!("form {} instead of {FORMAT}", found.identity.format);
                return Err(bad_line(number, problem));
            }
            (TuneLine::Tune(_), Some(_)) => {
                return Err(bad_line(number, "a second run begins".to_owned()));
            }
            (TuneLine::Batch(_), None) => {
                return Err(bad_line(number, "it does not begin with a run".to_owned()));
            }
            (TuneLine::Batch(batch), Some(_)) => batches.push((number, batch)),
        }
    }
    Ok(TuneContents {
        header: header.ok_or_else(|| bad_line(1, "the file is empty".to_owned()))?,
        batches,
        torn: lines.torn(),
    })
}
