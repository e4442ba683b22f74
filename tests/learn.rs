//! Learning: the same plan gives the same weights, whatever happens in between.

use std::fs;
use std::path::{Path, PathBuf};

use yinsh_bot::arena::{LearnError, LearnPlan, LearnProgress, learn};
use yinsh_bot::search::{Evaluation, StopFlag};

const PLAN: LearnPlan = LearnPlan {
    rounds: 2,
    games: 14,
    simulations: 30,
    seed: 3,
};

fn run(folder: &Path, concurrency: usize) -> Result<Option<PathBuf>, LearnError> {
    let stop = StopFlag::new();
    learn(&PLAN, folder.to_owned(), concurrency, &stop, &mut |_| {})
}

fn weights(folder: &Path) -> String {
    let file = run(folder, 1).unwrap().unwrap();
    let text = fs::read_to_string(file).unwrap();
    text.parse::<Evaluation>().unwrap();
    text
}

#[test]
fn the_number_of_games_at_a_time_changes_nothing() {
    let (one, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(three.path(), 3).unwrap().unwrap();
    let text = weights(one.path());
    assert_eq!(weights(three.path()), text);
    assert_ne!(text, Evaluation::built_in().to_string());
    let first = fs::read_to_string(one.path().join("round-1.weights.txt")).unwrap();
    assert_ne!(first, text, "the second round learned something");
}

#[test]
fn a_run_that_was_stopped_or_killed_goes_on_to_the_same_weights() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let stop = StopFlag::new();
    let mut stop_at_five = |progress: LearnProgress| {
        if matches!(progress, LearnProgress::Playing { games: 5.., .. }) {
            stop.stop();
        }
    };
    let stopped = learn(&PLAN, broken.path().to_owned(), 2, &stop, &mut stop_at_five);
    assert_eq!(stopped.unwrap(), None);
    // A kill may tear the last line.
    let games = broken.path().join("round-1.games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    assert!(text.lines().count() >= 5);
    fs::write(&games, &text[..text.len() - 40]).unwrap();

    assert_eq!(weights(broken.path()), weights(whole.path()));
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 2).unwrap();
    let mut steps = 0;
    let again = learn(
        &PLAN,
        folder.path().to_owned(),
        2,
        &StopFlag::new(),
        &mut |_| steps += 1,
    );
    assert_eq!(
        again.unwrap().unwrap(),
        folder.path().join("round-2.weights.txt")
    );
    assert_eq!(steps, 0);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 2).unwrap();
    let other = LearnPlan { seed: 4, ..PLAN };
    let refused = learn(
        &other,
        folder.path().to_owned(),
        1,
        &StopFlag::new(),
        &mut |_| {},
    );
    let error = refused.unwrap_err().to_string();
    assert!(
        error.contains("another plan") && error.contains("\"seed\":3"),
        "{error}"
    );

    let weights = folder.path().join("round-1.weights.txt");
    fs::write(&weights, "1 2 three").unwrap();
    let error = run(folder.path(), 1).unwrap_err().to_string();
    assert!(
        error.contains("round-1.weights.txt: line 1: `three`"),
        "{error}"
    );

    fs::remove_file(weights).unwrap();
    let games = folder.path().join("round-1.games.jsonl");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.replacen("\"white\"", "\"blue\"", 1)).unwrap();
    let error = run(folder.path(), 1).unwrap_err().to_string();
    assert!(
        error.contains("round-1.games.jsonl:1: this is no game"),
        "{error}"
    );
}
