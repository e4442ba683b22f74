//! Arguments that make no run, and the sensitivity run.

use crate::runs::Rig;

#[test]
fn what_cannot_be_tuned_is_explained() {
    let rig = Rig::new();
    for (arguments, complaint) in [
        ("--params explration", "did you mean `exploration`?"),
        ("--params exploration,threads", "`threads` is not tuned"),
        (
            "--params exploration=9..11",
            "must lie within what it may be, a number from 0 to 10",
        ),
        (
            "--params max_share --simulations 10",
            "give one with --clock",
        ),
        (
            "--params exploration,exploration",
            "`exploration` is named twice",
        ),
        ("--params exploration --games 12", "take a multiple of 8"),
        (
            "--params exploration --games 0",
            "`games` must be a whole number from 8",
        ),
        (
            "--params exploration --openings empty",
            "take random openings, or a file",
        ),
        (
            "--params exploration --sprt elo0=5 elo1=5",
            "elo0 must be less than elo1",
        ),
        (
            "--params exploration --verify-games 3",
            "the number of games must be even",
        ),
        (
            "--params exploration --force --no-write",
            "cannot be used with",
        ),
        ("", "--params"),
    ] {
        let run = rig.run(arguments).assert_code(2);
        assert!(
            run.stderr.contains(complaint),
            "{arguments}: {}",
            run.stderr
        );
    }
    assert_eq!(rig.files_with(""), [""; 0], "nothing was done");
}

#[test]
fn a_sensitivity_run_tells_what_matters() {
    let rig = Rig::new();
    let arguments =
        "sensitivity --params exploration=0.05..10,proofs --games 40 --simulations 40 --json";
    let run = rig.run(arguments).assert_code(0);
    let report = run.json();
    let probes = report["probes"].as_array().unwrap();
    let of = |name: &'static str| probes.iter().filter(move |probe| probe["name"] == name);
    let low_and_high: Vec<f64> = of("exploration")
        .map(|p| p["probed"].as_f64().unwrap())
        .collect();
    assert_eq!(low_and_high.len(), 2, "{report}");
    assert_eq!(of("proofs").next().unwrap()["probed"], false);
    // Ten is far too much: the greatest difference stands on top.
    assert_eq!(probes[0]["name"], "exploration");
    assert!(probes[0]["elo"]["high"].as_f64().unwrap() < 0.0, "{report}");

    let again = rig.run(&arguments.replace("--json", "")).assert_code(0);
    assert!(
        again.stdout.contains("weaker: it matters"),
        "{}",
        again.stdout
    );
    assert!(
        again.stderr.contains("40 of them are there already"),
        "{}",
        again.stderr
    );
}
