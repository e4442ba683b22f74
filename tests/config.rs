//! The configuration as its user meets it: sources and their order, messages, and the shipped file.

use std::fs;
use std::path::Path;

use yinsh_bot::config::{Config, ConfigError, Loaded, Sources};
use yinsh_bot::diagnostics::LogLevel;
use yinsh_bot::setting::{Kind, Value};

/// Loads a file with this text.
fn load(text: &str) -> Result<Loaded, ConfigError> {
    load_with(text, &[], &[])
}

fn load_with(
    text: &str,
    variables: &[(&str, &str)],
    flags: &[&str],
) -> Result<Loaded, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.toml");
    fs::write(&file, text).unwrap();
    let text = |text: &&str| (*text).to_owned();
    let sources = Sources {
        file: Some(file),
        environment: variables
            .iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect(),
        flags: flags.iter().map(text).collect(),
    };
    sources.load()
}

/// The problems of an invalid configuration, one a line, with the folder of the file left out.
fn complaints(result: Result<Loaded, ConfigError>) -> Vec<String> {
    match result {
        Err(ConfigError::Invalid(problems)) => problems
            .iter()
            .map(|problem| {
                let text = problem.to_string();
                let file = text.find("bot.toml:").unwrap_or(0);
                text[file..].to_owned()
            })
            .collect(),
        other => panic!("expected an invalid configuration, got {other:?}"),
    }
}

#[test]
fn later_sources_win() {
    let level = |variables: &[(&str, &str)], flags: &[&str]| {
        let loaded = load_with("[log]\nlevel = \"error\"", variables, flags).unwrap();
        let origin = loaded.origin("log", "level").unwrap().to_string();
        (loaded.config.log.level, origin)
    };
    let variable = ("YINSH_BOT_LOG__LEVEL", "debug");

    assert_eq!(Config::default().log.level, LogLevel::Info);
    assert!(level(&[], &[]).1.ends_with("bot.toml:2"));
    assert_eq!(level(&[], &[]).0, LogLevel::Error);
    assert_eq!(
        level(&[variable], &[]),
        (LogLevel::Debug, "YINSH_BOT_LOG__LEVEL".to_owned())
    );
    assert_eq!(
        level(&[variable], &["log.level=warn", "log.level=trace"]),
        (LogLevel::Trace, "--set log.level".to_owned())
    );
}

#[test]
fn everything_wrong_with_a_file_is_said_at_once() {
    let text = r#"
level = "info"
[lgo]
x = 1
[log]
levle = "info"
format = 7
"#;
    assert_eq!(
        complaints(load(text)),
        [
            "bot.toml:2: `level` stands outside of a section, put it below [log]",
            "bot.toml:3: unknown section [lgo], did you mean [log]?",
            "bot.toml:6: [log] unknown key `levle`, did you mean `level`?",
            r#"bot.toml:7: [log] `format` must be one of "text", "json", not 7"#,
        ]
    );
}

#[test]
fn values_of_a_wrong_sort_are_described() {
    let complaint = |value: &str| complaints(load(&format!("[log]\nlevel = {value}"))).join("");
    let allowed = r#"bot.toml:2: [log] `level` must be one of "off", "error", "warn", "info", "debug", "trace""#;

    assert_eq!(complaint("true"), format!("{allowed}, not true"));
    assert_eq!(complaint("1.5"), format!("{allowed}, not 1.5"));
    assert_eq!(
        complaint("99999999999999999999"),
        format!("{allowed}, not 99999999999999999999")
    );
    assert_eq!(
        complaint("[\"info\"]"),
        format!("{allowed}, not [\"info\"]")
    );
    assert_eq!(
        complaint("[1]"),
        format!("{allowed}, not a list with something else than texts")
    );
    assert_eq!(complaint("{ a = 1 }"), format!("{allowed}, not a table"));
    assert_eq!(
        complaint("2025-01-01"),
        format!("{allowed}, not a date or time")
    );
}

