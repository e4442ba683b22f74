use axum::http::StatusCode;
use serde_json::{Value, json};
use yinsh_bot::api::{Me, Player, PlayersPage, ProblemCode};

use crate::common::InProcess;

#[tokio::test]
async fn a_new_bot_uses_its_token() {
    let server = InProcess::start().await;
    let created = server
        .guest()
        .post("/bots", json!({ "name": "ring-master" }))
        .await;
    assert_eq!(created.status, StatusCode::CREATED);
    let body: Value = created.json();
    assert_eq!(
        (&body["kind"], &body["token_expires_at"]),
        (&json!("bot"), &Value::Null)
    );
    assert!(created.text("token").starts_with("ynb_"));

    let mut client = server.guest();
    client.token = Some(created.text("token"));
    let me: Me = client.get("/me").await.json();
    assert_eq!(
        (me.name.as_str(), me.rating, me.active_games),
        ("ring-master", 1500, 0)
    );
    assert_eq!(me.token_id.as_str(), created.text("token_id"));
}

#[tokio::test]
async fn registration_is_closed_unless_the_operator_opens_it() {
    let server = InProcess::start_with(|config| config.open_registration = false).await;
    let answer = server.guest().post("/bots", json!({ "name": "ada" })).await;
    let problem = answer.problem(403, ProblemCode::Forbidden);
    assert!(
        problem.detail.contains("--create-bot"),
        "{}",
        problem.detail
    );
}

#[tokio::test]
async fn names_are_plain_and_taken_once() {
    let server = InProcess::start().await;
    server.bot("Ada").await;
    let guest = server.guest();
    let again = guest.post("/bots", json!({ "name": "aDA" })).await;
    again.problem(409, ProblemCode::NameTaken);
    for name in ["", "x", "a b", "../etc", "ünï", "a".repeat(21).as_str()] {
        let answer = guest.post("/bots", json!({ "name": name })).await;
        answer.problem(422, ProblemCode::Unsupported);
    }
}

#[tokio::test]
async fn a_request_without_a_good_token_is_refused() {
    let server = InProcess::start().await;
    let mut client = server.bot("ada").await;
    let good = client.token.clone().expect("a token");
    for token in [
        None,
        Some(String::new()),
        Some("secret".to_owned()),
        Some("ynb_".to_owned()),
        Some(good.to_uppercase()),
        Some(format!("{good}0")),
    ] {
        client.token = token;
        let answer = client.get("/me").await;
        answer.problem(401, ProblemCode::Unauthorized);
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
}

#[tokio::test]
async fn tokens_rotate_and_stop_working_when_deleted() {
    let server = InProcess::start().await;
    let old = server.bot("ada").await;
    let path = format!("/bots/{}/tokens", old.id);
    let created = old.post(&path, json!({})).await;
    assert_eq!(created.status, StatusCode::CREATED);
    let mut new = old.clone();
    new.token = Some(created.text("token"));

    let old_me: Me = old.get("/me").await.json();
    let gone = new.delete(&format!("{path}/{}", old_me.token_id)).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    old.get("/me").await.problem(401, ProblemCode::Unauthorized);
    assert_eq!(new.get("/me").await.status, StatusCode::OK);
    let again = new.delete(&format!("{path}/{}", old_me.token_id)).await;
    again.problem(404, ProblemCode::NotFound);
}

#[tokio::test]
async fn a_token_with_a_time_expires() {
    let server = InProcess::start().await;
    let bot = json!({ "name": "ada", "token_ttl_s": 1 });
    let created = server.guest().post("/bots", bot).await;
    let mut client = server.guest();
    client.token = Some(created.text("token"));
    assert_eq!(client.get("/me").await.status, StatusCode::OK);
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    client
        .get("/me")
        .await
        .problem(401, ProblemCode::TokenExpired);
}

#[tokio::test]
async fn tokens_belong_to_their_account_and_are_few() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let path = format!("/bots/{}/tokens", bob.id);
    ada.post(&path, json!({}))
        .await
        .problem(403, ProblemCode::Forbidden);
    ada.delete(&format!("{path}/t_x"))
        .await
        .problem(403, ProblemCode::Forbidden);
    let forever = bob.post(&path, json!({ "token_ttl_s": u64::MAX })).await;
    forever.problem(422, ProblemCode::Unsupported);
    for _ in 1..8 {
        let created = bob.post(&path, json!({ "token_ttl_s": 3600 })).await;
        assert_eq!(created.status, StatusCode::CREATED);
    }
    bob.post(&path, json!({}))
        .await
        .problem(409, ProblemCode::Busy);
}

#[tokio::test]
async fn players_are_listed_by_name_page_by_page() {
    let server = InProcess::start().await;
    let mut last = server.bot("p000").await;
    for number in 1..150 {
        last = server.bot(&format!("p{number:03}")).await;
    }
    let first: PlayersPage = last.get("/players").await.json();
    assert_eq!(first.players.len(), 100);
    assert_eq!(first.players[7].name, "p007");
    let cursor = first.next_cursor.expect("there is more");
    let second: PlayersPage = last.get(&format!("/players?cursor={cursor}")).await.json();
    assert_eq!((second.players.len(), second.next_cursor), (50, None));

    let me: Player = last.get(&format!("/players/{}", last.id)).await.json();
    assert!(me.online_since_at.is_some());
    let away: Player = last
        .get(&format!("/players/{}", first.players[3].id))
        .await
        .json();
    assert_eq!(away.online_since_at, None);
    last.get("/players/bot_nobody")
        .await
        .problem(404, ProblemCode::NotFound);
}
