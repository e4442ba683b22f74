//! A server that runs.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::api::{CreatedBot, NewBot};

use super::config::ServeConfig;
use super::error::ApiError;
use super::gate::{Gate, Peer};
use super::name::check_name;
use super::router::router;
use super::state::AppState;
use super::store::{self, StoreError, Tx};
use super::{alarm, registration};

/// How long open connections may take to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Why a server does not start, or an account is not created.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error(
        "cannot listen on {address}: {source}; set `[serve] address` to a free address and port such as 127.0.0.1:8080, or to port 0 for any"
    )]
    Bind {
        /// The address.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The account cannot be created.
    #[error("cannot create the account: {0}")]
    Account(#[from] ApiError),
    /// The server stopped by itself.
    #[error("the server stopped: {0}")]
    Stopped(io::Error),
}

/// A running server. Dropping it without [`Server::shutdown`] leaves it running until the runtime ends.
pub struct Server {
    address: SocketAddr,
    state: AppState,
    stop: watch::Sender<bool>,
    serving: JoinHandle<io::Result<()>>,
    alarm: JoinHandle<()>,
}

impl Server {
    /// Opens the store, listens, and serves in the background.
    ///
    /// # Errors
    /// The address or the store cannot be used.
    pub async fn start(config: &ServeConfig) -> Result<Self, ServeError> {
        let cannot_bind = |source| ServeError::Bind {
            address: config.address.clone(),
            source,
        };
        let listener = TcpListener::bind(&config.address)
            .await
            .map_err(cannot_bind)?;
        let address = listener.local_addr().map_err(cannot_bind)?;
        if !address.ip().is_loopback() {
            tracing::warn!(%address, "listening beyond loopback without TLS: put a proxy with TLS in front");
        }
        let state = AppState::open(config).await?;
        let gate = Gate::new(listener, config.connections_max as usize);
        let (stop, stopped) = watch::channel(false);
        let alarm = tokio::spawn(alarm::run(state.clone(), stopped.clone()));
        let serving = tokio::spawn(serve(gate, state.clone(), stopped));
        tracing::info!(%address, store = config.store, "serving");
        Ok(Self {
            address,
            state,
            stop,
            serving,
            alarm,
        })
    }

    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a client's config wants it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Creates a bot account; its token is in the answer and nowhere else.
    ///
    /// # Errors
    /// The name is not allowed or taken, or the store failed.
    pub async fn create_bot(&self, name: &str) -> Result<CreatedBot, ServeError> {
        let new = new_bot(name);
        let create = move |tx: &mut Tx| registration::create_bot(tx, &new);
        Ok(self.state.store.write(create).await?)
    }

    /// Ends hanging requests, lets the others finish, and closes the store.
    ///
    /// # Errors
    /// The server had stopped by itself before.
    pub async fn shutdown(self) -> Result<(), ServeError> {
        self.stop.send_replace(true);
        self.state.analyst.stop();
        let mut serving = self.serving;
        let ended = tokio::time::timeout(SHUTDOWN_TIMEOUT, &mut serving).await;
        if ended.is_err() {
            tracing::warn!("some connections did not end in time");
            serving.abort();
        }
        // A panicked alarm has been logged by its panic.
        let _ = self.alarm.await;
        // Connections that have just ended, or did not end in time, may still share the state.
        let store = self.state.store.clone();
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
        match ended {
            Ok(Ok(Err(error))) => Err(ServeError::Stopped(error)),
            _ => Ok(()),
        }
    }
}

/// Creates a bot account in a store, whether a server uses it or not.
///
/// # Errors
/// The store cannot be used, or the name is not allowed or taken.
pub fn create_bot(store: &Path, name: &str) -> Result<CreatedBot, ServeError> {
    // Before the store, which would be made for nothing.
    check_name(name)?;
    store::write_once(store, |tx| {
        registration::create_bot(tx, &new_bot(name)).map_err(ServeError::Account)
    })
}

fn new_bot(name: &str) -> NewBot {
    NewBot {
        name: name.to_owned(),
        token_ttl_s: None,
    }
}

async fn serve(gate: Gate, state: AppState, mut stop: watch::Receiver<bool>) -> io::Result<()> {
    let hub = state.hub.clone();
    let service = router(state).into_make_service_with_connect_info::<Peer>();
    axum::serve(gate, service)
        .with_graceful_shutdown(async move {
            let _ = stop.wait_for(|stop| *stop).await;
            hub.close();
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_has_stopped_leaves_its_store_whoever_still_knows_it() {
        let folder = tempfile::tempdir().unwrap();
        let config = ServeConfig {
            address: "127.0.0.1:0".to_owned(),
            store: folder.path().join("store.sqlite").display().to_string(),
            ..ServeConfig::default()
        };
        let server = Server::start(&config).await.unwrap();
        let straggler = server.state.clone();
        let queued = straggler.store.write(|tx: &mut Tx| {
            std::thread::sleep(Duration::from_millis(100));
            registration::create_bot(tx, &new_bot("ada"))
        });
        server.shutdown().await.unwrap();
        queued.await.unwrap();
        let refused = straggler.store.write::<_, StoreError>(|_| Ok(())).await;
        assert!(matches!(refused, Err(StoreError::Closed)));

        let again = Server::start(&config).await.unwrap();
        assert!(again.create_bot("ada").await.is_err(), "ada is there");
        again.shutdown().await.unwrap();
    }
}
