//! All endpoints and the layers around them, as one function that tests call in their own process.

use axum::handler::Handler;
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

use super::admission::{guests, members, newcomers, turns, watchers};
use super::frame::frame;
use super::state::AppState;
use super::{openapi, routes, web};

/// The server as a service.
pub fn router(state: AppState) -> Router {
    let body_max = usize::try_from(state.config.body_max_bytes).unwrap_or(usize::MAX);
    // Inside of admission, so that a body that is too large is counted as well.
    let limited =
        |routes: OpenApiRouter<AppState>| routes.route_layer(RequestBodyLimitLayer::new(body_max));
    let admit_guests = from_fn_with_state(state.clone(), guests);
    let admit_newcomers = from_fn_with_state(state.clone(), newcomers);
    let admit_watchers = from_fn_with_state(state.clone(), watchers);
    let admit_members = from_fn_with_state(state.clone(), members);
    let admit_turns = from_fn_with_state(state.clone(), turns);
    let endpoints = OpenApiRouter::new()
        .merge(limited(routes::open()).route_layer(admit_guests.clone()))
        .merge(limited(routes::for_newcomers()).route_layer(admit_newcomers))
        .merge(limited(routes::for_watchers()).route_layer(admit_watchers))
        .merge(limited(routes::for_members()).route_layer(admit_members))
        .merge(limited(routes::for_turns()).route_layer(admit_turns));
    let (api, document) = describe(endpoints);
    let describe_api = get(move || async move { Json(document) }).layer(admit_guests.clone());
    let unknown = (|| async { StatusCode::NOT_FOUND }).layer(admit_guests);
    let api = api
        .route(&format!("{BASE_PATH}/openapi.json"), describe_api)
        .merge(web::pages())
        .fallback(unknown)
        .with_state(state);
    framed(api)
}

/// Puts the layers around the endpoints that hold for every request, also one that fits none of them.
fn framed(endpoints: Router) -> Router {
    endpoints
        .layer(CatchPanicLayer::new())
        .layer(from_fn(frame))
}

/// The API's description as OpenAPI 3.1.
pub fn document() -> Document {
    let routes = OpenApiRouter::new()
        .merge(routes::open())
        .merge(routes::for_newcomers())
        .merge(routes::for_watchers())
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

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::extract::Request;
    use tower::ServiceExt;

    use super::*;
    use crate::api::{Problem, ProblemCode};

    #[tokio::test]
    async fn a_handler_that_panics_is_an_internal_problem() {
        let panics = get(|| async { panic!("a secret of the server") as &'static str });
        let router = framed(Router::new().route("/", panics));
        let request = Request::get("/").body(Body::empty()).unwrap();
        let response = router.oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
        let problem: Problem = serde_json::from_slice(&body).unwrap();
        assert_eq!(problem.code, ProblemCode::Internal);
    }
}
