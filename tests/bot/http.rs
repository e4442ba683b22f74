//! The HTTP client against a scripted server.

use std::time::Duration;

use secrecy::SecretString;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{header, method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};
use yinsh_bot::api::PutTurn;
use yinsh_bot::bot::{
    AccountConfig, HttpTransport, Remedy, ServerConfig, Tagged, Transport, TransportError,
};

use crate::rig::{challenge_id, game_id, pending, refused, state};

const TOKEN: &str = "ynb_secret";

fn transport(url: &str) -> HttpTransport {
    let server = ServerConfig {
        url: url.to_owned(),
        request_timeout_ms: 500,
        ..ServerConfig::default()
    };
    let account = AccountConfig {
        contact: Some("ops@example.org".to_owned()),
        ..AccountConfig::default()
    };
    HttpTransport::new(&server, &account, &SecretString::from(TOKEN)).unwrap()
}

/// A server that answers everything in the same way.
async fn answering(answer: ResponseTemplate) -> (MockServer, HttpTransport) {
    let server = MockServer::start().await;
    Mock::given(wiremock::matchers::any())
        .respond_with(answer)
        .mount(&server)
        .await;
    let transport = transport(&server.uri());
    (server, transport)
}

#[tokio::test]
async fn a_poll_carries_token_agent_wait_and_tag() {
    let server = MockServer::start().await;
    let agent = format!("yinsh-bot/{} (+ops@example.org)", env!("CARGO_PKG_VERSION"));
    Mock::given(method("GET"))
        .and(path("/api/v1/me/pending"))
        .and(query_param("wait", "25"))
        .and(header("authorization", "Bearer ynb_secret"))
        .and(header("user-agent", agent.as_str()))
        .and(header("if-none-match", "\"p-1\""))
        .respond_with(
            ResponseTemplate::new(200)
                .insert_header("etag", "\"p-2\"")
                .set_body_json(pending(2, Vec::new())),
        )
        .expect(1)
        .mount(&server)
        .await;
    let polled = transport(&server.uri()).pending(25, Some("\"p-1\"")).await;
    let expected = Tagged {
        value: pending(2, Vec::new()),
        tag: Some("\"p-2\"".to_owned()),
    };
    assert_eq!(polled.unwrap(), Some(expected));
}

#[tokio::test]
async fn not_modified_means_unchanged() {
    let (_server, transport) = answering(ResponseTemplate::new(304)).await;
    let polled = transport.pending(0, Some("\"p-1\"")).await.unwrap();
    assert_eq!(polled, None);
    let game = game_id();
    let watched = transport.game_change(&game, 0, "\"g1-1\"").await;
    assert_eq!(watched.unwrap(), None);
}

#[tokio::test]
async fn a_turn_is_put_at_its_ply() {
    let server = MockServer::start().await;
    let turn = PutTurn {
        turn: "e5".to_owned(),
        position_before: None,
        win_permille: None,
    };
    Mock::given(method("PUT"))
        .and(path("/api/v1/games/g1/turns/0"))
        .and(wiremock::matchers::body_json(&turn))
        .respond_with(ResponseTemplate::new(201).set_body_json(state(&["e5"], 2)))
        .expect(1)
        .mount(&server)
        .await;
    let transport = transport(&server.uri());
    let (game, timeout) = (game_id(), Duration::from_secs(1));
    let played = transport.play(&game, 0, &turn, timeout).await.unwrap();
    assert_eq!(played.value.ply, 1);
}

#[tokio::test]
async fn the_game_of_an_accepted_challenge_is_where_location_points() {
    let created = ResponseTemplate::new(201).insert_header("location", "/api/v1/games/g7f3");
    let (_server, transport) = answering(created).await;
    let game = transport.accept(&challenge_id("c_1")).await.unwrap();
    assert_eq!(game.as_str(), "g7f3");
}

#[tokio::test]
async fn a_problem_document_is_read() {
    let answer = ResponseTemplate::new(429)
        .insert_header("retry-after", "7")
        .set_body_json(json!({"type": "about:blank", "title": "Slow down", "status": 429, "code": "rate-limited"}));
    let (_server, transport) = answering(answer).await;
    let error = transport.game(&game_id()).await.unwrap_err();
    let asked = Some(Duration::from_secs(7));
    assert_eq!(error.remedy(), Remedy::TryAgain { asked });
}

#[tokio::test]
async fn a_date_to_come_back_at_is_measured_by_the_servers_own_clock() {
    let answer = ResponseTemplate::new(503)
        .insert_header("date", "Sun, 06 Nov 1994 08:49:37 GMT")
        .insert_header("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT");
    let (_server, transport) = answering(answer).await;
    let error = transport.game(&game_id()).await.unwrap_err();
    assert_eq!(error.asked_wait(), Some(Duration::from_secs(30)));
    let answer = ResponseTemplate::new(503).insert_header("retry-after", "soon");
    let (_server, transport) = answering(answer).await;
    let error = transport.game(&game_id()).await.unwrap_err();
    assert_eq!(error.asked_wait(), None);
}

