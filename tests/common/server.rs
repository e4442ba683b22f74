//! A game server for tests, in this process or over real HTTP, and players who talk to it.

#![allow(dead_code, reason = "each test program uses its part")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;
use yinsh_bot::api::{BASE_PATH, GameState, Problem, ProblemCode};
use yinsh_bot::game::{Position, Turn};
use yinsh_bot::server::{AppState, ServeConfig, Server, router};

/// A running server with its store in a temporary folder.
pub struct TestServer {
    pub config: ServeConfig,
    pub server: Server,
    http: reqwest::Client,
    folder: Arc<TempDir>,
}

/// Settings for tests: a free port, a store in `folder`, and limits that are not in the way.
pub fn config_in(folder: &Path) -> ServeConfig {
    ServeConfig {
        address: "127.0.0.1:0".to_owned(),
        store: folder.join("store.sqlite").display().to_string(),
        open_registration: true,
        requests_per_minute: 100_000,
        ..ServeConfig::default()
    }
}

impl TestServer {
    /// A server with settings for tests.
    pub async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    /// A server with settings changed by `change`.
    pub async fn start_with(change: impl FnOnce(&mut ServeConfig)) -> Self {
        let folder = Arc::new(TempDir::new().expect("a temporary folder"));
        let mut config = config_in(folder.path());
        change(&mut config);
        Self::launch(config, folder).await
    }

    async fn launch(config: ServeConfig, folder: Arc<TempDir>) -> Self {
        let server = Server::start(&config).await.expect("the server starts");
        Self {
            config,
            server,
            http: http_client(),
            folder,
        }
    }

    /// Stops the server, waits, and starts another on the same store.
    pub async fn restart_after(self, pause: Duration) -> Self {
        self.server.shutdown().await.expect("the server stops");
        tokio::time::sleep(pause).await;
        Self::launch(self.config, self.folder).await
    }

    /// Somebody without a token.
    pub fn guest(&self) -> Client {
        Client {
            target: Target::Http(self.http.clone(), self.server.url()),
            token: None,
            id: String::new(),
        }
    }

    /// A new bot account.
    pub async fn bot(&self, name: &str) -> Client {
        let bot = self.server.create_bot(name).await.expect("a new account");
        Client {
            token: Some(bot.token.token),
            id: bot.id.to_string(),
            ..self.guest()
        }
    }

    /// An account that was made before a restart.
    pub fn again(&self, client: &Client) -> Client {
        Client {
            token: client.token.clone(),
            id: client.id.clone(),
            ..self.guest()
        }
    }
}

/// The router alone, called in this process; nothing happens there without a request.
pub struct InProcess {
    router: Router,
    _folder: TempDir,
}

impl InProcess {
    /// A router with settings for tests.
    pub async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    /// A router with settings changed by `change`.
    pub async fn start_with(change: impl FnOnce(&mut ServeConfig)) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let mut config = config_in(folder.path());
        change(&mut config);
        let state = AppState::open(&config).await.expect("the store opens");
        Self {
            router: router(state),
            _folder: folder,
        }
    }

    /// Somebody without a token.
    pub fn guest(&self) -> Client {
        Client {
            target: Target::Router(self.router.clone()),
            token: None,
            id: String::new(),
        }
    }

    /// A new bot account, by open registration.
    pub async fn bot(&self, name: &str) -> Client {
        let answer = self.guest().post("/bots", json!({ "name": name })).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        Client {
            token: Some(answer.text("token")),
            id: answer.text("id"),
            ..self.guest()
        }
    }
}

#[derive(Clone)]
enum Target {
    Router(Router),
    Http(reqwest::Client, String),
}

