//! The bundle for reports of bugs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use crate::rig::Stage;

/// The texts of an archive by name.
pub fn unpack(path: &Path) -> BTreeMap<String, String> {
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(path).unwrap()));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        (name, text)
    });
    entries.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_holds_what_is_needed_and_says_so() {
    let stage = Stage::new().await;
    stage.configure("");
    let mut running = stage.play();
    stage.challenge(60).await;
    let game = stage.game().await;
    stage.play_on(&game, 6).await;
    stage
        .wait_for(&format!("records/{game}.jsonl"), "\"ply\":5")
        .await;
    running.kill();

    let output = stage
        .command(&["report", "--out", "report.tar.gz"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let files = unpack(&stage.path("report.tar.gz"));
    for name in files.keys().filter(|name| *name != "README.txt") {
        assert!(
            said.contains(name) && files["README.txt"].contains(name),
            "{name}: {said}"
        );
    }
    assert!(files["machine.txt"].contains(env!("CARGO_PKG_VERSION")));
    assert!(files["config.toml"].contains("token_file = \"bot.token\""));
    assert!(files["log.txt"].contains("connected"));
    let stuck = &files["unfinished.txt"];
    let position = stage.opponent.game(&game).await.position;
    assert!(
        stuck.contains(&game) && stuck.contains(&position),
        "{stuck} {position}"
    );
    assert!(files[&format!("records/{game}.jsonl")].contains("\"ply\":5"));

    let again = stage
        .command(&["report", "--out", "report.tar.gz"])
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(1), "a report is not written over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_pasted_anywhere_is_not_in_it() {
    let stage = Stage::new().await;
    // Nothing about this one looks like a token.
    const OTHER: &str = "correct-horse/battery\"staple";
    let token = stage.token();
    let pasted = format!(
        "[account]\ntoken = '{OTHER}'\ncontact = \"{token}\"\n[server]\nurl = \"https://me:{token}@host/{token}?key={token}\"\n\
         [log]\nfile = \"bot.log\"\n[play]\nrecords_dir = \"records\"\n"
    );
    stage.write("config.toml", &pasted);
    stage.write(
        "bot.log",
        &format!("it was {token}\nand {OTHER}\nor {OTHER:?}\n"),
    );
    std::fs::create_dir(stage.path("records")).unwrap();
    stage.write(
        "records/g1.jsonl",
        &format!("{{\"game\":\"{token} {OTHER:?}\"}}\n"),
    );
    let report = |name: &str, environment: &str| {
        let mut command = stage.command(&["report", "--out", name]);
        command.env("YINSH_BOT_TOKEN", environment);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let said = format!("{output:?}");
        assert!(!said.contains(token) && !said.contains("battery"), "{said}");
        unpack(&stage.path(name))
    };
    let files = report("one.tar.gz", token);
    assert!(
        files["log.txt"].starts_with("it was ***\nand ***\n"),
        "{}",
        files["log.txt"]
    );
    for (name, text) in &files {
        assert!(
            !text.contains(token) && !text.contains("battery"),
            "{name}: {text}"
        );
    }

    // The settings do not even read, and the environment holds something that nothing names a token.
    stage.write(
        "config.toml",
        &format!("[account]\ntoken_fiel = \"{token}\"\n"),
    );
    let files = report("two.tar.gz", OTHER);
    assert!(files["config.txt"].contains("token_file"), "{files:?}");
    for (name, text) in &files {
        assert!(
            !text.contains(token) && !text.contains("battery"),
            "{name}: {text}"
        );
    }
}
