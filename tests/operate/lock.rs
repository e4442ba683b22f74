//! One process for one account.

use crate::rig::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_is_refused_and_a_killed_one_leaves_no_lock() {
    let stage = Stage::new().await;
    stage.configure("");
    let mut first = stage.play();
    stage.wait_for("bot.log", "connected").await;

    let second = stage.command(&["play"]).output().unwrap();
    let error = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(7), "{error}");
    let who = format!("process {} plays this account already", first.id());
    assert!(error.contains(&who) && error.contains(".lock"), "{error}");

    first.kill();
    stage.write("bot.log", "");
    let mut third = stage.play();
    stage.wait_for("bot.log", "connected").await;
    third.signal("TERM");
    assert_eq!(third.end().await.code(), Some(0));
}
