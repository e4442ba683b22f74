//! `yinsh-bot match merge`: the report of a match that was played in parts.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{ExitCode, Summary};
use crate::arena::{Ledger, Schedule, Shard, Store, merge, read};

/// Put the files of a match that was played in parts together, and report it as one
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct MergeArgs {
    /// Match files: all of one match, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write all games into FILE, in the order of the schedule
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Draw the ratings of a round robin into FILE
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
}

const DETAILS: &str = "\
Games are counted in the order of the schedule, up to the first that is missing, and up to the end
of the sequential test if the match has one. With a fixed number of simulations the report is that
of a single run.

Example:
  yinsh-bot match --a default --b baseline --shard 1/2 --out one.jsonl
  yinsh-bot match --a default --b baseline --shard 2/2 --out two.jsonl
  yinsh-bot match merge one.jsonl two.jsonl";

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    for path in &args.files {
        let contents = read(path)?;
        warn_of_torn(path, contents.torn);
        files.push((path.clone(), contents));
    }
    let merged = merge(files)?;
    for path in &merged.other_builds {
        tracing::warn!(
            "{} was played by another build of the program",
            path.display()
        );
    }
    let header = &merged.header;
    let schedule = Schedule::new(header.identity.sides.len(), header.rounds, Shard::WHOLE);
    let sprt = header.sprt.as_ref().and_then(|line| line.to_sprt());
    if let Some(path) = &args.out {
        let (mut store, contents) = Store::open(path, header)?;
        anyhow::ensure!(
            contents.games.is_empty(),
            "{} holds games already; name a new file",
            path.display()
        );
        for game in &merged.games {
            store.add(game)?;
        }
    }
    let mut ledger = Ledger::new(schedule, sprt);
    merged.games.iter().for_each(|game| ledger.add(game));
    if ledger.missing() > 0 && ledger.verdict().is_none() {
        tracing::warn!("{} games of the match are missing", ledger.missing());
    }
    let summary = Summary::new(&ledger);
    summary.show(&header.identity.sides, args.json, args.svg.as_deref())?;
    Ok(summary.exit_code())
}

/// Warns of a file whose last `torn` bytes are a part of a line.
pub(in crate::cli) fn warn_of_torn(path: &Path, torn: usize) {
    if torn > 0 {
        let path = path.display();
        tracing::warn!("{path}: the last line was not written to its end and is left out");
    }
}
