//! Match files: which go on, which are refused, and how parts are put together.

use std::fs::{File, OpenOptions};
use std::io::Write;

use crate::rig::Rig;

const MATCH: &str = "--a greedy --b random --games 12";

#[test]
fn a_torn_line_is_cut_off() {
    let rig = Rig::new();
    let whole = rig
        .run(&format!("{MATCH} --out m.jsonl --json"))
        .assert_code(0);
    let games = rig.games("m.jsonl");
    let text = rig.read("m.jsonl");
    let at = text.trim_end().rfind('\n').unwrap() + 40;
    rig.write("m.jsonl", &text[..at]);

    let again = rig
        .run(&format!("{MATCH} --out m.jsonl --json"))
        .assert_code(0);
    assert!(
        again
            .stderr
            .contains("the last line was not written to its end and is cut off"),
        "{}",
        again.stderr
    );
    assert!(
        again.stderr.contains("11 of them are there already"),
        "{}",
        again.stderr
    );
    assert_eq!(again.json(), whole.json());
    assert_eq!(rig.games("m.jsonl"), games);
}

#[test]
fn a_torn_first_line_begins_anew() {
    let rig = Rig::new();
    rig.write("m.jsonl", "{\"match\":{\"ident");
    let run = rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(0);
    assert!(run.stderr.contains("is cut off"), "{}", run.stderr);
    assert_eq!(rig.games("m.jsonl").len(), 12);
}

