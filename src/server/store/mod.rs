//! The store: one SQLite file, which is the truth about accounts, seeks, challenges and games.
//!
//! One thread writes and one reads. All changes go through [`Store::write`], one transaction each and one after the
//! other, so a request sees the state that the one before it committed; what was changed is announced after the commit.
//! Reads see the last committed state and never wait for a write to reach the disk.

mod accounts;
mod analyses;
mod error;
mod games;
mod lobby;
mod schema;
mod worker;

use std::fs::{File, TryLockError};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};

use crate::api::PlayerId;

use super::hub::Topic;
use super::time::{Millis, ServerTime};
use worker::Worker;

pub use accounts::{Account, Identity};
pub use error::StoreError;
pub use games::GameEntry;
pub use lobby::{Offer, StoredChallenge, StoredSeek};

/// Told which topics a transaction has changed, after it is committed.
pub type OnCommit = Arc<dyn Fn(&[Topic]) + Send + Sync>;

/// A handle to the store; clones share it. [`Store::close`] closes it, or else the last of them.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    writer: Worker,
    reader: Worker,
    time: ServerTime,
    on_commit: OnCommit,
    /// Held as long as the store is open, so that two servers never share a file.
    lock: File,
}

/// What is committed, for reading.
pub struct Snapshot<'a> {
    connection: &'a Connection,
}

/// A transaction: reads like a [`Snapshot`], and writes.
pub struct Tx<'a> {
    snapshot: Snapshot<'a>,
    now: Millis,
    changed: Vec<Topic>,
}

impl Store {
    /// Opens the file, creating it when it is missing.
    ///
    /// # Errors
    /// The file cannot be used, or another server uses it.
    pub fn open(path: &Path, time: ServerTime, on_commit: OnCommit) -> Result<Self, StoreError> {
        let lock = lock(path)?;
        let writer = schema::open_writer(path)?;
        let reader = schema::open_reader(path)?;
        Ok(Self {
            inner: Arc::new(Inner {
                writer: Worker::start("store-writer", writer)?,
                reader: Worker::start("store-reader", reader)?,
                time,
                on_commit,
                lock,
            }),
        })
    }

    /// Reads one committed state.
    pub fn read<T, E>(
        &self,
        read: impl FnOnce(&Snapshot) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.inner.reader.run(move |connection| {
            let transaction = connection.transaction().map_err(StoreError::Sqlite)?;
            read(&Snapshot {
                connection: &transaction,
            })
        })
    }

    /// Runs a transaction: committed when `change` succeeds, undone when it fails. It is queued at once, before the
    /// returned future is first polled, and runs to its end even if that future is dropped.
    pub fn write<T, E>(
        &self,
        change: impl FnOnce(&mut Tx) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let time = self.inner.time;
        let on_commit = Arc::clone(&self.inner.on_commit);
        self.inner.writer.run(move |connection| {
            let (value, changed) = transact(connection, time, |tx| {
                let value = change(tx)?;
                tx.sign_of_life()?;
                Ok::<_, E>(value)
            })?;
            on_commit(&changed);
            Ok(value)
        })
    }

    /// Finishes what is queued, closes the file and makes way for another server, whoever still has a clone; what they
    /// ask for from then on fails with [`StoreError::Closed`]. Waits for the disk.
    pub fn close(&self) {
        self.inner.writer.close();
        self.inner.reader.close();
        if let Err(error) = self.inner.lock.unlock() {
            tracing::warn!(%error, "the store's lock is held until the program ends");
        }
    }
}

/// Runs one transaction on a connection of its own, beside a server that may be running.
///
/// # Errors
/// The file cannot be used, or `change` fails.
pub fn write_once<T, E: From<StoreError>>(
    path: &Path,
    change: impl FnOnce(&mut Tx) -> Result<T, E>,
) -> Result<T, E> {
    let mut connection = schema::open_writer(path)?;
    transact(&mut connection, ServerTime::start(), change).map(|(value, _)| value)
}

fn transact<T, E: From<StoreError>>(
    connection: &mut Connection,
    time: ServerTime,
    change: impl FnOnce(&mut Tx) -> Result<T, E>,
) -> Result<(T, Vec<Topic>), E> {
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(StoreError::Sqlite)?;
    let mut tx = Tx {
        snapshot: Snapshot {
            connection: &transaction,
        },
        now: time.now(),
        changed: Vec::new(),
    };
    let value = change(&mut tx)?;
    let changed = tx.changed;
    transaction.commit().map_err(StoreError::Sqlite)?;
    Ok((value, changed))
}

fn lock(path: &Path) -> Result<File, StoreError> {
    let cannot_open = |error: std::io::Error| StoreError::Open {
        path: path.to_owned(),
        problem: error.to_string(),
    };
    let mut lock_path = path.as_os_str().to_owned();
    lock_path.push(".lock");
    let file = File::create(lock_path).map_err(cannot_open)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(cannot_open(error)),
    }
}

impl<'a> Deref for Tx<'a> {
    type Target = Snapshot<'a>;

    fn deref(&self) -> &Snapshot<'a> {
        &self.snapshot
    }
}

