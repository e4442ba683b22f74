//! `yinsh-bot match`: is one side stronger than another, by how much, how sure?

pub(super) mod args;
mod calibration;
pub(super) mod interrupt;
pub(super) mod json;
pub(super) mod live;
pub(super) mod merge;
pub(super) mod play;
mod ratings;
mod svg;
pub(super) mod table;

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::{Args, Subcommand};

use super::style::Style;
use super::{ExitCode, print};
use crate::arena::stats::Verdict;
use crate::arena::{Ledger, Report, SideLine, Standings};
use crate::config::Config;
use args::PlayArgs;
use calibration::CalibrationArgs;
use merge::MergeArgs;

const USAGE: &str = "\
yinsh-bot match --a <SIDE> --b <SIDE> [OPTIONS]
       yinsh-bot match --round-robin <SIDE> <SIDE> <SIDE>... [OPTIONS]
       yinsh-bot match merge <FILE>...
       yinsh-bot match calibration <FILE>...";

/// Play a match between two sides: is one stronger, by how much, how sure?
#[derive(Debug, Args)]
#[command(
    override_usage = USAGE,
    after_help = args::DETAILS,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct MatchCommand {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Debug, Subcommand)]
enum Other {
    Merge(MergeArgs),
    Calibration(CalibrationArgs),
}

impl MatchCommand {
    pub fn run(&self, config: &Config) -> anyhow::Result<ExitCode> {
        match &self.other {
            Some(Other::Merge(args)) => merge::run(args),
            Some(Other::Calibration(args)) => calibration::run(args),
            None => play::run(&self.play, config),
        }
    }
}

/// The end of a match.
enum Summary {
    /// Between two sides.
    Report(Box<Report>),
    /// Between more.
    Standings(Standings),
}

impl Summary {
    fn new(ledger: &Ledger) -> Self {
        match ledger.schedule().sides().count() {
            2 => Self::Report(Box::new(Report::new(ledger))),
            _ => Self::Standings(Standings::new(ledger)),
        }
    }

    fn show(&self, sides: &[SideLine], json: bool, svg: Option<&Path>) -> anyhow::Result<()> {
        if let Some(path) = svg {
            let Self::Standings(standings) = self else {
                anyhow::bail!(
                    "--svg draws the ratings of a round robin, and this match has two sides"
                );
            };
            let written = fs::write(path, svg::draw(standings, sides));
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        let text = match self {
            _ if json => json::text(self, sides),
            Self::Report(report) => plain(&table::report(report, sides)),
            Self::Standings(standings) => plain(&ratings::report(standings, sides)),
        };
        Ok(print(&text)?)
    }

    fn exit_code(&self) -> ExitCode {
        let Self::Report(report) = self else {
            return ExitCode::Ok;
        };
        match report.test.as_ref().and_then(|test| test.verdict) {
            None => ExitCode::Ok,
            Some(Verdict::H0) => ExitCode::H0,
            Some(Verdict::H1) => ExitCode::H1,
            Some(Verdict::Inconclusive) => ExitCode::Inconclusive,
        }
    }
}

/// A text with ASCII characters only, where the terminal shows no others.
pub(super) fn plain(text: &str) -> String {
    match Style::of_stdout(false).unicode {
        true => text.to_owned(),
        false => text.replace("½", ".5").replace('±', "+-").replace('…', "~"),
    }
}
