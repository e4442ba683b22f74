//! People who use the page: a name, and a session in a cookie.

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::api::{CreatedPerson, NewPerson, PlayerKind, Session};
use crate::server::admission::{Caller, Visitor};
use crate::server::answer::Conditions;
use crate::server::error::ApiError;
use crate::server::extract::Body;
use crate::server::state::AppState;
use crate::server::store::Tx;
use crate::server::{registration, session};

/// Takes a name and begins a session, whose token travels in a cookie only. For the server's own pages.
#[utoipa::path(post, path = "/people", tag = "accounts", security(()), request_body = NewPerson,
    responses((status = CREATED, body = CreatedPerson, description = "The account; its session is in the cookie.")))]
pub async fn create_person(
    State(state): State<AppState>,
    headers: HeaderMap,
    Body(new): Body<NewPerson>,
) -> Result<Response, ApiError> {
    if !state.config.open_to_people {
        return Err(ApiError::Forbidden(
            "this server is for bots only; everybody may watch",
        ));
    }
    session::require_same_origin(&Method::POST, &headers)?;
    let create = move |tx: &mut Tx| registration::create_person(tx, &new.name);
    let (account, token) = state.store.write(create).await?;
    let person = CreatedPerson {
        id: account.id,
        name: account.name,
        kind: account.kind,
    };
    let mut response = (StatusCode::CREATED, Json(person)).into_response();
    if let Some(cookie) = session::begin(&token.token, &headers) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Who the visitor is; nobody is not an error here.
#[utoipa::path(get, path = "/me/session", tag = "accounts", security((), ("token" = [])),
    responses((status = OK, body = Session, description = "The account, if any.")))]
pub async fn session(visitor: Visitor, conditions: Conditions) -> Result<Response, ApiError> {
    let account = visitor.caller().map(|caller| caller.0.account.to_ref());
    conditions.answer_content(Session { account })
}

/// Ends the session of the token that is used; a person who never played gives the name back.
#[utoipa::path(delete, path = "/me/session", tag = "accounts",
    responses((status = NO_CONTENT, description = "It is over.")))]
pub async fn end_session(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let end = move |tx: &mut Tx| {
        tx.delete_token(caller.id(), &caller.0.token_id)?;
        if caller.0.account.kind == PlayerKind::Human {
            tx.delete_unused_account(caller.id())?;
        }
        Ok::<_, ApiError>(())
    };
    state.store.write(end).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(cookie) = session::end(&headers) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}
