//! A proxy between a bot and its server that spoils some of the requests, each in a way chosen at random.

#![allow(dead_code, reason = "each test program uses its part")]

mod http;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use self::http::{Reply, Request, read, write};

/// A way to spoil a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It arrives late, and so does its answer.
    Delay,
    /// The connection breaks before the server hears of it.
    ResetBefore,
    /// The connection breaks when the server has done its work.
    ResetAfter,
    /// The connection ends in the middle of the answer.
    Truncation,
    /// A page for people, with a good status.
    Html,
    /// No body, with a good status.
    Empty,
    /// A body that no answer of the API comes near.
    Huge,
    /// JSON of another shape.
    WrongTypes,
    /// 429 with the server's words and a time to wait.
    Limited,
    /// 429 with a page and nothing else.
    LimitedByPage,
    /// A status from 500 up before the server hears of it.
    FailedBefore,
    /// The same when the server has done its work.
    FailedAfter,
    /// What the same resource answered the last time.
    Stale,
    /// The server does its work, and nothing ever comes back.
    BlackHole,
    /// A page that repeats the request with its token.
    Echo,
}

impl Fault {
    pub const ALL: [Self; 15] = [
        Self::Delay,
        Self::ResetBefore,
        Self::ResetAfter,
        Self::Truncation,
        Self::Html,
        Self::Empty,
        Self::Huge,
        Self::WrongTypes,
        Self::Limited,
        Self::LimitedByPage,
        Self::FailedBefore,
        Self::FailedAfter,
        Self::Stale,
        Self::BlackHole,
        Self::Echo,
    ];
}

/// A turn that was acknowledged: the game and the ply.
pub type Played = (String, u16);

/// What went through.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    pub requests: u64,
    pub faults: BTreeMap<Fault, u64>,
    /// Turns that were sent, each one once.
    pub sent: BTreeMap<Played, Vec<String>>,
    /// Turns whose good answer went back.
    pub acknowledged: BTreeMap<Played, String>,
}

/// The running proxy; it ends when this is dropped.
pub struct Proxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    server: String,
    http: reqwest::Client,
    /// How many of 100 requests are spoiled.
    percent: u32,
    state: Mutex<State>,
}

struct State {
    random: Xoshiro256PlusPlus,
    traffic: Traffic,
    /// The last answer of every resource.
    last: HashMap<String, Reply>,
}

