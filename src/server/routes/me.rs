//! The caller's own account, and the resource that a bot polls.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{GameStatus, GamesPage, Me, Pending};
use crate::server::admission::Caller;
use crate::server::answer::Conditions;
use crate::server::error::ApiError;
use crate::server::extract::Query;
use crate::server::hub::Topic;
use crate::server::state::AppState;
use crate::server::store::Snapshot;
use crate::server::view;

/// Games on one page.
const PAGE: u32 = 50;

/// Who the token belongs to.
#[utoipa::path(get, path = "/me", tag = "accounts",
    responses((status = OK, body = Me, description = "The account behind the token.")))]
pub async fn me(
    State(state): State<AppState>,
    caller: Caller,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let player = caller.id().clone();
    let active_games = state
        .store
        .read::<_, ApiError>(move |snapshot| Ok(snapshot.count_running(&player)?))
        .await?;
    let Caller(identity) = caller;
    conditions.answer_content(Me {
        rating: identity.account.rounded_rating(),
        id: identity.account.id,
        name: identity.account.name,
        kind: identity.account.kind,
        active_games,
        token_id: identity.token_id,
        token_expires_at: identity.expires_at,
    })
}

/// Open challenges and running games, my turn first, the nearest deadline first: the one resource to poll.
#[utoipa::path(get, path = "/me/pending", tag = "play",
    params(("wait" = Option<u64>, Query, maximum = 86_400, description = "Seconds to wait for news; the server cuts it."),
        ("If-None-Match" = Option<String>, Header, description = "The ETag of what is known.")),
    responses((status = OK, body = Pending, description = "What is pending."),
        (status = NOT_MODIFIED, description = "Nothing new.")))]
pub async fn pending(
    State(state): State<AppState>,
    caller: Caller,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let topic = Topic::Pending(caller.id().clone());
    let read = || {
        let (player, time) = (caller.id().clone(), state.time);
        state
            .store
            .read(move |snapshot| view::pending(snapshot, &player, time.now()))
    };
    let seat = Some(&caller.0.token_id);
    conditions.poll(&state, seat, topic, read).await
}

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Only running or only finished games.
    status: Option<GameStatus>,
    /// `next_cursor` of the page before.
    #[param(pattern = "^[0-9]{1,18}$")]
    cursor: Option<String>,
}

/// My games, the newest first.
#[utoipa::path(get, path = "/me/games", tag = "play", params(GamesQuery),
    responses((status = OK, body = GamesPage, description = "One page of games.")))]
pub async fn my_games(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query<GamesQuery>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let before = read_cursor(query.cursor.as_deref(), query.status)?;
    let read = move |snapshot: &Snapshot| page(snapshot, &caller, before, query.status);
    conditions.answer_content(state.store.read(read).await?)
}

/// The number of the game before which a page begins, after a check of the status that is asked for.
pub fn read_cursor(cursor: Option<&str>, status: Option<GameStatus>) -> Result<i64, ApiError> {
    if status == Some(GameStatus::Unknown) {
        return Err(ApiError::Malformed(
            "the status is active or finished".to_owned(),
        ));
    }
    let Some(cursor) = cursor else {
        return Ok(i64::MAX);
    };
    cursor
        .parse()
        .ok()
        .filter(|before| *before >= 0)
        .ok_or_else(|| ApiError::Malformed("the cursor is no `next_cursor`".to_owned()))
}

fn page(
    snapshot: &Snapshot,
    caller: &Caller,
    before: i64,
    status: Option<GameStatus>,
) -> Result<GamesPage, ApiError> {
    let me = caller.id();
    let entries = snapshot.games_before(me, before, status, PAGE)?;
    let is_full = entries.len() == PAGE as usize;
    let next = entries.last().filter(|_| is_full);
    let next_cursor = next.map(|entry| entry.number.to_string());
    let games = entries
        .iter()
        .map(|entry| view::my_game(snapshot, entry, me))
        .collect::<Result<_, _>>()?;
    Ok(GamesPage { games, next_cursor })
}
