//! What the server's own search thinks of a finished game.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api::{AnalysedTurn, Analysis, AnalysisStatus, GameId};
use crate::server::analyst::Job;
use crate::server::answer::Conditions;
use crate::server::error::ApiError;
use crate::server::extract::Path;
use crate::server::game::Game;
use crate::server::state::AppState;
use crate::server::store::{Snapshot, StoreError, Tx};

use super::games::find;

/// The analysis of a game: there, being made, or not asked for yet.
#[utoipa::path(get, path = "/games/{id}/analysis", tag = "play", security((), ("token" = [])),
    params(("id" = GameId, Path, description = "The game.")),
    responses((status = OK, body = Analysis, description = "How far it has come.")))]
pub async fn analysis(
    State(state): State<AppState>,
    Path(id): Path<GameId>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let (game, turns) = read(&state, id).await?;
    conditions.answer_content(describe(&state, &game, turns))
}

/// Asks for the analysis of a finished game. One game is analysed at a time; to ask again changes nothing.
#[utoipa::path(post, path = "/games/{id}/analysis", tag = "play", security((), ("token" = [])),
    params(("id" = GameId, Path, description = "The game.")),
    responses((status = OK, body = Analysis, description = "It is there."),
        (status = ACCEPTED, body = Analysis, description = "It is being made.")))]
pub async fn analyse(
    State(state): State<AppState>,
    Path(id): Path<GameId>,
) -> Result<Response, ApiError> {
    let time = Duration::from_millis(state.config.analysis_ms.into());
    if time.is_zero() {
        return Err(ApiError::Forbidden("this server does not analyse games"));
    }
    let (game, turns) = read(&state, id).await?;
    if game.outcome.is_none() {
        return Err(ApiError::Busy("the game is still being played"));
    }
    let is_there = turns.len() == game.turns.len();
    if !is_there && state.analyst.progress(&game.id).is_none() {
        let job = state.analyst.begin(&game.id).ok_or(ApiError::Busy(
            "another game is being analysed; ask again in a moment",
        ))?;
        tokio::spawn(work(state.clone(), job, game.clone(), time));
    }
    let analysis = describe(&state, &game, turns);
    let status = match analysis.status {
        AnalysisStatus::Done => StatusCode::OK,
        _ => StatusCode::ACCEPTED,
    };
    Ok((status, Json(analysis)).into_response())
}

async fn read(state: &AppState, id: GameId) -> Result<(Game, Vec<AnalysedTurn>), ApiError> {
    let read = move |snapshot: &Snapshot| {
        let game = find(snapshot, &id)?;
        let turns = snapshot.analysis(&id)?;
        Ok::<_, ApiError>((game, turns))
    };
    state.store.read(read).await
}

fn describe(state: &AppState, game: &Game, turns: Vec<AnalysedTurn>) -> Analysis {
    let all = game.position.ply() + 1;
    let is_there = game.outcome.is_some() && turns.len() == game.turns.len();
    let progress = state.analyst.progress(&game.id);
    let (status, done) = match (is_there, progress) {
        (true, _) => (AnalysisStatus::Done, all),
        (false, Some(done)) => (AnalysisStatus::Running, done.min(all)),
        (false, None) => (AnalysisStatus::None, 0),
    };
    Analysis {
        status,
        done: [done, all],
        turns,
    }
}

/// Analyses on a thread of its own, and keeps what comes of it.
async fn work(state: AppState, job: Job, game: Game, time: Duration) {
    let id = game.id.clone();
    let search = move || job.run(&game, time);
    // A panic has been logged; nobody waits for this.
    let Ok(Some(turns)) = tokio::task::spawn_blocking(search).await else {
        return;
    };
    let save = move |tx: &mut Tx| tx.save_analysis(&id, &turns);
    if let Err(error) = state.store.write::<_, StoreError>(save).await {
        tracing::error!(%error, "an analysis could not be kept");
    }
}
