//! The settings of all layers: read from a file, the environment and flags into one [`Config`], and written back.
//!
//! Later sources win: built-in defaults, then the file, then `YINSH_BOT_SECTION__KEY` variables, then
//! `--set section.key=value`. What a section holds, its defaults and its ranges belong to the layer that uses it.

mod assignment;
mod change;
mod edit;
mod file;
mod load;
mod problem;
mod section;
mod write;

pub use change::Changes;
pub use edit::{Edit, EditError, edit};
pub use load::{ENVIRONMENT_PREFIX, Loaded, Sources};
pub use problem::{Cause, ConfigError, Origin, Problem};
pub use section::{Entry, Section};

use crate::arena::MatchConfig;
use crate::arena::tune::TuneConfig;
use crate::bot::{
    AccountConfig, ChallengeConfig, MatchmakingConfig, MonitorConfig, PlayConfig, ServerConfig,
};
use crate::diagnostics::LogConfig;
use crate::search::{SearchParams, TimeParams};
use crate::server::ServeConfig;

macro_rules! sections {
    ($($name:ident: $type:ty, $doc:literal);+ $(;)?) => {
        /// Every setting of the program, one field per section of the file.
        #[derive(Clone, Debug, Default)]
        pub struct Config {
            $(#[doc = $doc] pub $name: $type,)+
        }

        impl Config {
            /// The names of the sections, in the order of the file.
            pub const SECTIONS: &'static [&'static str] = &[$(plain(stringify!($name))),+];

            /// The sections with their meaning, in the order of the file.
            pub fn sections(&self) -> Vec<(&'static str, &'static str, &dyn Section)> {
                vec![$((plain(stringify!($name)), $doc, &self.$name)),+]
            }

            /// The section of that name.
            pub fn section_mut(&mut self, name: &str) -> Option<&mut dyn Section> {
                $(if name == plain(stringify!($name)) {
                    return Some(&mut self.$name);
                })+
                None
            }
        }
    };
}

/// The name of a section whose field is `name`: a field that is called like a keyword is written with `r#`.
const fn plain(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

sections! {
    account: AccountConfig, "The bot's account on the game server.";
    server: ServerConfig, "The game server that the bot plays on.";
    play: PlayConfig, "How `yinsh-bot play` plays.";
    challenges: ChallengeConfig, "Which challenges are accepted; the others are declined with a reason.";
    matchmaking: MatchmakingConfig, "How the bot looks for games by itself when it has none.";
    time: TimeParams, "How the bot spends its clock.";
    search: SearchParams, "The search for turns.";
    serve: ServeConfig, "The game server of `yinsh-bot serve`.";
    r#match: MatchConfig, "How `yinsh-bot match` plays matches.";
    tune: TuneConfig, "How `yinsh-bot tune` looks for better settings.";
    monitor: MonitorConfig, "How `yinsh-bot play` is watched.";
    log: LogConfig, "What the program says while it runs, on stderr and in a file.";
}
