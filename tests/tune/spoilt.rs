//! A config that was spoilt on purpose is found and mended. Slow.

use std::process::Command;

use crate::runs::{Rig, Run};

/// Ten times as curious as the default.
const SPOILT: &str = "[search]\nexploration = 10.0\n";

/// The Elo of the tuned config over another side.
fn elo_over(rig: &Rig, side: &str) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
    command
        .current_dir(rig.path(""))
        .arg("match")
        .args(["--a", "my.toml", "--b", side]);
    command.args([
        "--games",
        "400",
        "--simulations",
        "200",
        "--seed",
        "7",
        "--json",
    ]);
    let report = Run::from(command.output().unwrap()).assert_code(0).json();
    println!("against {side}: {}", report["elo"]);
    report["elo"]["value"].as_f64().unwrap()
}

#[test]
#[ignore = "slow: 2 000 games"]
fn ten_times_too_much_exploration_is_mended() {
    let rig = Rig::new();
    rig.write("my.toml", SPOILT);
    let tune = "--config my.toml --params exploration --games 1000 --simulations 200";
    let run = rig.run(tune).assert_code(10);
    println!("{}", run.stdout);
    assert!(elo_over(&rig, "exploration=10") > 100.0);
    assert!(elo_over(&rig, "default") > -30.0);
}
