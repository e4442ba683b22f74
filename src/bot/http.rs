//! The transport that speaks this project's API over HTTP.

use std::sync::Once;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{
    AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, RETRY_AFTER,
};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;

use super::transport::{Refusal, Tagged, Transport, TransportError};
use super::{AccountConfig, ServerConfig};
use crate::api::{
    BASE_PATH, ChallengeCreated, ChallengeId, Decline, DeclineReason, GameId, GameState, Me, Meta,
    NewChallenge, NewSeek, Pending, PlayersPage, PutTurn, SeekCreated, SeekId, SeeksPage,
};

/// No answer of this API comes near this size.
const BODY_MAX: usize = 512 * 1024;
/// So much of a body that does not read is shown.
const SNIPPET_CHARS: usize = 200;
/// What a poll may take beyond its wait.
const POLL_GRACE: Duration = Duration::from_secs(10);
/// No server may silence the bot for longer than this.
const RETRY_AFTER_MAX_S: u64 = 24 * 3600;

/// Why no client can be made.
#[derive(Debug, thiserror::Error)]
pub enum HttpSetupError {
    /// The address is none.
    #[error("`url` in [server] is `{url}`, which is no http or https address")]
    Url {
        /// What was given.
        url: String,
    },
    /// The address holds more than it should, perhaps a secret.
    #[error(
        "`url` in [server] must have no user name, password, query or fragment; a token belongs in the file that \
         `token_file` in [account] names"
    )]
    UrlParts,
    /// A text that no header can carry.
    #[error("{what} cannot be sent in an HTTP header: only printable ASCII characters can")]
    Header {
        /// Where the text came from.
        what: &'static str,
    },
    /// The TLS set-up of this machine does not work.
    #[error("the HTTP client cannot be set up: {0}")]
    Client(#[from] reqwest::Error),
}

/// One account's connections to one server.
pub struct HttpTransport {
    client: Client,
    base: String,
    request_timeout: Duration,
}

impl HttpTransport {
    /// Sets up the connection pool; nothing is sent yet.
    ///
    /// # Errors
    /// An unusable address or contact, or a machine without usable TLS.
    pub fn new(
        server: &ServerConfig,
        account: &AccountConfig,
        token: &SecretString,
    ) -> Result<Self, HttpSetupError> {
        let url = Url::parse(&server.url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| HttpSetupError::Url {
                url: server.url.clone(),
            })?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !is_plain || url.query().is_some() || url.fragment().is_some() {
            return Err(HttpSetupError::UrlParts);
        }
        let mut bearer = HeaderValue::try_from(format!("Bearer {}", token.expose_secret()))
            .map_err(|_| HttpSetupError::Header { what: "the token" })?;
        bearer.set_sensitive(true);
        let mut builder = client_builder()
            .user_agent(user_agent(account.contact.as_deref())?)
            .default_headers(HeaderMap::from_iter([(AUTHORIZATION, bearer)]))
            .connect_timeout(Duration::from_millis(server.connect_timeout_ms));
        if is_loopback(&url) {
            builder = builder.no_proxy();
        } else if url.scheme() == "http" {
            tracing::warn!(
                host = url.host_str(),
                "the token goes over plain http, where others can read it: use https in [server] url"
            );
        }
        Ok(Self {
            client: builder.build()?,
            base: format!("{}{BASE_PATH}", url.as_str().trim_end_matches('/')),
            request_timeout: Duration::from_millis(server.request_timeout_ms),
        })
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.client
            .get(format!("{}{path}", self.base))
            .timeout(self.request_timeout)
    }

    /// A request that the server may hold back for `wait_s` while `tag` still names the state.
    fn hanging(&self, path: &str, wait_s: u64, tag: Option<&str>) -> RequestBuilder {
        let request = self
            .get(path)
            .timeout(Duration::from_secs(wait_s) + POLL_GRACE);
        match tag {
            Some(tag) => request.header(IF_NONE_MATCH, tag),
            None => request,
        }
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.client
            .post(format!("{}{path}", self.base))
            .timeout(self.request_timeout)
    }

