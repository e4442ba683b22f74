//! Games: their state, their record, and ending them by hand.

use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{BASE_PATH, GameId, GameState, PlayerId};
use crate::game::{Color, GameRecord};
use crate::server::admission::{Caller, Visitor};
use crate::server::answer::{Conditions, Tagged, tagged_json};
use crate::server::error::ApiError;
use crate::server::extract::{Path, Query};
use crate::server::game::Game;
use crate::server::hub::Topic;
use crate::server::state::AppState;
use crate::server::store::{Snapshot, StoreError, Tx};
use crate::server::time::Millis;
use crate::server::{ratings, view};

/// How much of a game to send.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GameQuery {
    /// Send only the turns from this ply on.
    #[param(maximum = 65_535)]
    since_ply: Option<u16>,
}

/// The state of a game; anybody may watch.
#[utoipa::path(get, path = "/games/{id}", tag = "play", security((), ("token" = [])),
    params(("id" = GameId, Path, description = "The game."), GameQuery,
        ("wait" = Option<u64>, Query, maximum = 86_400, description = "Seconds to wait for news; the server cuts it."),
        ("If-None-Match" = Option<String>, Header, description = "The ETag of what is known.")),
    responses((status = OK, body = GameState, description = "The game."),
        (status = NOT_MODIFIED, description = "Nothing new.")))]
pub async fn game(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<GameId>,
    Query(query): Query<GameQuery>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let since_ply = query.since_ply.unwrap_or(0);
    let read = || {
        let (id, time) = (id.clone(), state.time);
        state.store.read(move |snapshot| {
            let game = find(snapshot, &id)?;
            Ok(view::game_state(snapshot, &game, since_ply, time.now())?)
        })
    };
    let topic = Topic::Game(id.clone());
    conditions.poll(&state, visitor.token(), topic, read).await
}

/// Gives the game up. To resign again changes nothing.
#[utoipa::path(post, path = "/games/{id}/resign", tag = "play",
    params(("id" = GameId, Path, description = "The game.")),
    responses((status = OK, body = GameState, description = "The game is over.")))]
pub async fn resign(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<GameId>,
) -> Result<Response, ApiError> {
    end(state, caller, id, Game::resign).await
}

/// Calls the game off, as long as not both have played. To abort again changes nothing.
#[utoipa::path(post, path = "/games/{id}/abort", tag = "play",
    params(("id" = GameId, Path, description = "The game.")),
    responses((status = OK, body = GameState, description = "The game is over.")))]
pub async fn abort(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<GameId>,
) -> Result<Response, ApiError> {
    end(state, caller, id, Game::abort).await
}

/// The game as a text record.
#[utoipa::path(get, path = "/games/{id}/record", tag = "play", security((), ("token" = [])),
    params(("id" = GameId, Path, description = "The game.")),
    responses((status = OK, body = String, content_type = "text/plain", description = "The record.")))]
pub async fn record(
    State(state): State<AppState>,
    Path(id): Path<GameId>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let read = move |snapshot: &Snapshot| {
        let game = find(snapshot, &id)?;
        Ok::<_, ApiError>(game_record(snapshot, game)?.to_string())
    };
    Ok(conditions.answer_text(state.store.read(read).await?))
}

/// The answer that announces a new game.
pub fn new_game(game: Tagged<GameState>) -> Response {
    let location = format!("{BASE_PATH}/games/{}", game.value.id);
    let mut response = tagged_json(StatusCode::CREATED, &game.tag, game.value);
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// The game with this identifier.
pub fn find(snapshot: &Snapshot, id: &GameId) -> Result<Game, ApiError> {
    snapshot.game(id)?.ok_or(ApiError::NotFound("game"))
}

/// Changes a game, which is kept also when the change is refused: a refused request may have found a fallen flag.
pub fn change_game<T>(
    tx: &mut Tx,
    id: &GameId,
    change: impl FnOnce(&mut Game, Millis) -> Result<T, ApiError>,
) -> Result<Result<(T, Tagged<GameState>), ApiError>, ApiError> {
    let before = find(tx, id)?;
    let mut game = before.clone();
    let changed = change(&mut game, tx.now());
    ratings::save_game(tx, &before, &game)?;
    let state = view::game_state(tx, &game, 0, tx.now())?;
    Ok(changed.map(|value| (value, state)))
}

async fn end(
    state: AppState,
    caller: Caller,
    id: GameId,
    how: fn(&mut Game, &PlayerId, Millis) -> Result<(), ApiError>,
) -> Result<Response, ApiError> {
    let arrived = state.time.now();
    let end = move |tx: &mut Tx| change_game(tx, &id, |game, _| how(game, caller.id(), arrived));
    let ((), game) = state.store.write(end).await??;
    Ok(tagged_json(StatusCode::OK, &game.tag, game.value))
}

fn game_record(snapshot: &Snapshot, game: Game) -> Result<GameRecord, StoreError> {
    let mut record = GameRecord::new(game.position.variant());
    for (tag, color) in [("White", Color::White), ("Black", Color::Black)] {
        let name = snapshot.known_account(&game.players[color])?.name;
        record.tags.push((tag.to_owned(), name));
    }
    let control = game.clock.control;
    let clock = format!("{}+{} ms", control.initial_ms, control.increment_ms);
    record.tags.push(("Game".to_owned(), game.id.to_string()));
    record.tags.push(("Clock".to_owned(), clock));
    record.turns = game.turns;
    record.outcome = game.outcome;
    Ok(record)
}
