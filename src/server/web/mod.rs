//! The server's own page: plain files, compiled into the program.
//!
//! Nothing is ever loaded from elsewhere and no script stands inside a document, so the content security policy allows
//! just what comes from this server.

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::header::{X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use axum::routing::get;

use super::answer::Conditions;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A file of the page.
struct Asset {
    path: &'static str,
    media_type: &'static str,
    content: &'static str,
}

macro_rules! assets {
    ($($path:literal, $media_type:ident, $file:literal;)+) => {
        &[$(Asset { path: $path, media_type: $media_type, content: include_str!($file) }),+]
    };
}

const ASSETS: &[Asset] = assets! {
    "/", HTML, "index.html";
    "/games/{id}", HTML, "game.html";
    "/web/style.css", CSS, "style.css";
    "/web/board.css", CSS, "board.css";
    "/web/icon.svg", SVG, "icon.svg";
    "/web/analysis.js", SCRIPT, "analysis.js";
    "/web/api.js", SCRIPT, "api.js";
    "/web/board.js", SCRIPT, "board.js";
    "/web/clock.js", SCRIPT, "clock.js";
    "/web/dom.js", SCRIPT, "dom.js";
    "/web/game.js", SCRIPT, "game.js";
    "/web/geometry.js", SCRIPT, "geometry.js";
    "/web/graph.js", SCRIPT, "graph.js";
    "/web/invite.js", SCRIPT, "invite.js";
    "/web/lobby.js", SCRIPT, "lobby.js";
    "/web/own.js", SCRIPT, "own.js";
    "/web/person.js", SCRIPT, "person.js";
    "/web/player.js", SCRIPT, "player.js";
    "/web/position.js", SCRIPT, "position.js";
    "/web/turn.js", SCRIPT, "turn.js";
    "/web/turns.js", SCRIPT, "turns.js";
    "/web/words.js", SCRIPT, "words.js";
};

/// Headers of every file. Files are asked for again each time, and answered with 304 as long as they are the same.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-cache"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The routes of the page. They are not counted against any limit: to refuse one costs as much as to answer it.
pub fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        let serve = move |conditions: Conditions| async move { answer(asset, &conditions) };
        router.route(asset.path, get(serve))
    })
}

fn answer(asset: &Asset, conditions: &Conditions) -> Response {
    let mut response = conditions.answer_text(asset.content.to_owned());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