#[test]
fn a_file_of_another_match_is_refused() {
    let rig = Rig::new();
    rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(0);
    let before = rig.read("m.jsonl");
    let refused = |arguments: &str, difference: &str| {
        let run = rig
            .run(&format!("{arguments} --out m.jsonl"))
            .assert_code(2);
        assert!(run.stderr.contains("is of another match"), "{}", run.stderr);
        assert!(
            run.stderr.contains(difference),
            "{arguments}: {}",
            run.stderr
        );
    };
    refused(
        "--a baseline --b random --games 12",
        "`greedy` plays in it instead of `baseline`",
    );
    refused(&format!("{MATCH} --seed 2"), "its seed is 1, not 2");
    refused(
        &format!("{MATCH} --openings empty"),
        "it has other openings",
    );
    refused(
        &format!("{MATCH} --simulations 5"),
        "`greedy` has other settings or limits in it",
    );
    refused(
        &format!("{MATCH} --shard 1/2"),
        "it has part 1/1 of the pairs, not 1/2",
    );
    refused(
        &format!("{MATCH} --variant blitz"),
        "it is of the variant standard",
    );
    refused(
        "--round-robin greedy random baseline --games 2",
        "it has 2 sides, not 3",
    );
    let other_build = before.replacen("\"build\":\"", "\"build\":\"0", 1);
    rig.write("m.jsonl", &other_build);
    refused(MATCH, "another build of the program");
    assert_eq!(rig.read("m.jsonl"), other_build);

    rig.write("m.jsonl", "{\"move\":\"e5\"}\n");
    let run = rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(2);
    assert!(
        run.stderr
            .contains("m.jsonl:1: this is no line of a match file"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_longer_match_goes_on_with_the_file() {
    let rig = Rig::new();
    rig.run("--a greedy --b random --games 4 --out m.jsonl")
        .assert_code(0);
    let run = rig
        .run(&format!("{MATCH} --out m.jsonl --json"))
        .assert_code(0);
    let whole = rig
        .run(&format!("{MATCH} --out w.jsonl --json"))
        .assert_code(0);
    assert_eq!(run.json(), whole.json());
    assert_eq!(rig.games("m.jsonl"), rig.games("w.jsonl"));
}

#[test]
fn a_file_in_use_is_refused() {
    let rig = Rig::new();
    rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(0);
    let file = File::open(rig.path("m.jsonl")).unwrap();
    file.lock().unwrap();
    let run = rig.run(&format!("{MATCH} --out m.jsonl")).assert_code(2);
    assert!(
        run.stderr.contains("is in use by another process"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_same_command_finds_its_file() {
    let rig = Rig::new();
    rig.run(MATCH).assert_code(0);
    let run = rig.run(MATCH).assert_code(0);
    assert!(
        run.stderr.contains("12 of them are there already"),
        "{}",
        run.stderr
    );
    assert_eq!(std::fs::read_dir(rig.path("records")).unwrap().count(), 1);
    rig.run(&format!("{MATCH} --seed 2")).assert_code(0);
    assert_eq!(std::fs::read_dir(rig.path("records")).unwrap().count(), 2);
}

#[test]
fn parts_put_together_are_the_whole() {
    let rig = Rig::new();
    let sides = "--a simulations=60 --b baseline,simulations=40 --games 14";
    let whole = rig
        .run(&format!("{sides} --out w.jsonl --json"))
        .assert_code(0);
    for part in 1..=3 {
        rig.run(&format!(
            "{sides} --shard {part}/3 --out {part}.jsonl --concurrency 2"
        ))
        .assert_code(0);
    }
    let merged = rig
        .run("merge 3.jsonl 1.jsonl 2.jsonl --json --out all.jsonl")
        .assert_code(0);
    assert_eq!(merged.json(), whole.json());
    assert_eq!(rig.games("all.jsonl"), rig.games("w.jsonl"));

    // What was put together goes on like any other file.
    let again = rig
        .run(&format!("{sides} --out all.jsonl --json"))
        .assert_code(0);
    assert_eq!(again.json(), whole.json());

    let partial = rig.run("merge 1.jsonl 3.jsonl --json").assert_code(0);
    assert!(
        partial.stderr.contains("4 games of the match are missing"),
        "{}",
        partial.stderr
    );
    assert_eq!(
        partial.json()["games"],
        2,
        "counted up to the first that is missing"
    );
}

#[test]
fn a_test_over_parts_is_that_of_one_run() {
    let rig = Rig::new();
    let sides = "--a greedy --b random --games 60 --sprt elo0=0 elo1=80";
    let whole = rig
        .run(&format!("{sides} --out w.jsonl --json"))
        .assert_code(10);
    for part in 1..=2 {
        rig.run(&format!("{sides} --shard {part}/2 --out {part}.jsonl"))
            .assert_code(0);
        assert_eq!(rig.games(&format!("{part}.jsonl")).len(), 30);
    }
    let merged = rig
        .run("merge 1.jsonl 2.jsonl --json")
        .assert_code(10)
        .json();
    let mut whole = whole.json();
    whole["uncounted"] = merged["uncounted"].clone();
    assert_eq!(merged, whole);
}

#[test]
fn parts_of_different_matches_are_not_mixed() {
    let rig = Rig::new();
    rig.run(&format!("{MATCH} --shard 1/2 --out 1.jsonl"))
        .assert_code(0);
    rig.run(&format!("{MATCH} --shard 2/2 --out 2.jsonl --seed 9"))
        .assert_code(0);
    let run = rig.run("merge 1.jsonl 2.jsonl").assert_code(2);
    assert!(
        run.stderr
            .contains("2.jsonl is not of the same match as 1.jsonl: its seed is 9"),
        "{}",
        run.stderr
    );

    let text = rig.read("1.jsonl");
    rig.write(
        "changed.jsonl",
        &text.replacen("\"winner\":\"A\"", "\"winner\":\"B\"", 1),
    );
    let run = rig.run("merge 1.jsonl changed.jsonl").assert_code(2);
    assert!(
        run.stderr
            .contains("in changed.jsonl is another one than in 1.jsonl"),
        "{}",
        run.stderr
    );
    rig.run("merge 1.jsonl 1.jsonl").assert_code(0);

    let mut file = OpenOptions::new()
        .append(true)
        .open(rig.path("1.jsonl"))
        .unwrap();
    file.write_all(b"{\"game\":{\"ga").unwrap();
    let run = rig.run("merge 1.jsonl").assert_code(0);
    assert!(run.stderr.contains("is left out"), "{}", run.stderr);
}
