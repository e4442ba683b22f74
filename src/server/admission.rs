//! Who is let in: tokens and rate limits, checked before a request's body is read.

use std::convert::Infallible;

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::{PlayerId, TOKEN_PREFIX, TokenId};

use super::error::ApiError;
use super::gate::Peer;
use super::limiter::{Allowance, Exhausted};
use super::limits::{Bucket, Client};
use super::secret;
use super::session;
use super::state::AppState;
use super::store::{Identity, StoreError};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The account that sends a request, and the token it uses.
#[derive(Clone, Debug)]
pub struct Caller(pub Identity);

impl Caller {
    /// The account's identifier.
    pub fn id(&self) -> &PlayerId {
        &self.0.account.id
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| {
            tracing::error!("a route wants its caller, but is not behind `members`");
            ApiError::Internal
        })
    }
}

/// Somebody who may only be watching.
#[derive(Clone, Debug)]
pub struct Visitor(Option<Caller>);

impl Visitor {
    /// The visitor's account and token, if any.
    pub fn caller(&self) -> Option<&Caller> {
        self.0.as_ref()
    }

    /// The token that the visitor uses, if any.
    pub fn token(&self) -> Option<&TokenId> {
        self.caller().map(|caller| &caller.0.token_id)
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get().cloned()))
    }
}

/// Lets everybody in, within the limits of their address.
pub async fn guests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let guest = address(request.extensions());
    within_limits(&state, Bucket::Requests, guest, next.run(request)).await
}

/// Lets those in who want an account, within the limits of their address.
pub async fn newcomers(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let guest = address(request.extensions());
    within_limits(&state, Bucket::Accounts, guest, next.run(request)).await
}

/// Lets those with a token in within its limits, and those without one within the limits of their address. A session that
/// is over is as good as none.
pub async fn watchers(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let has_bearer = request.headers().contains_key(AUTHORIZATION);
    let known = identify(&state, request.method(), request.headers()).await;
    if known.is_ok() || has_bearer {
        return admit(&state, Bucket::Requests, known, request, next).await;
    }
    let guest = address(request.extensions());
    within_limits(&state, Bucket::Watching, guest, next.run(request)).await
}

/// Lets those with a token in, within its limits.
pub async fn members(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let known = identify(&state, request.method(), request.headers()).await;
    admit(&state, Bucket::Requests, known, request, next).await
}

/// Lets those with a token in who send a turn.
pub async fn turns(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let known = identify(&state, request.method(), request.headers()).await;
    admit(&state, Bucket::Turns, known, request, next).await
}

async fn admit(
    state: &AppState,
    bucket: Bucket,
    known: Result<Identity, ApiError>,
    mut request: Request,
    next: Next,
) -> Response {
    match known {
        Ok(identity) => {
            let client = Client::Token(identity.token_id.clone());
            let answer = async {
                let player = identity.account.id.clone();
                state.presence.note(&player, state.time.now());
                request.extensions_mut().insert(Caller(identity));
                let response = next.run(request).await;
                state.presence.note(&player, state.time.now());
                response
            };
            within_limits(state, bucket, client, answer).await
        }
        // Whoever guesses tokens is slowed down by address.
        Err(error) => {
            let guest = address(request.extensions());
            let answer = async { error.into_response() };
            within_limits(state, Bucket::Requests, guest, answer).await
        }
    }
}

async fn identify(
    state: &AppState,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Identity, ApiError> {
    let token = match headers.get(AUTHORIZATION) {
        Some(authorization) => bearer(authorization),
        None => session::token(headers),
    };
    let token = token
        .filter(|token| token.starts_with(TOKEN_PREFIX))
        .ok_or(ApiError::Unauthorized)?;
    if !headers.contains_key(AUTHORIZATION) {
        session::require_same_origin(method, headers)?;
    }
    let hash = secret::hash(token);
    let found = state
        .store
        .read::<_, StoreError>(move |snapshot| snapshot.identity(&hash))
        .await?;
    let identity = found.ok_or(ApiError::Unauthorized)?;
    let now = state.time.now();
    if identity.expires_at.is_some_and(|expiry| expiry <= now) {
        return Err(ApiError::TokenExpired);
    }
    Ok(identity)
}

fn bearer(authorization: &HeaderValue) -> Option<&str> {
    let (scheme, token) = authorization.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

fn address(extensions: &Extensions) -> Client {
    let info = extensions.get::<ConnectInfo<Peer>>();
    Client::Address(info.map(|ConnectInfo(Peer(address))| address.ip()))
}

/// Answers a request if the client's bucket is not empty, and tells in any case what is left in it.
async fn within_limits(
    state: &AppState,
    bucket: Bucket,
    client: Client,
    answer: impl Future<Output = Response>,
) -> Response {
    let (allowance, mut response) = match state.limits.take(bucket, client, state.time.now()) {
        Ok(allowance) => (allowance, answer.await),
        Err(Exhausted {
            allowance,
            retry_after_s,
        }) => {
            let error = ApiError::RateLimited { retry_after_s };
            (allowance, error.into_response())
        }
    };
    let name = bucket.name();
    let Allowance {
        per_minute,
        remaining,
        full_in_s,
    } = allowance;
    let policy = format!("\"{name}\";q={per_minute};w=60");
    let left = format!("\"{name}\";r={remaining};t={full_in_s}");
    for (header, text) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().insert(header, value);
        }
    }
    response
}
