//! Answers with ETags, and the one place where a request hangs.

use std::time::Duration;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout_at};

use crate::api::TokenId;

use super::error::ApiError;
use super::extract::Query;
use super::hub::{Topic, Wake};
use super::secret::fingerprint;
use super::state::AppState;

/// A strong ETag, in its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag(String);

impl Tag {
    /// Made of a resource's name and version.
    pub fn of_version(name: &str, version: u64) -> Self {
        Self(format!("\"{name}-{version}\""))
    }

    /// Made of what the answer says, for a resource without a version.
    pub fn of_content(content: &[u8]) -> Self {
        Self(format!("\"{}\"", fingerprint(content)))
    }

    fn add_to(&self, headers: &mut HeaderMap) {
        if let Ok(value) = HeaderValue::try_from(&self.0) {
            headers.insert(ETAG, value);
        }
    }
}

/// A value with its tag.
#[derive(Clone, Debug)]
pub struct Tagged<T> {
    /// Its tag.
    pub tag: Tag,
    /// The value.
    pub value: T,
    /// Whether it will never change again, so that waiting is of no use.
    pub is_final: bool,
}

impl<T: Serialize> Tagged<T> {
    /// A value without a version, tagged by what it says.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn of_content(value: T) -> Result<Self, ApiError> {
        let content = serde_json::to_vec(&value).map_err(|error| {
            tracing::error!(%error, "an answer cannot be written");
            ApiError::Internal
        })?;
        Ok(Self {
            tag: Tag::of_content(&content),
            value,
            is_final: false,
        })
    }
}

/// What a GET makes its answer depend on.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    known: Vec<String>,
    wait: Duration,
}

/// A longer `wait` is a mistake.
const WAIT_S: u64 = 86_400;

#[derive(Deserialize)]
struct WaitQuery {
    wait: Option<u64>,
}

impl<S: Send + Sync> FromRequestParts<S> for Conditions {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Query(query) = Query::<WaitQuery>::from_request_parts(parts, state).await?;
        if query.wait.is_some_and(|wait| wait > WAIT_S) {
            return Err(ApiError::Malformed(format!("`wait` is 0 to {WAIT_S} s")));
        }
        let known = parts.headers.get_all(IF_NONE_MATCH).iter();
        let known = known
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|tag| tag.trim().trim_start_matches("W/").to_owned())
            .collect();
        Ok(Self {
            known,
            wait: Duration::from_secs(query.wait.unwrap_or(0)),
        })
    }
}

impl Conditions {
    fn know(&self, tag: &Tag) -> bool {
        self.known
            .iter()
            .any(|known| known == "*" || *known == tag.0)
    }

    /// The value, or 304 when the client knows it.
    pub fn answer<T: Serialize>(&self, tagged: Tagged<T>) -> Response {
        if self.know(&tagged.tag) {
            not_modified(&tagged.tag)
        } else {
            tagged_json(StatusCode::OK, &tagged.tag, tagged.value)
        }
    }

    /// The text, or 304 when the client knows it.
    pub fn answer_text(&self, text: String) -> Response {
        let tag = Tag::of_content(text.as_bytes());
        if self.know(&tag) {
            return not_modified(&tag);
        }
        let mut response = text.into_response();
        tag.add_to(response.headers_mut());
        response
    }

    /// Like [`Conditions::answer`], for a value without a version.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn answer_content<T: Serialize>(&self, value: T) -> Result<Response, ApiError> {
        Ok(self.answer(Tagged::of_content(value)?))
    }

    /// Reads a resource until it is news to the client, or the wait is over. A token has one seat at each topic.
    ///
    /// The waiter joins the topic before the first reading, so that no change is missed between reading and waiting.
    ///
    /// # Errors
    /// Reading failed.
    pub async fn poll<T, F>(
        &self,
        state: &AppState,
        seat: Option<&TokenId>,
        topic: Topic,
        read: impl Fn() -> F,
    ) -> Result<Response, ApiError>
    where
        T: Serialize,
        F: Future<Output = Result<Tagged<T>, ApiError>>,
    {
        let longest = Duration::from_secs(state.config.wait_max_s.into());
        let wait = self.wait.min(longest);
        if wait.is_zero() || self.known.is_empty() {
            return Ok(self.answer(read().await?));
        }
        let until = Instant::now() + wait;
        let mut waiter = state.hub.join(topic, seat.cloned());
        loop {
            let tagged = read().await?;
            if !self.know(&tagged.tag) || tagged.is_final {
                return Ok(self.answer(tagged));
            }
            match timeout_at(until, waiter.wake()).await {
                Ok(Wake::Changed) => {}
                Ok(Wake::Evicted) | Err(_) => return Ok(not_modified(&tagged.tag)),
            }
        }
    }
}

/// A JSON answer with an ETag.
pub fn tagged_json<T: Serialize>(status: StatusCode, tag: &Tag, value: T) -> Response {
    let mut response = (status, Json(value)).into_response();
    tag.add_to(response.headers_mut());
    response
}

fn not_modified(tag: &Tag) -> Response {
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    tag.add_to(response.headers_mut());
    response
}
