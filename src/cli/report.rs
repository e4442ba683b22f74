//! `yinsh-bot report`: everything that a report of a bug needs, without secrets.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use secrecy::SecretString;

use super::words::grouped;
use super::{ExitCode, GlobalArgs, print};
use crate::bot::{TOKEN_VARIABLE, ask_monitor, load_token, unfinished_games};
use crate::config::{Config, ConfigError, Loaded};
use crate::diagnostics::{Bundle, older_log};

/// Write one file with all that a report of a bug needs, without secrets
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct ReportArgs {
    /// The file to write [default: yinsh-bot-report-SECONDS.tar.gz]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const DETAILS: &str = "\
The file holds the version and the machine, the settings in effect, the end of the log, the newest
records, where unfinished games stand, and what a running bot tells at its port. Tokens and
passwords stand there as ***. Look into it before you send it: names of players stay as they are.

Example:
  yinsh-bot --config my.toml report --out report.tar.gz";

/// So much of the end of each file.
const TAIL_BYTES: u64 = 1024 * 1024;
/// So many of the newest records.
const RECORDS: usize = 5;
/// What a running bot is asked for.
const PAGES: [(&str, &str); 3] = [
    (
        "/healthz",
        "whether the running bot is in touch with its server",
    ),
    ("/metrics", "the figures of the running bot"),
    (
        "/games",
        "the games of the running bot, and for how long nothing has happened in them",
    ),
];

pub(super) fn run(args: &ReportArgs, global: &GlobalArgs) -> anyhow::Result<ExitCode> {
    let loaded = global.load();
    let config = loaded.as_ref().map(|loaded| loaded.config.clone());
    let config = config.unwrap_or_default();
    learn_token(global, &config);
    let mut bundle = Bundle::new(global.redactor.clone());
    bundle.add(
        "machine.txt",
        "the version of the program, and the machine",
        &machine(),
    );
    add_settings(&mut bundle, &loaded);
    add_log(&mut bundle, &config);
    add_records(&mut bundle, &config);
    add_pages(&mut bundle, config.monitor.port);
    let path = args.out.clone().unwrap_or_else(default_path);
    bundle.write(&path)?;
    let mut text = format!("{} holds\n", path.display());
    for entry in bundle.entries() {
        let bytes = grouped(entry.text.len() as u64);
        text += &format!("  {:<32} {bytes:>10} bytes  {}\n", entry.name, entry.about);
    }
    text += "No token is in it. Look into it before you send it.\n";
    print(&text)?;
    Ok(ExitCode::Ok)
}

/// Whatever is in the place of a token is not shown, even if it could not be used as one.
fn learn_token(global: &GlobalArgs, config: &Config) {
    let environment = std::env::var(TOKEN_VARIABLE).ok().map(SecretString::from);
    if let Ok(token) = load_token(&config.account, environment) {
        global.redactor.add(&token);
    }
    let file = config.account.token_file.as_ref();
    let text = file.and_then(|path| fs::read_to_string(path).ok());
    for line in text.iter().flat_map(|text| text.lines()) {
        global.redactor.add(&SecretString::from(line));
    }
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease");
    format!(
        "yinsh-bot {}\nsystem {} {}\nprocessor {}, {cores} cores\ntime {} s since 1970\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        kernel.as_deref().unwrap_or_default().trim(),
        std::env::consts::ARCH,
        seconds_since_1970(),
    )
}

fn add_settings(bundle: &mut Bundle, loaded: &Result<Loaded, ConfigError>) {
    match loaded {
        Ok(loaded) => bundle.add("config.toml", "the settings in effect", &loaded.to_toml()),
        Err(error) => bundle.add(
            "config.txt",
            "what is wrong with the settings",
            &format!("{error}\n"),
        ),
    }
}

fn add_log(bundle: &mut Bundle, config: &Config) {
    match &config.log.file {
        Some(path) => {
            bundle.add_tail("log.txt", "the end of the log", path, TAIL_BYTES);
            let older = older_log(path, 1);
            if older.exists() {
                bundle.add_tail(
                    "log.1.txt",
                    "the end of the log before it",
                    &older,
                    TAIL_BYTES,
                );
            }
        }
        None => bundle.add("log.txt", "nothing: `file` in [log] names no file", ""),
    }
}

fn add_records(bundle: &mut Bundle, config: &Config) {
    let Some(dir) = &config.play.records_dir else {
        return;
    };
    let about = "where unfinished games stand, by their records";
    bundle.add("unfinished.txt", about, &unfinished(dir));
    for path in newest_records(dir).unwrap_or_default() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        bundle.add_tail(&format!("records/{name}"), "a record", &path, TAIL_BYTES);
    }
}

fn unfinished(dir: &Path) -> String {
    let games = match unfinished_games(dir) {
        Ok(games) => games,
        Err(error) => return format!("{} cannot be read: {error}\n", dir.display()),
    };
    let lines = games.iter().map(|found| {
        let position = match &found.position {
            Ok(position) => position.to_string(),
            Err(problem) => format!("the record does not replay: {problem}"),
        };
        format!("{} after {} turns: {position}\n", found.game, found.turns)
    });
    lines.collect()
}

fn newest_records(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            found.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    found.sort();
    let newest = found.into_iter().rev().take(RECORDS);
    Ok(newest.map(|(_, path)| path).collect())
}

fn add_pages(bundle: &mut Bundle, port: u16) {
    if port == 0 {
        return;
    }
    for (path, about) in PAGES {
        let text = ask_monitor(port, path);
        let text = text.unwrap_or_else(|error| format!("port {port} does not answer: {error}\n"));
        bundle.add(&format!("{}.txt", &path[1..]), about, &text);
    }
}

fn default_path() -> PathBuf {
    PathBuf::from(format!("yinsh-bot-report-{}.tar.gz", seconds_since_1970()))
}

fn seconds_since_1970() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}
