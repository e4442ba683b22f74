//! What the server says about itself.

use axum::Json;
use axum::extract::State;

use crate::api::{API_VERSION, Clock, Meta, Rules};
use crate::server::state::AppState;

/// Time controls that the server suggests.
const TIME_CONTROLS: [Clock; 3] = [
    Clock {
        initial_ms: 10_000,
        increment_ms: 100,
    },
    Clock {
        initial_ms: 60_000,
        increment_ms: 1_000,
    },
    Clock {
        initial_ms: 300_000,
        increment_ms: 3_000,
    },
];

/// Server time, API version, rules, limits and time controls.
#[utoipa::path(get, path = "/meta", tag = "server", security(()),
    responses((status = OK, body = Meta, description = "What a client checks before it plays.")))]
pub async fn meta(State(state): State<AppState>) -> Json<Meta> {
    Json(Meta {
        api: API_VERSION.to_owned(),
        server_time: state.time.now(),
        game: "yinsh".to_owned(),
        rules: Rules::ours(),
        limits: state.config.limits(),
        time_controls: TIME_CONTROLS.to_vec(),
    })
}
