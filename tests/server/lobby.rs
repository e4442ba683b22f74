use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use yinsh_bot::api::{
    Challenge, ChallengeStatus, ColorWord, DeclineReason, GameState, Pending, ProblemCode, Seek,
    SeeksPage,
};

use crate::common::{Client, InProcess, TestServer, begin_game};

fn seek(ttl_s: u64) -> Value {
    json!({ "variant": "standard", "color": "black", "rated": true, "opponent_kind": "any", "ttl_s": ttl_s,
        "clock": { "initial_ms": 60_000, "increment_ms": 1_000 } })
}

fn challenge(to: &Client) -> Value {
    json!({ "to": to.id, "variant": "blitz", "color": "white", "rated": false,
        "clock": { "initial_ms": 60_000, "increment_ms": 1_000 } })
}

fn with(mut value: Value, field: &str, content: Value) -> Value {
    value[field] = content;
    value
}

async fn pending(client: &Client) -> Pending {
    client.get("/me/pending").await.json()
}

#[tokio::test]
async fn a_seek_becomes_a_game() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let created = ada.post("/seeks", seek(60)).await;
    assert_eq!(created.status, StatusCode::CREATED);
    let path = format!("/seeks/{}", created.text("id"));

    let listed: SeeksPage = bob.get("/seeks").await.json();
    assert_eq!(listed.seeks[0].from.name, "ada");
    ada.act(&format!("{path}/accept"))
        .await
        .problem(403, ProblemCode::Forbidden);

    let accepted = bob.act(&format!("{path}/accept")).await;
    assert_eq!(accepted.status, StatusCode::CREATED);
    let game: GameState = accepted.json();
    assert_eq!(
        accepted.header("location"),
        format!("/api/v1/games/{}", game.id)
    );
    assert_eq!(
        (game.players.white.name.as_str(), game.rated),
        ("bob", true)
    );
    assert_eq!(
        (game.to_move, game.clock.running),
        (Some(ColorWord::White), Some(ColorWord::White))
    );
    for (player, color) in [(&ada, ColorWord::Black), (&bob, ColorWord::White)] {
        assert_eq!(pending(player).await.games[0].color, color);
    }

    let again = bob.act(&format!("{path}/accept")).await;
    let problem = again.problem(409, ProblemCode::AlreadyAccepted);
    assert_eq!(problem.game_id, Some(game.id));
    ada.delete(&path)
        .await
        .problem(409, ProblemCode::AlreadyAccepted);
    ada.put(&path, json!({}))
        .await
        .problem(409, ProblemCode::AlreadyAccepted);
    assert!(bob.get("/seeks").await.json::<SeeksPage>().seeks.is_empty());
}

#[tokio::test]
async fn a_seek_expires_unless_it_is_kept_alive() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let created = ada.post("/seeks", seek(2)).await;
    let path = format!("/seeks/{}", created.text("id"));
    // Together longer than it would live by itself, each with time to spare.
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(800)).await;
        let kept: Seek = ada.put(&path, json!({})).await.json();
        assert_eq!(kept.id.as_str(), created.text("id"));
    }
    bob.put(&path, json!({}))
        .await
        .problem(403, ProblemCode::Forbidden);
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    ada.put(&path, json!({}))
        .await
        .problem(410, ProblemCode::Expired);
    bob.act(&format!("{path}/accept"))
        .await
        .problem(410, ProblemCode::Expired);
    assert!(bob.get("/seeks").await.json::<SeeksPage>().seeks.is_empty());
}

#[tokio::test]
async fn seeks_are_cancelled_by_their_maker() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let path = format!("/seeks/{}", ada.post("/seeks", seek(60)).await.text("id"));
    bob.delete(&path).await.problem(403, ProblemCode::Forbidden);
    assert_eq!(ada.delete(&path).await.status, StatusCode::NO_CONTENT);
    ada.delete(&path).await.problem(404, ProblemCode::NotFound);
    bob.act(&format!("{path}/accept"))
        .await
        .problem(404, ProblemCode::NotFound);
}

#[tokio::test]
async fn a_seek_is_meant_for_a_kind_of_player() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    for (kind, status) in [
        ("human", StatusCode::FORBIDDEN),
        ("bot", StatusCode::CREATED),
    ] {
        let created = ada
            .post("/seeks", with(seek(60), "opponent_kind", json!(kind)))
            .await;
        let accepted = bob
            .act(&format!("/seeks/{}/accept", created.text("id")))
            .await;
        assert_eq!(accepted.status, status);
    }
}

#[tokio::test]
async fn what_is_not_on_offer_is_refused() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let long = json!({ "initial_ms": u64::MAX, "increment_ms": 0 });
    for (field, content) in [
        ("variant", json!("hexagonal")),
        ("color", json!("green")),
        ("opponent_kind", json!("alien")),
        ("ttl_s", json!(0)),
        ("ttl_s", json!(601)),
        ("clock", json!({ "initial_ms": 0, "increment_ms": 0 })),
        ("clock", long),
    ] {
        let answer = ada.post("/seeks", with(seek(60), field, content)).await;
        answer.problem(422, ProblemCode::Unsupported);
    }
    let to_nobody = ada
        .post("/challenges", with(challenge(&bob), "to", json!("bot_x")))
        .await;
    to_nobody.problem(404, ProblemCode::NotFound);
    ada.post("/challenges", challenge(&ada))
        .await
        .problem(422, ProblemCode::Unsupported);
}

