//! External engines, good and bad.

use std::fs;

use serde_json::Value;

use crate::rig::{
    Rig, complete_lines, engine, engine_with, processes_with, signal, start, wait_until,
};

/// Plays two games of a bad engine against `random`, and gives the terminations of those that A lost.
fn terminations(engine: &str, arguments: &[&str]) -> Vec<String> {
    let rig = Rig::new();
    let fixed = [
        "--a", engine, "--b", "random", "--games", "2", "--out", "m.jsonl", "--json",
    ];
    let settings = [
        "--set",
        "match.engine_start_s=20",
        "--set",
        "match.engine_turn_s=1",
    ];
    let all: Vec<&str> = fixed
        .iter()
        .chain(&settings)
        .chain(arguments)
        .copied()
        .collect();
    let report = rig.run_all(&all).assert_code(0).json();
    assert_eq!(
        (&report["games"], &report["losses"]),
        (&2.into(), &2.into()),
        "{report}"
    );
    let ends = rig.games("m.jsonl");
    ends.iter()
        .map(|game| game["termination"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_engine_that_does_not_start_loses() {
    let soon = ["--set", "match.engine_start_s=1"];
    assert_eq!(terminations("ugi:sleep 1000", &soon), ["no_start"; 2]);
    assert_eq!(terminations("ugi:exit 3", &[]), ["no_start"; 2]);
    let never_ready = engine_with("sleep 1000", ":");
    assert_eq!(terminations(&never_ready, &soon), ["no_start"; 2]);
}

#[test]
fn an_engine_that_stalls_loses() {
    assert_eq!(terminations(&engine(":"), &[]), ["stall"; 2]);
    assert_eq!(terminations(&engine("sleep 1000"), &[]), ["stall"; 2]);
}

#[test]
fn an_engine_that_is_too_late_loses_on_time() {
    let late = ["--turn-ms", "50"];
    assert_eq!(terminations(&engine(":"), &late), ["time"; 2]);
    assert_eq!(
        terminations(&engine("sleep 0.4; echo bestmove e5"), &late),
        ["time"; 2]
    );
    assert_eq!(
        terminations(&engine("sleep 0.5; echo bestmove e5"), &["--clock", "0.2"]),
        ["time"; 2]
    );
}

#[test]
fn an_engine_that_crashes_loses() {
    assert_eq!(terminations(&engine("exit 3"), &[]), ["crash"; 2]);
    assert_eq!(terminations(&engine("kill -SEGV $$"), &[]), ["crash"; 2]);
    assert_eq!(
        terminations(&engine("echo bestmove e5; exec <&-; sleep 1000"), &[]),
        ["crash"; 2]
    );
    assert_eq!(
        terminations(&engine("exec >&-; sleep 1000"), &[]),
        ["crash"; 2]
    );
}

#[test]
fn an_engine_that_plays_what_it_must_not_loses() {
    assert_eq!(
        terminations(&engine("echo bestmove e5-e6"), &[]),
        ["illegal_turn"; 2]
    );
    assert_eq!(
        terminations(&engine("echo bestmove hello"), &[]),
        ["garbage"; 2]
    );
    assert_eq!(terminations(&engine("echo bestmove"), &[]), ["garbage"; 2]);
    assert_eq!(
        terminations(&engine("printf 'bestmove \\377\\376\\n'"), &[]),
        ["garbage"; 2]
    );
}

#[test]
fn an_engine_that_writes_without_end_loses() {
    assert_eq!(
        terminations(
            &engine("yes info string thinking"),
            &["--set", "match.engine_turn_s=60"]
        ),
        ["flood"; 2]
    );
    assert_eq!(
        terminations(
            &engine("tr '\\0' x </dev/zero"),
            &["--set", "match.engine_turn_s=60"]
        ),
        ["flood"; 2]
    );
    assert_eq!(
        terminations("ugi:yes", &["--set", "match.engine_start_s=60"]),
        ["flood"; 2]
    );
}

#[test]
fn noise_is_no_failure() {
    // It answers with the first legal turn of a position that the test knows: one game of one turn is enough.
    let rig = Rig::new();
    let noisy =
        engine("echo; echo '  '; echo info nodes x winprob 7 depth; echo bestmove e5-e6 ponder e7");
    let run = rig
        .run_all(&[
            "--a", &noisy, "--b", "random", "--games", "2", "--out", "m.jsonl",
        ])
        .assert_code(0);
    assert!(run.stdout.contains("2 illegal turn"), "{}", run.stdout);
    assert_eq!(rig.games("m.jsonl")[0]["white_program"], "shell");
}

/// Runs a match against an engine that leaves processes behind, and looks for them afterwards.
fn leftovers(marker: &str, end: impl FnOnce(&Rig, &mut std::process::Child)) -> Vec<String> {
    let rig = Rig::new();
    let clinging = engine(&format!(
        "sleep {marker} & trap '' TERM INT HUP; sleep {marker}"
    ));
    let arguments = [
        "--a",
        clinging.as_str(),
        "--b",
        "random",
        "--games",
        "20",
        "--out",
        "m.jsonl",
    ];
    let mut child = start(rig.command_of(&arguments).args([
        "--set",
        "match.engine_turn_s=1",
        "--concurrency",
        "2",
    ]));
    wait_until("the engine runs", || {
        processes_with(marker)
            .iter()
            .any(|line| line.starts_with("sleep"))
    });
    end(&rig, &mut child);
    child.wait().unwrap();
    wait_until("all processes are gone", || {
        processes_with(marker).is_empty()
    });
    processes_with(marker)
}

#[test]
fn no_process_is_left_behind() {
    assert!(
        leftovers("98701", |rig, _| wait_until("a game", || complete_lines(
            &rig.path("m.jsonl")
        ) > 1))
        .is_empty()
    );
    assert!(leftovers("98702", |_, child| signal(child, "-INT")).is_empty());
    assert!(leftovers("98703", |_, child| signal(child, "-TERM")).is_empty());
    assert!(leftovers("98704", |_, child| child.kill().unwrap()).is_empty());
}

/// A game without the numbers that are rounded on their way.
fn essence(game: &Value) -> String {
    let turns = game["turns"].as_array().unwrap().iter();
    let turns: Vec<_> = turns
        .map(|turn| format!("{} {}", turn["turn"], turn["simulations"]))
        .collect();
    format!(
        "{} {} {}",
        turns.join(" "),
        game["winner"],
        game["termination"]
    )
}

#[test]
fn the_own_program_plays_the_same_over_the_interface() {
    let rig = Rig::new();
    let own = format!("ugi:{} ugi", env!("CARGO_BIN_EXE_yinsh-bot"));
    let limits = ["--games", "6", "--simulations", "60"];
    let play = |a: &str, b: &str, out: &str| {
        let sides = ["--a", a, "--b", b, "--out", out];
        rig.run_all(&sides.iter().chain(&limits).copied().collect::<Vec<_>>())
            .assert_code(0);
        rig.games(out).iter().map(essence).collect::<Vec<_>>()
    };
    let outside = play(&own, &format!("exploration=0.9,{own}"), "outside.jsonl");
    let inside = play("default", "exploration=0.9", "inside.jsonl");
    for (outside, inside) in outside.iter().zip(&inside) {
        assert_eq!(outside, inside);
    }
    assert_eq!(outside.len(), inside.len());
    assert!(
        fs::read_to_string(rig.path("outside.jsonl"))
            .unwrap()
            .contains("\"white_program\":\"yinsh-bot")
    );
}

#[test]
fn an_engine_without_a_wanted_option_is_refused() {
    let rig = Rig::new();
    let own = format!("ugi:{} ugi", env!("CARGO_BIN_EXE_yinsh-bot"));
    let run = rig.run_all(&["--a", &format!("explration=1,{own}"), "--b", "random"]);
    assert!(
        run.stderr
            .contains("it has no option `explration`, its options are Variant, threads"),
        "{}",
        run.stderr
    );
    let blitz = ["--a", &engine(":"), "--b", "random", "--variant", "blitz"];
    assert!(
        rig.run_all(&blitz)
            .stderr
            .contains("it has no option `Variant`")
    );
}
