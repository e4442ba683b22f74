//! Who is here.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{Player, PlayerId, PlayersPage};
use crate::server::answer::Conditions;
use crate::server::error::ApiError;
use crate::server::extract::{Path, Query};
use crate::server::state::AppState;
use crate::server::store::Account;
use crate::server::view;

/// Players on one page.
const PAGE: u32 = 100;

/// Which players to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayersQuery {
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// All players by name: kind, rating, online since.
#[utoipa::path(get, path = "/players", tag = "players", security((), ("token" = [])), params(PlayersQuery),
    responses((status = OK, body = PlayersPage, description = "One page of players.")))]
pub async fn players(
    State(state): State<AppState>,
    Query(query): Query<PlayersQuery>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let after = query.cursor.unwrap_or_default();
    let accounts = state
        .store
        .read::<_, ApiError>(move |snapshot| Ok(snapshot.accounts_after(&after, PAGE)?))
        .await?;
    let is_full = accounts.len() == PAGE as usize;
    let last = accounts.last().filter(|_| is_full);
    let next_cursor = last.map(|account| account.name.clone());
    let players = accounts
        .into_iter()
        .map(|account| public_face(&state, account));
    conditions.answer_content(PlayersPage {
        players: players.collect(),
        next_cursor,
    })
}

/// One player.
#[utoipa::path(get, path = "/players/{id}", tag = "players", security((), ("token" = [])),
    params(("id" = PlayerId, Path, description = "The account.")),
    responses((status = OK, body = Player, description = "The player.")))]
pub async fn player(
    State(state): State<AppState>,
    Path(id): Path<PlayerId>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let account = state
        .store
        .read::<_, ApiError>(move |snapshot| Ok(snapshot.account(&id)?))
        .await?
        .ok_or(ApiError::NotFound("player"))?;
    conditions.answer_content(public_face(&state, account))
}

fn public_face(state: &AppState, account: Account) -> Player {
    let online_since_at = state.presence.online_since(&account.id, state.time.now());
    view::player(account, online_since_at)
}
