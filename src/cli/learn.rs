//! `yinsh-bot learn`: new weights for the evaluation from games of the program against itself.

use std::path::PathBuf;

use clap::Args;

use super::r#match::interrupt;
use super::progress::Progress;
use super::{ExitCode, print};
use crate::arena::{LearnPlan, LearnProgress, learn, physical_cores};
use crate::search::StopFlag;

/// Learn the weights of the evaluation anew, from games of the program against itself
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub(super) struct LearnArgs {
    /// Folder for games and weights; one that holds the same run is gone on with
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Rounds of games, each played with the weights of the round before
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Games of a round
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,

    /// Simulations for each decision
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    simulations: u64,

    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Games at a time [default: one for each core]
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: Option<u64>,
}

const DETAILS: &str = "\
Examples:
  yinsh-bot learn --out learned
  yinsh-bot match --a 'ugi:yinsh-bot ugi --weights learned/round-4.weights.txt' \\
    --b 'ugi:yinsh-bot ugi' --turn-ms 40 --sprt elo0=0 elo1=20

Ctrl-C stops it; the same command goes on where it was. The same plan gives the same weights,
whatever the number of games at a time. The weights of the program are the file
src/search/playout/weights.txt: put others there and build it anew to play with them everywhere.";

pub(super) fn run(args: &LearnArgs) -> anyhow::Result<ExitCode> {
    let stop = StopFlag::new();
    interrupt::listen(&stop)?;
    let plan = LearnPlan {
        rounds: args.rounds,
        games: args.games,
        simulations: args.simulations,
        seed: args.seed,
    };
    let concurrency = args
        .concurrency
        .map_or_else(physical_cores, |games| games as usize);
    let mut bar = None;
    let mut failed_print = None;
    let mut observe = |progress: LearnProgress| match progress {
        LearnProgress::Playing { round, games } => {
            let bar = bar.get_or_insert_with(|| {
                Progress::new(args.games, "games").behind(&format!("round {round}"))
            });
            bar.set(games);
        }
        LearnProgress::Fitting { .. } => bar = None,
        LearnProgress::Learned {
            round,
            quality,
            weights,
        } => {
            let line = format!(
                "round {round}: loss {:.4} of the results, most tried action first in {:.1} % and among five in {:.1} %, {}\n",
                quality.value_loss,
                100.0 * quality.best_first,
                100.0 * quality.best_in_five,
                weights.display()
            );
            failed_print = failed_print.take().or(print(&line).err());
        }
    };
    let learned = learn(&plan, args.out.clone(), concurrency, &stop, &mut observe)?;
    if let Some(error) = failed_print {
        return Err(error.into());
    }
    match learned {
        Some(weights) => {
            print(&format!("learned {}\n", weights.display()))?;
            Ok(ExitCode::Ok)
        }
        None => {
            eprintln!("stopped; the same command goes on");
            Ok(ExitCode::MatchStopped)
        }
    }
}
