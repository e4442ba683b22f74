//! What holds for every request: headers, problems, limits, and bodies that nobody should send.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use yinsh_bot::api::{Meta, ProblemCode, Rules};
use yinsh_bot::server::document;

use crate::common::{Answer, InProcess, TestServer, begin_game};

#[tokio::test]
async fn meta_tells_rules_and_limits() {
    let server = InProcess::start_with(|config| config.games_max = 7).await;
    let answer = server.guest().get("/meta").await;
    let meta: Meta = answer.json();
    assert_eq!((meta.api.as_str(), meta.game.as_str()), ("1.0", "yinsh"));
    assert_eq!(meta.rules, Rules::ours());
    assert_eq!((meta.limits.games_max, meta.limits.wait_max_s), (7, 30));
    assert!(!meta.time_controls.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_its_headers() {
    let server = TestServer::start().await;
    let ada = server.bot("ada").await;
    for answer in [
        ada.get("/meta").await,
        ada.get("/me/pending").await,
        ada.get("/me").await,
        ada.get("/nowhere").await,
        server.guest().get("/me").await,
    ] {
        assert!(answer.header("x-request-id").len() >= 12);
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert!(answer.header("date").ends_with("GMT"));
    }
    let answer = ada.get("/me").await;
    assert_eq!(
        answer.header("ratelimit-policy"),
        "\"requests\";q=100000;w=60"
    );
    assert!(answer.header("ratelimit").starts_with("\"requests\";r=99"));
    let known = ada.get_known("/me", &answer.etag()).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn the_frameworks_own_refusals_are_problems_too() {
    let server = InProcess::start().await;
    let ada = server.bot("ada").await;
    let guest = server.guest();
    guest
        .get("/nowhere")
        .await
        .problem(404, ProblemCode::NotFound);
    let wrong_method = guest.delete("/meta").await;
    wrong_method.problem(405, ProblemCode::MethodNotAllowed);
    assert!(wrong_method.header("allow").contains("GET"));

    let json = [("content-type", "application/json")];
    let plain = [("content-type", "text/plain")];
    let body = || Some(b"{\"name\":\"bob\"}".to_vec());
    for headers in [&plain[..], &[]] {
        let answer = guest.send(Method::POST, "/bots", headers, body()).await;
        answer.problem(415, ProblemCode::MediaType);
    }
    let large = Some(vec![b' '; 5_000]);
    let answer = guest
        .send(Method::POST, "/bots", &json, large.clone())
        .await;
    answer.problem(413, ProblemCode::TooLarge);
    // Also where no body is read.
    let answer = ada
        .send(Method::POST, "/games/g_x/resign", &json, large)
        .await;
    answer.problem(413, ProblemCode::TooLarge);

    let path = "/games/g_x/turns/minus-one";
    ada.put(path, json!({ "turn": "e5" }))
        .await
        .problem(400, ProblemCode::Malformed);
    let queries = ["wait=x", "wait=-1", "wait=1.5", "wait=1&wait=2"];
    for query in queries {
        let answer = ada.get(&format!("/me/pending?{query}")).await;
        answer.problem(400, ProblemCode::Malformed);
    }
}

/// Sends equal requests until one is refused, and counts those before it. Buckets fill up meanwhile, if slowly.
async fn count_until_refused(send: impl AsyncFn() -> Answer) -> (usize, Answer) {
    for count in 0..10_000 {
        let answer = send().await;
        if answer.status != StatusCode::OK {
            return (count, answer);
        }
    }
    panic!("never refused");
}

#[tokio::test]
async fn a_client_that_asks_too_much_is_told_how_long_to_wait() {
    let server = InProcess::start_with(|config| config.requests_per_minute = 30).await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let first = ada.get("/me").await;
    assert_eq!(first.header("ratelimit"), "\"requests\";r=29;t=2");
    let (count, refused) = count_until_refused(async || ada.get("/me").await).await;
    assert!((29..35).contains(&count), "{count}");
    refused.problem(429, ProblemCode::RateLimited);
    assert!(["1", "2"].contains(&refused.header("retry-after")));
    assert!(
        refused
            .header("ratelimit")
            .starts_with("\"requests\";r=0;t=")
    );
    // Other tokens are not touched.
    assert_eq!(bob.get("/me").await.status, StatusCode::OK);
}

#[tokio::test]
async fn turns_have_a_larger_bucket_of_their_own() {
    let server = InProcess::start_with(|config| config.requests_per_minute = 30).await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let game = begin_game(&ada, &bob, 3_600_000).await;
    count_until_refused(async || ada.get("/me").await).await;
    ada.play(&game, 0, "e5").await;
    let (count, refused) = count_until_refused(async || ada.put_turn(&game, 0, "e5").await).await;
    assert!((299..400).contains(&count), "{count}");
    refused.problem(429, ProblemCode::RateLimited);
    assert!(
        refused
            .header("ratelimit-policy")
            .starts_with("\"turns\";q=300;")
    );
}

#[tokio::test]
async fn requests_that_fit_nothing_are_counted_too() {
    let server = InProcess::start_with(|config| config.requests_per_minute = 30).await;
    let guest = server.guest();
    let json = [("content-type", "application/json")];
    let large = Some(vec![b' '; 5_000]);
    let answers = [
        guest.get("/nowhere").await,
        guest.delete("/meta").await,
        guest.send(Method::POST, "/bots", &json, large).await,
    ];
    let expected = [
        (404, "requests", 29),
        (405, "requests", 28),
        (413, "accounts", 2),
    ];
    for (answer, (status, bucket, left)) in answers.iter().zip(expected) {
        assert_eq!(answer.status.as_u16(), status);
        let left = format!("\"{bucket}\";r={left};");
        assert!(answer.header("ratelimit").starts_with(&left), "{answer:?}");
    }
    for _ in 0..100 {
        let answer = guest.get("/nowhere").await;
        if answer.status != StatusCode::NOT_FOUND {
            answer.problem(429, ProblemCode::RateLimited);
            return;
        }
    }
    panic!("nobody is slowed down");
}

#[tokio::test]
async fn whoever_guesses_tokens_is_slowed_down() {
    let server = InProcess::start_with(|config| config.requests_per_minute = 30).await;
    let mut guesser = server.guest();
    for number in 0..100 {
        guesser.token = Some(format!("ynb_{number}"));
        let answer = guesser.get("/me").await;
        if answer.status != StatusCode::UNAUTHORIZED {
            assert!(number >= 30);
            answer.problem(429, ProblemCode::RateLimited);
            return;
        }
    }
    panic!("nobody slowed the guesser down");
}

/// Bodies as a fuzzer would send them: all are answered, with a problem, and none with a 5xx.
#[tokio::test]
async fn bad_bodies_are_refused_politely() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let game = begin_game(&ada, &bob, 3_600_000).await;
    let good = [
        (Method::POST, "/seeks".to_owned(), r#"{"variant":"standard","color":"random","rated":true,"clock":{"initial_ms":60000,"increment_ms":0},"opponent_kind":"any","ttl_s":60}"#.to_owned()),
        (Method::POST, "/challenges".to_owned(), format!(r#"{{"to":"{}","variant":"standard","color":"white","rated":false,"clock":{{"initial_ms":60000,"increment_ms":0}}}}"#, bob.id)),
        (Method::PUT, format!("/games/{game}/turns/0"), r#"{"turn":"e5","position_before":null}"#.to_owned()),
        (Method::POST, "/challenges/c_x/decline".to_owned(), r#"{"reason":"later"}"#.to_owned()),
        (Method::POST, format!("/bots/{}/tokens", ada.id), r#"{"token_ttl_s":60}"#.to_owned()),
    ];
    let headers = [("content-type", "application/json")];
    for (method, path, body) in good {
        let mutants = mutants(&body);
        for mutant in mutants {
            let shown = String::from_utf8_lossy(&mutant).into_owned();
            let answer = ada
                .send(method.clone(), &path, &headers, Some(mutant))
                .await;
            assert!(
                !answer.status.is_server_error(),
                "{path} {shown}: {answer:?}"
            );
            if answer.status.is_client_error() {
                assert_eq!(answer.header("content-type"), "application/problem+json");
            }
        }
    }
}

/// The text cut short, with bytes replaced, with values exchanged for other types, and plain rubbish.
fn mutants(good: &str) -> Vec<Vec<u8>> {
    let bytes = good.as_bytes();
    let mut all: Vec<Vec<u8>> = (0..bytes.len()).map(|end| bytes[..end].to_vec()).collect();
    for at in (0..bytes.len()).step_by(3) {
        for byte in [0, b'"', b'{', b'9', 0xff] {
            let mut mutant = bytes.to_vec();
            mutant[at] = byte;
            all.push(mutant);
        }
    }
    let value: Value = serde_json::from_str(good).expect("the good body is JSON");
    for field in value.as_object().expect("an object").keys() {
        for other in [
            json!(null),
            json!(-1),
            json!(1e300),
            json!(u64::MAX),
            json!([]),
            json!({}),
            json!(""),
            json!("💍".repeat(100)),
            json!("'; DROP TABLE games; --"),
        ] {
            let mut mutant = value.clone();
            mutant[field] = other;
            all.push(mutant.to_string().into_bytes());
        }
    }
    let deep = "[".repeat(4_000);
    all.extend(
        [deep.as_str(), "null", "[]", "\"x\"", "{}", "NaN"].map(|text| text.as_bytes().to_vec()),
    );
    all
}

#[tokio::test]
async fn strange_paths_are_answered() {
    let server = InProcess::start().await;
    let ada = server.bot("ada").await;
    for id in ["%00", "%2e%2e%2f", "%F0%9F%92%8D", "'%20OR%201=1", "%ff"] {
        for path in [
            format!("/games/{id}"),
            format!("/players/{id}"),
            format!("/games/{id}/record"),
        ] {
            let answer = ada.get(&path).await;
            assert!(answer.status.is_client_error(), "{path}: {answer:?}");
            assert_eq!(answer.header("content-type"), "application/problem+json");
        }
    }
}

#[tokio::test]
async fn the_description_is_served_and_as_expected() {
    let server = InProcess::start().await;
    let served: Value = server.guest().get("/openapi.json").await.json();
    let made = serde_json::to_value(document()).expect("a description");
    assert_eq!(served, made);
    assert!(
        served["openapi"]
            .as_str()
            .expect("a version")
            .starts_with("3.1")
    );
    insta::assert_json_snapshot!("openapi", made);
}
