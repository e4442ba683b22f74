//! Playing a turn.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

use crate::api::{GameId, GameState, IDEMPOTENT_REPLAYED, PutTurn};
use crate::server::admission::Caller;
use crate::server::answer::tagged_json;
use crate::server::error::ApiError;
use crate::server::extract::{Body, Path};
use crate::server::game::{Played, TurnRequest};
use crate::server::state::AppState;
use crate::server::store::Tx;

use super::games::change_game;

/// Plays a turn. The same turn at the same ply may be sent again: it is recorded once.
#[utoipa::path(put, path = "/games/{id}/turns/{ply}", tag = "play", request_body = PutTurn,
    params(("id" = GameId, Path, description = "The game."),
        ("ply" = u32, Path, description = "Turns completed before this one.")),
    responses((status = CREATED, body = GameState, description = "The turn is recorded."),
        (status = OK, body = GameState, description = "The turn had been recorded before.",
            headers(("Idempotent-Replayed" = String, description = "Always `true`.")))))]
pub async fn put_turn(
    State(state): State<AppState>,
    caller: Caller,
    Path((id, ply)): Path<(GameId, u32)>,
    Body(body): Body<PutTurn>,
) -> Result<Response, ApiError> {
    // Nothing is awaited between the arrival and the place in the store's queue.
    let arrived = state.time.now();
    let turn = body
        .turn
        .parse()
        .map_err(|error| ApiError::Malformed(format!("{error}")))?;
    if body.win_permille.is_some_and(|chance| chance > 1000) {
        return Err(ApiError::Malformed(
            "`win_permille` is 0 to 1000".to_owned(),
        ));
    }
    let request = TurnRequest {
        player: caller.id().clone(),
        ply,
        turn,
        position_before: body.position_before,
        win_permille: body.win_permille,
        arrived,
    };
    let play = move |tx: &mut Tx| change_game(tx, &id, |game, now| game.put_turn(&request, now));
    let (played, game) = state.store.write(play).await??;
    Ok(match played {
        Played::Recorded => tagged_json(StatusCode::CREATED, &game.tag, game.value),
        Played::Replayed => {
            let mut response = tagged_json(StatusCode::OK, &game.tag, game.value);
            let yes = HeaderValue::from_static("true");
            response.headers_mut().insert(IDEMPOTENT_REPLAYED, yes);
            response
        }
    })
}
