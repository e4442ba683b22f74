//! The records of games: complete after every turn, and never doubled.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use yinsh_bot::api::{Clock, GameId, PlayerRef};
use yinsh_bot::bot::{Event, GameInfo, PlayedTurn, Records};
use yinsh_bot::game::{ByColor, Color, EndReason, Outcome, Position, Turn, Variant};

const TURNS: [&str; 4] = ["e5", "f6", "g7", "c3"];

fn started(game: &str) -> Event {
    let player = |id: &str| -> PlayerRef {
        serde_json::from_value(serde_json::json!({"id": id, "name": id, "kind": "bot"})).unwrap()
    };
    Event::GameStarted(GameInfo {
        game: GameId::from(game),
        variant: Variant::Standard,
        rated: false,
        players: ByColor {
            white: player("bot_1"),
            black: player("bot_2"),
        },
        me: Color::White,
        clock: Clock {
            initial_ms: 60_000,
            increment_ms: 1_000,
        },
        initial: Position::start(Variant::Standard),
    })
}

fn played(game: &str, ply: u16) -> Event {
    let position = Position::start(Variant::Standard);
    let turn: Turn = TURNS[usize::from(ply)].parse().unwrap();
    let by = if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    };
    Event::TurnPlayed(PlayedTurn {
        game: GameId::from(game),
        ply,
        by,
        turn,
        position,
        report: None,
        clocks: ByColor {
            white: Duration::from_secs(59),
            black: Duration::from_secs(58),
        },
    })
}

fn finished(game: &str) -> Event {
    Event::GameFinished {
        game: GameId::from(game),
        outcome: Some(Outcome {
            winner: Some(Color::White),
            reason: EndReason::Resign,
        }),
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    let line = |line: &str| serde_json::from_str(line).unwrap();
    text.lines().map(line).collect()
}

#[test]
fn every_turn_is_on_disk_before_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let mut records = Records::new(dir.path().to_owned(), "http://server");
    records.see(&started("g1")).unwrap();
    let path = dir.path().join("g1.jsonl");
    for ply in 0..3 {
        records.see(&played("g1", ply)).unwrap();
        let lines = lines(&path);
        assert_eq!(lines.len(), usize::from(ply) + 2);
        let last = lines.last().unwrap();
        assert_eq!(last["turn"]["turn"], TURNS[usize::from(ply)]);
    }
    let complete = records.see(&finished("g1")).unwrap();
    assert_eq!(complete, Some((GameId::from("g1"), path.clone())));
    let lines = lines(&path);
    assert_eq!(lines[0]["game"]["server"], "http://server");
    assert_eq!(lines[4]["result"]["reason"], "resign");
}

#[test]
fn after_a_restart_the_record_goes_on_without_doubling() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("g1.jsonl");
    let mut before = Records::new(dir.path().to_owned(), "http://server");
    before.see(&started("g1")).unwrap();
    before.see(&played("g1", 0)).unwrap();
    before.see(&played("g1", 1)).unwrap();
    drop(before);
    // The process was killed while it wrote the next line.
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"turn\": {\"ply\": 2, \"by");
    fs::write(&path, text).unwrap();

    let mut after = Records::new(dir.path().to_owned(), "http://server");
    after.see(&started("g1")).unwrap();
    for ply in 0..4 {
        after.see(&played("g1", ply)).unwrap();
    }
    after.see(&finished("g1")).unwrap();
    let lines = lines(&path);
    let plies: Vec<_> = lines
        .iter()
        .filter_map(|l| l["turn"]["ply"].as_u64())
        .collect();
    assert_eq!(plies, [0, 1, 2, 3]);
    assert_eq!(lines.len(), 6);
}

#[test]
fn another_game_of_that_name_gets_a_file_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    for server in ["http://one", "http://two"] {
        let mut records = Records::new(dir.path().to_owned(), server);
        records.see(&started("g1")).unwrap();
        records.see(&finished("g1")).unwrap();
    }
    assert_eq!(lines(&dir.path().join("g1.jsonl")).len(), 2);
    assert_eq!(lines(&dir.path().join("g1-2.jsonl")).len(), 2);
}

#[test]
fn a_servers_name_for_a_game_cannot_leave_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let mut records = Records::new(dir.path().join("records"), "http://server");
    records.see(&started("../../evil")).unwrap();
    let path = records.see(&finished("../../evil")).unwrap().unwrap().1;
    assert_eq!(path, dir.path().join("records/______evil.jsonl"));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut records = Records::new(file.path().join("records"), "http://server");
    let error = records.see(&started("g1")).unwrap_err().to_string();
    assert!(error.contains("records"), "{error}");
    assert_eq!(records.see(&finished("g1")).unwrap(), None);
}
