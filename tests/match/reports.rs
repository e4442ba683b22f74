//! What a match prints, and how it ends.

use crate::rig::Rig;

#[test]
fn a_match_is_reported() {
    let rig = Rig::new();
    let run = rig
        .run("--a greedy --b random --games 20 --out m.jsonl")
        .assert_code(0);
    for part in [
        "A                 greedy",
        "games             20: A won ",
        "pairs             ",
        "Elo               +",
        "normalized Elo    +",
        "superiority       ",
        "White's score     ",
        "turns of a game   ",
        "ends              ",
        "overruns   failures",
    ] {
        assert!(run.stdout.contains(part), "{part} in\n{}", run.stdout);
    }
    assert!(
        run.stderr.contains("INFO 20 games into m.jsonl"),
        "{}",
        run.stderr
    );
    assert_eq!(
        run.stderr.lines().count(),
        1,
        "no progress where there is no terminal: {}",
        run.stderr
    );

    let report = rig
        .run("--a greedy --b random --games 20 --out m.jsonl --json")
        .assert_code(0)
        .json();
    assert_eq!(report["games"], 20);
    assert_eq!(
        report["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum::<u64>(),
        10
    );
    assert_eq!(report["sides"][0]["name"], "greedy");
    assert!(report["elo"]["value"].as_f64().unwrap() > 100.0);
}

#[test]
fn both_sides_play_each_opening_with_both_colours() {
    let rig = Rig::new();
    rig.run("--a greedy --b random --games 12 --out m.jsonl")
        .assert_code(0);
    let games = rig.games("m.jsonl");
    let mut openings = Vec::new();
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(
            (&pair[0]["white"], &pair[1]["white"]),
            (&"A".into(), &"B".into())
        );
        openings.push(pair[0]["opening"].to_string());
    }
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 6);
}

#[test]
fn a_test_has_three_verdicts() {
    let rig = Rig::new();
    let verdict = |sides: &str, sprt: &str, code: i32| {
        let arguments = format!("{sides} --games 200 --sprt {sprt} --json");
        let report = rig.run(&arguments).assert_code(code).json();
        assert!(report["games"].as_u64().unwrap() <= 200);
        report["sprt"]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("--a greedy --b random", "elo0=0 elo1=60", 10), "H1");
    assert_eq!(verdict("--a random --b greedy", "elo0=0 elo1=60", 11), "H0");
    assert_eq!(
        verdict("--a random --b random", "elo0=0 elo1=1 model=logistic", 12),
        "inconclusive"
    );
}

#[test]
fn the_clock_is_kept() {
    let rig = Rig::new();
    let report = rig
        .run("--a default --b baseline --games 2 --clock 1+0.02 --json")
        .assert_code(0)
        .json();
    assert_eq!(report["sides"][0]["failures"], serde_json::json!({}));
    assert_eq!(report["sides"][1]["failures"], serde_json::json!({}));
    assert_eq!(
        report["sides"][0]["limits"],
        serde_json::json!({"base_ms": 1000, "increment_ms": 20})
    );
}

#[test]
fn a_round_robin_rates_all_sides() {
    let rig = Rig::new();
    let sides = "--round-robin random greedy baseline,simulations=100 --games 10";
    let run = rig
        .run(&format!("{sides} --out r.jsonl --svg r.svg"))
        .assert_code(0);
    let places: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| line.contains(" ± "))
        .collect();
    assert_eq!(places.len(), 3, "{}", run.stdout);
    assert!(
        places[0].contains("C baseline") && places[2].contains("A random"),
        "{}",
        run.stdout
    );
    let svg = rig.read("r.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle").count(), 3);

    // All pairings have the same openings.
    let games = rig.games("r.jsonl");
    assert_eq!(games.len(), 30);
    assert!(games.chunks(6).all(|round| {
        round
            .iter()
            .all(|game| game["opening"] == round[0]["opening"])
    }));

    let report = rig
        .run(&format!("{sides} --out r.jsonl --json"))
        .assert_code(0)
        .json();
    assert_eq!(report["ratings"][0]["name"], "baseline,simulations=100");
}

