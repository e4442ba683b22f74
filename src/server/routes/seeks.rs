//! Seeks: open to everybody for whom they are meant, until they expire or are accepted.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api::{GameState, NewSeek, OpponentKind, Seek, SeekCreated, SeekId, SeeksPage};
use crate::server::admission::Caller;
use crate::server::answer::Conditions;
use crate::server::error::ApiError;
use crate::server::extract::{Body, Path};
use crate::server::secret::new_id;
use crate::server::state::AppState;
use crate::server::store::{Offer, Snapshot, StoredSeek, Tx};
use crate::server::{lobby, view};

use super::games::new_game;

/// How long a seek stays open.
const TTL_S: std::ops::RangeInclusive<u64> = 1..=600;
/// Open seeks that one account may have.
const SEEKS_MAX: usize = 8;

/// Offers a game to everybody, or to bots or people only.
#[utoipa::path(post, path = "/seeks", tag = "lobby", request_body = NewSeek,
    responses((status = CREATED, body = SeekCreated, description = "The seek is open.")))]
pub async fn create_seek(
    State(state): State<AppState>,
    caller: Caller,
    Body(new): Body<NewSeek>,
) -> Result<Response, ApiError> {
    if !TTL_S.contains(&new.ttl_s) {
        return Err(ApiError::Unsupported(format!(
            "a seek stays open {} to {} s",
            TTL_S.start(),
            TTL_S.end()
        )));
    }
    if new.opponent_kind == OpponentKind::Unknown {
        return Err(ApiError::Unsupported(
            "a seek is for any, bot or human".to_owned(),
        ));
    }
    let offer = Offer {
        maker: caller.id().clone(),
        terms: lobby::check_terms(new.variant, new.rated, new.clock)?,
        color: lobby::check_color(new.color)?,
    };
    let insert = move |tx: &mut Tx| {
        let open = tx.open_seeks(tx.now())?;
        let own = open.iter().filter(|seek| seek.offer.maker == offer.maker);
        if own.count() >= SEEKS_MAX {
            return Err(ApiError::Busy("you have as many open seeks as allowed"));
        }
        let seek = StoredSeek {
            id: new_id("s_").into(),
            offer,
            opponent_kind: new.opponent_kind,
            ttl_s: new.ttl_s,
            expires_at: tx.now() + new.ttl_s * 1000,
            game: None,
        };
        tx.insert_seek(&seek)?;
        Ok(SeekCreated {
            id: seek.id,
            expires_at: seek.expires_at,
        })
    };
    let created = state.store.write(insert).await?;
    Ok((StatusCode::CREATED, Json(created)).into_response())
}

/// All open seeks, the oldest first.
#[utoipa::path(get, path = "/seeks", tag = "lobby", security((), ("token" = [])),
    responses((status = OK, body = SeeksPage, description = "The open seeks.")))]
pub async fn list_seeks(
    State(state): State<AppState>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let now = state.time.now();
    let read = move |snapshot: &Snapshot| {
        let open = snapshot.open_seeks(now)?;
        let seeks = open.iter().map(|stored| view::seek(snapshot, stored));
        Ok::<_, ApiError>(SeeksPage {
            seeks: seeks.collect::<Result<_, _>>()?,
        })
    };
    conditions.answer_content(state.store.read(read).await?)
}

/// Keeps an own seek open for as long again as it was first asked for.
#[utoipa::path(put, path = "/seeks/{id}", tag = "lobby",
    params(("id" = SeekId, Path, description = "The seek.")),
    responses((status = OK, body = Seek, description = "It stays open.")))]
pub async fn keep_seek(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<SeekId>,
) -> Result<Json<Seek>, ApiError> {
    let renew = move |tx: &mut Tx| {
        let mut seek = own_seek(tx, &id, &caller)?;
        require_open(tx, &seek)?;
        seek.expires_at = tx.now() + seek.ttl_s * 1000;
        tx.save_seek(&seek)?;
        Ok::<_, ApiError>(view::seek(tx, &seek)?)
    };
    Ok(Json(state.store.write(renew).await?))
}

/// Takes an own seek back.
#[utoipa::path(delete, path = "/seeks/{id}", tag = "lobby",
    params(("id" = SeekId, Path, description = "The seek.")),
    responses((status = NO_CONTENT, description = "It is gone.")))]
pub async fn cancel_seek(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<SeekId>,
) -> Result<StatusCode, ApiError> {
    let delete = move |tx: &mut Tx| {
        let seek = own_seek(tx, &id, &caller)?;
        if seek.game.is_some() {
            return Err(ApiError::AlreadyAccepted { game_id: seek.game });
        }
        Ok(tx.delete_seek(&id)?)
    };
    state.store.write(delete).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts a seek: the game begins.
#[utoipa::path(post, path = "/seeks/{id}/accept", tag = "lobby",
    params(("id" = SeekId, Path, description = "The seek.")),
    responses((status = CREATED, body = GameState, description = "The game has begun.",
        headers(("Location" = String, description = "Path of the game.")))))]
pub async fn accept_seek(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<SeekId>,
) -> Result<Response, ApiError> {
    let games_max = state.config.games_max;
    let pair = move |tx: &mut Tx| {
        let mut seek = tx.seek(&id)?.ok_or(ApiError::NotFound("seek"))?;
        let acceptor = &caller.0.account;
        if seek.offer.maker == acceptor.id {
            return Err(ApiError::Forbidden("you cannot accept your own seek"));
        }
        require_open(tx, &seek)?;
        if !lobby::is_meant_for(seek.opponent_kind, acceptor) {
            return Err(ApiError::Forbidden(
                "this seek is not meant for your kind of player",
            ));
        }
        let game = lobby::begin_game(tx, &seek.offer, acceptor, games_max)?;
        seek.game = Some(game.id.clone());
        tx.save_seek(&seek)?;
        Ok(view::game_state(tx, &game, 0, tx.now())?)
    };
    Ok(new_game(state.store.write(pair).await?))
}

fn own_seek(tx: &Tx, id: &SeekId, caller: &Caller) -> Result<StoredSeek, ApiError> {
    let seek = tx.seek(id)?.ok_or(ApiError::NotFound("seek"))?;
    if seek.offer.maker == *caller.id() {
        Ok(seek)
    } else {
        Err(ApiError::Forbidden("this seek is not yours"))
    }
}

fn require_open(tx: &Tx, seek: &StoredSeek) -> Result<(), ApiError> {
    if let Some(game) = &seek.game {
        return Err(ApiError::AlreadyAccepted {
            game_id: Some(game.clone()),
        });
    }
    if seek.expires_at <= tx.now() {
        return Err(ApiError::Expired);
    }
    Ok(())
}
