//! How many connections are open at once, and how long one may be silent.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A connection without a byte in either direction for so long is closed: longer than a poll hangs, so that only those
/// are closed of which nothing more is to be expected.
const SILENCE_MAX: Duration = Duration::from_secs(75);

/// Listens, and lets in only so many connections at once; others wait until one is closed.
pub struct Gate {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Gate {
    /// A gate with `places` before a listener.
    pub fn new(listener: TcpListener, places: usize) -> Self {
        Self {
            listener,
            places: Arc::new(Semaphore::new(places)),
        }
    }
}

impl Listener for Gate {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let place = Arc::clone(&self.places).acquire_owned().await;
        // The listener's own `accept` deals with errors, such as too many open files.
        let (stream, address) = Listener::accept(&mut self.listener).await;
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let connection = Connection {
            stream,
            silence: Box::pin(sleep(SILENCE_MAX)),
            _place: place.ok(),
        };
        (connection, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Who is at the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, Gate>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Gate>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// A connection that holds its place until it is closed.
pub struct Connection {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    /// `None` only if there were no places to keep account of.
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    fn is_heard(&mut self) {
        self.silence.as_mut().reset(Instant::now() + SILENCE_MAX);
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.is_heard();
            return read;
        }
        match self.silence.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.is_heard();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use tokio::io::AsyncReadExt;

    async fn gate(places: usize) -> (Gate, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (Gate::new(listener, places), address)
    }

    #[tokio::test]
    async fn one_more_waits_until_a_place_is_free() {
        let (mut gate, address) = gate(2).await;
        let _clients = [
            TcpStream::connect(address).await.unwrap(),
            TcpStream::connect(address).await.unwrap(),
            TcpStream::connect(address).await.unwrap(),
        ];
        let (first, _second) = (gate.accept().await, gate.accept().await);
        let short = Duration::from_millis(50);
        assert!(tokio::time::timeout(short, gate.accept()).await.is_err());
        drop(first);
        gate.accept().await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_stays_silent_is_closed() {
        let (mut gate, address) = gate(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let (mut connection, _) = gate.accept().await;
        let began = Instant::now();
        let error = connection.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= SILENCE_MAX);
    }
}
