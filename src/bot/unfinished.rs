//! Finds the games whose records have no result: those that run, and those that are stuck.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::record::{Header, Line};
use crate::api::GameId;
use crate::game::{Position, Turn, Variant};

/// A game whose record has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedGame {
    /// Its record.
    pub path: PathBuf,
    /// The game.
    pub game: GameId,
    /// Turns in the record.
    pub turns: usize,
    /// Where the game stands after them, or what is wrong with them.
    pub position: Result<Position, String>,
}

/// The unfinished games in the folder of records `dir`, by file name. Files that are no records are passed over.
///
/// # Errors
/// The folder cannot be read.
pub fn unfinished_games(dir: &Path) -> io::Result<Vec<UnfinishedGame>> {
    let mut games = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            let text = fs::read(&path)?;
            games.extend(unfinished(path, &String::from_utf8_lossy(&text)));
        }
    }
    games.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(games)
}

fn unfinished(path: PathBuf, record: &str) -> Option<UnfinishedGame> {
    let lines = record.lines().map(serde_json::from_str::<Line>);
    let mut header = None;
    let mut turns = Vec::new();
    // A last line that was cut off does not read.
    for line in lines.flatten() {
        match line {
            Line::Game(found) => header = Some(found),
            Line::Turn(line) => turns.push(line.turn),
            Line::Result(_) => return None,
        }
    }
    let header = header?;
    Some(UnfinishedGame {
        path,
        position: replay(&header, &turns),
        game: header.id,
        turns: turns.len(),
    })
}

fn replay(header: &Header, turns: &[String]) -> Result<Position, String> {
    let variant: Variant = header
        .variant
        .parse()
        .map_err(|_| "unknown variant".to_owned())?;
    let start = Position::parse(&header.initial_position, variant);
    let start = start.map_err(|error| error.to_string())?;
    turns.iter().try_fold(start, |position, text| {
        let turn: Turn = text.parse().map_err(|error| format!("{text}: {error}"))?;
        position
            .play_turn(&turn)
            .map_err(|error| format!("{text}: {error}"))
    })
}
