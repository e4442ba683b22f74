//! `yinsh-bot tune`: better values for settings, found by self-play and proved by a match.

mod args;
mod chart;
mod html;
mod json;
mod live;
mod merge;
mod outcome;
mod run;
mod sensitivity;
mod table;
mod words;
mod write;

use clap::{Args, Subcommand};

use super::{ExitCode, GlobalArgs};
use args::{RunArgs, SensitivityArgs};
use merge::MergeArgs;

const USAGE: &str = "\
yinsh-bot tune --params <NAMES> [OPTIONS]
       yinsh-bot tune sensitivity [OPTIONS]
       yinsh-bot tune merge <FILE>...";

/// Find better values for settings by self-play, prove the gain, and write them into the config
#[derive(Debug, Args)]
#[command(
    override_usage = USAGE,
    after_help = args::DETAILS,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct TuneCommand {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    run: Box<RunArgs>,
}

#[derive(Debug, Subcommand)]
enum Other {
    /// See which parameters matter: play each at the ends of what is sensible against the present value
    Sensitivity(Box<SensitivityArgs>),
    Merge(MergeArgs),
}

impl TuneCommand {
    pub fn run(&self, global: &GlobalArgs) -> anyhow::Result<ExitCode> {
        let loaded = global.start()?;
        match &self.other {
            Some(Other::Sensitivity(args)) => sensitivity::run(args, &loaded.config),
            Some(Other::Merge(args)) => merge::run(args),
            None => run::run(&self.run, global, &loaded),
        }
    }
}
