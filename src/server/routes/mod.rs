//! The endpoints, one file per topic.

mod analysis;
mod bots;
mod challenges;
mod games;
mod legal_turns;
mod lobby;
mod me;
mod meta;
mod people;
mod players;
mod seeks;
mod turns;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::state::AppState;

/// Endpoints that need no token.
pub fn open() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(meta::meta))
}

/// Endpoints for those who want an account.
pub fn for_newcomers() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(bots::create_bot))
        .routes(routes!(people::create_person))
}

/// Endpoints that everybody may read.
pub fn for_watchers() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(lobby::lobby))
        .routes(routes!(lobby::all_games))
        .routes(routes!(people::session))
        .routes(routes!(players::players))
        .routes(routes!(players::player))
        .routes(routes!(seeks::list_seeks))
        .routes(routes!(games::game))
        .routes(routes!(games::record))
        .routes(routes!(legal_turns::legal_turns))
        .routes(routes!(analysis::analysis, analysis::analyse))
}

/// Endpoints for those with a token.
pub fn for_members() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(bots::create_token))
        .routes(routes!(bots::delete_token))
        .routes(routes!(me::me))
        .routes(routes!(me::pending))
        .routes(routes!(me::my_games))
        .routes(routes!(people::end_session))
        .routes(routes!(seeks::create_seek))
        .routes(routes!(seeks::keep_seek, seeks::cancel_seek))
        .routes(routes!(seeks::accept_seek))
        .routes(routes!(challenges::create_challenge))
        .routes(routes!(challenges::cancel_challenge))
        .routes(routes!(challenges::accept_challenge))
        .routes(routes!(challenges::decline_challenge))
        .routes(routes!(games::resign))
        .routes(routes!(games::abort))
}

/// Endpoints for those with a token that are counted as turns.
pub fn for_turns() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(turns::put_turn))
}
