//! Long polls: woken by every change, by nothing else, and never left asleep.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::json;
use tokio::task::JoinHandle;
use yinsh_bot::api::{GameState, GameStatus, Pending, ReasonWord};

use crate::common::{Answer, Client, TestServer, begin_game, first_turn};

const HOUR: u64 = 3_600_000;

/// Starts a long poll and leaves it time to hang.
async fn hang(client: &Client, path: &str, etag: &str) -> JoinHandle<(Answer, Duration)> {
    let (client, path, etag) = (client.clone(), path.to_owned(), etag.to_owned());
    let poll = tokio::spawn(async move {
        let started = Instant::now();
        (client.get_known(&path, &etag).await, started.elapsed())
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    poll
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_game_poll_is_woken_by_a_turn() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, HOUR).await;
    let path = format!("/games/{game}?wait=20");
    let etag = black.get(&path).await.etag();
    let poll = hang(&black, &path, &etag).await;
    white.play(&game, 0, "e5").await;
    let (answer, elapsed) = poll.await.expect("an answer");
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json::<GameState>().ply, 1);
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_is_woken_by_challenges_games_turns_and_ends() {
    let server = TestServer::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let path = "/me/pending?wait=20";
    let mut etag = bob.get("/me/pending").await.etag();
    let challenge = json!({ "to": bob.id, "variant": "standard", "color": "white", "rated": false,
        "clock": { "initial_ms": HOUR, "increment_ms": 0 } });

    let poll = hang(&bob, path, &etag).await;
    let id = ada.post("/challenges", challenge).await.text("id");
    let (answer, _) = poll.await.expect("an answer");
    assert_eq!(answer.json::<Pending>().challenges.len(), 1);
    etag = answer.etag();

    let poll = hang(&ada, path, &ada.get("/me/pending").await.etag()).await;
    let game = bob
        .act(&format!("/challenges/{id}/accept"))
        .await
        .text("id");
    let (answer, _) = poll.await.expect("an answer");
    assert!(answer.json::<Pending>().games[0].my_turn);
    assert_ne!(bob.get("/me/pending").await.etag(), etag);

    let poll = hang(&bob, path, &bob.get("/me/pending").await.etag()).await;
    ada.play(&game, 0, "e5").await;
    let (answer, _) = poll.await.expect("an answer");
    assert!(answer.json::<Pending>().games[0].my_turn);

    let poll = hang(&bob, path, &answer.etag()).await;
    ada.act(&format!("/games/{game}/resign")).await;
    let (answer, _) = poll.await.expect("an answer");
    assert!(answer.json::<Pending>().games.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_new_is_told_when_the_wait_is_over() {
    let server = TestServer::start().await;
    let ada = server.bot("ada").await;
    let etag = ada.get("/me/pending").await.etag();
    for wait in [0, 1] {
        let started = Instant::now();
        let answer = ada
            .get_known(&format!("/me/pending?wait={wait}"), &etag)
            .await;
        assert_eq!(
            (answer.status, answer.etag()),
            (StatusCode::NOT_MODIFIED, etag.clone())
        );
        let elapsed = started.elapsed();
        assert!(elapsed >= Duration::from_secs(wait), "{elapsed:?}");
        assert!(elapsed < Duration::from_secs(wait + 5), "{elapsed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_servers_longest_wait_bounds_every_wait() {
    let server = TestServer::start_with(|config| config.wait_max_s = 1).await;
    let ada = server.bot("ada").await;
    let etag = ada.get("/me/pending").await.etag();
    let started = Instant::now();
    ada.get_known("/me/pending?wait=1000000", &etag).await;
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_without_a_known_state_is_answered_at_once() {
    let server = TestServer::start().await;
    let ada = server.bot("ada").await;
    let started = Instant::now();
    assert_eq!(ada.get("/me/pending?wait=20").await.status, StatusCode::OK);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_poll_of_the_same_token_ends_the_older() {
    let server = TestServer::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let path = "/me/pending?wait=20";
    let etag = ada.get("/me/pending").await.etag();
    let other = hang(&bob, path, &bob.get("/me/pending").await.etag()).await;
    let older = hang(&ada, path, &etag).await;
    let newer = hang(&ada, path, &etag).await;
    let (answer, elapsed) = older.await.expect("an answer");
    assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
    assert!(elapsed < Duration::from_secs(5));
    assert!(!newer.is_finished() && !other.is_finished());

    begin_game(&ada, &bob, HOUR).await;
    assert_eq!(newer.await.expect("an answer").0.status, StatusCode::OK);
    assert_eq!(other.await.expect("an answer").0.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_does_not_hang() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, HOUR).await;
    white.act(&format!("/games/{game}/resign")).await;
    let path = format!("/games/{game}?wait=20");
    let etag = black.get(&path).await.etag();
    let started = Instant::now();
    let answer = black.get_known(&path, &etag).await;
    assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fallen_flag_and_an_expired_challenge_wake_too() {
    let server = TestServer::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, 600).await;
    let path = format!("/games/{game}?wait=20");
    let etag = black.get(&path).await.etag();
    let poll = hang(&black, &path, &etag).await;
    let (answer, elapsed) = poll.await.expect("an answer");
    let state: GameState = answer.json();
    assert_eq!(state.status, GameStatus::Finished);
    assert_eq!(state.result.expect("a result").reason, ReasonWord::Timeout);
    assert_eq!(state.clock.white_ms, 0);
    assert!(elapsed < Duration::from_millis(900), "{elapsed:?}");
}

/// Two players who do nothing but wait for each other: one lost wake-up, and the game stands still.
#[tokio::test(flavor = "multi_thread")]
async fn no_wake_up_is_lost_in_many_fast_games() {
    let server = TestServer::start().await;
    let mut players = Vec::new();
    for number in 0..6 {
        let white = server.bot(&format!("white{number}")).await;
        let black = server.bot(&format!("black{number}")).await;
        let game = begin_game(&white, &black, HOUR).await;
        for (player, parity) in [(white, 0), (black, 1)] {
            players.push(tokio::spawn(play_by_polls(player, game.clone(), parity)));
        }
    }
    for player in players {
        let longest = player.await.expect("a player who played");
        assert!(
            longest < Duration::from_secs(10),
            "a poll hung for {longest:?}"
        );
    }
}

/// Plays the first legal turn whenever it is this player's turn; returns the longest time that a poll hung.
async fn play_by_polls(player: Client, game: String, parity: u16) -> Duration {
    let path = format!("/games/{game}?wait=20");
    let mut longest = Duration::ZERO;
    let mut state = player.game(&game).await;
    while state.status == GameStatus::Active {
        if state.ply % 2 == parity {
            let turn = first_turn(&state).to_string();
            state = player.play(&game, state.ply, &turn).await;
        } else {
            let started = Instant::now();
            let etag = format!("\"{game}-{}\"", state.version);
            let answer = player.get_known(&path, &etag).await;
            longest = longest.max(started.elapsed());
            assert_eq!(answer.status, StatusCode::OK, "a wake-up was lost");
            state = answer.json();
        }
    }
    longest
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging_polls_do_not_delay_the_end_of_the_server() {
    let server = TestServer::start().await;
    let ada = server.bot("ada").await;
    let poll = hang(
        &ada,
        "/me/pending?wait=20",
        &ada.get("/me/pending").await.etag(),
    )
    .await;
    let started = Instant::now();
    server.server.shutdown().await.expect("the server stops");
    assert!(started.elapsed() < Duration::from_secs(10));
    let (answer, _) = poll.await.expect("an answer");
    assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
}
