//! The arguments of a tuning run.

use std::path::PathBuf;

use clap::Args;

use crate::arena::tune::{ParameterSpec, TuneConfig};
use crate::arena::{MatchConfig, MatchOptions, Shard};
use crate::cli::r#match::args::{LimitArgs, SetupArgs, read_sprt, set};
use crate::setting::{SettingError, Settings, Value};

/// What to tune, and how.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// What to tune, separated by commas: keys of [search], and with a clock of [time]; NAME=LOW..HIGH for a range of
    /// one's own
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub params: Vec<ParameterSpec>,
    /// Games that look for the best values [default: `games` in [tune]]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Independent runs that the games are shared out to
    #[arg(long, value_name = "N")]
    chains: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[command(flatten)]
    pub after: AfterArgs,
    /// Keep the results in FILE, or go on with it [default: a file in `records` of [match] that the same command finds
    /// again]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What becomes of the values that were found.
#[derive(Debug, Args)]
#[command(next_help_heading = "When the values are found")]
pub(super) struct AfterArgs {
    /// Hypotheses of the test of tuned against present values; KEY is elo0, elo1, alpha, beta or model
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = read_sprt)]
    sprt: Option<Vec<(&'static str, Value)>>,
    /// Most games of that test
    #[arg(long, value_name = "N")]
    verify_games: Option<u64>,
    /// Do not test the values, and therefore do not write them
    #[arg(long)]
    pub no_verify: bool,
    /// Write the values into the config file whatever the test says
    #[arg(long, conflicts_with = "no_write")]
    pub force: bool,
    /// Never write the config file
    #[arg(long)]
    pub no_write: bool,
}

/// Where results go.
#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Write the report as a page into FILE [default: beside the file with the results]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What to probe, and how.
#[derive(Debug, Args)]
pub(super) struct SensitivityArgs {
    /// What to probe, separated by commas; NAME=LOW..HIGH at these ends [default: all that can be tuned]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub params: Option<Vec<ParameterSpec>>,
    /// Games of each match [default: `sensitivity_games` in [tune]]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What stands below the options in the help text.
pub(super) const DETAILS: &str = "\
Two players with slightly different values play pairs of games on fresh openings; the values move
towards the winner, in several independent runs (SPSA). Then tuned and present values play a
sequential test on openings that were not used before. Only when it says that the tuned ones are
stronger are they written into the config file: comments stay, and the old file is kept beside it.

A number whose default is small within its range counts by ratios and is tried from a 50th of the
default to 50 times as much; in the end one player has twice as much as the other. Other numbers are
tried over their whole range, and differ by a fifth of it. LOW..HIGH is another range. A switch or a
word has no small steps: each other value is played against the present one in the same games.

With a fixed number of simulations, what makes a simulation slower costs nothing. Tune such
settings with --turn-ms or --clock.

Results are kept after each batch; Ctrl-C ends a run, and the same command goes on with it.

Examples:
  yinsh-bot --config my.toml tune --params exploration,prior_temperature --turn-ms 50
  yinsh-bot tune --params exploration=0.2..2 --games 4000 --simulations 1000 --no-write
  yinsh-bot tune --params max_share,expected_turns --clock 5+0.05
  yinsh-bot tune sensitivity --turn-ms 50";

impl RunArgs {
    /// The settings of the run: those of the config with the arguments over them. The games of the match settings are
    /// those of the test.
    ///
    /// # Errors
    /// A value out of range.
    pub fn settings(
        &self,
        tune: &TuneConfig,
        config: &MatchConfig,
    ) -> Result<(TuneConfig, MatchConfig), SettingError> {
        let (mut tune, mut settings) = (tune.clone(), config.clone());
        self.limits.apply(&mut settings)?;
        self.setup.apply(&mut settings)?;
        set(&mut tune, "games", self.games)?;
        set(&mut tune, "chains", self.chains)?;
        set(&mut tune, "verify_games", self.after.verify_games)?;
        for (name, value) in self.after.sprt.iter().flatten() {
            settings.set_by_name(name, value.clone())?;
        }
        settings.games = tune.verify_games;
        Ok((tune, settings))
    }
}

impl SensitivityArgs {
    /// The settings of the matches: those of the config with the arguments over them.
    ///
    /// # Errors
    /// A value out of range.
    pub fn settings(
        &self,
        tune: &TuneConfig,
        config: &MatchConfig,
    ) -> Result<MatchConfig, SettingError> {
        let mut settings = config.clone();
        self.limits.apply(&mut settings)?;
        self.setup.apply(&mut settings)?;
        settings.games = tune.sensitivity_games;
        set(&mut settings, "games", self.games)?;
        Ok(settings)
    }
}

/// What is said of the games beside limits.
pub(super) fn options(setup: &SetupArgs) -> MatchOptions {
    MatchOptions {
        variant: setup.variant,
        openings: setup.openings.clone(),
        seen_openings: 0,
        sprt: None,
        shard: setup.shard.unwrap_or(Shard::WHOLE),
    }
}
