//! Answers as they come over the wire: checked, limited in size, and read.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, ETAG, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;

use crate::api::GameId;
use crate::bot::transport::{Refusal, Tagged, TransportError};

/// No answer of this API comes near this size.
const BODY_MAX: usize = 512 * 1024;
/// So much of a body that does not read is shown.
const SNIPPET_CHARS: usize = 200;
/// No server may silence the bot for longer than this.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 3600);

/// The game that has begun, which the answer names as its location.
pub(super) async fn read_location(request: RequestBuilder) -> Result<GameId, TransportError> {
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

pub(super) async fn read<T: DeserializeOwned>(
    request: RequestBuilder,
) -> Result<T, TransportError> {
    parse(send(request).await?).await
}

pub(super) async fn read_tagged<T: DeserializeOwned>(
    request: RequestBuilder,
) -> Result<Tagged<T>, TransportError> {
    parse_tagged(send(request).await?).await
}

pub(super) async fn read_change<T: DeserializeOwned>(
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

pub(super) async fn send(request: RequestBuilder) -> Result<Response, TransportError> {
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
pub(super) async fn check(response: Response) -> Result<Vec<u8>, TransportError> {
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

/// How long to wait, given as seconds or as a date. A date is measured by the server's own clock if it tells it.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok();
    let date = |text: &str| httpdate::parse_http_date(text.trim()).ok();
    let asked = text(RETRY_AFTER)?;
    let wait = match asked.trim().parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let now = text(DATE).and_then(date).unwrap_or_else(SystemTime::now);
            date(asked)?.duration_since(now).unwrap_or_default()
        }
    };
    Some(wait.min(RETRY_AFTER_MAX))
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
