//! `yinsh-bot ugi`: the engine for other programs, over stdin and stdout.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::ExitCode;
use crate::config::Config;
use crate::search::Evaluation;
use crate::ugi::{self, UgiConfig};

pub(super) const ABOUT: &str =
    "Speak the Universal Game Interface on stdin and stdout, for match runners and boards";

pub(super) const DETAILS: &str = "\
Try it by hand:
  ugi
  setoption name threads value 2
  position startpos moves e5 f6
  go movetime 1000
  quit

Options are the keys of [search] and [time] in the config file, which also gives their first values,
and Variant (standard or blitz). Turns are written as in game records. `nodes` counts simulations,
`winprob` is the expected result of the side to decide, and after the end of a game the answer to
`go` is `bestmove none`. What is not understood is answered by `info string error: ...`.";

/// What the command takes beside the settings.
#[derive(Debug, Args)]
pub(super) struct UgiArgs {
    /// Judge positions by the weights in FILE, which `learn` has written, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

pub(super) fn run(args: &UgiArgs, config: Config) -> anyhow::Result<ExitCode> {
    let config = UgiConfig {
        search: config.search,
        time: config.time,
        evaluation: args.evaluation()?,
    };
    ugi::run(std::io::stdin().lock(), std::io::stdout(), config)?;
    Ok(ExitCode::Ok)
}

impl UgiArgs {
    fn evaluation(&self) -> anyhow::Result<Option<Arc<Evaluation>>> {
        let Some(path) = &self.weights else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(path);
        let text =
            text.with_context(|| format!("cannot read the weights in {}", path.display()))?;
        let evaluation = text.parse().with_context(|| path.display().to_string())?;
        Ok(Some(Arc::new(evaluation)))
    }
}
