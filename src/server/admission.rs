//! Who is let in: tokens and rate limits, checked before a request's body is read.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::{PlayerId, TOKEN_PREFIX};

use super::error::ApiError;
use super::limiter::Allowance;
use super::limits::{Bucket, Client};
use super::secret;
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

/// Lets everybody in, within the limits of their address.
pub async fn guests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let guest = address(request.extensions());
    match take(&state, Bucket::Requests, guest) {
        Ok(allowance) => with_allowance(next.run(request).await, allowance),
        Err(refusal) => *refusal,
    }
}

/// Lets those with a token in, within its limits.
pub async fn members(state: State<AppState>, request: Request, next: Next) -> Response {
    admit(state, Bucket::Requests, request, next).await
}

/// Lets those with a token in who send a turn.
pub async fn turns(state: State<AppState>, request: Request, next: Next) -> Response {
    admit(state, Bucket::Turns, request, next).await
}

async fn admit(
    State(state): State<AppState>,
    bucket: Bucket,
    mut request: Request,
    next: Next,
) -> Response {
    let identity = match identify(&state, request.headers()).await {
        Ok(identity) => identity,
        // Whoever guesses tokens is slowed down by address.
        Err(error) => match take(&state, Bucket::Requests, address(request.extensions())) {
            Ok(allowance) => return with_allowance(error.into_response(), allowance),
            Err(refusal) => return *refusal,
        },
    };
    match take(&state, bucket, Client::Token(identity.token_id.clone())) {
        Ok(allowance) => {
            let player = identity.account.id.clone();
            state.presence.note(&player, state.time.now());
            request.extensions_mut().insert(Caller(identity));
            let response = next.run(request).await;
            state.presence.note(&player, state.time.now());
            with_allowance(response, allowance)
        }
        Err(refusal) => *refusal,
    }
}

async fn identify(state: &AppState, headers: &HeaderMap) -> Result<Identity, ApiError> {
    let token = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .filter(|token| token.starts_with(TOKEN_PREFIX))
        .ok_or(ApiError::Unauthorized)?;
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

fn address(extensions: &Extensions) -> Client {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    Client::Address(info.map(|ConnectInfo(address)| address.ip()))
}

/// The refusal is boxed because an answer is large.
fn take(state: &AppState, bucket: Bucket, client: Client) -> Result<Allowance, Box<Response>> {
    state
        .limits
        .take(bucket, client, state.time.now())
        .map_err(|exhausted| {
            let error = ApiError::RateLimited {
                retry_after_s: exhausted.retry_after_s,
            };
            Box::new(with_allowance(error.into_response(), exhausted.allowance))
        })
}

fn with_allowance(mut response: Response, allowance: Allowance) -> Response {
    let policy = format!("\"default\";q={};w=60", allowance.per_minute);
    let state = format!(
        "\"default\";r={};t={}",
        allowance.remaining, allowance.full_in_s
    );
    for (name, text) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, state)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
