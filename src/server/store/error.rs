//! What can go wrong with the store.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be opened or created.
    #[error("cannot open the store {}: {problem}; check the folder, its permissions and the space left, or set `[serve] store`", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: String,
    },
    /// Another server works with the file.
    #[error("another server uses the store {}; stop it, or set `[serve] store` to another file", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged, or something else than a store.
    #[error("{} cannot be used as a store: {problem}; restore a copy of it, or set `[serve] store` to another file", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What was found.
        problem: String,
    },
    /// The file was written by a newer version.
    #[error("the store {} has schema {found}, this version knows up to {known}; use a newer yinsh-bot", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest known schema.
        known: i64,
    },
    /// A row that cannot be what was written.
    #[error("the store contradicts itself: {0}")]
    Contradiction(String),
    /// SQLite failed.
    #[error("the store failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The store's thread could not be started.
    #[error("cannot start the store's thread: {0}")]
    Thread(std::io::Error),
    /// Too many jobs wait.
    #[error("the store has too much to do")]
    Overloaded,
    /// The server stops, or has stopped.
    #[error("the store is closed")]
    Closed,
    /// A job panicked; it was undone.
    #[error("a job of the store panicked")]
    Panicked,
}

impl StoreError {
    /// Why the file at `path` is not opened.
    pub(super) fn opening(path: &Path, error: &rusqlite::Error) -> Self {
        let (path, problem) = (path.to_owned(), error.to_string());
        if is_of_the_machine(error) {
            Self::Open { path, problem }
        } else {
            Self::Unusable { path, problem }
        }
    }

    /// Whether the same request can succeed later: the disk is full or busy, rather than the data wrong.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Overloaded | Self::Closed => true,
            Self::Sqlite(error) => is_of_the_machine(error),
            _ => false,
        }
    }
}

/// Whether the disk, its permissions or another process are at fault, and not what the file holds.
fn is_of_the_machine(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DiskFull
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::SystemIoFailure
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly
                | ErrorCode::OutOfMemory
        )
    )
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn the_machines_faults_are_not_blamed_on_the_file() {
        let told = |code| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            StoreError::opening(Path::new("a.sqlite"), &error).to_string()
        };
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR, ffi::SQLITE_CANTOPEN] {
            assert!(told(code).contains("check the folder"), "{}", told(code));
        }
        for code in [ffi::SQLITE_NOTADB, ffi::SQLITE_CORRUPT] {
            assert!(told(code).contains("restore a copy"), "{}", told(code));
        }
    }
}
