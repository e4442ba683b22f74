//! The command line: arguments, printing and exit codes. What a command does is done by the layers below.

mod attendant;
mod bench;
mod board;
mod config;
mod embedded;
mod exit;
mod learn;
mod r#match;
mod perft;
mod play;
mod progress;
mod reload;
mod report;
mod serve;
mod status_line;
mod style;
mod tune;
mod ugi;
mod watch;
mod watch_json;
mod watch_log;
mod words;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use secrecy::SecretString;
use tokio::runtime::Runtime;

pub use exit::ExitCode;

use self::status_line::StatusLine;
use crate::bot::TOKEN_VARIABLE;
use crate::config::{ConfigError, ENVIRONMENT_PREFIX, Loaded, Sources};
use crate::diagnostics::{self, LogConfig, Redactor};
use crate::game::{Position, PositionError, Variant};

/// The file that is read when `--config` does not name another.
const DEFAULT_FILE: &str = "config.toml";

/// A YINSH bot: plays on its own account on a game server over HTTP, and brings the server along.
#[derive(Debug, Parser)]
#[command(version, after_help = after_help(), disable_help_subcommand = true, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of all commands")]
struct GlobalArgs {
    /// Read settings from FILE instead of ./config.toml, which may be missing
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Change one setting for this run, over file and environment; may be repeated
    #[arg(long = "set", global = true, value_name = "SECTION.KEY=VALUE")]
    set: Vec<String>,
    /// Log more to stderr; twice for even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Log less to stderr; twice for even less
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "verbose")]
    quiet: u8,
    /// Knows what no output may show.
    #[arg(skip)]
    redactor: Redactor,
    /// What log lines appear above.
    #[arg(skip)]
    status_line: StatusLine,
}

/// What the help text says below the options.
fn after_help() -> String {
    let codes = ExitCode::ALL.map(|code| format!("\n  {:>2}  {}", code as u8, code.meaning()));
    format!(
        "Settings come from the built-in defaults, then the config file, then environment variables\n\
         {ENVIRONMENT_PREFIX}SECTION__KEY, then --set; the later wins.\n\nExit codes:{}",
        codes.concat()
    )
}

/// In the order in which a user needs them.
#[derive(Debug, Subcommand)]
enum Command {
    Play(play::PlayArgs),
    Serve(serve::ServeArgs),
    Match(Box<r#match::MatchCommand>),
    Tune(tune::TuneCommand),
    Config(config::ConfigArgs),
    Report(report::ReportArgs),
    Learn(learn::LearnArgs),
    Bench(bench::BenchArgs),
    #[command(about = ugi::ABOUT, after_help = ugi::DETAILS)]
    Ugi(ugi::UgiArgs),
    Perft(perft::PerftArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.run() {
        Ok(code) => code,
        Err(error) => {
            let code = ExitCode::of(&error);
            if code != ExitCode::Ok {
                // Nobody is left to be told when even stderr is closed.
                let text = cli.global.redactor.redact(&in_one_line(&error));
                let _ = writeln!(std::io::stderr(), "error: {text}");
            }
            code
        }
    }
}

/// The error and its causes, without those that the text before them tells already.
fn in_one_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

impl Cli {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Play(args) => play::run(args, &self.global),
            Command::Serve(args) => serve::run(args, &self.global.start()?.config.serve),
            Command::Match(command) => command.run(&self.global.start()?.config),
            Command::Tune(command) => command.run(&self.global),
            Command::Config(args) => config::run(args, &self.global),
            Command::Learn(args) => {
                self.global.start()?;
                learn::run(args)
            }
            Command::Bench(args) => {
                self.global.start()?;
                bench::run(args)
            }
            Command::Ugi(args) => ugi::run(args, self.global.start()?.config),
            Command::Perft(args) => {
                self.global.start()?;
                perft::run(args)
            }
            Command::Report(args) => report::run(args, &self.global),
        }
    }
}

impl GlobalArgs {
    /// The sources of settings that the arguments and the environment name.
    fn sources(&self) -> Sources {
        let standard = PathBuf::from(DEFAULT_FILE);
        let environment = std::env::vars_os();
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Sources {
            file: self
                .config
                .clone()
                .or_else(|| standard.exists().then_some(standard)),
            environment: environment
                .map(|(name, value)| (text(name), text(value)))
                .collect(),
            flags: self.set.clone(),
        }
    }

    /// Reads the settings and starts logging as they say, to stderr only.
    fn start(&self) -> anyhow::Result<Loaded> {
        let loaded = self.load()?;
        let log = LogConfig {
            file: None,
            ..loaded.config.log.clone()
        };
        self.start_log(&log)?;
        Ok(loaded)
    }

    /// Reads the settings and starts logging as they say, to the log file too.
    fn start_with_file(&self) -> anyhow::Result<Loaded> {
        let loaded = self.load()?;
        self.start_log(&loaded.config.log)?;
        Ok(loaded)
    }

    fn start_log(&self, log: &LogConfig) -> anyhow::Result<()> {
        let louder = i16::from(self.verbose) - i16::from(self.quiet);
        let stderr = self.status_line.above(std::io::stderr());
        diagnostics::start(log, louder, &self.redactor, Box::new(stderr))?;
        Ok(())
    }

    /// Reads the settings; whatever secret is among them or in the environment is not shown from now on.
    fn load(&self) -> Result<Loaded, ConfigError> {
        if let Ok(token) = std::env::var(TOKEN_VARIABLE) {
            self.redactor.add(&SecretString::from(token));
        }
        let loaded = self.sources().load()?;
        if let Some(token) = &loaded.config.account.token {
            self.redactor.add(token);
        }
        Ok(loaded)
    }
}

/// The runtime of the commands that talk over the network.
fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
}

/// Writes a result to stdout.
fn print(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The position that an argument describes, or the empty board.
fn position_of(text: Option<&str>, variant: Variant) -> Result<Position, PositionError> {
    text.map_or_else(
        || Ok(Position::start(variant)),
        |text| Position::parse(text, variant),
    )
}
