//! Known differences of strength, found by matches. Slow.

use crate::rig::Rig;

#[test]
#[ignore = "slow: 400 games"]
fn equal_sides_are_equal() {
    let rig = Rig::new();
    let report = rig
        .run("--a default --b default --games 400 --simulations 200 --json")
        .assert_code(0)
        .json();
    let (elo, error) = (
        report["elo"]["value"].as_f64().unwrap(),
        report["elo"]["error"].as_f64().unwrap(),
    );
    println!("{elo:+.1} ± {error:.1}");
    assert!(elo.abs() <= error, "{elo:+.1} ± {error:.1}");
}

#[test]
#[ignore = "slow: 300 games of 150 000 simulations"]
fn four_times_the_simulations_are_worth_200_elo() {
    let rig = Rig::new();
    let sides = "--a baseline,simulations=4000 --b baseline,simulations=1000";
    let report = rig
        .run(&format!("{sides} --games 300 --json"))
        .assert_code(0)
        .json();
    let elo = &report["elo"];
    println!("{elo}");
    assert!(elo["value"].as_f64().unwrap() > 200.0, "{elo}");
}