    fn delete(&self, path: &str) -> RequestBuilder {
        self.client
            .delete(format!("{}{path}", self.base))
            .timeout(self.request_timeout)
    }
}

/// A client that follows no redirect: the token is for one server only.
fn client_builder() -> reqwest::ClientBuilder {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // Fails only when the process has a provider already, and that one will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    Client::builder().redirect(reqwest::redirect::Policy::none())
}

fn user_agent(contact: Option<&str>) -> Result<HeaderValue, HttpSetupError> {
    let mut text = format!("yinsh-bot/{}", env!("CARGO_PKG_VERSION"));
    if let Some(contact) = contact {
        text.push_str(&format!(" (+{contact})"));
    }
    HeaderValue::try_from(text).map_err(|_| HttpSetupError::Header {
        what: "`contact` in [account]",
    })
}

fn is_loopback(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    })
}

#[async_trait]
impl Transport for HttpTransport {
    async fn meta(&self) -> Result<Meta, TransportError> {
        read(self.get("/meta")).await
    }

    async fn me(&self) -> Result<Me, TransportError> {
        read(self.get("/me")).await
    }

    async fn pending(
        &self,
        wait_s: u64,
        tag: Option<&str>,
    ) -> Result<Option<Tagged<Pending>>, TransportError> {
        let path = format!("/me/pending?wait={wait_s}");
        read_change(self.hanging(&path, wait_s, tag)).await
    }

