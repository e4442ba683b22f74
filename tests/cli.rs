//! The program as its user runs it: streams, exit codes and help texts.

use std::process::{Command, Output, Stdio};

/// A run of the program in an empty folder, so that no config.toml is picked up by chance.
fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_yinsh-bot"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Exit code, stdout and stderr.
fn all(output: &Output) -> (i32, &str, &str) {
    (
        output.status.code().unwrap(),
        stdout(output),
        stderr(output),
    )
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = format!("yinsh-bot {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(all(&run(&["--version"])), (0, version.as_str(), ""));
}

#[test]
fn help_names_every_command_and_exit_code() {
    let output = run(&["--help"]);
    let help = stdout(&output);
    for word in [
        "\n  play ",
        "\n  serve ",
        "\n  match ",
        "\n  config ",
        "\n  bench ",
        "\n  ugi ",
        "\n  perft ",
        "--config",
        "--set",
        "Exit codes:",
        "\n   2  ",
        "\n  10  ",
    ] {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
    let too_wide = help.lines().find(|line| line.chars().count() > 100);
    assert_eq!(too_wide, None);
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    let output = run(&["pref"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("tip: a similar subcommand exists: 'perft'"));
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["perft", "-v", "-q", "1"]).status.code(), Some(2));
}

#[test]
fn perft_counts() {
    let output = run(&["perft", "3"]);
    assert!(stdout(&output).starts_with("592620 sequences of 3 actions in "));

    let middle = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10";
    let output = run(&["perft", middle, "2", "--divide", "--json"]);
    let counted: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let parts = counted["divide"].as_object().unwrap();
    let sum: u64 = parts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counted["count"], sum);
    assert_eq!(counted["position"], middle);
}

#[test]
fn bench_has_a_signature_that_stays() {
    let signature = || {
        let output = run(&["bench", "--json"]);
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // A search that has proved its result ends before its limit.
        let simulations = result["simulations"].as_u64().unwrap();
        assert!((150_000..=200_000).contains(&simulations), "{simulations}");
        result["signature"].as_str().unwrap().to_owned()
    };
    let first = signature();
    assert_eq!(first.len(), 16);
    assert_eq!(signature(), first);

    let output = run(&["bench"]);
    assert!(stdout(&output).ends_with(&format!("signature   {first}\n")));
}

#[test]
fn a_wrong_position_is_a_wrong_command_line() {
    assert_eq!(
        all(&run(&["perft", "4/7/8/9/10/9/10/9/8/7/5 w p 0-0 0", "1"])).0,
        2
    );
    let output = run(&["perft", "nonsense", "1"]);
    assert_eq!(
        all(&output),
        (
            2,
            "",
            "error: position text: needs five fields with one blank between them, found 1\n"
        )
    );
}

#[test]
fn every_command_refuses_a_wrong_setting() {
    for arguments in [["perft", "1"], ["config", "show"], ["config", "check"]] {
        let output = run(&[&arguments[..], &["--set", "log.level=loud"]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "");
        assert!(
            stderr(&output)
                .starts_with("error: the configuration is not valid\n  --set log.level: ")
        );
    }
}

#[test]
fn config_check_names_what_it_checked() {
    let none = "there is no config file; the built-in defaults are in effect\n";
    assert_eq!(all(&run(&["config", "check"])), (0, none, ""));

    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/config.toml");
    let valid = format!("{shipped} is valid\n");
    assert_eq!(
        all(&run(&["config", "check", shipped])),
        (0, valid.as_str(), "")
    );

    assert_eq!(
        all(&run(&["--config", "missing.toml", "config", "check"])),
        (
            2,
            "",
            "error: cannot read the config file missing.toml: No such file or directory (os error 2)\n"
        )
    );
}

#[test]
fn config_show_prints_the_shipped_file() {
    let shipped = include_str!("../config.toml");
    assert_eq!(
        all(&run(&["config", "show", "--defaults"])),
        (0, shipped, "")
    );
    assert_eq!(all(&run(&["config", "show"])), (0, shipped, ""));
}

#[test]
fn serve_creates_accounts_and_prints_nothing_but_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let store = format!("serve.store={}", store.display());
    let create = |name| run(&["serve", "--create-bot", name, "--set", &store]);

    let output = create("ringmaster");
    let token = stdout(&output).strip_suffix('\n').unwrap();
    assert!(token.starts_with("ynb_") && !token.contains(char::is_whitespace));
    assert!(!stderr(&output).contains(token));
    assert!(
        stderr(&output).contains("name=\"ringmaster\""),
        "{}",
        stderr(&output)
    );

    assert_eq!(
        all(&create("ringmaster")),
        (
            1,
            "",
            "error: cannot create the account: another account has this name, or one that looks like it\n"
        )
    );
}

#[test]
fn serve_refuses_an_address_and_a_name_that_are_none() {
    let output = run(&["serve", "--set", "serve.address=foo"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("error: cannot listen on foo: "));

    let output = run(&["serve", "--create-bot", "a b!"]);
    let message = "error: cannot create the account: a name has 2 to 20 letters, digits, `-` or `_`, at least one of them a letter\n";
    assert_eq!(all(&output), (2, "", message));
}

#[cfg(unix)]
#[test]
fn serve_says_where_it_listens_and_ends_in_order() {
    use std::io::{BufRead, BufReader};

    let folder = tempfile::tempdir().unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"))
        .args(["serve", "-q", "--set", "serve.address=127.0.0.1:0"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.starts_with("listening on http://127.0.0.1:"), "{line}");

    let id = server.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

/// As in `yinsh-bot config show | head -0`: nobody reads, and nobody wants to hear about it.
#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["config", "show"][..], &["perft", "3", "--divide"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(all(&output), (0, "", ""), "{arguments:?}");
    }
}
