//! The arguments of a match.

use std::path::PathBuf;

use clap::Args;

use crate::arena::{MatchConfig, OpeningSource, Shard, SideSpec};
use crate::game::Variant;
use crate::setting::{SettingError, Settings, Value};

/// What to play, and how.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Side A, whose points are counted: see below
    #[arg(long, value_name = "SIDE", required_unless_present = "round_robin")]
    pub a: Option<SideSpec>,
    /// Side B
    #[arg(long, value_name = "SIDE", required_unless_present = "round_robin")]
    pub b: Option<SideSpec>,
    /// Let each of these play against each other one, and rate them
    #[arg(long, value_name = "SIDE", num_args = 3.., conflicts_with_all = ["a", "b", "sprt"])]
    pub round_robin: Option<Vec<SideSpec>>,
    /// Stop as soon as a sequential test has decided; KEY is elo0, elo1, alpha, beta or model
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., value_parser = read_sprt)]
    pub sprt: Option<Vec<(&'static str, Value)>>,
    /// Games to play; under --sprt at most, in a round robin for each two sides
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Write the games into FILE, or go on with it [default: a file in `records` of [match] that the same command finds
    /// again]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Draw the ratings of a round robin into FILE
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "a",
        help_heading = "Output"
    )]
    pub svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Limits for each turn. One of them replaces all of `[match]`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of a turn, instead of all those in [match]")]
pub(in crate::cli) struct LimitArgs {
    /// Simulations per turn
    #[arg(long, value_name = "N")]
    simulations: Option<u64>,
    /// Milliseconds per turn
    #[arg(long, value_name = "MS", conflicts_with = "clock")]
    turn_ms: Option<u64>,
    /// A clock for the game and the increment per turn in seconds, such as 10+0.1
    #[arg(long, value_name = "BASE+INC", value_parser = read_clock)]
    clock: Option<Clock>,
}

/// A clock for the game in ms.
#[derive(Clone, Copy, Debug)]
struct Clock {
    base: u64,
    increment: u64,
}

/// How games are set up.
#[derive(Debug, Args)]
#[command(next_help_heading = "Set-up, instead of [match]")]
pub(in crate::cli) struct SetupArgs {
    /// Seed of openings and players
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Rules to play by
    #[arg(long, default_value_t, value_name = "standard|blitz")]
    pub variant: Variant,
    /// Where games begin: `random` rings, the `empty` board, or a text file with a position on each line
    #[arg(long, default_value = "random", hide_default_value = true, value_name = "random|empty|FILE",
        value_parser = read_openings)]
    pub openings: OpeningSource,
    /// Search threads of each side
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Memory of each side's tree in MiB
    #[arg(long, value_name = "MIB")]
    memory_mb: Option<u64>,
    /// Games at the same time [default: as many as fit on the cores]
    #[arg(long, value_name = "N")]
    concurrency: Option<u64>,
    /// Play only part K of N, 1/N to N/N; the command `merge` puts the parts together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
}

/// What stands below the options in the help text.
pub(super) const DETAILS: &str = "\
A SIDE is what it begins with and what is changed of that, separated by commas:
  default                    the settings in effect, from config.toml and so on
  my.toml                    [search] and [time] of another config file
  baseline                   a plain search that never changes, to measure progress by
  random, greedy             built-in players that do not search
  exploration=0.7            a change of [search] or [time], alone or behind one of these
  baseline,simulations=4000  limits of this side alone: simulations, turn_ms, base_ms, increment_ms
  threads=2,ugi:COMMAND      an external engine that speaks the Universal Game Interface; before it
                             stand its limits and options, behind it is all command

Every opening is played twice, with colours swapped. Each finished game is written into a file at
once; Ctrl-C ends a match, and the same command goes on with it.

Examples:
  yinsh-bot match --a exploration=0.7 --b default --games 200 --simulations 2000
  yinsh-bot match --a my.toml --b baseline --clock 10+0.1 --sprt elo0=0 elo1=20
  yinsh-bot match --a default --b 'ugi:./other-engine --quiet' --turn-ms 100
  yinsh-bot match --round-robin default greedy random --games 20 --svg ratings.svg";

fn read_clock(text: &str) -> Result<Clock, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let ms = |text: &str| {
        let seconds = text.trim().parse::<f64>().ok();
        seconds
            .filter(|s| (0.0..=86_400.0).contains(s))
            .map(|s| (s * 1e3).round() as u64)
    };
    match (ms(base), ms(increment)) {
        (Some(base), Some(increment)) if base > 0 => Ok(Clock { base, increment }),
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

/// One part of `--sprt`: a key of `[match]` and its value.
pub(in crate::cli) fn read_sprt(text: &str) -> Result<(&'static str, Value), String> {
    const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];
    let form = || format!("write KEY=VALUE, the keys are {}", KEYS.join(", "));
    let (key, value) = text.split_once('=').ok_or_else(form)?;
    let is_key = |name: &str| name == key && KEYS.contains(&name);
    let setting = MatchConfig::TABLE
        .iter()
        .find(|setting| is_key(setting.name))
        .ok_or_else(form)?;
    let value = setting.kind.parse(value);
    let value = value.map_err(|_| format!("`{key}` must be {}", setting.kind))?;
    Ok((setting.name, value))
}

impl PlayArgs {
    /// The sides as they are written.
    pub fn sides(&self) -> Vec<&SideSpec> {
        match &self.round_robin {
            Some(sides) => sides.iter().collect(),
            None => self.a.iter().chain(&self.b).collect(),
        }
    }

    /// The settings of the match: those of the config with the arguments over them.
    ///
    /// # Errors
    /// A value out of range.
    pub fn settings(&self, config: &MatchConfig) -> Result<MatchConfig, SettingError> {
        let mut settings = config.clone();
        self.limits.apply(&mut settings)?;
        self.setup.apply(&mut settings)?;
        set(&mut settings, "games", self.games)?;
        for (name, value) in self.sprt.iter().flatten() {
            settings.set_by_name(name, value.clone())?;
        }
        Ok(settings)
    }
}

impl LimitArgs {
    /// Replaces all limits by those that are given, if any is.
    ///
    /// # Errors
    /// A value out of range.
    pub(in crate::cli) fn apply(&self, settings: &mut MatchConfig) -> Result<(), SettingError> {
        let Self {
            simulations,
            turn_ms,
            clock,
        } = self;
        if simulations.is_some() || turn_ms.is_some() || clock.is_some() {
            settings.clear_limits();
        }
        set(settings, "simulations", *simulations)?;
        set(settings, "turn_ms", *turn_ms)?;
        set(settings, "base_ms", clock.map(|clock| clock.base))?;
        set(settings, "increment_ms", clock.map(|clock| clock.increment))
    }
}

impl SetupArgs {
    /// Puts what is given over the settings.
    ///
    /// # Errors
    /// A value out of range.
    pub(in crate::cli) fn apply(&self, settings: &mut MatchConfig) -> Result<(), SettingError> {
        set(settings, "seed", self.seed)?;
        set(settings, "threads", self.threads)?;
        set(settings, "memory_mb", self.memory_mb)?;
        set(settings, "concurrency", self.concurrency)
    }
}

/// Sets a whole number, if it is given.
///
/// # Errors
/// It is out of range.
pub(in crate::cli) fn set<S: Settings>(
    settings: &mut S,
    name: &str,
    value: Option<u64>,
) -> Result<(), SettingError> {
    match value {
        None => Ok(()),
        Some(value) => {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            settings.set_by_name(name, Value::Int(value))
        }
    }
}
