//! Files of the parts of a match, put together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::header::{Header, Identity};
use super::record::GameLine;
use super::schedule::{Schedule, Shard};
use super::store::{Contents, identity_difference};

/// A match put together from files.
#[derive(Debug)]
pub struct Merged {
    /// The whole match.
    pub header: Header,
    /// Its games, in schedule order.
    pub games: Vec<GameLine>,
    /// Files that were played by another build of the program than the first.
    pub other_builds: Vec<PathBuf>,
}

/// Why files cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to put together.
    #[error("name at least one file")]
    NoFile,
    /// A file is of another match.
    #[error("{} is not of the same match as {}: {difference}", .file.display(), .first.display())]
    OtherMatch {
        /// The file.
        file: PathBuf,
        /// The file that it was compared with.
        first: PathBuf,
        /// What is different.
        difference: String,
    },
    /// A game was played twice, and not alike.
    #[error("game {game} in {} is another one than in {}", .file.display(), .first.display())]
    Conflict {
        /// Number of the game.
        game: u64,
        /// The file.
        file: PathBuf,
        /// The file in which it stood before.
        first: PathBuf,
    },
}

/// Puts the files of a match together.
///
/// # Errors
/// They are not of one match, or contradict each other.
pub fn merge(files: Vec<(PathBuf, Contents)>) -> Result<Merged, MergeError> {
    let (first, contents) = files.first().ok_or(MergeError::NoFile)?;
    let (first, header) = (first.clone(), contents.header.clone());
    let mut games: BTreeMap<u64, (GameLine, PathBuf)> = BTreeMap::new();
    let mut rounds = 0;
    let schedule = Schedule::new(header.identity.sides.len(), 0, Shard::WHOLE);
    let mut other_builds = Vec::new();
    for (path, contents) in files {
        check(&first, &header, &path, &contents.header)?;
        if contents.header.identity.program != header.identity.program {
            other_builds.push(path.clone());
        }
        // A file may have gone on as a longer match than it began as.
        let of_games = contents
            .games
            .iter()
            .map(|game| schedule.game(game.game).round + 1);
        rounds = of_games.fold(rounds.max(contents.header.rounds), u64::max);
        for game in contents.games {
            match games.get(&game.game) {
                Some((known, first)) if !known.is_same_game(&game) => {
                    return Err(MergeError::Conflict {
                        game: game.game,
                        file: path,
                        first: first.clone(),
                    });
                }
                Some(_) => {}
                None => drop(games.insert(game.game, (game, path.clone()))),
            }
        }
    }
    Ok(Merged {
        header: Header {
            rounds,
            shard: Shard::WHOLE,
            ..header
        },
        games: games.into_values().map(|(game, _)| game).collect(),
        other_builds,
    })
}

/// Whether two files are of the same match; builds may differ, since machines may.
fn check(first: &Path, header: &Header, path: &Path, other: &Header) -> Result<(), MergeError> {
    let same_build = Identity {
        program: header.identity.program.clone(),
        ..other.identity.clone()
    };
    let test = (header.sprt != other.sprt).then(|| "it has another sequential test".to_owned());
    match identity_difference(&same_build, &header.identity).or(test) {
        None => Ok(()),
        Some(difference) => Err(MergeError::OtherMatch {
            file: path.to_owned(),
            first: first.to_owned(),
            difference,
        }),
    }
}