#[tokio::test]
async fn a_page_with_any_status_is_a_disturbance_and_shown_short() {
    let page = format!("<html>\n{}</html>", "x".repeat(5_000));
    for status in [200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503] {
        let answer = ResponseTemplate::new(status).set_body_string(&page);
        let (_server, transport) = answering(answer).await;
        let error = transport.game(&game_id()).await.unwrap_err();
        assert_eq!(error.remedy(), Remedy::TryAgain { asked: None }, "{status}");
        let text = error.to_string();
        assert!(text.len() < 400 && !text.contains('\n'), "{status}: {text}");
    }
}

#[tokio::test]
async fn bodies_that_do_not_read_are_errors() {
    let huge = format!("{{\"x\": \"{}\"}}", "x".repeat(2_000_000));
    let mut wrong_type = serde_json::to_value(state(&[], 1)).unwrap();
    wrong_type["ply"] = json!("zero");
    for body in ["", "{\"id\": \"g1\"", "[]", &wrong_type.to_string(), &huge] {
        let (_server, transport) =
            answering(ResponseTemplate::new(200).set_body_string(body)).await;
        let error = transport.game(&game_id()).await.unwrap_err();
        let is_expected = matches!(
            error,
            TransportError::Unreadable { .. } | TransportError::TooLarge { .. }
        );
        assert!(is_expected, "{error}");
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    let mut body = serde_json::to_value(state(&["e5"], 2)).unwrap();
    body["spectators"] = json!(3);
    let (_server, transport) = answering(ResponseTemplate::new(200).set_body_json(body)).await;
    let read = transport.game(&game_id()).await.unwrap();
    assert_eq!(read.value, state(&["e5"], 2));
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_token() {
    let elsewhere = MockServer::start().await;
    let answer = ResponseTemplate::new(302).insert_header("location", elsewhere.uri().as_str());
    let (_server, transport) = answering(answer).await;
    let error = transport.game(&game_id()).await.unwrap_err();
    assert!(matches!(error, TransportError::Refused(_)), "{error}");
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn silence_ends_with_the_time_out() {
    let late = ResponseTemplate::new(200).set_delay(Duration::from_secs(30));
    let (_server, transport) = answering(late).await;
    let started = std::time::Instant::now();
    let error = transport.game(&game_id()).await.unwrap_err();
    assert!(matches!(error, TransportError::Timeout), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_connection_cut_in_mid_body_is_a_network_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let _ = socket.read(&mut [0; 4096]).await;
        let half = b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"id\": ";
        let _ = socket.write_all(half).await;
    });
    let error = transport(&url).game(&game_id()).await.unwrap_err();
    assert!(matches!(error, TransportError::Network { .. }), "{error}");
}

#[tokio::test]
async fn an_unreachable_server_is_named_as_a_network_error() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let error = transport(&url).meta().await.unwrap_err();
    assert!(error.to_string().starts_with("network: "), "{error}");
    assert!(!error.to_string().contains(TOKEN));
}

#[tokio::test]
async fn names_that_do_not_resolve_and_broken_tls_are_network_errors() {
    let error = transport("http://yinsh.invalid").meta().await.unwrap_err();
    assert!(matches!(error, TransportError::Network { .. }), "{error}");

    // A server that speaks no TLS stands for one whose certificate is not to be trusted.
    let plain = MockServer::start().await;
    let url = plain.uri().replace("http://", "https://");
    let error = transport(&url).meta().await.unwrap_err();
    assert!(matches!(error, TransportError::Network { .. }), "{error}");
    assert_eq!(error.remedy(), Remedy::TryAgain { asked: None });
    assert!(
        plain.received_requests().await.unwrap().is_empty(),
        "the token was not sent"
    );
}

#[test]
fn the_token_is_in_no_debug_output_of_errors() {
    let error = refused(401, yinsh_bot::api::ProblemCode::Unauthorized);
    assert!(!format!("{error:?}").contains(TOKEN));
}

#[test]
fn an_address_that_is_none_is_refused_with_a_hint() {
    for url in ["embeded", "ftp://example.org", "http://", ""] {
        let server = ServerConfig {
            url: url.to_owned(),
            ..ServerConfig::default()
        };
        let made = HttpTransport::new(
            &server,
            &AccountConfig::default(),
            &SecretString::from(TOKEN),
        );
        let error = made.err().expect("no such address").to_string();
        assert!(error.contains("`url` in [server]"), "{error}");
    }
}
