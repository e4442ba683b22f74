//! The server's own page: its files, and the sessions of people.

use axum::http::{Method, StatusCode};
use reqwest::Response;
use serde_json::{Value, json};
use yinsh_bot::api::{BASE_PATH, Lobby, Player, ProblemCode, Session};

use crate::common::{Answer, Client, InProcess, TestServer, begin_game, http_client};

const JSON: (&str, &str) = ("content-type", "application/json");
const OWN_PAGE: (&str, &str) = ("sec-fetch-site", "same-origin");

async fn fetch(server: &TestServer, path: &str) -> Response {
    let url = format!("{}{path}", server.server.url());
    http_client().get(url).send().await.expect("an answer")
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers().get(name);
    let value = value.unwrap_or_else(|| panic!("no {name}"));
    value.to_str().expect("text")
}

/// What the text between `start` and `end` says, each time it occurs.
fn all_between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let tails = text.split(start).skip(1);
    tails
        .map(|tail| tail.split(end).next().expect("a first part"))
        .collect()
}

#[tokio::test]
async fn pages_name_only_files_that_are_there() {
    let server = TestServer::start().await;
    let mut seen = vec!["/".to_owned(), "/games/g_x".to_owned()];
    let mut next = 0;
    while next < seen.len() {
        let path = seen[next].clone();
        let response = fetch(&server, &path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let policy = header(&response, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header(&response, "x-content-type-options"), "nosniff");
        assert_eq!(header(&response, "cache-control"), "no-cache");
        let media_type = header(&response, "content-type").to_owned();
        let text = response.text().await.expect("text");
        let mut named: Vec<String> = Vec::new();
        for attribute in ["src=\"", "href=\""] {
            named.extend(
                all_between(&text, attribute, "\"")
                    .iter()
                    .map(ToString::to_string),
            );
        }
        let imports = all_between(&text, "from \"./", "\"");
        named.extend(imports.iter().map(|file| format!("/web/{file}")));
        let expected = match path.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/html; charset=utf-8",
        };
        assert_eq!(media_type, expected, "{path}");
        for path in named {
            assert!(path.starts_with('/'), "{path} lies elsewhere");
            if !seen.contains(&path) {
                seen.push(path);
            }
        }
        next += 1;
    }
    assert!(seen.len() > 15, "{seen:?}");
}

#[tokio::test]
async fn no_script_and_no_style_stands_inside_a_document() {
    let server = TestServer::start().await;
    for path in ["/", "/games/g_x"] {
        let text = fetch(&server, path).await.text().await.expect("text");
        assert!(!text.contains("<style") && !text.contains("style=\""));
        let mut words = text.split_whitespace();
        let handler = words.find(|word| word.starts_with("on") && word.contains('='));
        assert_eq!(handler, None, "{path}");
        for script in all_between(&text, "<script", "</script>") {
            assert!(script.ends_with('>'), "a script without a file: {script}");
        }
    }
}

#[tokio::test]
async fn a_known_file_is_not_sent_again() {
    let server = TestServer::start().await;
    let etag = header(&fetch(&server, "/web/board.js").await, "etag").to_owned();
    let url = format!("{}/web/board.js", server.server.url());
    let request = http_client().get(url).header("if-none-match", etag);
    let again = request.send().await.expect("an answer");
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert!(again.bytes().await.expect("no body").is_empty());
}

async fn take_name(guest: &Client, name: &str, headers: &[(&str, &str)]) -> Answer {
    let body = json!({ "name": name }).to_string().into_bytes();
    let headers = [headers, &[JSON]].concat();
    guest
        .send(Method::POST, "/people", &headers, Some(body))
        .await
}

/// The cookie of a new person, as a browser sends it back.
async fn person(guest: &Client, name: &str) -> String {
    let answer = take_name(guest, name, &[OWN_PAGE]).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    assert_eq!(answer.text("kind"), "human");
    assert!(!String::from_utf8_lossy(&answer.body).contains("ynb_"));
    let cookie = answer.header("set-cookie");
    for word in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age="] {
        assert!(cookie.contains(word), "{cookie}");
    }
    let pair = cookie.split(';').next();
    pair.expect("a first part").to_owned()
}

async fn with_cookie(
    guest: &Client,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
) -> Answer {
    guest.send(method, path, headers, None).await
}