impl Tx<'_> {
    /// When the transaction began.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Notes that a player's pending challenges or games have changed.
    fn touch_pending(&mut self, player: &PlayerId) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "UPDATE accounts SET pending_version = pending_version + 1 WHERE id = ?1",
            )?
            .execute([player.as_str()])?;
        self.changed.push(Topic::Pending(player.clone()));
        Ok(())
    }

    /// Notes that the server was alive at this moment, so that time during which it is not can be credited.
    fn sign_of_life(&mut self) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("UPDATE server SET alive_at = ?1")?
            .execute([to_sql(self.now)?])?;
        Ok(())
    }
}

/// SQLite's integers are signed; instants and durations are not.
fn to_sql(number: u64) -> Result<i64, StoreError> {
    i64::try_from(number)
        .map_err(|_| StoreError::Contradiction(format!("{number} is too large to be stored")))
}

/// Reads an instant or duration that the store itself has written.
fn from_sql(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Contradiction(format!("{number} is negative")))
}

/// Reads a word that the store itself has written.
fn known<T>(what: &str, word: &str, read: Option<T>) -> Result<T, StoreError> {
    read.ok_or_else(|| StoreError::Contradiction(format!("`{word}` is no {what}")))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::api::PlayerKind;

    type Announced = Arc<Mutex<Vec<Topic>>>;

    fn store() -> (Store, Announced, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let announced = Announced::default();
        let sink = Arc::clone(&announced);
        let on_commit: OnCommit =
            Arc::new(move |changed| sink.lock().unwrap().extend_from_slice(changed));
        let path = folder.path().join("store.sqlite");
        let store = Store::open(&path, ServerTime::start(), on_commit).unwrap();
        (store, announced, folder)
    }

    fn add(tx: &mut Tx, id: &str) -> Result<(), StoreError> {
        let name = format!("{id}{}", "x".repeat(2000));
        let account = Account::new(id.into(), name, PlayerKind::Bot);
        tx.insert_account(&account)?;
        tx.touch_pending(&account.id)
    }

    async fn has(store: &Store, id: &'static str) -> bool {
        let found = store.read::<_, StoreError>(move |snapshot| snapshot.account(&id.into()));
        found.await.unwrap().is_some()
    }

    #[tokio::test]
    async fn what_fails_or_panics_is_undone_and_not_announced() {
        let (store, announced, _folder) = store();
        let failing = store.write(|tx| {
            add(tx, "ada")?;
            Err::<(), _>(StoreError::Overloaded)
        });
        assert!(failing.await.is_err());
        let panicking = store.write::<(), StoreError>(|tx| {
            add(tx, "bob")?;
            panic!("a mistake");
        });
        assert!(matches!(panicking.await, Err(StoreError::Panicked)));
        assert!(!has(&store, "ada").await && !has(&store, "bob").await);
        assert!(announced.lock().unwrap().is_empty());

        store.write(|tx| add(tx, "ada")).await.unwrap();
        assert!(has(&store, "ada").await);
        let expected = [Topic::Lobby, Topic::Pending("ada".into())];
        assert_eq!(*announced.lock().unwrap(), expected);
    }

    #[tokio::test]
    async fn names_of_people_who_never_played_are_forgotten() {
        let (store, _, _folder) = store();
        let insert = |tx: &mut Tx| {
            for (id, kind) in [("ada", PlayerKind::Human), ("bob", PlayerKind::Bot)] {
                tx.insert_account(&Account::new(id.into(), id.to_owned(), kind))?;
                tx.insert_token(&id.into(), &id.into(), &[id.as_bytes()[0]; 32], None)?;
            }
            Ok::<_, StoreError>(())
        };
        store.write(insert).await.unwrap();
        store
            .write(|tx| tx.forget_unused_people(tx.now() - 60_000))
            .await
            .unwrap();
        assert!(has(&store, "ada").await && has(&store, "bob").await);
        store
            .write(|tx| tx.forget_unused_people(tx.now() + 1))
            .await
            .unwrap();
        assert!(!has(&store, "ada").await && has(&store, "bob").await);
    }

    #[tokio::test]
    async fn a_job_is_done_though_nobody_waits_for_it() {
        let (store, _, _folder) = store();
        drop(store.write(|tx| add(tx, "ada")));
        store.write::<_, StoreError>(|_| Ok(())).await.unwrap();
        assert!(has(&store, "ada").await);
    }

    #[tokio::test]
    async fn a_full_disk_passes() {
        let (store, announced, _folder) = store();
        let limit_pages = |pages: u32| {
            store.write::<_, StoreError>(move |tx| {
                Ok(tx.connection.pragma_update(None, "max_page_count", pages)?)
            })
        };
        limit_pages(1).await.unwrap();
        let mut accounts = 0;
        let error = loop {
            match store
                .write(move |tx| add(tx, &format!("bot{accounts}")))
                .await
            {
                Ok(()) => accounts += 1,
                Err(error) => break error,
            }
        };
        assert!(error.may_pass(), "{error}");
        assert_eq!(announced.lock().unwrap().len(), 2 * accounts);
        limit_pages(100_000).await.unwrap();
        store.write(|tx| add(tx, "ada")).await.unwrap();
        assert!(has(&store, "ada").await);
    }
}