    async fn game(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError> {
        let path = format!("/games/{}", segment(game.as_str()));
        read_tagged(self.get(&path)).await
    }

    async fn game_change(
        &self,
        game: &GameId,
        wait_s: u64,
        tag: &str,
    ) -> Result<Option<Tagged<GameState>>, TransportError> {
        let path = format!("/games/{}?wait={wait_s}", segment(game.as_str()));
        read_change(self.hanging(&path, wait_s, Some(tag))).await
    }

    async fn play(
        &self,
        game: &GameId,
        ply: u16,
        turn: &PutTurn,
        timeout: Duration,
    ) -> Result<Tagged<GameState>, TransportError> {
        let path = format!("{}/games/{}/turns/{ply}", self.base, segment(game.as_str()));
        let timeout = timeout.min(self.request_timeout);
        read_tagged(self.client.put(path).timeout(timeout).json(turn)).await
    }

    async fn abort(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError> {
        read_tagged(self.post(&format!("/games/{}/abort", segment(game.as_str())))).await
    }

    async fn resign(&self, game: &GameId) -> Result<Tagged<GameState>, TransportError> {
        read_tagged(self.post(&format!("/games/{}/resign", segment(game.as_str())))).await
    }

    async fn accept(&self, challenge: &ChallengeId) -> Result<GameId, TransportError> {
        let path = format!("/challenges/{}/accept", segment(challenge.as_str()));
        read_location(self.post(&path)).await
    }

    async fn decline(
        &self,
        challenge: &ChallengeId,
        reason: DeclineReason,
    ) -> Result<(), TransportError> {
        let path = format!("/challenges/{}/decline", segment(challenge.as_str()));
        let response = send(self.post(&path).json(&Decline { reason })).await?;
        check(response).await.map(drop)
    }

    async fn challenge(
        &self,
        challenge: &NewChallenge,
    ) -> Result<ChallengeCreated, TransportError> {
        read(self.post("/challenges").json(challenge)).await
    }

    async fn cancel_challenge(&self, challenge: &ChallengeId) -> Result<(), TransportError> {
        let path = format!("/challenges/{}", segment(challenge.as_str()));
        check(send(self.delete(&path)).await?).await.map(drop)
    }

    async fn seeks(&self) -> Result<SeeksPage, TransportError> {
        read(self.get("/seeks")).await
    }

    async fn seek(&self, seek: &NewSeek) -> Result<SeekCreated, TransportError> {
        read(self.post("/seeks").json(seek)).await
    }

    async fn accept_seek(&self, seek: &SeekId) -> Result<GameId, TransportError> {
        let path = format!("/seeks/{}/accept", segment(seek.as_str()));
        read_location(self.post(&path)).await
    }

    async fn cancel_seek(&self, seek: &SeekId) -> Result<(), TransportError> {
        let path = format!("/seeks/{}", segment(seek.as_str()));
        check(send(self.delete(&path)).await?).await.map(drop)
    }

    async fn players(&self, cursor: Option<&str>) -> Result<PlayersPage, TransportError> {
        let path = match cursor {
            Some(cursor) => format!("/players?cursor={}", segment(cursor)),
            None => "/players".to_owned(),
        };
        read(self.get(&path)).await
    }
}

/// The game that has begun, which the answer names as its location.
async fn read_location(request: RequestBuilder) -> Result<GameId, TransportError> {
    let response = send(request).await?;
    let status = response.status().as_u16();
    let location = response.headers().get(LOCATION).cloned();
    let body = check(response).await?;
    let game = location.as_ref().and_then(|place| place.to_str().ok());
    let game = game.and_then(|place| place.rsplit('/').next());
    game.filter(|id| !id.is_empty())
        .map(GameId::from)
        .ok_or_else(|| TransportError::Unreadable {
            status,
            detail: "no Location header names the game".to_owned(),
            body: snippet(&body),
        })
}

async fn read<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, TransportError> {
    parse(send(request).await?).await
}

async fn read_tagged<T: DeserializeOwned>(
    request: RequestBuilder,
) -> Result<Tagged<T>, TransportError> {
    parse_tagged(send(request).await?).await
}

async fn read_change<T: DeserializeOwned>(
    request: RequestBuilder,
) -> Result<Option<Tagged<T>>, TransportError> {
    let response = send(request).await?;
    if response.status() == StatusCode::NOT_MODIFIED {
        return Ok(None);
    }
    parse_tagged(response).await.map(Some)
}

async fn parse_tagged<T: DeserializeOwned>(
    response: Response,
) -> Result<Tagged<T>, TransportError> {
    let tag = response.headers().get(ETAG);
    let tag = tag.and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    let value = parse(response).await?;
    Ok(Tagged { value, tag })
}

async fn send(request: RequestBuilder) -> Result<Response, TransportError> {
    request.send().await.map_err(network)
}

async fn parse<T: DeserializeOwned>(response: Response) -> Result<T, TransportError> {
    let status = response.status().as_u16();
    let body = check(response).await?;
    serde_json::from_slice(&body).map_err(|error| TransportError::Unreadable {
        status,
        detail: error.to_string(),
        body: snippet(&body),
    })
}

/// The body of an answer with a good status.
async fn check(response: Response) -> Result<Vec<u8>, TransportError> {
    let status = response.status();
    let retry_after = retry_after(response.headers());
    let body = body(response).await;
    if status.is_success() {
        return body;
    }
    // A refusal counts even when its body is lost on the way.
    let body = body.unwrap_or_default();
    let problem = serde_json::from_slice(&body).ok();
    Err(TransportError::Refused(Box::new(Refusal {
        status: status.as_u16(),
        retry_after,
        body: match problem {
            Some(_) => String::new(),
            None => snippet(&body),
        },
        problem,
    })))
}

async fn body(mut response: Response) -> Result<Vec<u8>, TransportError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(network)? {
        if body.len() + chunk.len() > BODY_MAX {
            return Err(TransportError::TooLarge { limit: BODY_MAX });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds.min(RETRY_AFTER_MAX_S)))
}

fn network(error: reqwest::Error) -> TransportError {
    if error.is_timeout() {
        return TransportError::Timeout;
    }
    // reqwest itself says no more than "error sending request"; the reason stands in the sources.
    let sources = std::iter::successors(std::error::Error::source(&error), |error| error.source());
    let reasons: Vec<_> = sources.map(ToString::to_string).collect();
    let detail = match reasons.as_slice() {
        [] => error.without_url().to_string(),
        reasons => reasons.join(": "),
    };
    TransportError::Network { detail }
}

/// The beginning of a body for a log line, without line breaks and other control characters.
fn snippet(body: &[u8]) -> String {
    String::from_utf8_lossy(body)
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(SNIPPET_CHARS)
        .collect()
}

/// An identifier as one segment of a path: servers choose them, so nothing in them may reach beyond it.
fn segment(id: &str) -> String {
    let mut text = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
