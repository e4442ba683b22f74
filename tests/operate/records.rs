//! Records outlive the process.

use std::fs;

use serde_json::Value;

use crate::rig::Stage;

fn lines(record: &str, kind: &str) -> Vec<Value> {
    let lines = record
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line.get(kind).cloned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_every_turn_is_there_and_the_record_goes_on() {
    let stage = Stage::new().await;
    stage.configure("");
    let mut running = stage.play();
    stage.challenge(120).await;
    let game = stage.game().await;
    stage.play_on(&game, 8).await;
    let record = format!("records/{game}.jsonl");
    stage.wait_for(&record, "\"ply\":7").await;
    running.kill();
    let killed = stage.read(&record);
    let plies: Vec<_> = lines(&killed, "turn")
        .iter()
        .map(|turn| turn["ply"].clone())
        .collect();
    assert_eq!(plies, [0, 1, 2, 3, 4, 5, 6, 7]);

    // As if the kill had come in the middle of the last line.
    fs::write(stage.path(&record), &killed[..killed.len() - 20]).unwrap();
    let mut running = stage.play();
    stage.play_on(&game, u16::MAX).await;
    stage.wait_for(&record, "\"result\"").await;
    running.signal("TERM");
    assert_eq!(running.end().await.code(), Some(0));
    let whole = stage.read(&record);
    let turns = lines(&whole, "turn");
    let state = stage.opponent.game(&game).await;
    let recorded: Vec<_> = turns
        .iter()
        .map(|turn| turn["turn"].as_str().unwrap())
        .collect();
    assert_eq!(
        recorded,
        state.turns.iter().map(String::as_str).collect::<Vec<_>>()
    );
    // Ply 7 was the account's own, but its evaluation was cut off with its line.
    let own = |turn: &&Value| turn["by"] == "black" && turn["ply"] != 7;
    let own: Vec<_> = turns.iter().filter(own).collect();
    assert!(
        own.len() > 5 && own.iter().all(|turn| turn["search"].is_object()),
        "{whole}"
    );
}
