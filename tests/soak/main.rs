//! The bot at work for long on a bad way, and killed again and again: real processes, real sockets, real clocks.
//!
//! Too slow for every day, so only `--ignored` runs them. `YINSH_SOAK_GAMES` and `YINSH_SOAK_KILLS` make them long, and
//! `YINSH_SOAK_PROGRAM` names another build of the program; the README has the command.

#[path = "../common/server.rs"]
mod common;
mod crash;
mod faults;
mod opponents;
mod processes;
#[path = "../common/proxy/mod.rs"]
mod proxy;

/// A number from the environment, or what a short run takes.
fn amount(variable: &str, short: usize) -> usize {
    let text = std::env::var(variable).ok();
    text.map_or(short, |text| text.parse().expect("a whole number"))
}