#[tokio::test]
async fn a_person_has_a_session_in_a_cookie() {
    let server = InProcess::start().await;
    let guest = server.guest();
    let nobody: Session = guest.get("/me/session").await.json();
    assert_eq!(nobody.account, None);
    let cookie = person(&guest, "Ada").await;
    let known = [("cookie", cookie.as_str())];
    let answer = with_cookie(&guest, Method::GET, "/me/session", &known).await;
    let somebody: Session = answer.json();
    assert_eq!(somebody.account.expect("an account").name, "Ada");
    let stale = [("cookie", "yinsh_session=ynb_00")];
    let nobody: Session = with_cookie(&guest, Method::GET, "/me/session", &stale)
        .await
        .json();
    assert_eq!(nobody.account, None);

    let leaves = [known[0], OWN_PAGE];
    let left = with_cookie(&guest, Method::DELETE, "/me/session", &leaves).await;
    assert_eq!(left.status, StatusCode::NO_CONTENT);
    assert!(left.header("set-cookie").contains("Max-Age=0"));
    with_cookie(&guest, Method::GET, "/me", &known)
        .await
        .problem(401, ProblemCode::Unauthorized);
    // She never played, so the name is free again.
    person(&guest, "Ada").await;
}

#[tokio::test]
async fn other_sites_cannot_use_the_cookie() {
    let server = InProcess::start().await;
    let guest = server.guest();
    let cookie = person(&guest, "Ada").await;
    let cookie = ("cookie", cookie.as_str());
    for from_elsewhere in [
        vec![cookie],
        vec![cookie, ("sec-fetch-site", "cross-site")],
        vec![cookie, ("sec-fetch-site", "same-site")],
        vec![cookie, ("origin", "https://evil.example"), ("host", "a.b")],
        vec![cookie, ("origin", "null"), ("host", "a.b")],
    ] {
        let answer = with_cookie(&guest, Method::DELETE, "/me/session", &from_elsewhere).await;
        answer.problem(403, ProblemCode::Forbidden);
    }
    for headers in [&[][..], &[("sec-fetch-site", "cross-site")]] {
        let answer = take_name(&guest, "Bob", headers).await;
        answer.problem(403, ProblemCode::Forbidden);
    }
    let own = [cookie, ("origin", "http://a.b"), ("host", "a.b")];
    let left = with_cookie(&guest, Method::DELETE, "/me/session", &own).await;
    assert_eq!(left.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn nobody_can_imitate_another() {
    let server = InProcess::start().await;
    let guest = server.guest();
    server.bot("RingMaster").await;
    for name in ["ringmaster", "r1ngmaster", "ring_master", "Ringrnaster"] {
        let answer = take_name(&guest, name, &[OWN_PAGE]).await;
        answer.problem(409, ProblemCode::NameTaken);
        let answer = guest.post("/bots", json!({ "name": name })).await;
        answer.problem(409, ProblemCode::NameTaken);
    }
    for name in ["<b>x</b>", "a b", "аda", "", "x"] {
        let answer = take_name(&guest, name, &[OWN_PAGE]).await;
        answer.problem(422, ProblemCode::Unsupported);
    }
}

#[tokio::test]
async fn a_server_can_be_for_bots_only() {
    let server = InProcess::start_with(|config| config.open_to_people = false).await;
    let answer = take_name(&server.guest(), "Ada", &[OWN_PAGE]).await;
    answer.problem(403, ProblemCode::Forbidden);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_tells_guests_what_goes_on() {
    let server = TestServer::start().await;
    let (ada, bob, guest) = (
        server.bot("ada").await,
        server.bot("bob").await,
        server.guest(),
    );
    // Both are here before the first look.
    for player in [&ada, &bob] {
        player.get("/me").await;
    }
    let empty = guest.get("/lobby").await;
    let lobby: Lobby = empty.json();
    assert!(lobby.active.is_empty() && lobby.seeks.is_empty());
    let waiting = tokio::spawn({
        let (guest, etag) = (guest.clone(), empty.etag());
        async move { guest.get_known("/lobby?wait=20", &etag).await }
    });
    let game = begin_game(&ada, &bob, 3_600_000).await;
    let lobby: Lobby = waiting.await.expect("an answer").json();
    assert_eq!(lobby.active[0].id.as_str(), game);
    let names: Vec<&str> = lobby
        .online
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    assert_eq!(names, ["ada", "bob"]);

    ada.act(&format!("/games/{game}/resign")).await;
    let lobby: Lobby = guest.get("/lobby").await.json();
    assert!(lobby.active.is_empty() && lobby.standings.is_empty());
    let ending = lobby.finished[0].ending.expect("an ending");
    assert_eq!(ending.reason.as_str(), "resign");
    let list: Value = guest.get("/games?status=finished").await.json();
    assert_eq!(list["games"][0]["id"], json!(game));
    assert_eq!(list["next_cursor"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_games_are_rated_when_they_end() {
    let server = TestServer::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let clock = json!({ "initial_ms": 3_600_000, "increment_ms": 0 });
    let challenge = json!({ "to": bob.id, "variant": "standard", "color": "white", "rated": true, "clock": clock });
    let begin = async || {
        let created = ada.post("/challenges", challenge.clone()).await;
        let accepted = bob
            .act(&format!("/challenges/{}/accept", created.text("id")))
            .await;
        accepted.text("id")
    };
    let called_off = begin().await;
    ada.act(&format!("/games/{called_off}/abort")).await;
    let rating =
        async |of: &Client| -> Player { ada.get(&format!("/players/{}", of.id)).await.json() };
    assert_eq!(
        (rating(&ada).await.rating, rating(&ada).await.rated_games),
        (1500, 0)
    );

    let game = begin().await;
    bob.act(&format!("/games/{game}/resign")).await;
    bob.act(&format!("/games/{game}/resign")).await;
    let (winner, loser) = (rating(&ada).await, rating(&bob).await);
    // Both began at 1500 with a deviation of 350, so the expected score was one half.
    assert_eq!((winner.rating, loser.rating), (1662, 1338));
    assert_eq!(
        (winner.rating_deviation, loser.rating_deviation),
        (Some(290), Some(290))
    );
    assert_eq!((winner.rated_games, loser.rated_games), (1, 1));
    let lobby: Lobby = server.guest().get("/lobby").await.json();
    let standings: Vec<&str> = lobby
        .standings
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    assert_eq!(standings, ["ada", "bob"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_players_publish_is_shown_with_their_turns() {
    let server = TestServer::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let game = begin_game(&ada, &bob, 3_600_000).await;
    let put = async |player: &Client, ply: u16, turn: &str, chance: u32| {
        let body = json!({ "turn": turn, "win_permille": chance });
        player
            .put(&format!("/games/{game}/turns/{ply}"), body)
            .await
    };
    put(&ada, 0, "e5", 1001)
        .await
        .problem(400, ProblemCode::Malformed);
    assert_eq!(put(&ada, 0, "e5", 640).await.status, StatusCode::CREATED);
    bob.play(&game, 1, "e6").await;
    let state = server.guest().game(&game).await;
    assert_eq!(state.win_permille, [Some(640), None]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_analysed_once_and_kept() {
    let server = TestServer::start_with(|config| config.analysis_ms = 5).await;
    let (ada, bob, guest) = (
        server.bot("ada").await,
        server.bot("bob").await,
        server.guest(),
    );
    let game = begin_game(&ada, &bob, 3_600_000).await;
    for (ply, turn) in ["e5", "e6", "e7"].into_iter().enumerate() {
        let player = if ply % 2 == 0 { &ada } else { &bob };
        player.play(&game, ply as u16, turn).await;
    }
    let path = format!("{BASE_PATH}/games/{game}/analysis");
    let path = path.trim_start_matches(BASE_PATH);
    guest.act(path).await.problem(409, ProblemCode::Busy);
    ada.act(&format!("/games/{game}/resign")).await;
    let none: Value = guest.get(path).await.json();
    assert_eq!(
        (&none["status"], &none["done"]),
        (&json!("none"), &json!([0, 4]))
    );
    assert_eq!(guest.act(path).await.status, StatusCode::ACCEPTED);
    let mut analysis: Value = guest.get(path).await.json();
    for _ in 0..200 {
        if analysis["status"] == "done" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        analysis = guest.get(path).await.json();
    }
    assert_eq!(
        analysis["turns"].as_array().map(Vec::len),
        Some(3),
        "{analysis}"
    );
    let again = guest.act(path).await;
    assert_eq!(again.status, StatusCode::OK);
    assert_eq!(again.json::<Value>(), analysis);
}