#[tokio::test]
async fn a_challenge_is_seen_by_both_and_accepted_once() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let id = ada.post("/challenges", challenge(&bob)).await.text("id");
    let seen = pending(&bob).await;
    assert_eq!(seen.challenges[0].from.name, "ada");
    assert!(seen.sent.is_empty());
    assert_eq!(pending(&ada).await.sent[0].status, ChallengeStatus::Open);

    let path = format!("/challenges/{id}");
    ada.act(&format!("{path}/accept"))
        .await
        .problem(403, ProblemCode::Forbidden);
    let game: GameState = bob.act(&format!("{path}/accept")).await.json();
    assert_eq!(game.players.white.name, "ada");
    let again = bob.act(&format!("{path}/accept")).await;
    assert_eq!(
        again.problem(409, ProblemCode::AlreadyAccepted).game_id,
        Some(game.id.clone())
    );
    bob.post(&format!("{path}/decline"), json!({ "reason": "later" }))
        .await
        .problem(409, ProblemCode::AlreadyAccepted);
    ada.delete(&path)
        .await
        .problem(409, ProblemCode::AlreadyAccepted);
    assert!(pending(&bob).await.challenges.is_empty());
    assert_eq!(pending(&ada).await.sent[0].game_id, Some(game.id));
}

#[tokio::test]
async fn a_challenge_is_declined_with_a_reason() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let path = format!(
        "/challenges/{}",
        ada.post("/challenges", challenge(&bob)).await.text("id")
    );
    let decline = format!("{path}/decline");
    ada.post(&decline, json!({ "reason": "busy" }))
        .await
        .problem(403, ProblemCode::Forbidden);
    for _ in 0..2 {
        let declined = bob.post(&decline, json!({ "reason": "too_fast" })).await;
        assert_eq!(declined.status, StatusCode::OK);
        let challenge: Challenge = declined.json();
        assert_eq!(challenge.decline_reason, Some(DeclineReason::TooFast));
    }
    bob.act(&format!("{path}/accept"))
        .await
        .problem(409, ProblemCode::AlreadyAccepted);
    assert!(pending(&bob).await.challenges.is_empty());
    let sent = &pending(&ada).await.sent[0];
    assert_eq!(sent.status, ChallengeStatus::Declined);
    assert_eq!(sent.decline_reason, Some(DeclineReason::TooFast));
}

#[tokio::test]
async fn a_challenge_is_cancelled_by_its_maker() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let path = format!(
        "/challenges/{}",
        ada.post("/challenges", challenge(&bob)).await.text("id")
    );
    bob.delete(&path).await.problem(403, ProblemCode::Forbidden);
    assert_eq!(ada.delete(&path).await.status, StatusCode::NO_CONTENT);
    bob.act(&format!("{path}/accept"))
        .await
        .problem(404, ProblemCode::NotFound);
    assert!(pending(&bob).await.challenges.is_empty());
}

#[tokio::test]
async fn nobody_plays_more_games_than_allowed() {
    let server = InProcess::start_with(|config| config.games_max = 2).await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let cleo = server.bot("cleo").await;
    let first = begin_game(&ada, &bob, 60_000).await;
    begin_game(&ada, &bob, 60_000).await;
    let accept = |id: String| format!("/challenges/{id}/accept");

    // The acceptor is busy, then the maker.
    let to_bob = accept(cleo.post("/challenges", challenge(&bob)).await.text("id"));
    bob.act(&to_bob).await.problem(409, ProblemCode::Busy);
    let to_cleo = accept(ada.post("/challenges", challenge(&cleo)).await.text("id"));
    cleo.act(&to_cleo).await.problem(409, ProblemCode::Busy);

    ada.act(&format!("/games/{first}/abort")).await;
    assert_eq!(bob.act(&to_bob).await.status, StatusCode::CREATED);
    assert_eq!(cleo.act(&to_cleo).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn open_offers_are_limited() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    for _ in 0..8 {
        assert_eq!(
            ada.post("/seeks", seek(60)).await.status,
            StatusCode::CREATED
        );
    }
    ada.post("/seeks", seek(60))
        .await
        .problem(409, ProblemCode::Busy);
    for _ in 0..16 {
        let created = ada.post("/challenges", challenge(&bob)).await;
        assert_eq!(created.status, StatusCode::CREATED);
    }
    ada.post("/challenges", challenge(&bob))
        .await
        .problem(409, ProblemCode::Busy);
}

#[tokio::test]
async fn random_colours_come_both_ways() {
    let server = InProcess::start_with(|config| config.games_max = 100).await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let mut whites = 0;
    for _ in 0..40 {
        let offer = with(challenge(&bob), "color", json!("random"));
        let id = ada.post("/challenges", offer).await.text("id");
        let game: GameState = bob.act(&format!("/challenges/{id}/accept")).await.json();
        whites += usize::from(game.players.white.name == "ada");
    }
    assert!((3..=37).contains(&whites), "{whites} of 40");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_accept_one_seek_and_one_gets_it() {
    let server = TestServer::start().await;
    let ada = server.bot("ada").await;
    let id = ada.post("/seeks", seek(60)).await.text("id");
    let mut requests = Vec::new();
    for number in 0..20 {
        let bot = server.bot(&format!("bot{number}")).await;
        let path = format!("/seeks/{id}/accept");
        requests.push(tokio::spawn(async move { bot.act(&path).await.status }));
    }
    let mut games = 0;
    for request in requests {
        games += usize::from(request.await.expect("an answer") == StatusCode::CREATED);
    }
    assert_eq!((games, pending(&ada).await.games.len()), (1, 1));
}
