//! `yinsh-bot tune merge`: the estimates of a run that was played in parts.

use std::path::PathBuf;

use clap::Args;

use super::args::OutputArgs;
use super::outcome::Outcome;
use super::run::{Summary, with_suffix};
use crate::arena::tune::{TuneStore, Tuning, merge_tunings, read_tuning};
use crate::cli::ExitCode;
use crate::cli::r#match::merge::warn_of_torn;

/// Put the files of a run that was played in parts together, and report it as one
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct MergeArgs {
    /// Files of results: all of one run, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write all results into FILE; the command of the run goes on with it, to test the values
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const DETAILS: &str = "\
Part K of N plays every Nth chain. With a fixed number of simulations the report is that of a single
run.

Example:
  yinsh-bot tune --params exploration --shard 1/2 --out one.jsonl
  yinsh-bot tune --params exploration --shard 2/2 --out two.jsonl
  yinsh-bot tune merge one.jsonl two.jsonl --out all.jsonl
  yinsh-bot tune --params exploration --out all.jsonl";

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    for path in &args.files {
        let contents = read_tuning(path)?;
        warn_of_torn(path, contents.torn);
        files.push((path.clone(), contents));
    }
    let builds = files
        .iter()
        .map(|(_, contents)| &contents.header.identity.program);
    if builds
        .clone()
        .zip(builds.skip(1))
        .any(|(one, next)| one != next)
    {
        tracing::warn!("the files were played by different builds of the program");
    }
    let (header, batches) = merge_tunings(files)?;
    let mut tuning = Tuning::new(header.identity.design(), header.shard);
    for batch in &batches {
        if let Err(problem) = tuning.take_in(batch) {
            tracing::warn!("results are left out: {problem}");
        }
    }
    if let Some(path) = &args.out {
        let (mut store, before) = TuneStore::open(path, &header)?;
        anyhow::ensure!(
            before.done() == 0,
            "{} holds results already; name a new file",
            path.display()
        );
        for batch in &batches {
            store.add(batch)?;
        }
    }
    if !tuning.is_over() {
        tracing::warn!(
            "{} games of the run are missing",
            tuning.games() - tuning.done()
        );
    }
    let summary = Summary {
        identity: &header.identity,
        tuning: &tuning,
        verification: None,
        outcome: &Outcome::Untested,
    };
    let results = args.out.as_ref().unwrap_or(&args.files[0]);
    let page = args
        .output
        .html
        .clone()
        .unwrap_or_else(|| with_suffix(results, ".html"));
    summary.show(&page, args.output.json)?;
    Ok(ExitCode::Ok)
}
