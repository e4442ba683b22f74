//! The store's tables, and opening its file.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// The newest schema; kept in the file as SQLite's `user_version`.
const SCHEMA_VERSION: i64 = 1;
/// Marks the file as a store of this program ("ynsh").
const APPLICATION_ID: i64 = 0x796e_7368;
/// How long a connection waits for one of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A game without a `reason` runs; `running`, `running_since` and `deadline_at` are then set. Turns have `(game, ply)`
/// as their key, which makes it impossible to record two turns at one ply.
const TABLES: &str = "
CREATE TABLE server (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    alive_at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    kind TEXT NOT NULL,
    rating INTEGER NOT NULL,
    pending_version INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_account ON tokens (account);

CREATE TABLE seeks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    maker TEXT NOT NULL REFERENCES accounts (id),
    variant TEXT NOT NULL,
    color TEXT NOT NULL,
    rated INTEGER NOT NULL,
    initial_ms INTEGER NOT NULL,
    increment_ms INTEGER NOT NULL,
    opponent_kind TEXT NOT NULL,
    ttl_s INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    game TEXT REFERENCES games (id)
) STRICT;
CREATE INDEX seeks_by_expiry ON seeks (expires_at);
CREATE INDEX seeks_by_maker ON seeks (maker);

CREATE TABLE challenges (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    maker TEXT NOT NULL REFERENCES accounts (id),
    target TEXT NOT NULL REFERENCES accounts (id),
    variant TEXT NOT NULL,
    color TEXT NOT NULL,
    rated INTEGER NOT NULL,
    initial_ms INTEGER NOT NULL,
    increment_ms INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    decline_reason TEXT,
    game TEXT REFERENCES games (id)
) STRICT;
CREATE INDEX challenges_by_expiry ON challenges (expires_at);
CREATE INDEX challenges_by_maker ON challenges (maker);
CREATE INDEX challenges_by_target ON challenges (target);

CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    variant TEXT NOT NULL,
    rated INTEGER NOT NULL,
    white TEXT NOT NULL REFERENCES accounts (id),
    black TEXT NOT NULL REFERENCES accounts (id),
    ply INTEGER NOT NULL,
    initial_ms INTEGER NOT NULL,
    increment_ms INTEGER NOT NULL,
    white_ms INTEGER NOT NULL,
    black_ms INTEGER NOT NULL,
    running TEXT,
    running_since INTEGER,
    deadline_at INTEGER,
    illegal_turns INTEGER NOT NULL,
    winner TEXT,
    reason TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX games_by_deadline ON games (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX games_by_white ON games (white);
CREATE INDEX games_by_black ON games (black);
CREATE INDEX running_by_white ON games (white) WHERE reason IS NULL;
CREATE INDEX running_by_black ON games (black) WHERE reason IS NULL;

CREATE TABLE turns (
    game TEXT NOT NULL REFERENCES games (id),
    ply INTEGER NOT NULL,
    turn TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
";

/// Opens a connection for writing, creating the tables in a new file.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let refused = |error| StoreError::opening(path, &error);
    let mut connection = Connection::open(path).map_err(refused)?;
    prepare(&connection).map_err(refused)?;
    match schema_version(&connection).map_err(refused)? {
        0 => create(&mut connection).map_err(refused)?,
        found if found > SCHEMA_VERSION => {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found,
                known: SCHEMA_VERSION,
            });
        }
        _ => check(&connection, path)?,
    }
    Ok(connection)
}

/// Opens a connection that only reads, beside the writer's.
pub(super) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    prepare(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// With `synchronous = FULL`, a committed turn survives the loss of power too.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}

fn schema_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have created them since the version was read.
    if schema_version(&transaction)? == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.execute("INSERT INTO server (one, alive_at) VALUES (1, 0)", ())?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()
}

fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let unusable = |problem: String| StoreError::Unusable {
        path: path.to_owned(),
        problem,
    };
    let pragma = |name: &str| {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, Value>(0))
            .map_err(|error| unusable(error.to_string()))
    };
    if pragma("application_id")? != Value::Integer(APPLICATION_ID) {
        return Err(unusable("it belongs to another program".to_owned()));
    }
    match pragma("quick_check")? {
        Value::Text(verdict) if verdict == "ok" => Ok(()),
        Value::Text(problem) => Err(unusable(problem)),
        _ => Err(unusable("it is damaged".to_owned())),
    }
}
