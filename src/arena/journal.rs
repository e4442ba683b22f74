//! A file of JSON lines that one process writes: locked, repaired after a crash, appended to.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

/// A file of lines that is being written.
pub struct Journal {
    path: PathBuf,
    /// Locked as long as it is open.
    file: File,
}

/// What a file of lines held.
#[derive(Debug)]
pub struct Lines {
    text: Vec<u8>,
    /// Length of what was written to its end.
    whole: usize,
}

/// Why a file of lines cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refuses.
    #[error("the file {}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process has it.
    #[error("the file {} is in use by another process", .0.display())]
    Locked(PathBuf),
}

impl Journal {
    /// Opens a file, or begins it, and gives what it holds. Nothing is changed yet.
    ///
    /// # Errors
    /// The file cannot be used, or is in use.
    pub fn open(path: &Path) -> Result<(Self, Lines), JournalError> {
        let io_error = |source| JournalError::Io {
            path: path.to_owned(),
            source,
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io_error)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io_error)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked(path.to_owned()),
            TryLockError::Error(source) => io_error(source),
        })?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io_error)?;
        let journal = Self {
            path: path.to_owned(),
            file,
        };
        Ok((journal, Lines::new(text)))
    }

    /// Cuts off a last line that was torn by a crash.
    ///
    /// # Errors
    /// The system refuses.
    pub fn repair(&mut self, lines: &Lines) -> Result<(), JournalError> {
        if lines.torn() == 0 {
            return Ok(());
        }
        let cut = self.file.set_len(lines.whole as u64);
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(drop).map_err(|source| self.io_error(source))
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The system refuses, as on a full disk.
    ///
    /// # Panics
    /// The line is something that JSON cannot say.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_vec(line).expect("a line is plain data");
        text.push(b'\n');
        let written = self.file.write_all(&text);
        written.map_err(|source| self.io_error(source))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn io_error(&self, source: io::Error) -> JournalError {
        JournalError::Io {
            path: self.path.clone(),
            source,
        }
    }
}

impl Lines {
    fn new(text: Vec<u8>) -> Self {
        let end = text.iter().rposition(|byte| *byte == b'\n');
        Self {
            text,
            whole: end.map_or(0, |end| end + 1),
        }
    }

    /// Reads a file that nobody writes any more.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(path: &Path) -> Result<Self, JournalError> {
        let text = fs::read(path).map_err(|source| JournalError::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self::new(text))
    }

    /// The lines that were written to their ends, with their numbers from 1.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let lines = self.text[..self.whole].split_inclusive(|byte| *byte == b'\n');
        (1..).zip(lines)
    }

    /// Whether there is no whole line.
    pub const fn is_empty(&self) -> bool {
        self.whole == 0
    }

    /// Bytes of a last line that was not written to its end.
    pub const fn torn(&self) -> usize {
        self.text.len() - self.whole
    }
}