/// Somebody who sends requests.
#[derive(Clone)]
pub struct Client {
    target: Target,
    pub token: Option<String>,
    /// The account's identifier.
    pub id: String,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Client {
    /// Somebody with a token, at a server's address.
    pub fn at(url: &str, token: &str) -> Self {
        Self {
            target: Target::Http(http_client(), url.to_owned()),
            token: Some(token.to_owned()),
            id: String::new(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn get_known(&self, path: &str, etag: &str) -> Answer {
        let headers = [("if-none-match", etag)];
        self.send(Method::GET, path, &headers, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::POST, path, body).await
    }

    /// A POST without a body.
    pub async fn act(&self, path: &str) -> Answer {
        self.send(Method::POST, path, &[], None).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send_json(Method::PUT, path, body).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, &[], None).await
    }

    async fn send_json(&self, method: Method, path: &str, body: Value) -> Answer {
        let headers = [("content-type", "application/json")];
        let body = Some(body.to_string().into_bytes());
        self.send(method, path, &headers, body).await
    }

    /// Any request; `path` is below the API's base.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Answer {
        let answer = self.try_send(method, path, headers, body).await;
        answer.expect("an answer")
    }

    /// Any request; nothing when the connection fails.
    pub async fn try_send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Option<Answer> {
        let bearer = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let mut all: Vec<(&str, &str)> = headers.to_vec();
        all.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
        match &self.target {
            Target::Router(router) => {
                let uri = format!("{BASE_PATH}{path}");
                Some(in_process(router.clone(), method, &uri, &all, body).await)
            }
            Target::Http(http, url) => {
                let url = format!("{url}{BASE_PATH}{path}");
                over_http(http, method, &url, &all, body).await.ok()
            }
        }
    }

    /// Plays a turn and expects it to be recorded.
    pub async fn play(&self, game: &str, ply: u16, turn: &str) -> GameState {
        let answer = self.put_turn(game, ply, turn).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{turn}: {answer:?}");
        answer.json()
    }

    pub async fn put_turn(&self, game: &str, ply: u16, turn: &str) -> Answer {
        let path = format!("/games/{game}/turns/{ply}");
        self.put(&path, json!({ "turn": turn })).await
    }

    pub async fn game(&self, game: &str) -> GameState {
        let answer = self.get(&format!("/games/{game}")).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.json()
    }
}

impl Answer {
    pub fn json<T: DeserializeOwned>(&self) -> T {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    pub fn text(&self, field: &str) -> String {
        let value: Value = self.json();
        let text = value[field].as_str();
        text.unwrap_or_else(|| panic!("no {field} in {value}"))
            .to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        let value = value.unwrap_or_else(|| panic!("no {name} in {:?}", self.headers));
        value.to_str().expect("a header in ASCII")
    }

    pub fn etag(&self) -> String {
        self.header("etag").to_owned()
    }

    /// Asserts that this is a complete problem with this status and code, and returns it.
    #[track_caller]
    pub fn problem(&self, status: u16, code: ProblemCode) -> Problem {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Problem = self.json();
        assert_eq!(
            (problem.status, problem.code),
            (status, code),
            "{problem:?}"
        );
        assert_eq!(problem.kind, "about:blank");
        assert!(!problem.title.is_empty() && !problem.detail.is_empty());
        assert_eq!(
            problem.request_id.as_deref(),
            Some(self.header("x-request-id"))
        );
        problem
    }
}

async fn in_process(
    router: Router,
    method: Method,
    uri: &str,
    headers: &[(&str, &str)],
    body: Option<Vec<u8>>,
) -> Answer {
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = body.unwrap_or_default();
    let request = request
        .header("content-length", body.len())
        .body(Body::from(body))
        .expect("a request");
    let response = router.oneshot(request).await.expect("an answer");
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX)
        .await
        .expect("a body");
    Answer {
        status: parts.status,
        headers: parts.headers,
        body: body.to_vec(),
    }
}

async fn over_http(
    http: &reqwest::Client,
    method: Method,
    url: &str,
    headers: &[(&str, &str)],
    body: Option<Vec<u8>>,
) -> reqwest::Result<Answer> {
    let mut request = http.request(method, url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    if let Some(body) = body {
        request = request.body(body);
    }
    let response = request.send().await?;
    Ok(Answer {
        status: response.status(),
        headers: response.headers().clone(),
        body: response.bytes().await?.to_vec(),
    })
}

pub fn http_client() -> reqwest::Client {
    // Another test may have installed it before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}

/// Begins a game of `white` against `black` by a challenge; returns its identifier.
pub async fn begin_game(white: &Client, black: &Client, initial_ms: u64) -> String {
    let clock = json!({ "initial_ms": initial_ms, "increment_ms": 0 });
    begin(white, black, "standard", clock).await
}

/// Begins a game with this variant and clock.
pub async fn begin(white: &Client, black: &Client, variant: &str, clock: Value) -> String {
    let challenge = json!({ "to": black.id, "variant": variant, "color": "white", "rated": false, "clock": clock });
    let created = white.post("/challenges", challenge).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
    let path = format!("/challenges/{}/accept", created.text("id"));
    let accepted = black.act(&path).await;
    assert_eq!(accepted.status, StatusCode::CREATED, "{accepted:?}");
    let id = accepted.text("id");
    assert_eq!(
        accepted.header("location"),
        format!("{BASE_PATH}/games/{id}")
    );
    id
}

/// The first legal turn of a game.
pub fn first_turn(game: &GameState) -> Turn {
    let position = game.replay().expect("the game replays");
    first_turn_of(&position)
}

pub fn first_turn_of(position: &Position) -> Turn {
    let turns = position
        .legal_turns(&[], 1)
        .expect("an empty prefix is legal");
    turns.into_iter().next().expect("the game goes on")
}
