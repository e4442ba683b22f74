//! All endpoints and the layers around them, as one function that tests call in their own process.

use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::{Json, Router};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;

use crate::api::BASE_PATH;

use super::admission::{guests, members, turns};
use super::frame::frame;
use super::state::AppState;
use super::{openapi, routes};

/// The server as a service.
pub fn router(state: AppState) -> Router {
    let layered = OpenApiRouter::new()
        .merge(routes::open().route_layer(from_fn_with_state(state.clone(), guests)))
        .merge(routes::for_members().route_layer(from_fn_with_state(state.clone(), members)))
        .merge(routes::for_turns().route_layer(from_fn_with_state(state.clone(), turns)));
    let (api, document) = describe(layered);
    let body_max = usize::try_from(state.config.body_max_bytes).unwrap_or(usize::MAX);
    api.route(
        &format!("{BASE_PATH}/openapi.json"),
        get(move || async move { Json(document) }),
    )
    .fallback(|| async { StatusCode::NOT_FOUND })
    .layer(RequestBodyLimitLayer::new(body_max))
    .layer(CatchPanicLayer::new())
    .layer(from_fn(frame))
    .with_state(state)
}

/// The API's description as OpenAPI 3.1.
pub fn document() -> Document {
    let routes = OpenApiRouter::new()
        .merge(routes::open())
        .merge(routes::for_members())
        .merge(routes::for_turns());
    describe(routes).1
}

fn describe(routes: OpenApiRouter<AppState>) -> (Router<AppState>, Document) {
    let (router, mut document) = OpenApiRouter::with_openapi(openapi::Frame::openapi())
        .nest(BASE_PATH, routes)
        .split_for_parts();
    openapi::add_problems(&mut document);
    (router, document)
}
