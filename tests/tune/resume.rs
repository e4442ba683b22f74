//! Runs that are stopped, killed and go on.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::runs::{Rig, complete_lines, signal, start, wait_until};

const RUN: &str = "--params exploration,expansion_visits,proofs --games 240 --simulations 30 \
                   --verify-games 40 --no-write --json";

/// Lines of results: the first, and one for each of 4 chains' 8 batches.
const LINES: usize = 1 + 4 * 8;

/// The report and the results of a run that nothing disturbs.
fn undisturbed(rig: &Rig) -> (Value, BTreeSet<String>) {
    let run = rig.run(&format!("{RUN} --out whole.jsonl"));
    assert!([10, 11, 12].map(Some).contains(&run.code), "{}", run.stderr);
    (run.json(), rig.lines("whole.jsonl"))
}

fn assert_goes_on(rig: &Rig, whole: &(Value, BTreeSet<String>)) {
    let run = rig.run(&format!("{RUN} --out m.jsonl --concurrency 3"));
    assert_eq!(run.json(), whole.0);
    assert_eq!(rig.lines("m.jsonl"), whole.1);
}

#[test]
fn a_run_is_the_same_whatever_is_played_at_once() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    assert_eq!(whole.1.len(), LINES);
    assert_eq!(whole.0["games"], 240);
    assert_goes_on(&rig, &whole);
}

#[test]
fn a_stopped_run_goes_on() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    for name in ["-INT", "-TERM"] {
        let mut child = start(&mut rig.command(&format!("{RUN} --out m.jsonl --concurrency 1")));
        wait_until("four batches", || complete_lines(&rig.path("m.jsonl")) > 4);
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(13), "{name}");
        assert!(
            rig.read("m.html")
                .contains("stopped; the same command goes on")
        );
        assert_goes_on(&rig, &whole);
        fs::remove_file(rig.path("m.jsonl")).unwrap();
        fs::remove_file(rig.path("m-verify.jsonl")).unwrap();
    }
}

#[test]
fn a_killed_run_goes_on() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    for batches in [0, 1, 7, 8, 20, 31] {
        let mut child = start(&mut rig.command(&format!("{RUN} --out m.jsonl --concurrency 1")));
        wait_until("its batches", || {
            complete_lines(&rig.path("m.jsonl")) > batches
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(complete_lines(&rig.path("m.jsonl")) <= LINES);
    assert_goes_on(&rig, &whole);
}

#[test]
fn a_torn_line_is_played_again() {
    let rig = Rig::new();
    let whole = undisturbed(&rig);
    let text = rig.read("whole.jsonl");
    rig.write("m.jsonl", &text[..text.len() * 2 / 3]);
    assert_goes_on(&rig, &whole);
}

#[test]
fn a_file_of_another_run_is_refused() {
    let rig = Rig::new();
    let run = "--params exploration --games 16 --simulations 10 --no-verify --out m.jsonl";
    rig.run(run).assert_code(0);
    let before = rig.read("m.jsonl");
    let refused = |arguments: &str, difference: &str| {
        let run = rig.run(arguments).assert_code(2);
        assert!(run.stderr.contains("is of another run: "), "{}", run.stderr);
        assert!(run.stderr.contains(difference), "{}", run.stderr);
    };
    refused(&format!("{run} --seed 2"), "its seed is 1, not 2");
    refused(
        &run.replace("--simulations 10", "--simulations 11"),
        "the limits of a turn",
    );
    refused(
        &run.replace("--games 16", "--games 24"),
        "it has other games",
    );
    refused(
        &run.replace("exploration", "proofs"),
        "it tunes exploration, not proofs",
    );
    refused(
        &run.replace("exploration", "exploration=0.1..1"),
        "ranges of parameters",
    );
    assert_eq!(rig.read("m.jsonl"), before);

    let (first, second) = (
        before.lines().next().unwrap(),
        before.lines().nth(1).unwrap(),
    );
    rig.write("m.jsonl", &format!("{first}\n{second}\n{second}\n"));
    let run = rig.run(run).assert_code(2);
    assert!(
        run.stderr
            .contains("m.jsonl:3: this is no line of a tuning file"),
        "{}",
        run.stderr
    );
}
