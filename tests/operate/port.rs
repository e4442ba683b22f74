//! The port that tells how the account is doing, and what happens when it is out of touch.

use std::net::TcpListener;

use yinsh_bot::bot::ask_monitor;

use crate::rig::{Running, Stage, until};

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

fn page(port: u16, path: &str) -> String {
    ask_monitor(port, path).unwrap_or_default()
}

fn status(port: u16, path: &str) -> u16 {
    let url = format!("http://127.0.0.1:{port}{path}");
    let get = async { Some(reqwest::get(url).await.ok()?.status().as_u16()) };
    let got = tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(get));
    got.unwrap_or(0)
}

/// The value of a metric, with its labels as they are written.
fn metric(port: u16, name: &str) -> Option<f64> {
    let page = page(port, "/metrics");
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line?.parse().ok()
}

async fn start(stage: &Stage, more: &str) -> (Running, u16) {
    let port = free_port();
    stage.configure(&format!(
        "monitor.port = {port}\nmonitor.stale_s = 1\n{more}"
    ));
    let running = stage.play();
    let is_up = until(|| {
        metric(
            port,
            "yinsh_bot_requests_total{request=\"poll\",result=\"ok\"}",
        )
        .is_some()
    });
    assert!(is_up.await, "{}", stage.read("bot.log"));
    (running, port)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_figures_follow_a_game() {
    let stage = Stage::new().await;
    let (mut running, port) = start(&stage, "").await;
    assert_eq!(status(port, "/healthz"), 200);
    assert!(page(port, "/healthz").starts_with("ok: last successful poll"));

    stage.challenge(20).await;
    let game = stage.game().await;
    stage.play_on(&game, 5).await;
    let listed = until(|| page(port, "/games").contains("\"ply\": 5"));
    assert!(listed.await, "{}", page(port, "/games"));
    assert_eq!(metric(port, "yinsh_bot_games{turn=\"own\"}"), Some(1.0));
    assert_eq!(
        metric(port, "yinsh_bot_games{turn=\"opponent\"}"),
        Some(0.0)
    );

    stage.play_on(&game, u16::MAX).await;
    let over = until(|| page(port, "/games") == "[]\n");
    assert!(over.await, "{}", page(port, "/games"));
    let text = page(port, "/metrics");
    let value = |name| metric(port, name).unwrap_or_else(|| panic!("no {name} in\n{text}"));
    assert!(value("yinsh_bot_searches_total") >= 10.0);
    assert!(value("yinsh_bot_simulations_total") > value("yinsh_bot_searches_total"));
    assert!(value("yinsh_bot_search_seconds_total") > 0.0);
    assert!(value("yinsh_bot_requests_total{request=\"play\",result=\"ok\"}") >= 10.0);
    assert_eq!(
        value("yinsh_bot_challenges_answered_total{answer=\"accepted\"}"),
        1.0
    );
    let ends = text
        .lines()
        .filter(|line| line.starts_with("yinsh_bot_games_finished_total{"))
        .count();
    assert_eq!(ends, 1, "{text}");
    is_well_formed(&text);
    running.signal("TERM");
    assert_eq!(running.end().await.code(), Some(0));
}

/// Every line is a comment or `name{labels} number`, and every metric is described before it comes.
fn is_well_formed(page: &str) {
    let mut described = "";
    for line in page.lines() {
        if let Some(head) = line.strip_prefix("# TYPE ") {
            described = head.split(' ').next().unwrap();
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with(described), "{line} below {described}");
            value
                .parse::<f64>()
                .unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn out_of_touch_is_a_page_and_a_log_line_until_it_is_over() {
    let stage = Stage::new().await;
    let (_running, port) = start(&stage, "").await;
    let address = stage.server.config.address.clone();
    assert!(address.ends_with(":0"));
    let Stage {
        server,
        folder,
        bot,
        opponent,
    } = stage;
    let (url, mut config) = (server.server.url(), server.config.clone());
    server.server.shutdown().await.unwrap();
    assert!(until(|| status(port, "/healthz") == 503).await);
    assert!(page(port, "/healthz").starts_with("stale: no successful poll for"));
    assert_eq!(metric(port, "yinsh_bot_healthy"), Some(0.0));

    config.address = url.trim_start_matches("http://").to_owned();
    let again = yinsh_bot::server::Server::start(&config).await.unwrap();
    assert!(until(|| status(port, "/healthz") == 200).await);
    let log = std::fs::read_to_string(folder.path().join("bot.log")).unwrap();
    assert_eq!(
        log.matches("out of touch with the server: stale").count(),
        1,
        "{log}"
    );
    assert!(
        until(|| {
            let log = std::fs::read_to_string(folder.path().join("bot.log")).unwrap();
            log.matches("in touch again: ok").count() == 1
        })
        .await
    );
    again.shutdown().await.unwrap();
    drop((bot, opponent));
}

#[tokio::test(flavor = "multi_thread")]
async fn out_of_touch_ends_the_process_if_that_is_wanted() {
    let stage = Stage::new().await;
    let (mut running, _) = start(&stage, "monitor.exit_when_stale = true").await;
    let Stage { server, folder, .. } = stage;
    server.server.shutdown().await.unwrap();
    assert_eq!(running.end().await.code(), Some(8));
    let log = std::fs::read_to_string(folder.path().join("bot.log")).unwrap();
    assert!(log.contains("exit_when_stale"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_told_with_its_remedy() {
    let stage = Stage::new().await;
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    stage.configure(&format!("monitor.port = {port}"));
    let output = stage.command(&["play"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains(&port.to_string()) && error.contains("[monitor]"),
        "{error}"
    );
}
