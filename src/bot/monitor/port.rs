//! The port on the loopback interface that tells the figures.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::{Health, Monitor};

/// How long a question to a running bot may take, and how long the answer may be.
const ASK_TIMEOUT: Duration = Duration::from_secs(3);
const ASK_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Why the figures cannot be told.
#[derive(Debug, thiserror::Error)]
#[error(
    "port {port} of 127.0.0.1 cannot be opened for /healthz and /metrics: {source}; `port` in [monitor] names another"
)]
pub struct PortError {
    /// The port.
    pub port: u16,
    /// What the system says.
    pub source: io::Error,
}

/// An open port; it is closed when this is dropped.
#[derive(Debug)]
pub struct MonitorPort {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl MonitorPort {
    /// Opens `port` on the loopback interface, so that only this machine can ask; 0 takes a free one.
    ///
    /// # Errors
    /// The port is taken, or not allowed.
    pub async fn open(port: u16, monitor: Monitor) -> Result<Self, PortError> {
        let failed = |source| PortError { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let routes = router(monitor);
        let task = tokio::spawn(async move {
            // It ends only with the task.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(Self { address, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for MonitorPort {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Asks a running bot on this machine for `path`, such as `/metrics`; gives the body, whatever the status.
///
/// # Errors
/// Nobody listens there, or does not speak HTTP in time.
pub fn ask_monitor(port: u16, path: &str) -> io::Result<String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, ASK_TIMEOUT)?;
    stream.set_read_timeout(Some(ASK_TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.take(ASK_BYTES_MAX).read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let body = answer
        .split_once("\r\n\r\n")
        .map(|(_, body)| body.to_owned());
    body.ok_or_else(|| io::Error::other("what answers there does not speak HTTP"))
}

fn router(monitor: Monitor) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/metrics", get(metrics))
        .route("/games", get(games))
        .with_state(monitor)
}

async fn healthz(State(monitor): State<Monitor>) -> Response {
    let health = monitor.health();
    let status = match health {
        Health::Ok { .. } => StatusCode::OK,
        Health::Stale { .. } => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, format!("{}\n", health.describe())).into_response()
}

async fn metrics(State(monitor): State<Monitor>) -> Response {
    let kind = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    (kind, monitor.to_prometheus()).into_response()
}

async fn games(State(monitor): State<Monitor>) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, monitor.games_as_json()).into_response()
}
