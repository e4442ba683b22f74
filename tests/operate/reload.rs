//! SIGHUP: new settings for games and challenges to come, and a bad file changes nothing.

use crate::rig::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn settings_change_while_it_runs_and_a_bad_file_is_refused() {
    let stage = Stage::new().await;
    stage.configure("");
    let mut running = stage.play();
    stage.wait_for("bot.log", "connected").await;

    stage.configure("challenges.initial_min_s = 60\nserver.request_timeout_ms = 2000");
    running.signal("HUP");
    stage
        .wait_for("bot.log", "changed=\"challenges.initial_min_s\"")
        .await;
    stage
        .wait_for(
            "bot.log",
            "server.request_timeout_ms changes only with a restart",
        )
        .await;
    stage.challenge(20).await;
    stage.wait_for("bot.log", "reason=too_fast").await;

    stage.configure("challenges.initial_min = 5");
    running.signal("HUP");
    stage
        .wait_for("bot.log", "the settings stay as they are")
        .await;
    stage
        .wait_for("bot.log", "did you mean `initial_min_s`?")
        .await;
    stage.challenge(30).await;
    let declined = |log: &str| log.matches("reason=too_fast").count() == 2;
    assert!(crate::rig::until(|| declined(&stage.read("bot.log"))).await);

    stage.configure("");
    running.signal("HUP");
    stage
        .wait_for("bot.log", "changed=\"challenges.initial_min_s\"")
        .await;
    stage.challenge(20).await;
    stage.wait_for("bot.log", "challenge accepted").await;
    let game = stage.game().await;
    stage.play_on(&game, u16::MAX).await;
    running.signal("TERM");
    assert_eq!(running.end().await.code(), Some(0));
}
