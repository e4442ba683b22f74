//! `yinsh-bot match`: is one side stronger than another, by how much, how sure?

mod table;

use std::path::PathBuf;

use clap::Args;

use super::{ExitCode, GlobalArgs, print};
use crate::arena::stats::Verdict;
use crate::arena::{
    Base, Ledger, MatchConfig, OpeningSource, Plan, Report, Shard, Side, SideSpec, Store,
    physical_cores, sprt,
};
use crate::config::{Config, Sources};
use crate::game::Variant;
use crate::search::StopFlag;
use crate::setting::{Settings, Value};

/// Play a match between two sides: is one stronger, by how much, how sure?
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct MatchArgs {
    /// Side A, whose points are counted: see below
    #[arg(long, value_name = "SIDE")]
    a: SideSpec,
    /// Side B
    #[arg(long, value_name = "SIDE")]
    b: SideSpec,
    /// Stop as soon as a sequential test has decided; KEY is elo0, elo1, alpha, beta or model
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    sprt: Option<Vec<String>>,
    /// Games to play, or to play at most under --sprt
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    setup: SetupArgs,
    /// Write the games to FILE, or go on with it [default: a file in [match] records that the same command finds again]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Limits for each turn. One of them replaces all of [match].
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits for a turn, instead of those in [match]")]
struct LimitArgs {
    /// Simulations per turn
    #[arg(long, value_name = "N")]
    simulations: Option<u64>,
    /// Milliseconds per turn
    #[arg(long, value_name = "MS", conflicts_with = "clock")]
    turn_ms: Option<u64>,
    /// A clock for the game and the increment per turn, both in seconds, such as 10+0.1
    #[arg(long, value_name = "BASE+INC", value_parser = read_clock)]
    clock: Option<(u64, u64)>,
}

/// How games are set up.
#[derive(Debug, Args)]
#[command(next_help_heading = "Set-up of the match, instead of [match]")]
struct SetupArgs {
    /// Seed of openings and players
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Rules to play by
    #[arg(long, default_value_t, value_name = "standard|blitz")]
    variant: Variant,
    /// Where games begin: `random`, `empty` (board) or a text file with a position on each line
    #[arg(long, default_value = "random", value_name = "random|empty|FILE", value_parser = read_openings)]
    openings: OpeningSource,
    /// Games at the same time
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,
    /// Search threads of each side
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Memory of each side's tree in MiB
    #[arg(long, value_name = "MIB")]
    memory_mb: Option<u32>,
    /// Play only part K of N; `yinsh-bot match merge` counts the parts together
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
}

const DETAILS: &str = "\
A SIDE is what it begins with and what is changed of that, separated by commas:
  default                     the settings in effect, from config.toml and so on
  my.toml                     [search] and [time] of another config file
  baseline                    a plain search that never changes, to measure progress by
  random, greedy              built-in players that do not search
  exploration=0.7             a changed setting of [search] or [time], alone or behind one of these
  baseline,simulations=4000   a limit of this side alone: simulations, turn_ms, base_ms, increment_ms
  threads=2,ugi:COMMAND       an external engine; what stands before it are limits and its options

Examples:
  yinsh-bot match --a exploration=0.7 --b default --games 200 --simulations 2000
  yinsh-bot match --a my.toml --b baseline --clock 10+0.1 --sprt elo0=0 elo1=20";

fn read_clock(text: &str) -> Result<(u64, u64), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let ms = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|s| (0.0..=86_400.0).contains(s))
    };
    match (ms(base), ms(increment)) {
        (Some(base), Some(increment)) if base > 0.0 => Ok((
            (base * 1e3).round() as u64,
            (increment * 1e3).round() as u64,
        )),
        _ => Err("write BASE+INCREMENT in seconds, such as 10+0.1".to_owned()),
    }
}

fn read_openings(text: &str) -> Result<OpeningSource, String> {
    Ok(match text {
        "random" => OpeningSource::Random,
        "empty" => OpeningSource::Empty,
        file => OpeningSource::File(PathBuf::from(file)),
    })
}

