//! What becomes of tuned values: written when a match proves them, else not.

use crate::runs::Rig;

/// Ten times as curious as the default, with comments.
const SPOILT: &str = "# mine\n[search]\n# how curious\nexploration = 10.0   # too much?\nthreads = 1\n\n[log]\nlevel = \"info\"\n";

/// Few simulations, so that it takes seconds; the test of the values is over after some tens of games.
const TUNE: &str = "--params exploration --games 400 --simulations 60 --config my.toml";

fn exploration(text: &str) -> f64 {
    let line = text
        .lines()
        .find(|line| line.starts_with("exploration = "))
        .unwrap();
    line.split(' ').nth(2).unwrap().parse().unwrap()
}

#[test]
fn proved_values_are_written_and_the_old_file_is_kept() {
    let rig = Rig::new();
    rig.write("my.toml", SPOILT);
    let run = rig.run(&format!("{TUNE} --out m.jsonl")).assert_code(10);
    assert!(
        run.stdout
            .contains("the tuned values are stronger; my.toml has them now"),
        "{}",
        run.stdout
    );
    let text = rig.read("my.toml");
    let found = exploration(&text);
    assert!(found < 2.0, "{text}");
    assert_eq!(
        text.replace(&format!("exploration = {found} "), "exploration = 10.0 "),
        SPOILT
    );
    let backups = rig.files_with("my.toml.20");
    assert_eq!(backups.len(), 1, "{backups:?}");
    assert_eq!(rig.read(&backups[0]), SPOILT);

    let page = rig.read("m.html");
    assert!(page.contains("<svg") && page.contains("Tuned against present values"));
    for elsewhere in ["http://", "https://", "<script", "<link", "@import", "url("] {
        assert!(!page.contains(elsewhere), "the page needs {elsewhere}");
    }

    // The settings in effect are others now, so that these results have no more to say.
    let run = rig.run(&format!("{TUNE} --out m.jsonl")).assert_code(2);
    assert!(
        run.stderr.contains("the settings in effect"),
        "{}",
        run.stderr
    );
}

#[test]
fn nothing_is_written_when_it_is_not_wanted() {
    let rig = Rig::new();
    rig.write("my.toml", SPOILT);
    let run = rig
        .run(&format!("{TUNE} --no-write --json"))
        .assert_code(10);
    assert_eq!(run.json()["outcome"], "gained");
    assert_eq!(run.json()["written"], serde_json::Value::Null);
    let run = rig
        .run(&format!("{TUNE} --no-verify --json"))
        .assert_code(0);
    assert_eq!(run.json()["outcome"], "untested");
    assert_eq!(rig.read("my.toml"), SPOILT);

    // The same command without that goes on from the same results, and writes.
    let run = rig.run(TUNE).assert_code(10);
    assert!(
        run.stderr.contains("400 are there already"),
        "{}",
        run.stderr
    );
    assert!(exploration(&rig.read("my.toml")) < 2.0);
}

#[test]
fn values_that_are_not_proved_are_written_by_force_only() {
    let rig = Rig::new();
    // Two games cannot decide the test.
    let tune = "--params exploration --games 32 --simulations 10 --verify-games 2";
    let run = rig.run(tune).assert_code(12);
    assert!(
        run.stdout
            .contains("nothing was gained: the games were spent"),
        "{}",
        run.stdout
    );
    assert_eq!(rig.files_with("config.toml"), [""; 0]);

    let run = rig.run(&format!("{tune} --force --json")).assert_code(12);
    assert_eq!(run.json()["written"], "config.toml");
    assert_eq!(
        run.json()["backup"],
        serde_json::Value::Null,
        "there was no file"
    );
    let tuned = run.json()["parameters"][0]["tuned"].as_f64().unwrap();
    assert_eq!(exploration(&rig.read("config.toml")), tuned);
}

#[test]
fn values_that_something_overrides_are_pointed_out() {
    let rig = Rig::new();
    let run = rig.run(
        "--params exploration --games 8 --simulations 5 --no-verify --set search.exploration=0.4",
    );
    let run = run.assert_code(0);
    assert!(
        run.stderr
            .contains("`exploration` comes from --set search.exploration, which wins over"),
        "{}",
        run.stderr
    );
}
