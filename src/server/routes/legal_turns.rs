//! Which turns are legal.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{GameId, LegalTurns};
use crate::game::{Action, IllegalTurn, Position, Turn};
use crate::server::answer::Conditions;
use crate::server::error::ApiError;
use crate::server::extract::{Path, Query};
use crate::server::state::AppState;
use crate::server::store::Snapshot;

use super::games::find;

/// Turns listed at most; a turn with several rows can end in thousands of ways.
const TURNS_MAX: usize = 500;

/// Where the turns begin.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PrefixQuery {
    /// Turn text up to the end of one of its parts.
    prefix: Option<String>,
}

/// Legal turns that begin with a prefix, and the parts that may follow it.
#[utoipa::path(get, path = "/games/{id}/legal-turns", tag = "play", security((), ("token" = [])),
    params(("id" = GameId, Path, description = "The game."), PrefixQuery),
    responses((status = OK, body = LegalTurns, description = "The turns.")))]
pub async fn legal_turns(
    State(state): State<AppState>,
    Path(id): Path<GameId>,
    Query(query): Query<PrefixQuery>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let prefix = match query.prefix.as_deref() {
        None | Some("") => None,
        Some(text) => {
            let read = text.trim_end_matches(';').parse::<Turn>();
            Some(read.map_err(|error| ApiError::Malformed(format!("the prefix: {error}")))?)
        }
    };
    let read = move |snapshot: &Snapshot| {
        let game = find(snapshot, &id)?;
        // A game can end otherwise than on the board.
        if game.outcome.is_some() {
            return Ok(LegalTurns {
                ply: game.position.ply(),
                prefix: String::new(),
                turns: Vec::new(),
                truncated: false,
                next_parts: Vec::new(),
            });
        }
        list(&game.position, prefix.as_ref())
    };
    conditions.answer_content(state.store.read(read).await?)
}

fn list(position: &Position, prefix: Option<&Turn>) -> Result<LegalTurns, ApiError> {
    let actions = prefix.map_or(&[][..], Turn::actions);
    let illegal = |illegal: IllegalTurn| ApiError::IllegalTurn {
        at: illegal.at,
        reason: illegal.reason.code(),
        detail: illegal.reason.to_string(),
        current_ply: position.ply(),
        is_last: false,
    };
    let mut turns = position
        .legal_turns(actions, TURNS_MAX + 1)
        .map_err(illegal)?;
    let truncated = turns.len() > TURNS_MAX;
    turns.truncate(TURNS_MAX);
    Ok(LegalTurns {
        ply: position.ply(),
        prefix: prefix.map(Turn::to_string).unwrap_or_default(),
        turns: turns.iter().map(Turn::to_string).collect(),
        truncated,
        next_parts: next_parts(position, actions),
    })
}

/// The parts that may follow legal actions; a row and the ring taken off for it are one part.
fn next_parts(position: &Position, actions: &[Action]) -> Vec<String> {
    let mut after = *position;
    for action in actions {
        after.play_unchecked(*action);
    }
    if after.ply() != position.ply() {
        return Vec::new();
    }
    let parts_with = |action: Action| {
        let mut taken = after;
        taken.play_unchecked(action);
        match action {
            Action::TakeRow(_) => taken
                .actions()
                .iter()
                .map(|ring| format!("{action}{ring}"))
                .collect(),
            _ => vec![action.to_string()],
        }
    };
    after
        .actions()
        .iter()
        .copied()
        .flat_map(parts_with)
        .collect()
}
