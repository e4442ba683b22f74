//! What a server says, made up for tests.

use std::time::Duration;

use serde_json::json;
use yinsh_bot::api::{
    Challenge, ChallengeId, GameId, GameResult, GameState, Me, Meta, MyGame, Pending, Problem,
    ProblemCode,
};
use yinsh_bot::bot::{Refusal, Tagged, TransportError};
use yinsh_bot::game::{Position, Turn, Variant};
use yinsh_bot::search::{MemoryUse, SearchReport};

use super::{SECOND, SERVER_START};

pub(super) fn tagged(state: GameState) -> Tagged<GameState> {
    Tagged {
        tag: Some(format!("\"g1-{}\"", state.version)),
        value: state,
    }
}

pub fn game_id() -> GameId {
    GameId::from("g1")
}

pub fn meta() -> Meta {
    let rules = yinsh_bot::api::Rules::ours();
    from_json(json!({
        "api": "1.0", "server_time": SERVER_START, "game": "yinsh", "rules": rules,
        "limits": {"wait_max_s": 30, "body_max_bytes": 4096, "games_max": 16, "requests_per_minute": 100_000},
    }))
}

/// The account is white in every game.
pub fn me() -> Me {
    from_json(json!({
        "id": "bot_me", "name": "me", "kind": "bot", "rating": 1500, "active_games": 0, "token_id": "t_1",
    }))
}

pub fn pending(version: u64, games: Vec<MyGame>) -> Pending {
    Pending {
        server_time: SERVER_START,
        version,
        challenges: Vec::new(),
        sent: Vec::new(),
        games,
    }
}

pub fn challenge(id: &str) -> Challenge {
    from_json(json!({
        "id": id, "from": {"id": "u_9", "name": "ada", "kind": "human"}, "variant": "standard", "rated": false,
        "color": "random", "clock": {"initial_ms": 300_000, "increment_ms": 3_000},
        "expires_at": SERVER_START + 60_000,
    }))
}

pub fn challenge_id(challenge: &str) -> ChallengeId {
    ChallengeId::from(challenge)
}

/// The game after `turns` as a poll lists it.
pub fn listed(turns: &[&str], version: u64) -> MyGame {
    from_json(json!({
        "id": "g1", "my_turn": turns.len().is_multiple_of(2), "color": "white", "ply": turns.len(), "version": version,
        "opponent": {"id": "bot_other", "name": "other", "kind": "bot"}, "status": "active",
    }))
}

/// The game after `turns`, five minutes on each clock.
pub fn state(turns: &[&str], version: u64) -> GameState {
    let initial = Position::start(Variant::Standard);
    let play = |position: Position, turn: &&str| {
        let turn: Turn = turn.parse().unwrap();
        position.play_turn(&turn).unwrap()
    };
    let position = turns.iter().fold(initial, play);
    let to_move = position.side().as_str();
    from_json(json!({
        "id": "g1", "version": version, "server_time": SERVER_START, "status": "active", "variant": "standard",
        "rated": false, "ply": turns.len(), "to_move": to_move, "initial_position": initial.to_string(),
        "players": {
            "white": {"id": "bot_me", "name": "me", "kind": "bot"},
            "black": {"id": "bot_other", "name": "other", "kind": "bot"},
        },
        "position": position.to_string(), "turns": turns,
        "clock": {
            "initial_ms": 300_000, "increment_ms": 3_000, "white_ms": 300_000, "black_ms": 300_000,
            "running": to_move, "as_of": SERVER_START, "deadline_at": SERVER_START + 300_000,
        },
    }))
}

/// The same, as another game.
pub fn renamed(mut state: GameState, game: &GameId) -> GameState {
    state.id = game.clone();
    state
}

/// A game in a list, as another one.
pub fn listed_as(game: &GameId, turns: &[&str], version: u64) -> MyGame {
    MyGame {
        id: game.clone(),
        ..listed(turns, version)
    }
}

/// What a search says that has found `turn`.
pub fn report(turn: &str, win_probability: f64) -> SearchReport {
    let turn: Turn = turn.parse().unwrap();
    SearchReport {
        principal: vec![turn.clone()],
        turn,
        win_probability: Some(win_probability),
        proof: None,
        simulations: 1_000,
        root_visits: 1_000,
        elapsed: SECOND,
        mean_depth: 3.0,
        max_depth: 9,
        candidates: Vec::new(),
        memory: MemoryUse { used: 0, limit: 0 },
    }
}

/// The same game, resigned by the opponent.
pub fn finished(mut state: GameState) -> GameState {
    let result: GameResult =
        from_json(json!({"winner": "white", "reason": "resign", "score": [0, 0]}));
    state.status = yinsh_bot::api::GameStatus::Finished;
    state.result = Some(result);
    state.to_move = None;
    state.clock.running = None;
    state.clock.deadline_at = None;
    state
}

/// A refusal by the game server.
pub fn refused(status: u16, code: ProblemCode) -> TransportError {
    let problem: Problem = from_json(json!({"status": status, "code": code}));
    TransportError::Refused(Box::new(Refusal {
        status,
        retry_after: None,
        problem: Some(problem),
        body: String::new(),
    }))
}

/// A page from something between the bot and the game server.
pub fn page(status: u16, retry_after: Option<Duration>) -> TransportError {
    TransportError::Refused(Box::new(Refusal {
        status,
        retry_after,
        problem: None,
        body: "<html>".to_owned(),
    }))
}

pub fn from_json<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).unwrap()
}
