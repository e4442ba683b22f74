//! `yinsh-bot play` as its user runs it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn play(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
    command
        .arg("play")
        .args(arguments)
        .current_dir(folder)
        .env("LANG", "C.UTF-8")
        .env_remove("LC_ALL")
        .env_remove("YINSH_BOT_TOKEN")
        .stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const FAST: [&str; 4] = [
    "--set",
    "play.house_initial_s=3",
    "--set",
    "play.house_increment_ms=0",
];

#[test]
fn it_plays_a_whole_game_against_the_house() {
    let folder = tempfile::tempdir().unwrap();
    let output = play(folder.path(), &FAST);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for part in [
        "standard, casual, 3 s + 0 s a turn",
        "(this bot)",
        "[",
        "Reason ",
    ] {
        assert!(shown.contains(part), "{part:?} is not in\n{shown}");
    }
    assert!(!shown.contains('\x1b'), "no colour outside a terminal");
    // Every turn is there, with what its search thought.
    let turns = shown.lines().filter(|line| line.contains(" % ")).count();
    let told = shown.lines().find_map(|line| line.strip_prefix("Reason "));
    let count = told.unwrap().split(' ').nth(2).unwrap();
    assert_eq!(turns, count.parse::<usize>().unwrap(), "{shown}");
    let record = shown.lines().find_map(|line| line.strip_prefix("Record "));
    let record = std::fs::read_to_string(folder.path().join(record.unwrap())).unwrap();
    assert_eq!(record.lines().count(), turns + 2);
}

#[test]
fn json_has_one_object_for_each_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = FAST.to_vec();
    arguments.extend(["--json", "--set", "play.house_player=random"]);
    let output = play(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let events: Vec<Value> = shown
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("game_started"), count("game_finished")), (1, 1));
    assert!(count("turn_played") > 10);
    assert!(count("searched") > 5);
}

#[test]
fn without_a_token_nothing_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let output = play(folder.path(), &["--set", "server.url=http://127.0.0.1:9"]);
    assert_eq!(output.status.code(), Some(3));
    let error = text(&output.stderr);
    assert!(error.contains("token_file"), "{error}");
}

#[test]
fn a_server_that_does_not_know_the_token_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = yinsh_bot::server::ServeConfig {
        address: "127.0.0.1:0".to_owned(),
        store: folder.path().join("store.sqlite").display().to_string(),
        ..Default::default()
    };
    let server = runtime.block_on(yinsh_bot::server::Server::start(&config));
    let server = server.unwrap();
    let url = format!("server.url={}", server.url());
    let mut command = command(folder.path(), &["--set", &url, "-vv"]);
    let output = command.env("YINSH_BOT_TOKEN", "ynb_unknown").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(3));
    let error = text(&output.stderr);
    assert!(error.contains("does not accept the token"), "{error}");
    assert!(!error.contains("ynb_unknown"), "{error}");
    runtime.block_on(server.shutdown()).unwrap();
}
