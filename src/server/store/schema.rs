//! The store's tables, and opening its file.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;
use crate::server::name::skeleton;

/// The newest schema; kept in the file as SQLite's `user_version`.
const SCHEMA_VERSION: i64 = 2;
/// Marks the file as a store of this program ("ynsh").
const APPLICATION_ID: i64 = 0x796e_7368;
/// How long a connection waits for one of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The tables of the first schema, which every store begins with.
///
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

/// What the second schema has beside the first: ratings with their deviations, the skeletons of names, the chances that
/// players have published with their turns, and analyses, whose rows are complete from ply 0 to the end of the game.
const SECOND_SCHEMA: &str = "
ALTER TABLE accounts DROP COLUMN rating;
ALTER TABLE accounts ADD COLUMN rating REAL NOT NULL DEFAULT 1500.0;
ALTER TABLE accounts ADD COLUMN deviation REAL NOT NULL DEFAULT 350.0;
ALTER TABLE accounts ADD COLUMN volatility REAL NOT NULL DEFAULT 0.06;
ALTER TABLE accounts ADD COLUMN rated_games INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN rated_at INTEGER;
ALTER TABLE accounts ADD COLUMN skeleton TEXT NOT NULL DEFAULT '';
CREATE INDEX accounts_by_skeleton ON accounts (skeleton);
CREATE INDEX accounts_by_rating ON accounts (rating) WHERE rated_games > 0;
CREATE INDEX running_games ON games (number) WHERE reason IS NULL;
ALTER TABLE turns ADD COLUMN win_permille INTEGER;
CREATE TABLE analyses (
    game TEXT NOT NULL REFERENCES games (id),
    ply INTEGER NOT NULL,
    white_permille INTEGER NOT NULL,
    best TEXT NOT NULL,
    loss_permille INTEGER NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
";

/// Opens a connection for writing, creating the tables in a new file.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let refused = |error| StoreError::opening(path, &error);
    let mut connection = Connection::open(path).map_err(refused)?;
    prepare(&connection).map_err(refused)?;
    match schema_version(&connection).map_err(refused)? {
        0 => upgrade(&mut connection).map_err(refused)?,
        found if found > SCHEMA_VERSION => {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found,
                known: SCHEMA_VERSION,
            });
        }
        _ => {
            check(&connection, path)?;
            upgrade(&mut connection).map_err(refused)?;
        }
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

/// Makes the newest schema of whatever is there.
fn upgrade(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again: another process may have done it meanwhile.
    let version = schema_version(&transaction)?;
    if version < 1 {
        transaction.execute_batch(TABLES)?;
        transaction.execute("INSERT INTO server (one, alive_at) VALUES (1, 0)", ())?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    if version < 2 {
        transaction.execute_batch(SECOND_SCHEMA)?;
        add_skeletons(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()
}

/// Stores of the first schema have names without skeletons.
fn add_skeletons(connection: &Connection) -> rusqlite::Result<()> {
    let names: Vec<String> = connection
        .prepare("SELECT name FROM accounts")?
        .query_map((), |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for name in names {
        connection.execute(
            "UPDATE accounts SET skeleton = ?2 WHERE name = ?1",
            (&name, skeleton(&name)),
        )?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_of_the_first_schema_is_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let old = Connection::open(&path).unwrap();
        old.execute_batch(TABLES).unwrap();
        old.execute_batch(
            "INSERT INTO server VALUES (1, 0);
             INSERT INTO accounts VALUES ('bot_1', 'Ring-Master', 'bot', 1500, 7, 0);",
        )
        .unwrap();
        old.pragma_update(None, "application_id", APPLICATION_ID)
            .unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        drop(old);

        for _ in 0..2 {
            let connection = open_writer(&path).unwrap();
            let account: (String, f64, f64, u32) = connection
                .query_row(
                    "SELECT skeleton, rating, deviation, pending_version FROM accounts",
                    (),
                    |row| row.try_into(),
                )
                .unwrap();
            assert_eq!(account, ("rlngmaster".to_owned(), 1500.0, 350.0, 7));
            assert_eq!(schema_version(&connection).unwrap(), SCHEMA_VERSION);
        }
    }
}