#[test]
fn ranges_and_places_are_told() {
    let text = r#"
[log]
threads = 2
[search]
threads = 1000
exploration = -0.5
seed = -1
memory = 64
[search.tree]
[time]
max_share = nan
overhead_ms = 20.5
placement_share = 1
"#;
    assert_eq!(
        complaints(load(text)),
        [
            "bot.toml:3: [log] unknown key `threads`, it belongs in [search]",
            "bot.toml:5: [search] `threads` must be a whole number from 0 to 256, not 1000",
            "bot.toml:6: [search] `exploration` must be a number from 0 to 10, not -0.5",
            "bot.toml:7: [search] `seed` must be a whole number from 0 up, not -1",
            "bot.toml:8: [search] unknown key `memory`, did you mean `memory_mb`?",
            "bot.toml:9: [search] unknown key `tree`",
            "bot.toml:11: [time] `max_share` must be a number from 0.01 to 1, not NaN",
            "bot.toml:12: [time] `overhead_ms` must be a whole number from 0 to 60000, not 20.5",
        ]
    );
}

#[test]
fn broken_toml_is_located_and_hides_nothing_else() {
    let text = "[log]\nlevel = = \"info\"\nformat = \"xml\"\nstray\n";
    assert_eq!(
        complaints(load(text)),
        [
            "bot.toml:2: not valid TOML: extra `=`, expected nothing",
            r#"bot.toml:3: [log] `format` must be one of "text", "json", not "xml""#,
            "bot.toml:4: not valid TOML: key with no value, expected `=`",
        ]
    );
    assert_eq!(
        complaints(load("log = 3")),
        ["bot.toml:1: `log` is a section, write [log] and its keys below"]
    );
    assert_eq!(
        complaints(load("[log]\nlevel = \"off\"\nlevel = \"off\"")),
        ["bot.toml:3: not valid TOML: duplicate key"]
    );
}

#[test]
fn a_broken_header_is_one_problem() {
    for keys in [
        "threads = 4",
        "# few\n\nthreads = 4",
        "threads = 4\nseed = 1",
    ] {
        assert_eq!(
            complaints(load(&format!("[search\n{keys}\n"))),
            ["bot.toml:1: not valid TOML: unclosed table, expected `]`"]
        );
    }
}

#[test]
fn variables_and_flags_are_checked_like_the_file() {
    let variables = [
        ("YINSH_BOT_LOG__LEVEL", "loud"),
        ("YINSH_BOT_LOG_LEVEL", "info"),
        ("YINSH_BOT_LGO__LEVEL", "info"),
        ("HOME", "/root"),
    ];
    let flags = ["log.form=text", "log", "log.level", "log.format = json"];
    assert_eq!(
        complaints(load_with("", &variables, &flags)),
        [
            "YINSH_BOT_LGO__LEVEL: unknown section [lgo], did you mean [log]?",
            "YINSH_BOT_LOG_LEVEL: write YINSH_BOT_SECTION__KEY, with two underscores between",
            "YINSH_BOT_LOG__LEVEL: [log] `level` must be one of \
             \"off\", \"error\", \"warn\", \"info\", \"debug\", \"trace\", not \"loud\"",
            "--set log.form: [log] unknown key `form`, did you mean `format`?",
            "--set log: write section.key=value, for example search.threads=2",
            "--set log.level: write section.key=value, for example search.threads=2",
        ]
    );
}

#[test]
fn a_token_is_never_repeated() {
    let hidden = "ynb_hidden";
    let loaded = load(&format!("[account]\ntoken = \"{hidden}\"")).unwrap();
    assert!(!loaded.to_toml().contains(hidden));
    assert!(loaded.to_toml().contains("# token = \"***\" # from "));
    assert!(!format!("{loaded:?}").contains(hidden));

    assert_eq!(
        complaints(load("[account]\ntoken = 12345678901234567890")),
        ["bot.toml:2: [account] `token` must be text in quotes, not ***"]
    );
    assert_eq!(
        complaints(load_with("", &[], &["account.token=ynb_hidden"])),
        [
            "--set account.token: [account] `token` is a secret and must not stand on a command line, \
             use the file or the environment"
        ]
    );
    let variables = [
        ("YINSH_BOT_ACCOUNT__TOKEN", hidden),
        ("YINSH_BOT_TOKEN", hidden),
    ];
    let loaded = load_with("", &variables, &[]).unwrap();
    assert!(loaded.config.account.token.is_some());
    assert!(!loaded.to_toml().contains(hidden));
}

