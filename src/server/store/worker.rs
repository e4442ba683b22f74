//! A thread with its own connection to the store.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::StoreError;

/// So many jobs may wait; one more is refused, and its client told to come again.
const QUEUE_LENGTH: usize = 1024;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Does jobs one after the other, in the order in which they came. A job that has been taken is done to its end, even
/// if nobody waits for it any more.
pub(super) struct Worker {
    /// `None` when closed.
    running: Mutex<Option<Running>>,
}

struct Running {
    jobs: SyncSender<Job>,
    thread: JoinHandle<()>,
}

impl Worker {
    pub(super) fn start(name: &str, mut connection: Connection) -> Result<Self, StoreError> {
        let (jobs, queue) = sync_channel::<Job>(QUEUE_LENGTH);
        let work = move || {
            for job in queue {
                // A job that panics drops its transaction, which undoes it, and its answer, which tells its client.
                if catch_unwind(AssertUnwindSafe(|| job(&mut connection))).is_err() {
                    tracing::error!("a job of the store panicked");
                }
            }
        };
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(work)
            .map_err(StoreError::Thread)?;
        Ok(Self {
            running: Mutex::new(Some(Running { jobs, thread })),
        })
    }

    /// Queues a job at once, before the returned future is first polled.
    pub(super) fn run<T, E>(
        &self,
        job: impl FnOnce(&mut Connection) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let span = tracing::Span::current();
        let queued = self.queue(Box::new(move |connection| {
            let done = span.in_scope(|| job(connection));
            // Nobody may be waiting any more, which is fine.
            let _ = answer.send(done);
        }));
        async move {
            queued?;
            answered.await.map_err(|_| StoreError::Panicked)?
        }
    }

    fn queue(&self, job: Job) -> Result<(), StoreError> {
        let running = self.running();
        let running = running.as_ref().ok_or(StoreError::Closed)?;
        running.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Overloaded,
            TrySendError::Disconnected(_) => StoreError::Closed,
        })
    }

    /// Takes no more jobs, waits for those that are queued, and closes the connection.
    pub(super) fn close(&self) {
        let closing = self.running().take();
        if let Some(Running { jobs, thread }) = closing {
            drop(jobs);
            // A panic has been logged where it happened.
            let _ = thread.join();
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.close();
    }
}
