//! Records: one file of JSON lines for each game, written turn by turn.
//!
//! A header, a line for each turn with what the own search thought of it, and the result. Every line is complete on
//! disk before the next one begins, so a killed process loses nothing, and a restarted one goes on where the file ends.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::event::{Event, GameInfo, PlayedTurn};
use crate::api::{Clock, GameId, PlayerRef};
use crate::game::{Outcome, Turn};
use crate::search::SearchReport;

/// The records of one account's games on one server.
pub struct Records {
    dir: PathBuf,
    server: String,
    open: HashMap<GameId, OpenRecord>,
}

/// A record that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the record {path} cannot be written: {source}")]
pub struct RecordError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

struct OpenRecord {
    path: PathBuf,
    file: File,
    /// Turns before this ply are in the file already.
    next_ply: u16,
    is_finished: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    Game(Header),
    Turn(TurnLine),
    Result(ResultLine),
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Header {
    server: String,
    pub id: GameId,
    pub variant: String,
    rated: bool,
    white: PlayerRef,
    black: PlayerRef,
    me: String,
    clock: Clock,
    pub initial_position: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TurnLine {
    ply: u16,
    by: String,
    pub turn: String,
    white_ms: u64,
    black_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    search: Option<SearchLine>,
}

#[derive(Serialize, Deserialize)]
struct SearchLine {
    win_probability: Option<f64>,
    simulations: u64,
    elapsed_ms: u64,
    principal: Vec<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ResultLine {
    winner: Option<String>,
    reason: Option<String>,
}

impl Records {
    /// Records in `dir` of games on `server`. Nothing is written before the first game.
    pub fn new(dir: PathBuf, server: &str) -> Self {
        Self {
            dir,
            server: server.to_owned(),
            open: HashMap::new(),
        }
    }

    /// Writes down what belongs into a record; names the record that is complete now, if any.
    ///
    /// # Errors
    /// The file cannot be written. That game's record ends there; the others go on.
    pub fn see(&mut self, event: &Event) -> Result<Option<(GameId, PathBuf)>, RecordError> {
        match event {
            Event::GameStarted(info) => {
                let header = Header::new(&self.server, info);
                let record = OpenRecord::open(&self.dir, &header)?;
                self.open.insert(info.game.clone(), record);
                Ok(None)
            }
            Event::TurnPlayed(played) => {
                self.write(&played.game, |record| record.write_turn(played))?;
                Ok(None)
            }
            Event::GameFinished { game, outcome } => {
                self.write(game, |record| record.write_result(*outcome))?;
                let finished = self.open.remove(game);
                Ok(finished.map(|record| (game.clone(), record.path)))
            }
            _ => Ok(None),
        }
    }

    fn write(
        &mut self,
        game: &GameId,
        write: impl FnOnce(&mut OpenRecord) -> io::Result<()>,
    ) -> Result<(), RecordError> {
        let Some(record) = self.open.get_mut(game) else {
            return Ok(());
        };
        let result = write(record);
        let path = record.path.clone();
        result.map_err(|source| {
            self.open.remove(game);
            RecordError { path, source }
        })
    }
}

impl OpenRecord {
    /// Goes on with the record of this very game, or begins a new one.
    fn open(dir: &Path, header: &Header) -> Result<Self, RecordError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| RecordError { path, source }
        };
        fs::create_dir_all(dir).map_err(at(dir))?;
        let mut copy = 1;
        loop {
            let path = dir.join(file_name(&header.id, copy));
            if let Some(record) = Self::resume(&path, header).map_err(at(&path))? {
                return Ok(record);
            }
            copy += 1;
        }
    }

    /// Opens `path` unless it holds another game.
    fn resume(path: &Path, header: &Header) -> io::Result<Option<Self>> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        // A last line without its end was cut off when the process was killed.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let read = |line| serde_json::from_str::<Line>(line).ok();
        let mut lines = text[..whole].lines().map(read);
        let is_new = match lines.next() {
            None => true,
            Some(Some(Line::Game(found))) if found.is_same_game(header) => false,
            Some(_) => return Ok(None),
        };
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole as u64)?;
        let mut record = Self {
            path: path.to_owned(),
            file,
            next_ply: 0,
            is_finished: false,
        };
        for line in lines.flatten() {
            match line {
                Line::Game(_) => {}
                Line::Turn(turn) => record.next_ply = turn.ply + 1,
                Line::Result(_) => record.is_finished = true,
            }
        }
        if is_new {
            record.write(&Line::Game(header.clone()))?;
        }
        Ok(Some(record))
    }

    fn write_turn(&mut self, played: &PlayedTurn) -> io::Result<()> {
        if played.ply < self.next_ply {
            return Ok(());
        }
        self.write(&Line::Turn(TurnLine {
            ply: played.ply,
            by: played.by.to_string(),
            turn: played.turn.to_string(),
            white_ms: millis(played.clocks.white),
            black_ms: millis(played.clocks.black),
            search: played.report.as_ref().map(SearchLine::from),
        }))?;
        self.next_ply = played.ply + 1;
        Ok(())
    }

    fn write_result(&mut self, outcome: Option<Outcome>) -> io::Result<()> {
        if self.is_finished {
            return Ok(());
        }
        self.is_finished = true;
        self.write(&Line::Result(ResultLine {
            winner: outcome.and_then(|o| o.winner).map(|c| c.to_string()),
            reason: outcome.map(|o| o.reason.to_string()),
        }))
    }

    /// One call to the system for one line: a process that is killed leaves whole lines.
    fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

impl Header {
    fn new(server: &str, info: &GameInfo) -> Self {
        Self {
            server: server.to_owned(),
            id: info.game.clone(),
            variant: info.variant.to_string(),
            rated: info.rated,
            white: info.players.white.clone(),
            black: info.players.black.clone(),
            me: info.me.to_string(),
            clock: info.clock,
            initial_position: info.initial.to_string(),
        }
    }

    /// Ratings and names change while a game is played.
    fn is_same_game(&self, other: &Self) -> bool {
        let key = |header: &Self| {
            (
                header.server.clone(),
                header.id.clone(),
                header.white.id.clone(),
                header.black.id.clone(),
            )
        };
        key(self) == key(other)
    }
}

impl From<&SearchReport> for SearchLine {
    fn from(report: &SearchReport) -> Self {
        Self {
            win_probability: report.win_probability,
            simulations: report.simulations,
            elapsed_ms: millis(report.elapsed),
            principal: report.principal.iter().map(Turn::to_string).collect(),
        }
    }
}

/// A file name that stays in its folder, whatever a server calls its games.
fn file_name(game: &GameId, copy: u32) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let stem: String = game.as_str().chars().map(plain).take(100).collect();
    match copy {
        1 => format!("{stem}.jsonl"),
        copy => format!("{stem}-{copy}.jsonl"),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
