//! Matches that are stopped, killed and go on.

use std::fs;
use std::time::Duration;

use serde_json::Value;
use yinsh_bot::search::{below, random_stream};

use crate::rig::{Rig, Run, complete_lines, signal, start, wait_until};

const MATCH: &str =
    "--a simulations=400 --b baseline,simulations=300 --games 30 --concurrency 2 --json";

/// The report and the games of a run that nothing disturbs.
fn undisturbed(rig: &Rig) -> (Value, Vec<Value>) {
    let report = rig
        .run(&format!("{MATCH} --out whole.jsonl"))
        .assert_code(0)
        .json();
    (report, rig.games("whole.jsonl"))
}

#[test]
fn a_stopped_match_goes_on() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    for name in ["-INT", "-TERM"] {
        let mut child = start(&mut rig.command(&format!("{MATCH} --out m.jsonl")));
        wait_until("three games", || complete_lines(&rig.path("m.jsonl")) > 3);
        signal(&child, name);
        let code = child.wait().unwrap().code();
        // On a fast machine it may have been over already.
        assert!(
            code == Some(13) || complete_lines(&rig.path("m.jsonl")) == 31,
            "{name}: {code:?}"
        );
        let run = rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(0);
        assert_eq!((run.json(), rig.games("m.jsonl")), whole);
        fs::remove_file(rig.path("m.jsonl")).unwrap();
    }
}

#[test]
fn a_match_goes_on_in_the_middle_of_a_pair() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    let text = rig.read("whole.jsonl");
    let first_of_pair = |line: &&str| !line.starts_with("{\"game\":{\"game\":") || is_even(line);
    let halves: String = text
        .lines()
        .filter(first_of_pair)
        .map(|line| format!("{line}\n"))
        .collect();
    rig.write("m.jsonl", &halves);
    let run = rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(0);
    assert!(
        run.stderr.contains("15 of them are there already"),
        "{}",
        run.stderr
    );
    assert_eq!((run.json(), rig.games("m.jsonl")), whole);
}

fn is_even(line: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap();
    line["game"]["game"].as_u64().unwrap().is_multiple_of(2)
}

/// Kills the match `times` times at random moments, lets it end, and compares with an undisturbed one.
fn kill_and_compare(rig: &Rig, whole: &(Value, Vec<Value>), times: u64) -> u64 {
    let mut random = random_stream(times, 1);
    let mut killed = 0;
    for _ in 0..times {
        let mut child = start(&mut rig.command(&format!("{MATCH} --out m.jsonl")));
        std::thread::sleep(Duration::from_millis(u64::from(below(&mut random, 400))));
        let before = complete_lines(&rig.path("m.jsonl"));
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            killed += 1;
        }
        assert!(
            complete_lines(&rig.path("m.jsonl")) >= before,
            "what was written is kept"
        );
        if complete_lines(&rig.path("m.jsonl")) == 31 {
            let run = Run::from(
                rig.command(&format!("{MATCH} --out m.jsonl"))
                    .output()
                    .unwrap(),
            )
            .assert_code(0);
            assert_eq!((&run.json(), &rig.games("m.jsonl")), (&whole.0, &whole.1));
            fs::remove_file(rig.path("m.jsonl")).unwrap();
        }
    }
    let run = rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(0);
    assert_eq!((&run.json(), &rig.games("m.jsonl")), (&whole.0, &whole.1));
    killed
}

#[test]
fn a_killed_match_goes_on() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    assert!(kill_and_compare(&rig, &whole, 4) > 0);
}

#[test]
#[ignore = "slow: a match is killed 50 times"]
fn a_match_that_is_killed_again_and_again_goes_on() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    assert!(kill_and_compare(&rig, &whole, 50) >= 30);
}
