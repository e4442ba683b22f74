//! What every answer has, whoever made it: a request id, cache rules, and a problem as its body when it is an error.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use crate::api::PROBLEM_MEDIA_TYPE;

use super::error::{ApiError, status};
use super::secret::new_id;

/// The header that names a request in the server's log.
const REQUEST_ID: &str = "x-request-id";

/// An error travels beside an answer without a body; `frame` writes the body, for it knows the request's id.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = status(self.code()).into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The outermost layer of the router.
pub async fn frame(request: Request, next: Next) -> Response {
    let id = new_id("");
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    let response = next.run(request).instrument(span.clone()).await;
    let mut response = span.in_scope(|| finish(response, &id));
    let headers = response.headers_mut();
    let cache = HeaderValue::from_static("private, no-cache");
    headers.entry(CACHE_CONTROL).or_insert(cache);
    if let Ok(id) = HeaderValue::try_from(id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

/// Gives an error its body, also one that the framework made.
fn finish(response: Response, request_id: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let error = parts
        .extensions
        .remove::<ApiError>()
        .or_else(|| ApiError::from_status(parts.status));
    let Some(error) = error else {
        tracing::debug!(status = parts.status.as_u16(), "answered");
        return Response::from_parts(parts, body);
    };
    let problem = error.problem(request_id);
    let (code, detail) = (problem.code, &problem.detail);
    if status(code).is_server_error() {
        tracing::warn!(%code, detail, "failed");
    } else {
        tracing::debug!(%code, detail, "refused");
    }
    parts.status = status(problem.code);
    parts.headers.remove(CONTENT_LENGTH);
    parts
        .headers
        .insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_MEDIA_TYPE));
    if let Some(seconds) = error.retry_after_s() {
        parts.headers.insert(RETRY_AFTER, seconds.into());
    }
    if parts.status == StatusCode::UNAUTHORIZED {
        parts
            .headers
            .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    Response::from_parts(parts, Body::from(body))
}