#[test]
fn a_missing_file_is_named() {
    let sources = Sources {
        file: Some("/nowhere/bot.toml".into()),
        ..Sources::default()
    };
    let error = sources.load().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the config file /nowhere/bot.toml"
    );
}

#[test]
fn the_shipped_file_is_the_built_in_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config.toml");
    let shipped = fs::read_to_string(path).unwrap_or_default();
    assert!(
        shipped == Config::defaults_as_toml(),
        "config.toml differs from the defaults; run `cargo run -- config show --defaults > config.toml`"
    );
    let loaded = load(&shipped).unwrap();
    for ((name, _, read), (_, _, built_in)) in loaded
        .config
        .sections()
        .into_iter()
        .zip(Config::default().sections())
    {
        for (read, built_in) in read.entries().into_iter().zip(built_in.entries()) {
            assert_eq!(read.value, built_in.value, "[{name}] {}", read.name);
            assert!(
                loaded.origin(name, read.name).is_some(),
                "[{name}] {} is not in the file",
                read.name
            );
        }
    }
}

/// Every default lies within its own range, and every field writes what it reads.
#[test]
fn every_section_round_trips() {
    let mut config = Config::default();
    for name in Config::SECTIONS {
        let section = config.section_mut(name).unwrap();
        for entry in section.entries() {
            section.set(entry.name, entry.value.clone()).unwrap();
            let after = section.entries();
            let after = after.iter().find(|e| e.name == entry.name).unwrap();
            assert_eq!(after.value, entry.value, "[{name}] {}", entry.name);
        }
    }
}

/// Values at the ends of a kind and some awkward ones between.
fn samples(kind: Kind) -> Vec<Value> {
    let texts = [
        "",
        "plain",
        "two\nlines",
        "\"quoted\" \\ 'both'",
        "# ä \u{1f48d}\t",
    ];
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match kind {
        Kind::Bool => vec![Value::Bool(true), Value::Bool(false)],
        Kind::Int { min, max } => vec![Value::Int(min), Value::Int(max)],
        Kind::Float { min, max } => [min, max, min + (max - min) / 3.0]
            .map(Value::Float)
            .to_vec(),
        Kind::Text => texts.map(|text| Value::Text(text.to_owned())).to_vec(),
        Kind::List(None) => vec![Value::List(words(&texts))],
        Kind::Secret => Vec::new(),
        Kind::Choice(words) => words
            .iter()
            .map(|word| Value::Text((*word).to_owned()))
            .collect(),
        Kind::List(Some(all)) => vec![
            Value::List(Vec::new()),
            Value::List(words(&all[..1])),
            Value::List(words(all)),
        ],
    }
}

#[test]
fn every_value_survives_writing_and_reading() {
    for section in Config::SECTIONS {
        for entry in Config::default().section_mut(section).unwrap().entries() {
            for value in samples(entry.kind) {
                let mut written = Loaded::default();
                let target = written.config.section_mut(section).unwrap();
                target.set(entry.name, value.clone()).unwrap();
                let mut read = load(&written.to_toml()).unwrap();
                let entries = read.config.section_mut(section).unwrap().entries();
                let after = entries.iter().find(|e| e.name == entry.name).unwrap();
                assert_eq!(after.value, value, "[{section}] {}", entry.name);
            }
        }
    }
}

#[test]
fn what_is_shown_reads_back() {
    let loaded = load_with("[log]\nformat = \"json\"", &[], &["log.level=trace"]).unwrap();
    let shown = loaded.to_toml();
    assert!(shown.contains("level = \"trace\" # from --set log.level\n"));
    assert_eq!(load(&shown).unwrap().config.log, loaded.config.log);
}
