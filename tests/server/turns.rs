//! Each row of the API's table of turns.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use yinsh_bot::api::{ColorWord, GameState, GameStatus, ProblemCode, ReasonWord};
use yinsh_bot::game::{Position, Variant};

use crate::common::{Client, InProcess, TestServer, begin, begin_game, first_turn, first_turn_of};

const HOUR: u64 = 3_600_000;

/// A server, two bots, and a game at ply 2.
async fn at_ply_two() -> (InProcess, Client, Client, String) {
    let server = InProcess::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, HOUR).await;
    white.play(&game, 0, "e5").await;
    black.play(&game, 1, "f6").await;
    (server, white, black, game)
}

#[tokio::test]
async fn a_legal_turn_at_the_current_ply_is_recorded() {
    let (_server, white, _black, game) = at_ply_two().await;
    let before = white.game(&game).await;
    let answer = white.put_turn(&game, 2, "G7").await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let after: GameState = answer.json();
    assert_eq!(answer.etag(), format!("\"{game}-{}\"", before.version + 1));
    assert_eq!((after.ply, after.version), (3, before.version + 1));
    assert_eq!(after.turns, ["e5", "f6", "g7"]);
    assert_eq!(after.to_move, Some(ColorWord::Black));
    assert_eq!(after.clock.running, Some(ColorWord::Black));
    assert!(after.replay().is_ok());
}

#[tokio::test]
async fn the_same_turn_again_is_replayed() {
    let (_server, white, black, game) = at_ply_two().await;
    let replayed = white.put_turn(&game, 0, "E5").await;
    assert_eq!(replayed.status, StatusCode::OK);
    assert_eq!(replayed.header("idempotent-replayed"), "true");
    assert_eq!(replayed.json::<GameState>().ply, 2);

    black.act(&format!("/games/{game}/resign")).await;
    let replayed = black.put_turn(&game, 1, "f6").await;
    assert_eq!(replayed.status, StatusCode::OK);
    assert_eq!(replayed.json::<GameState>().status, GameStatus::Finished);
}

#[tokio::test]
async fn another_turn_at_a_past_ply_conflicts() {
    let (_server, white, black, game) = at_ply_two().await;
    let problem = white
        .put_turn(&game, 0, "e6")
        .await
        .problem(409, ProblemCode::PlyConflict);
    assert_eq!(problem.current_ply, Some(2));
    assert_eq!(problem.recorded_turn.as_deref(), Some("e5"));
    // The same turn, but by the other player.
    black
        .put_turn(&game, 0, "e5")
        .await
        .problem(409, ProblemCode::PlyConflict);
}

#[tokio::test]
async fn a_ply_ahead_is_refused() {
    let (_server, white, black, game) = at_ply_two().await;
    for ply in [3, 4, 1000] {
        let problem = black
            .put_turn(&game, ply, "g7")
            .await
            .problem(409, ProblemCode::PlyAhead);
        assert_eq!(problem.current_ply, Some(2));
    }
    let path = format!("/games/{game}/turns/99999");
    let far = white.put(&path, json!({ "turn": "g7" })).await;
    far.problem(409, ProblemCode::PlyAhead);
}

#[tokio::test]
async fn the_opponents_turn_and_a_strangers_are_refused() {
    let (server, _white, black, game) = at_ply_two().await;
    let problem = black
        .put_turn(&game, 2, "g7")
        .await
        .problem(403, ProblemCode::NotYourTurn);
    assert_eq!(problem.current_ply, Some(2));
    let stranger = server.bot("stranger").await;
    stranger
        .put_turn(&game, 2, "g7")
        .await
        .problem(403, ProblemCode::Forbidden);
    stranger
        .put_turn("g_none", 0, "g7")
        .await
        .problem(404, ProblemCode::NotFound);
}

#[tokio::test]
async fn a_turn_for_another_position_is_refused() {
    let (_server, white, _black, game) = at_ply_two().await;
    let path = format!("/games/{game}/turns/2");
    let start = Position::start(Variant::Standard).to_string();
    let answer = white
        .put(&path, json!({ "turn": "g7", "position_before": start }))
        .await;
    answer.problem(409, ProblemCode::PositionMismatch);
    assert_eq!(white.game(&game).await.ply, 2);
    let position = white.game(&game).await.position;
    let answer = white
        .put(&path, json!({ "turn": "g7", "position_before": position }))
        .await;
    assert_eq!(answer.status, StatusCode::CREATED);
}

