//! The log: a line for everything, with its game, in both forms and in both places.

use serde_json::Value;

use crate::rig::Stage;

/// Messages about a game.
const OF_GAMES: [&str; 4] = ["game started", "searched", "turn played", "game finished"];

/// The JSON object of each line, without its instant: file and stderr are written one after the other.
fn read(log: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for line in &mut lines {
        line.as_object_mut().unwrap().remove("timestamp").unwrap();
    }
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn every_line_of_a_game_names_it_and_the_file_has_what_stderr_has() {
    let stage = Stage::new().await;
    stage.configure("log.level = \"debug\"\nlog.format = \"json\"");
    let mut running = stage.play();
    stage.challenge(20).await;
    let game = stage.game().await;
    stage.play_on(&game, u16::MAX).await;
    stage.wait_for("bot.log", "game finished").await;
    running.signal("TERM");
    assert_eq!(running.end().await.code(), Some(0));

    let lines = read(&stage.read("bot.log"));
    assert_eq!(lines, read(&stage.read("stderr")));
    let mut seen = Vec::new();
    for line in lines {
        let message = line["fields"]["message"].as_str().unwrap_or_default();
        if let Some(known) = OF_GAMES.iter().find(|known| **known == message) {
            assert_eq!(line["fields"]["game"], game.as_str(), "{line}");
            seen.push(*known);
        }
        let is_about_turn = matches!(line["fields"]["request"].as_str(), Some("play" | "read"));
        assert!(
            !is_about_turn || line["fields"]["game"] == game.as_str(),
            "{line}"
        );
    }
    assert!(
        OF_GAMES.iter().all(|message| seen.contains(message)),
        "{seen:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_file_on_a_full_disk_does_not_stop_play_and_is_told_once() {
    let stage = Stage::new().await;
    stage.configure("");
    let config = stage
        .read("config.toml")
        .replace("\"bot.log\"", "\"/dev/full\"");
    stage.write("config.toml", &format!("{config}\nlog.level = \"debug\"\n"));
    let mut running = stage.play();
    stage.challenge(20).await;
    let game = stage.game().await;
    stage.play_on(&game, u16::MAX).await;
    stage.wait_for("stderr", "game finished").await;
    running.signal("TERM");
    assert_eq!(running.end().await.code(), Some(0));
    let said = stage
        .read("stderr")
        .matches("/dev/full cannot be written")
        .count();
    assert_eq!(said, 1, "{}", stage.read("stderr"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_terminal_the_log_tells_the_status_now_and_then() {
    let stage = Stage::new().await;
    stage.configure("monitor.status_s = 1");
    let _running = stage.play();
    stage
        .wait_for(
            "bot.log",
            "status account=\"ringmaster\" games=0 own_turn=0",
        )
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_file_that_cannot_be_made_is_told_before_anything_is_done() {
    let stage = Stage::new().await;
    stage.configure("");
    let config = stage
        .read("config.toml")
        .replace("\"bot.log\"", "\"no/such/folder/bot.log\"");
    stage.write("config.toml", &config);
    let output = stage.command(&["play"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("no/such/folder/bot.log") && error.contains("[log]"),
        "{error}"
    );
}
