//! The folder of a run: its plan, its games, its weights.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::LearnPlan;
use super::games::PlayedGame;
use crate::arena::journal::{Journal, JournalError, Lines};
use crate::search::{Evaluation, WeightsError};

/// Why learning cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The system refuses.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file of games cannot be used, or another process has it.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The folder holds another run.
    #[error("{} holds a run with another plan ({known}); use another folder", .folder.display())]
    OtherPlan {
        /// The folder.
        folder: PathBuf,
        /// Its plan.
        known: String,
    },
    /// A line is no game.
    #[error("{}:{line}: this is no game of a run: {problem}; remove the line to have the game played again", .path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The weights of a round cannot be read.
    #[error("{}: {source}; remove the file to have them fitted again", .path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// Why.
        source: WeightsError,
    },
}

/// The folder of a run.
pub struct Folder(PathBuf);

impl Folder {
    /// Opens or begins the folder of a run.
    ///
    /// # Errors
    /// The folder cannot be used or holds another run. More rounds than before are the same run.
    pub fn open(path: PathBuf, plan: &LearnPlan) -> Result<Self, LearnError> {
        let folder = Self(path);
        fs::create_dir_all(&folder.0).map_err(|source| folder.error(&folder.0, source))?;
        let plan_path = folder.0.join("plan.json");
        match fs::read_to_string(&plan_path) {
            Ok(known) => {
                let is_same = serde_json::from_str::<LearnPlan>(&known).is_ok_and(|known| {
                    LearnPlan {
                        rounds: plan.rounds,
                        ..known
                    } == *plan
                });
                if !is_same {
                    return Err(LearnError::OtherPlan {
                        folder: folder.0,
                        known: known.trim().to_owned(),
                    });
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = serde_json::to_string(plan).expect("a plan is numbers");
                folder.write_whole(&plan_path, &(text + "\n"))?;
            }
            Err(source) => return Err(folder.error(&plan_path, source)),
        }
        Ok(folder)
    }

    /// Where the weights of a round are.
    pub fn weights_path(&self, round: u32) -> PathBuf {
        self.0.join(format!("round-{round}.weights.txt"))
    }

    fn games_path(&self, round: u32) -> PathBuf {
        self.0.join(format!("round-{round}.games.jsonl"))
    }

    /// The weights of a round, if it is over.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn weights(&self, round: u32) -> Result<Option<Evaluation>, LearnError> {
        let path = self.weights_path(round);
        match fs::read_to_string(&path) {
            Ok(text) => match text.parse() {
                Ok(evaluation) => Ok(Some(evaluation)),
                Err(source) => Err(LearnError::Weights { path, source }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.error(&path, source)),
        }
    }

    /// Writes the weights of a round; gives the file.
    ///
    /// # Errors
    /// The system refuses.
    pub fn save_weights(&self, round: u32, weights: &Evaluation) -> Result<PathBuf, LearnError> {
        let path = self.weights_path(round);
        self.write_whole(&path, &weights.to_string())?;
        Ok(path)
    }

    /// The games of a round so far, and the file for those to come. A last line that was torn by a crash is cut off.
    ///
    /// # Errors
    /// The file cannot be used or is in use, or a line is no game.
    pub fn open_games(&self, round: u32) -> Result<(Journal, Vec<PlayedGame>), LearnError> {
        let path = self.games_path(round);
        let (mut journal, lines) = Journal::open(&path)?;
        let games = parse(&path, &lines)?;
        journal.repair(&lines)?;
        Ok((journal, games))
    }

    /// The games of a round that is over.
    ///
    /// # Errors
    /// The file cannot be read, or a line is no game.
    pub fn games(&self, round: u32) -> Result<Vec<PlayedGame>, LearnError> {
        let path = self.games_path(round);
        parse(&path, &Lines::read(&path)?)
    }

    /// Writes a file as a whole or not at all.
    fn write_whole(&self, path: &Path, text: &str) -> Result<(), LearnError> {
        let draft = path.with_extension("draft");
        fs::write(&draft, text)
            .and_then(|()| fs::rename(&draft, path))
            .map_err(|source| self.error(path, source))
    }

    fn error(&self, path: &Path, source: io::Error) -> LearnError {
        LearnError::Io {
            path: path.to_owned(),
            source,
        }
    }
}

fn parse(path: &Path, lines: &Lines) -> Result<Vec<PlayedGame>, LearnError> {
    let game = |(line, text)| {
        serde_json::from_slice(text).map_err(|problem| LearnError::Game {
            path: path.to_owned(),
            line,
            problem: problem.to_string(),
        })
    };
    lines.iter().map(game).collect()
}
