//! What everybody may see: who is here, and which games are played.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{GameList, GameStatus, GameSummary, Lobby, Player};
use crate::server::admission::Visitor;
use crate::server::answer::{Conditions, Tagged};
use crate::server::error::ApiError;
use crate::server::extract::Query;
use crate::server::hub::Topic;
use crate::server::state::AppState;
use crate::server::store::Snapshot;
use crate::server::view;

/// Games on one page of the list.
const PAGE: u32 = 50;
/// Running games in the lobby, and finished ones.
const LOBBY_GAMES: u32 = 20;
/// Players in the lobby, and in the standings.
const LOBBY_PLAYERS: u32 = 100;

/// Who is here, the standings, open seeks, and the newest games: what a first page shows.
#[utoipa::path(get, path = "/lobby", tag = "lobby", security((), ("token" = [])),
    params(("wait" = Option<u64>, Query, maximum = 86_400, description = "Seconds to wait for news; the server cuts it."),
        ("If-None-Match" = Option<String>, Header, description = "The ETag of what is known.")),
    responses((status = OK, body = Lobby, description = "What goes on."),
        (status = NOT_MODIFIED, description = "Nothing new.")))]
pub async fn lobby(
    State(state): State<AppState>,
    visitor: Visitor,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let read = || {
        let shared = state.clone();
        state.store.read(move |snapshot| gather(&shared, snapshot))
    };
    conditions
        .poll(&state, visitor.token(), Topic::Lobby, read)
        .await
}

fn gather(state: &AppState, snapshot: &Snapshot) -> Result<Tagged<Lobby>, ApiError> {
    let now = state.time.now();
    let mut since = state.presence.online(now);
    let mut online = Vec::new();
    for (id, since) in &since {
        if let Some(account) = snapshot.account(id)? {
            online.push(view::player(account, Some(*since)));
        }
    }
    online.sort_by(|a, b| a.name.cmp(&b.name));
    online.truncate(LOBBY_PLAYERS as usize);
    let rated = snapshot.accounts_by_rating(LOBBY_PLAYERS)?.into_iter();
    let standings = rated.map(|account| {
        let since = since.remove(&account.id);
        view::player(account, since)
    });
    let seeks = snapshot.open_seeks(now)?;
    let seeks = seeks.iter().map(|stored| view::seek(snapshot, stored));
    Tagged::of_content(Lobby {
        online,
        standings: standings.collect::<Vec<Player>>(),
        seeks: seeks.collect::<Result<_, _>>()?,
        active: games(snapshot, GameStatus::Active)?,
        finished: games(snapshot, GameStatus::Finished)?,
    })
}

fn games(snapshot: &Snapshot, status: GameStatus) -> Result<Vec<GameSummary>, ApiError> {
    let entries = snapshot.all_games_before(i64::MAX, Some(status), LOBBY_GAMES)?;
    let summaries = entries
        .iter()
        .map(|entry| view::game_summary(snapshot, entry));
    Ok(summaries.collect::<Result<_, _>>()?)
}

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AllGamesQuery {
    /// Only running or only finished games.
    status: Option<GameStatus>,
    /// `next_cursor` of the page before.
    #[param(pattern = "^[0-9]{1,18}$")]
    cursor: Option<String>,
}

/// All games, the newest first.
#[utoipa::path(get, path = "/games", tag = "lobby", params(AllGamesQuery), security((), ("token" = [])),
    responses((status = OK, body = GameList, description = "One page of games.")))]
pub async fn all_games(
    State(state): State<AppState>,
    Query(query): Query<AllGamesQuery>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let before = super::me::read_cursor(query.cursor.as_deref(), query.status)?;
    let read = move |snapshot: &Snapshot| {
        let entries = snapshot.all_games_before(before, query.status, PAGE)?;
        let is_full = entries.len() == PAGE as usize;
        let next = entries.last().filter(|_| is_full);
        let games = entries
            .iter()
            .map(|entry| view::game_summary(snapshot, entry));
        Ok::<_, ApiError>(GameList {
            games: games.collect::<Result<_, _>>()?,
            next_cursor: next.map(|entry| entry.number.to_string()),
        })
    };
    conditions.answer_content(state.store.read(read).await?)
}