#[tokio::test]
async fn illegal_turns_are_told_apart_and_the_third_forfeits() {
    let (_server, white, black, game) = at_ply_two().await;
    let before = white.game(&game).await;
    let problem = white
        .put_turn(&game, 2, "e5")
        .await
        .problem(422, ProblemCode::IllegalTurn);
    assert_eq!(
        (problem.at, problem.reason.as_deref()),
        (Some(0), Some("occupied"))
    );
    let problem = white
        .put_turn(&game, 2, "e5-e6")
        .await
        .problem(422, ProblemCode::IllegalTurn);
    assert_eq!(problem.reason.as_deref(), Some("placement_expected"));
    let after = white.game(&game).await;
    assert_eq!(
        (after.version, after.status),
        (before.version, GameStatus::Active)
    );

    let problem = white
        .put_turn(&game, 2, "f6")
        .await
        .problem(422, ProblemCode::IllegalTurn);
    assert!(problem.detail.contains("lost"), "{}", problem.detail);
    let over = black.game(&game).await;
    let result = over.result.expect("a result");
    assert_eq!(
        (result.winner, result.reason),
        (Some(ColorWord::Black), ReasonWord::IllegalTurns)
    );
    assert_eq!(over.version, before.version + 1);
    white
        .put_turn(&game, 2, "g7")
        .await
        .problem(409, ProblemCode::GameOver);
}

#[tokio::test]
async fn illegal_turns_are_counted_for_each_ply() {
    let (_server, white, black, game) = at_ply_two().await;
    for (ply, player, good) in [(2, &white, "g7"), (3, &black, "h8")] {
        for _ in 0..2 {
            player
                .put_turn(&game, ply, "e5")
                .await
                .problem(422, ProblemCode::IllegalTurn);
        }
        player.play(&game, ply, good).await;
    }
}

#[tokio::test]
async fn what_is_no_turn_text_is_malformed_and_not_counted() {
    let (_server, white, _black, game) = at_ply_two().await;
    for text in [
        "",
        "z9",
        "e5-",
        "e5;;",
        "pass;pass",
        "xe5",
        "\u{0}",
        &"e5;".repeat(500),
    ] {
        white
            .put_turn(&game, 2, text)
            .await
            .problem(400, ProblemCode::Malformed);
    }
    white.play(&game, 2, "g7").await;
}

#[tokio::test]
async fn after_the_flag_a_turn_finds_the_game_over() {
    let server = InProcess::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, 150).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    // No alarm runs in this process: the turn itself finds the fallen flag.
    white
        .put_turn(&game, 0, "e5")
        .await
        .problem(409, ProblemCode::GameOver);
    let result = black.game(&game).await.result.expect("a result");
    assert_eq!(
        (result.winner, result.reason),
        (Some(ColorWord::Black), ReasonWord::Timeout)
    );
}

#[tokio::test]
async fn whole_games_are_played_to_their_end_by_the_rules() {
    let server = InProcess::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    for variant in ["standard", "blitz"] {
        let clock = json!({ "initial_ms": HOUR, "increment_ms": 1000 });
        let game = begin(&white, &black, variant, clock).await;
        let mut state = white.game(&game).await;
        while state.status == GameStatus::Active {
            let turn = first_turn(&state).to_string();
            let player = match state.to_move {
                Some(ColorWord::White) => &white,
                _ => &black,
            };
            state = player.play(&game, state.ply, &turn).await;
        }
        let end = state.replay().expect("the game replays");
        let outcome = end.outcome().expect("over on the board");
        let result = state.result.expect("a result");
        assert_eq!(result.reason, outcome.reason.into(), "{variant}");
        assert_eq!(result.winner, outcome.winner.map(Into::into));
        assert_eq!((state.to_move, state.clock.running), (None, None));
        white
            .put_turn(&game, state.ply, "e5")
            .await
            .problem(409, ProblemCode::GameOver);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_equal_requests_record_one_turn() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, HOUR).await;
    let mut position = Position::start(Variant::Standard);
    for (ply, player) in [(0, &white), (1, &black), (2, &white)] {
        let turn = first_turn_of(&position);
        position = position.play_turn(&turn).expect("legal");
        let requests = (0..100).map(|_| {
            let (player, game, turn) = (player.clone(), game.clone(), turn.to_string());
            tokio::spawn(async move { player.put_turn(&game, ply, &turn).await.status })
        });
        let requests: Vec<_> = requests.collect();
        let mut recorded = 0;
        for request in requests {
            match request.await.expect("an answer") {
                StatusCode::CREATED => recorded += 1,
                status => assert_eq!(status, StatusCode::OK),
            }
        }
        assert_eq!(recorded, 1);
    }
    assert_eq!(white.game(&game).await.ply, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn different_turns_at_once_record_one_of_them() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, HOUR).await;
    let turns = ["e5", "e6", "e7", "f5", "f6", "f7", "g5", "g6"];
    let requests: Vec<_> = turns
        .map(|turn| {
            let (white, game) = (white.clone(), game.clone());
            tokio::spawn(async move { white.put_turn(&game, 0, turn).await })
        })
        .into_iter()
        .collect();
    let mut recorded = 0;
    for request in requests {
        let answer = request.await.expect("an answer");
        if answer.status == StatusCode::CREATED {
            recorded += 1;
        } else {
            answer.problem(409, ProblemCode::PlyConflict);
        }
    }
    assert_eq!((recorded, white.game(&game).await.turns.len()), (1, 1));
}
