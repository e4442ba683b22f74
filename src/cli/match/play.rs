//! Plays a match and tells how it went.

use std::path::Path;

use super::args::PlayArgs;
use super::live::Live;
use super::{ExitCode, Summary, interrupt};
use crate::arena::{
    Concurrency, Ledger, MatchConfig, MatchOptions, Plan, Shard, Side, SideSpec, Store, StoreError,
    physical_cores, sprt,
};
use crate::config::{Config, Sources};
use crate::game::Variant;
use crate::player::{EngineError, PlayerError};
use crate::search::StopFlag;

pub(super) fn run(args: &PlayArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let settings = args.settings(&config.r#match)?;
    let options = MatchOptions {
        variant: args.setup.variant,
        openings: args.setup.openings.clone(),
        seen_openings: 0,
        sprt: args.sprt.as_ref().map(|_| sprt(&settings)).transpose()?,
        shard: args.setup.shard.unwrap_or(Shard::WHOLE),
    };
    let sides = args.sides();
    let sides = sides
        .iter()
        .map(|spec| side(spec, config, &settings, options.variant));
    let sides = sides.collect::<anyhow::Result<Vec<_>>>()?;
    let plan = Plan::new(sides, &settings, &options)?;
    let stop = StopFlag::new();
    interrupt::listen(&stop)?;
    try_engines(&plan.sides, &stop)?;

    let default_file = || plan.default_file(&settings.records);
    let path = args.out.clone().unwrap_or_else(default_file);
    let (mut store, mut ledger) = open(&path, &plan, &options)?;
    let concurrency = concurrency(&settings, plan.threads_per_game());
    let mut live = Live::new(&ledger);
    let runner = plan.runner(concurrency.games, &stop);
    let played = runner.run(&mut ledger, &mut store, &mut |ledger| live.show(ledger));
    drop(live);
    played?;

    let summary = Summary::new(&ledger);
    summary.show(&plan.header.identity.sides, args.json, args.svg.as_deref())?;
    let missing = ledger.missing();
    if stop.is_stopped() && missing > 0 && ledger.verdict().is_none() {
        tracing::warn!("stopped with {missing} games to play; the same command goes on");
        return Ok(ExitCode::MatchStopped);
    }
    Ok(summary.exit_code())
}

/// The file of the match and the games that it has already.
pub(in crate::cli) fn open(
    path: &Path,
    plan: &Plan,
    options: &MatchOptions,
) -> Result<(Store, Ledger), StoreError> {
    let (store, contents) = Store::open(path, &plan.header)?;
    let path = path.display();
    if contents.torn > 0 {
        tracing::warn!("{path}: the last line was not written to its end and is cut off");
    }
    // A part does not know what the others find, so it plays all its games; the test is done when parts are merged.
    let test = options.sprt.filter(|_| options.shard == Shard::WHOLE);
    let mut ledger = Ledger::new(plan.schedule, test);
    let known = contents.games.len();
    contents.games.iter().for_each(|game| ledger.add(game));

    let games = plan.schedule.numbers().count();
    let part = match options.shard {
        Shard::WHOLE => String::new(),
        shard => format!(", part {shard}"),
    };
    match known {
        0 => tracing::info!("{games} games into {path}{part}"),
        1 => tracing::info!("{games} games into {path}{part}, one of them is there already"),
        _ => tracing::info!("{games} games into {path}{part}, {known} of them are there already"),
    }
    Ok((store, ledger))
}

/// The side that a text on the command line means.
fn side(
    spec: &SideSpec,
    config: &Config,
    settings: &MatchConfig,
    variant: Variant,
) -> anyhow::Result<Side> {
    let of_file = |path: &Path| {
        let sources = Sources {
            file: Some(path.to_owned()),
            ..Sources::default()
        };
        sources.load()
    };
    let of_file = spec.file().map(of_file).transpose()?;
    let base = of_file.as_ref().map_or(config, |loaded| &loaded.config);
    Ok(spec.resolve((&base.search, &base.time), settings, variant)?)
}

/// Starts each engine once, so that a wrong command or option is told before it loses games. Other failures are left
/// to the games.
fn try_engines(sides: &[Side], stop: &StopFlag) -> anyhow::Result<()> {
    for side in sides.iter().filter(|side| side.is_external()) {
        match side.player(1, stop) {
            Ok(_) | Err(PlayerError::Stopped | PlayerError::GameOver) => {}
            Err(PlayerError::Engine(
                error @ (EngineError::NotRunnable { .. } | EngineError::UnknownOption { .. }),
            )) => return Err(anyhow::Error::new(error).context(format!("side `{}`", side.name))),
            Err(error) => tracing::warn!("side `{}` will lose games: {error}", side.name),
        }
    }
    Ok(())
}

pub(in crate::cli) fn concurrency(settings: &MatchConfig, threads: usize) -> Concurrency {
    let wanted = (settings.concurrency > 0).then_some(settings.concurrency as usize);
    let concurrency = Concurrency::new(wanted, threads, physical_cores());
    if concurrency.shares_cores {
        let Concurrency { games, cores, .. } = concurrency;
        tracing::warn!(
            "{} at a time with {} share {}: they slow each other down, and results by time are not fair",
            counted(games, "game"),
            counted(threads, "thread"),
            counted(cores, "core"),
        );
    }
    concurrency
}

/// `1 game`, `2 games`.
pub(in crate::cli) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
