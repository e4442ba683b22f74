//! The transport that speaks this project's API over HTTP.

mod answer;

use std::sync::Once;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, IF_NONE_MATCH};
use reqwest::{Client, RequestBuilder, Url};
use secrecy::{ExposeSecret, SecretString};

use self::answer::{check, read, read_change, read_location, read_tagged, send};
use super::transport::{Tagged, Transport, TransportError};
use super::{AccountConfig, ServerConfig};
use crate::api::{
    BASE_PATH, ChallengeCreated, ChallengeId, Decline, DeclineReason, GameId, GameState, Me, Meta,
    NewChallenge, NewSeek, Pending, PlayersPage, PutTurn, SeekCreated, SeekId, SeeksPage,
};

/// What a poll may take beyond its wait.
const POLL_GRACE: Duration = Duration::from_secs(10);

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
