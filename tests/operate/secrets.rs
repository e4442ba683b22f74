//! The token occurs nowhere, whatever happens to it on the way.

use std::fs;
use std::path::Path;

use yinsh_bot::bot::ask_monitor;

use crate::proxy::Proxy;
use crate::report::unpack;
use crate::rig::{Stage, until};

/// Every file below `folder`, with its text.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.push((path.display().to_string(), text));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_at_trace_level_over_a_bad_way_shows_the_token_nowhere() {
    let stage = Stage::new().await;
    // Pages that repeat the whole request are among the faults.
    let proxy = Proxy::start(&stage.server.server.url(), 40, 1).await;
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    stage.configure(&format!(
        "log.level = \"trace\"\nmonitor.port = {port}\nserver.request_timeout_ms = 1000\ntime.min_turns_to_go = 200"
    ));
    let config = stage
        .read("config.toml")
        .replace(&stage.server.server.url(), &proxy.url());
    stage.write("config.toml", &config);

    let running = stage.play();
    let seen = until(|| stage.read("bot.log").contains("connected")).await;
    assert!(seen, "{}", stage.read("bot.log"));
    stage.challenge(100).await;
    let game = stage.game().await;
    stage.play_on(&game, 10).await;
    let is_echo = |line: &str| line.contains("authorization") && line.contains("***");
    let was_echoed = || stage.read("bot.log").lines().any(is_echo);
    assert!(until(was_echoed).await, "{:?}", proxy.traffic().faults);
    let report = stage
        .command(&["report", "--out", "report.tar.gz"])
        .output()
        .unwrap();
    assert_eq!(report.status.code(), Some(0), "{report:?}");

    let mut texts = files(stage.folder.path());
    texts.retain(|(name, _)| !name.ends_with("bot.token"));
    texts.extend(unpack(&stage.path("report.tar.gz")));
    texts.push(("what report said".to_owned(), format!("{report:?}")));
    for page in ["/healthz", "/metrics", "/games"] {
        texts.push((page.to_owned(), ask_monitor(port, page).unwrap()));
    }
    for file in ["cmdline", "environ"] {
        let text = fs::read(format!("/proc/{}/{file}", running.id())).unwrap();
        texts.push((file.to_owned(), String::from_utf8_lossy(&text).into_owned()));
    }
    for (name, text) in &texts {
        assert!(
            !text.contains(stage.token()),
            "the token is in {name}:\n{text}"
        );
    }
}
