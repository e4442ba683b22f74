//! Bot accounts and their tokens.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api::{CreatedBot, CreatedToken, NewBot, NewToken, PlayerId, TokenId};
use crate::server::admission::Caller;
use crate::server::error::ApiError;
use crate::server::extract::{Body, Path};
use crate::server::registration;
use crate::server::state::AppState;
use crate::server::store::Tx;

/// Creates a bot account. Its token is shown this once; whoever has it owns the account.
///
/// Only on servers with open registration; elsewhere the operator creates accounts.
#[utoipa::path(post, path = "/bots", tag = "accounts", security(()), request_body = NewBot,
    responses((status = CREATED, body = CreatedBot, description = "The account and its token.")))]
pub async fn create_bot(
    State(state): State<AppState>,
    Body(new): Body<NewBot>,
) -> Result<Response, ApiError> {
    if !state.config.open_registration {
        return Err(ApiError::Forbidden(
            "registration is closed; the operator creates accounts with `serve --create-bot NAME`",
        ));
    }
    let create = move |tx: &mut Tx| registration::create_bot(tx, &new);
    let bot = state.store.write(create).await?;
    Ok((StatusCode::CREATED, Json(bot)).into_response())
}

/// Creates one more token for the account of the token that is used.
#[utoipa::path(post, path = "/bots/{id}/tokens", tag = "accounts", request_body = NewToken,
    params(("id" = PlayerId, Path, description = "The account.")),
    responses((status = CREATED, body = CreatedToken, description = "The new token.")))]
pub async fn create_token(
    State(state): State<AppState>,
    caller: Caller,
    Path(account): Path<PlayerId>,
    Body(new): Body<NewToken>,
) -> Result<Response, ApiError> {
    require_own(&caller, &account)?;
    let create = move |tx: &mut Tx| registration::create_token(tx, &account, new.token_ttl_s);
    let token = state.store.write(create).await?;
    Ok((StatusCode::CREATED, Json(token)).into_response())
}

/// Deletes a token, which stops working at once.
#[utoipa::path(delete, path = "/bots/{id}/tokens/{token_id}", tag = "accounts",
    params(("id" = PlayerId, Path, description = "The account."), ("token_id" = TokenId, Path, description = "The token.")),
    responses((status = NO_CONTENT, description = "It is gone.")))]
pub async fn delete_token(
    State(state): State<AppState>,
    caller: Caller,
    Path((account, token)): Path<(PlayerId, TokenId)>,
) -> Result<StatusCode, ApiError> {
    require_own(&caller, &account)?;
    let is_deleted = state
        .store
        .write::<_, ApiError>(move |tx| Ok(tx.delete_token(&account, &token)?))
        .await?;
    if is_deleted {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NotFound("token"))
    }
}

fn require_own(caller: &Caller, account: &PlayerId) -> Result<(), ApiError> {
    if caller.id() == account {
        Ok(())
    } else {
        Err(ApiError::Forbidden(
            "tokens are managed with a token of the same account",
        ))
    }
}