pub(super) fn run(args: &MatchArgs, global: &GlobalArgs) -> anyhow::Result<ExitCode> {
    let config = global.start()?.config;
    let settings = args.settings(&config)?;
    let sprt = args.sprt.as_ref().map(|_| sprt(&settings)).transpose()?;
    let sides = [&args.a, &args.b].map(|spec| side(spec, &config, &settings));
    let sides = sides.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let shard = args.setup.shard.unwrap_or(Shard::WHOLE);
    let openings = (args.setup.variant, &args.setup.openings);
    let plan = Plan::new(sides, openings, &settings, sprt, shard)?;

    let path = args
        .out
        .clone()
        .unwrap_or_else(|| plan.default_file(&settings.records));
    let (mut store, contents) = Store::open(&path, &plan.header)?;
    if contents.torn > 0 {
        eprintln!(
            "{}: cut off a last line that was not written to its end",
            path.display()
        );
    }
    // A part cannot know what the others have found: the test is done when they are merged.
    let mut ledger = Ledger::new(plan.schedule, sprt.filter(|_| shard == Shard::WHOLE));
    if !contents.games.is_empty() {
        eprintln!(
            "{}: going on behind {} finished games",
            path.display(),
            contents.games.len()
        );
    }
    contents.games.into_iter().for_each(|game| ledger.add(game));

    let concurrency = concurrency(&settings, plan.threads_per_game());
    let stop = StopFlag::new();
    plan.runner(concurrency, &stop)
        .run(&mut ledger, &mut store, &mut |_| {})?;
    let report = Report::new(&ledger);
    print(&table::report(&report, &plan.sides))?;
    eprintln!("games in {}", store.path().display());
    Ok(exit_code(&report))
}

fn exit_code(report: &Report) -> ExitCode {
    match report.test.as_ref().and_then(|test| test.verdict) {
        None => ExitCode::Ok,
        Some(Verdict::H1) => ExitCode::Ok,
        Some(Verdict::H0) => ExitCode::Ok,
        Some(Verdict::Inconclusive) => ExitCode::Ok,
    }
}

/// The side that a text on the command line means.
fn side(spec: &SideSpec, config: &Config, settings: &MatchConfig) -> anyhow::Result<Side> {
    let of_file = match spec.file() {
        Some(path) => {
            let sources = Sources {
                file: Some(path.to_owned()),
                ..Sources::default()
            };
            Some(sources.load()?.config)
        }
        None => None,
    };
    if matches!(spec.base, Base::Engine(_)) {
        anyhow::bail!("external engines cannot play yet");
    }
    let base = of_file.as_ref().unwrap_or(config);
    Ok(spec.resolve(&base.search, &base.time, settings)?)
}

fn concurrency(settings: &MatchConfig, threads_per_game: usize) -> usize {
    let cores = physical_cores();
    match settings.concurrency as usize {
        0 => (cores / threads_per_game).max(1),
        games => {
            if games * threads_per_game > cores {
                eprintln!(
                    "warning: {games} games with {threads_per_game} threads share {cores} cores: times will not be fair"
                );
            }
            games
        }
    }
}

impl MatchArgs {
    /// The settings of the match: the config with the arguments over it.
    fn settings(&self, config: &Config) -> anyhow::Result<MatchConfig> {
        let mut settings = config.r#match.clone();
        let limits = &self.limits;
        if limits.simulations.is_some() || limits.turn_ms.is_some() || limits.clock.is_some() {
            settings.clear_limits();
        }
        let (base_ms, increment_ms) = limits.clock.unzip();
        let given = [
            ("games", self.games),
            ("simulations", limits.simulations),
            ("turn_ms", limits.turn_ms),
            ("base_ms", base_ms),
            ("increment_ms", increment_ms),
            ("seed", self.setup.seed),
            ("concurrency", self.setup.concurrency.map(u64::from)),
            ("threads", self.setup.threads.map(u64::from)),
            ("memory_mb", self.setup.memory_mb.map(u64::from)),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                settings.set_by_name(name, Value::Int(i64::try_from(value).unwrap_or(i64::MAX)))?;
            }
        }
        for part in self.sprt.iter().flatten() {
            set_sprt(&mut settings, part)?;
        }
        Ok(settings)
    }
}

/// Sets a key of the sequential test: `elo1=10`.
fn set_sprt(settings: &mut MatchConfig, part: &str) -> anyhow::Result<()> {
    const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];
    let (key, text) = part.split_once('=').unwrap_or((part, ""));
    let setting = MatchConfig::TABLE
        .iter()
        .find(|setting| setting.name == key && KEYS.contains(&key));
    let setting = setting.ok_or_else(|| {
        anyhow::anyhow!(
            "--sprt takes {} as KEY=VALUE, not `{part}`",
            KEYS.join(", ")
        )
    })?;
    let value = setting.kind.parse(text);
    let value = value
        .map_err(|_| anyhow::anyhow!("--sprt: `{key}` must be {}, not `{text}`", setting.kind))?;
    Ok(settings.set_by_name(key, value)?)
}
