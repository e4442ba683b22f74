//! `yinsh-bot ugi`: the engine for other programs, over stdin and stdout.

use super::ExitCode;
use crate::config::Config;
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

pub(super) fn run(config: Config) -> anyhow::Result<ExitCode> {
    let config = UgiConfig {
        search: config.search,
        time: config.time,
    };
    ugi::run(std::io::stdin().lock(), std::io::stdout(), config)?;
    Ok(ExitCode::Ok)
}
