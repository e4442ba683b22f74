//! Challenges: to one player, until they expire or are answered.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api::{
    Challenge, ChallengeCreated, ChallengeId, ChallengeStatus, Decline, DeclineReason, GameState,
    NewChallenge,
};
use crate::server::admission::Caller;
use crate::server::error::ApiError;
use crate::server::extract::{Body, Path};
use crate::server::secret::new_id;
use crate::server::state::AppState;
use crate::server::store::{Offer, StoredChallenge, Tx};
use crate::server::{lobby, view};

use super::games::new_game;

/// How long a challenge stays open.
const TTL_MS: u64 = 60_000;
/// Open challenges that one account may have sent.
const CHALLENGES_MAX: usize = 16;

/// Challenges a player.
#[utoipa::path(post, path = "/challenges", tag = "lobby", request_body = NewChallenge,
    responses((status = CREATED, body = ChallengeCreated, description = "The challenge is open.")))]
pub async fn create_challenge(
    State(state): State<AppState>,
    caller: Caller,
    Body(new): Body<NewChallenge>,
) -> Result<Response, ApiError> {
    if new.to == *caller.id() {
        return Err(ApiError::Unsupported(
            "nobody can challenge himself".to_owned(),
        ));
    }
    let offer = Offer {
        maker: caller.id().clone(),
        terms: lobby::check_terms(new.variant, new.rated, new.clock)?,
        color: lobby::check_color(new.color)?,
    };
    let insert = move |tx: &mut Tx| {
        let now = tx.now();
        tx.account(&new.to)?.ok_or(ApiError::NotFound("player"))?;
        let sent = tx.challenges_from(&offer.maker, now)?;
        let open = sent
            .iter()
            .filter(|challenge| challenge.status == ChallengeStatus::Open);
        if open.count() >= CHALLENGES_MAX {
            return Err(ApiError::Busy(
                "you have sent as many challenges as allowed",
            ));
        }
        let challenge = StoredChallenge {
            id: new_id("c_").into(),
            offer,
            target: new.to,
            expires_at: now + TTL_MS,
            status: ChallengeStatus::Open,
            decline_reason: None,
            game: None,
        };
        tx.insert_challenge(&challenge)?;
        Ok(ChallengeCreated {
            id: challenge.id,
            expires_at: challenge.expires_at,
        })
    };
    let created = state.store.write(insert).await?;
    Ok((StatusCode::CREATED, Json(created)).into_response())
}

/// Takes an own challenge back.
#[utoipa::path(delete, path = "/challenges/{id}", tag = "lobby",
    params(("id" = ChallengeId, Path, description = "The challenge.")),
    responses((status = NO_CONTENT, description = "It is gone.")))]
pub async fn cancel_challenge(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<ChallengeId>,
) -> Result<StatusCode, ApiError> {
    let delete = move |tx: &mut Tx| {
        let challenge = find(tx, &id)?;
        if challenge.offer.maker != *caller.id() {
            return Err(ApiError::Forbidden("this challenge is not yours"));
        }
        if challenge.game.is_some() {
            return Err(ApiError::AlreadyAccepted {
                game_id: challenge.game,
            });
        }
        Ok(tx.delete_challenge(&challenge)?)
    };
    state.store.write(delete).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts a challenge: the game begins.
#[utoipa::path(post, path = "/challenges/{id}/accept", tag = "lobby",
    params(("id" = ChallengeId, Path, description = "The challenge.")),
    responses((status = CREATED, body = GameState, description = "The game has begun.",
        headers(("Location" = String, description = "Path of the game.")))))]
pub async fn accept_challenge(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<ChallengeId>,
) -> Result<Response, ApiError> {
    let games_max = state.config.games_max;
    let pair = move |tx: &mut Tx| {
        let mut challenge = find_for(tx, &id, &caller)?;
        require_open(tx, &challenge)?;
        let game = lobby::begin_game(tx, &challenge.offer, &caller.0.account, games_max)?;
        challenge.status = ChallengeStatus::Accepted;
        challenge.game = Some(game.id.clone());
        tx.save_challenge(&challenge)?;
        Ok::<_, ApiError>(view::game_state(tx, &game, 0, tx.now())?)
    };
    Ok(new_game(state.store.write(pair).await?))
}

/// Declines a challenge, with a reason. To decline again for the same reason changes nothing.
#[utoipa::path(post, path = "/challenges/{id}/decline", tag = "lobby", request_body = Decline,
    params(("id" = ChallengeId, Path, description = "The challenge.")),
    responses((status = OK, body = Challenge, description = "It is declined.")))]
pub async fn decline_challenge(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<ChallengeId>,
    Body(Decline { reason }): Body<Decline>,
) -> Result<Json<Challenge>, ApiError> {
    // A reason of a newer version is still a refusal.
    let reason = match reason {
        DeclineReason::Unknown => DeclineReason::Generic,
        known => known,
    };
    let decline = move |tx: &mut Tx| {
        let mut challenge = find_for(tx, &id, &caller)?;
        if challenge.decline_reason != Some(reason) {
            require_open(tx, &challenge)?;
            challenge.status = ChallengeStatus::Declined;
            challenge.decline_reason = Some(reason);
            tx.save_challenge(&challenge)?;
        }
        Ok::<_, ApiError>(view::challenge(tx, &challenge)?)
    };
    Ok(Json(state.store.write(decline).await?))
}

fn find(tx: &Tx, id: &ChallengeId) -> Result<StoredChallenge, ApiError> {
    tx.challenge(id)?.ok_or(ApiError::NotFound("challenge"))
}

fn find_for(tx: &Tx, id: &ChallengeId, caller: &Caller) -> Result<StoredChallenge, ApiError> {
    let challenge = find(tx, id)?;
    if challenge.target == *caller.id() {
        Ok(challenge)
    } else {
        Err(ApiError::Forbidden("this challenge is not to you"))
    }
}

fn require_open(tx: &Tx, challenge: &StoredChallenge) -> Result<(), ApiError> {
    if challenge.status != ChallengeStatus::Open {
        return Err(ApiError::AlreadyAccepted {
            game_id: challenge.game.clone(),
        });
    }
    if challenge.expires_at <= tx.now() {
        return Err(ApiError::Expired);
    }
    Ok(())
}