impl Proxy {
    /// Starts between anybody and `server`; spoils `percent` of 100 requests, by `seed`.
    pub async fn start(server: &str, percent: u32, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let shared = Arc::new(Shared {
            server: server.to_owned(),
            http: super::common::http_client(),
            percent,
            state: Mutex::new(State {
                random: Xoshiro256PlusPlus::seed_from_u64(seed),
                traffic: Traffic::default(),
                last: HashMap::new(),
            }),
        });
        let address = listener.local_addr().expect("its address");
        let listening = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(Arc::clone(&listening), stream));
            }
        });
        Self {
            address,
            shared,
            task,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn traffic(&self) -> Traffic {
        self.shared.lock().traffic.clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves the requests of one connection until it ends or is broken.
async fn serve(shared: Arc<Shared>, stream: TcpStream) {
    let mut stream = BufReader::new(stream);
    while let Ok(Some(request)) = read(&mut stream).await {
        let fault = shared.draw(&request);
        if answer(&shared, &mut stream, &request, fault).await.is_err() {
            return;
        }
    }
}

/// Answers a request; an error ends the connection.
async fn answer(
    shared: &Shared,
    stream: &mut BufReader<TcpStream>,
    request: &Request,
    fault: Option<Fault>,
) -> io::Result<()> {
    let broken = || io::Error::other("broken on purpose");
    let page = |status, text: &str| Reply {
        status,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: text.as_bytes().to_vec(),
    };
    let reply = match fault {
        None => shared.forward(request).await?,
        Some(Fault::Delay) => {
            tokio::time::sleep(Duration::from_millis(shared.number(100, 1_500))).await;
            shared.forward(request).await?
        }
        Some(Fault::ResetBefore) => return reset(stream),
        Some(Fault::ResetAfter) => {
            shared.forward(request).await?;
            return reset(stream);
        }
        Some(Fault::Truncation) => {
            let bytes = write(&shared.forward(request).await?);
            stream.write_all(&bytes[..bytes.len() * 2 / 3]).await?;
            return Err(broken());
        }
        Some(Fault::Html) => page(200, "<html><body>Checking your browser</body></html>"),
        Some(Fault::Empty) => page(200, ""),
        Some(Fault::Huge) => page(200, &"{\"id\":".repeat(400_000)),
        Some(Fault::WrongTypes) => page(
            200,
            r#"{"id":7,"version":"x","games":{},"status":[],"ply":-1}"#,
        ),
        Some(Fault::Limited) => limited(),
        Some(Fault::LimitedByPage) => page(429, "<html>Too many requests</html>"),
        Some(Fault::FailedBefore) => page(500 + shared.number(0, 4) as u16, "<html>Oops</html>"),
        Some(Fault::FailedAfter) => {
            shared.forward(request).await?;
            page(502 + shared.number(0, 2) as u16, "")
        }
        Some(Fault::Stale) => match shared.remembered(request) {
            Some(reply) => reply,
            None => shared.forward(request).await?,
        },
        Some(Fault::BlackHole) => {
            shared.forward(request).await?;
            // Until the other side gives up.
            stream.read_u8().await?;
            return Err(broken());
        }
        Some(Fault::Echo) => page(502, &format!("<html>{:?}</html>", request.headers)),
    };
    stream.write_all(&write(&reply)).await?;
    if (200..300).contains(&reply.status) && fault.is_none_or(|fault| fault == Fault::Delay) {
        shared.acknowledge(request);
    }
    Ok(())
}

fn reset(stream: &BufReader<TcpStream>) -> io::Result<()> {
    stream.get_ref().set_zero_linger()?;
    Err(io::Error::other("reset on purpose"))
}

fn limited() -> Reply {
    let body = r#"{"type":"about:blank","title":"Too many requests","status":429,"code":"rate-limited","detail":"slower"}"#;
    Reply {
        status: 429,
        headers: vec![
            (
                "content-type".to_owned(),
                "application/problem+json".to_owned(),
            ),
            ("retry-after".to_owned(), "1".to_owned()),
        ],
        body: body.as_bytes().to_vec(),
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request and decides whether it is spoiled.
    fn draw(&self, request: &Request) -> Option<Fault> {
        let mut state = self.lock();
        let state = &mut *state;
        state.traffic.requests += 1;
        if let Some((played, turn)) = request.played() {
            let turns = state.traffic.sent.entry(played).or_default();
            if !turns.contains(&turn) {
                turns.push(turn);
            }
        }
        if state.random.random_range(0..100) >= self.percent {
            return None;
        }
        let fault = *Fault::ALL
            .choose(&mut state.random)
            .expect("there are faults");
        *state.traffic.faults.entry(fault).or_default() += 1;
        Some(fault)
    }

    fn acknowledge(&self, request: &Request) {
        if let Some((played, turn)) = request.played() {
            self.lock().traffic.acknowledged.insert(played, turn);
        }
    }

    fn number(&self, min: u64, max: u64) -> u64 {
        self.lock().random.random_range(min..=max)
    }

    fn remembered(&self, request: &Request) -> Option<Reply> {
        self.lock().last.get(request.resource()).cloned()
    }

    async fn forward(&self, request: &Request) -> io::Result<Reply> {
        let method = request.method.parse().map_err(io::Error::other)?;
        let mut forward = self
            .http
            .request(method, format!("{}{}", self.server, request.path));
        for (name, value) in &request.headers {
            if !matches!(name.as_str(), "host" | "connection" | "content-length") {
                forward = forward.header(name, value);
            }
        }
        let response = forward
            .body(request.body.clone())
            .send()
            .await
            .map_err(io::Error::other)?;
        let headers = response.headers().iter();
        let headers = headers.map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        });
        let mut reply = Reply {
            status: response.status().as_u16(),
            headers: headers
                .filter(|(name, _)| {
                    !matches!(
                        name.as_str(),
                        "content-length" | "transfer-encoding" | "connection"
                    )
                })
                .collect(),
            body: Vec::new(),
        };
        reply.body = response.bytes().await.map_err(io::Error::other)?.to_vec();
        if reply.status < 300 {
            self.lock()
                .last
                .insert(request.resource().to_owned(), reply.clone());
        }
        Ok(reply)
    }
}
