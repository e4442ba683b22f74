//! Clocks that run in real time: flags, restarts.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use yinsh_bot::api::{ColorWord, GameState, GameStatus, Pending, ProblemCode, ReasonWord};

use crate::common::{Client, TestServer, begin, begin_game};

async fn sleep_ms(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_without_anybody_asking() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, 400).await;
    white.play(&game, 0, "e5").await;
    sleep_ms(600).await;
    // The list of games is read from the store, which settles nothing by itself.
    let pending: Pending = white.get("/me/pending").await.json();
    assert!(pending.games.is_empty());
    let result = white.game(&game).await.result.expect("a result");
    assert_eq!(
        (result.winner, result.reason),
        (Some(ColorWord::White), ReasonWord::Timeout)
    );
    black
        .put_turn(&game, 1, "f6")
        .await
        .problem(409, ProblemCode::GameOver);
    black
        .act(&format!("/games/{game}/resign"))
        .await
        .problem(409, ProblemCode::GameOver);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_flags_fall_each_in_its_time() {
    let server = TestServer::start_with(|config| config.games_max = 100).await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let mut games = Vec::new();
    for number in 0..20 {
        games.push(begin_game(&white, &black, 500 + 20 * number).await);
    }
    sleep_ms(1_300).await;
    for game in games {
        assert_eq!(white.game(&game).await.status, GameStatus::Finished);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_is_charged_and_incremented() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let clock = json!({ "initial_ms": 60_000, "increment_ms": 5_000 });
    let game = begin(&white, &black, "standard", clock).await;
    sleep_ms(300).await;
    let state = white.play(&game, 0, "e5").await;
    let used = 65_000 - state.clock.white_ms;
    assert!((300..5_000).contains(&used), "{used} ms");
    assert_eq!(state.clock.running, Some(ColorWord::Black));
    let deadline = state.clock.deadline_at.expect("a deadline");
    assert_eq!(deadline, state.clock.as_of + state.clock.black_ms);
}

/// The flag is still up when the turn is sent shortly before the deadline, and it must be in time.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_shortly_before_the_deadline_is_in_time() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(begin_game(&white, &black, 2_000).await);
    }
    sleep_ms(1_500).await;
    for game in games {
        let answer = white.put_turn(&game, 0, "e5").await;
        assert_eq!(answer.status, StatusCode::CREATED);
    }
}

async fn game_with_turns(white: &Client, black: &Client, initial_ms: u64) -> (String, GameState) {
    let game = begin_game(white, black, initial_ms).await;
    white.play(&game, 0, "e5").await;
    let state = black.play(&game, 1, "f6").await;
    (game, state)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_stopped_server_is_nobodys() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let (game, before) = game_with_turns(&white, &black, 1_500).await;
    // Longer away than the clock would bear.
    let server = server.restart_after(Duration::from_millis(2_500)).await;
    let white = server.again(&white);
    let state = white.game(&game).await;
    assert_eq!(
        (state.status, &state.turns),
        (GameStatus::Active, &before.turns)
    );
    assert_eq!(state.version, before.version);
    assert!(state.clock.white_ms > 800, "{:?}", state.clock);
    white.play(&game, 2, "g7").await;
    let pending: Pending = white.get("/me/pending").await.json();
    assert_eq!(pending.games.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_fall_after_a_restart_too() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let (game, _) = game_with_turns(&white, &black, 700).await;
    let server = server.restart_after(Duration::ZERO).await;
    let white = server.again(&white);
    sleep_ms(1_500).await;
    let result = white.game(&game).await.result.expect("a result");
    assert_eq!(
        (result.winner, result.reason),
        (Some(ColorWord::Black), ReasonWord::Timeout)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_turns_are_remembered_over_a_restart() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let (game, _) = game_with_turns(&white, &black, 60_000).await;
    for _ in 0..2 {
        white
            .put_turn(&game, 2, "e5")
            .await
            .problem(422, ProblemCode::IllegalTurn);
    }
    let server = server.restart_after(Duration::ZERO).await;
    let white = server.again(&white);
    white
        .put_turn(&game, 2, "e5")
        .await
        .problem(422, ProblemCode::IllegalTurn);
    assert_eq!(white.game(&game).await.status, GameStatus::Finished);
}