#[test]
fn openings_come_from_a_file_or_the_empty_board() {
    let rig = Rig::new();
    let positions = [
        "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10",
        "4/7/8/9/10/9/10/9/8/7/4 w p 0-0 0",
    ];
    let file = rig.write(
        "openings.txt",
        &format!(
            "# two\n{}\n\n{} # the empty board\n",
            positions[0], positions[1]
        ),
    );
    rig.run(&format!(
        "--a greedy --b random --games 4 --openings {file} --out m.jsonl"
    ))
    .assert_code(0);
    let openings: Vec<_> = rig
        .games("m.jsonl")
        .iter()
        .map(|game| game["opening"].clone())
        .collect();
    assert_eq!(
        openings,
        [positions[0], positions[0], positions[1], positions[1]]
    );

    rig.run("--a greedy --b random --games 4 --openings empty --out e.jsonl")
        .assert_code(0);
    let games = rig.games("e.jsonl");
    assert!(games.iter().all(|game| game["opening"] == positions[1]));
    assert_ne!(games[0]["turns"], games[2]["turns"]);
}

#[test]
fn mistakes_are_told_before_a_game_is_played() {
    let rig = Rig::new();
    let doubled = rig.write(
        "doubled.txt",
        "4/7/8/9/10/9/10/9/8/7/3R b p 0-0 1\n3R/7/8/9/10/9/10/9/8/7/4 b p 0-0 1\n",
    );
    let broken = rig.write("broken.txt", "# openings\n4/7/8 w p 0-0 0\n");
    let file = |name: &str| format!("--a random --b random --games 4 --openings {name}");
    let cases = [
        ("--a grady --b random".to_owned(), "did you mean `greedy`?"),
        (
            "--a exploraton=1 --b random".to_owned(),
            "did you mean `exploration`?",
        ),
        (
            "--a exploration=11 --b random".to_owned(),
            "`exploration` must be a number from 0 to 10",
        ),
        (
            "--a seed=3 --b random".to_owned(),
            "the seed is that of the match",
        ),
        (
            "--a default,simulations=0 --b random".to_owned(),
            "has no limit",
        ),
        (
            "--a turn_ms=5,base_ms=5 --b random".to_owned(),
            "both a time per turn and a clock",
        ),
        (
            "--a nowhere.toml --b random".to_owned(),
            "cannot read the config file nowhere.toml",
        ),
        (
            "--a ugi: --b random".to_owned(),
            "a command must follow `ugi:`",
        ),
        (
            "--a ugi:no-such-engine --b random".to_owned(),
            "the shell cannot run `no-such-engine`",
        ),
        (
            "--a random --b random --games 3".to_owned(),
            "the number of games must be even",
        ),
        (
            "--a random --b random --sprt elo0=5 elo1=5".to_owned(),
            "elo0 must be less than elo1",
        ),
        (
            "--a random --b random --sprt elo2=5".to_owned(),
            "the keys are elo0, elo1, alpha, beta, model",
        ),
        (
            "--a random --b random --clock abc".to_owned(),
            "write BASE+INCREMENT in seconds",
        ),
        ("--a random --b random --shard 3/2".to_owned(), "write K/N"),
        ("--a random".to_owned(), "--b <SIDE>"),
        (
            "--a random --b random --svg x.svg".to_owned(),
            "cannot be used with '--svg <FILE>'",
        ),
        (
            file("nowhere.txt"),
            "cannot read the openings in nowhere.txt",
        ),
        (file(&broken), "broken.txt:2: "),
        (
            file(&doubled),
            "doubled.txt:2: this position has stood before",
        ),
    ];
    for (arguments, complaint) in cases {
        let run = rig.run(&arguments);
        assert_ne!(run.code, Some(0), "{arguments}");
        assert!(
            run.stderr.contains(complaint),
            "{arguments}: {}",
            run.stderr
        );
        assert_eq!(run.stdout, "", "{arguments}");
    }
    assert!(!rig.path("records").exists(), "no match was begun");
}

#[test]
fn the_help_names_everything() {
    let rig = Rig::new();
    let help = rig.run("--help").assert_code(0).stdout;
    for part in [
        "--a <SIDE>",
        "--sprt",
        "--clock",
        "--shard",
        "--round-robin",
        "ugi:COMMAND",
        "merge",
    ] {
        assert!(help.contains(part), "{part} in\n{help}");
    }
}
