//! What all requests share.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::Notify;

use super::analyst::Analyst;
use super::config::ServeConfig;
use super::hub::{Hub, Topic};
use super::limits::Limits;
use super::presence::Presence;
use super::store::{Store, StoreError};
use super::time::ServerTime;

/// The server's state; clones share it.
#[derive(Clone)]
pub struct AppState {
    shared: Arc<Shared>,
}

/// The parts of an [`AppState`].
pub struct Shared {
    /// The settings.
    pub config: ServeConfig,
    /// The clock.
    pub time: ServerTime,
    /// Accounts, seeks, challenges, games.
    pub store: Store,
    /// Wake-ups for long polls.
    pub hub: Hub,
    /// Who is here.
    pub presence: Presence,
    /// How many requests each client may send.
    pub limits: Limits,
    /// Who analyses finished games.
    pub analyst: Analyst,
    /// Rung after each change, for the alarm to look for the next deadline.
    pub bell: Arc<Notify>,
}

impl AppState {
    /// Opens the store, and gives running games the time back during which the server was away.
    ///
    /// # Errors
    /// The store cannot be used.
    pub async fn open(config: &ServeConfig) -> Result<Self, StoreError> {
        let time = ServerTime::start();
        let hub = Hub::default();
        let bell = Arc::new(Notify::new());
        let on_commit = {
            let (hub, bell) = (hub.clone(), Arc::clone(&bell));
            Arc::new(move |changed: &[Topic]| {
                hub.announce(changed);
                if !changed.is_empty() {
                    bell.notify_one();
                }
            })
        };
        let store = Store::open(Path::new(&config.store), time, on_commit)?;
        store
            .write::<_, StoreError>(|tx| tx.credit_downtime())
            .await?;
        Ok(Self {
            shared: Arc::new(Shared {
                config: config.clone(),
                time,
                store,
                hub,
                presence: Presence::default(),
                limits: Limits::new(config.requests_per_minute),
                analyst: Analyst::default(),
                bell,
            }),
        })
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}
