//! Runs that are played in parts.

use crate::runs::Rig;

const RUN: &str =
    "--params exploration,first_play_urgency --games 48 --simulations 20 --no-verify --json";

#[test]
fn parts_put_together_are_the_whole() {
    let rig = Rig::new();
    let whole = rig.run(&format!("{RUN} --out w.jsonl")).assert_code(0);
    for part in 1..=3 {
        let run = rig
            .run(&format!("{RUN} --shard {part}/3 --out {part}.jsonl"))
            .assert_code(0);
        assert_eq!(run.json()["outcome"], "part");
    }
    let merged = rig
        .run("merge 3.jsonl 1.jsonl 2.jsonl --json --out all.jsonl")
        .assert_code(0);
    assert_eq!(merged.json(), whole.json());
    assert_eq!(rig.lines("all.jsonl"), rig.lines("w.jsonl"));
    assert!(rig.read("all.html").contains("exploration"));

    // What was put together goes on like any other file.
    let again = rig.run(&format!("{RUN} --out all.jsonl")).assert_code(0);
    assert_eq!(again.json(), whole.json());

    let partial = rig.run("merge 1.jsonl 3.jsonl --json").assert_code(0);
    assert!(
        partial.stderr.contains("12 games of the run are missing"),
        "{}",
        partial.stderr
    );
    assert_eq!(partial.json()["games"], 36);
}

#[test]
fn parts_of_different_runs_are_not_mixed() {
    let rig = Rig::new();
    rig.run(&format!("{RUN} --shard 1/2 --out 1.jsonl"))
        .assert_code(0);
    rig.run(&format!("{RUN} --shard 2/2 --out 2.jsonl --seed 9"))
        .assert_code(0);
    let run = rig.run("merge 1.jsonl 2.jsonl").assert_code(2);
    assert!(
        run.stderr
            .contains("2.jsonl is of another run: its seed is 9, not 1"),
        "{}",
        run.stderr
    );

    let text = rig.read("1.jsonl");
    let (from, to) = ("\"results\":[", "\"results\":[1,0,0,0,3],\"x\":[");
    rig.write("changed.jsonl", &text.replacen(from, to, 1));
    let run = rig.run("merge 1.jsonl changed.jsonl").assert_code(2);
    assert!(
        run.stderr.contains("in changed.jsonl are others than"),
        "{}",
        run.stderr
    );
    let run = rig.run(&format!("{RUN} --shard 1/5")).assert_code(2);
    assert!(
        run.stderr
            .contains("there are only 4 chains, too few for 5 parts"),
        "{}",
        run.stderr
    );
}
