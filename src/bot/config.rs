//! The settings of the bot account.

mod games;

use std::path::PathBuf;

use secrecy::SecretString;

pub use self::games::{ChallengeConfig, MatchmakingConfig, Mode, Opponent, Way};

use crate::player::PlayerKind;
use crate::setting::Kind;
use crate::{choices, settings};

/// `[account]`: who plays.
#[derive(Clone, Debug, Default)]
pub struct AccountConfig {
    /// File that holds nothing but the token.
    pub token_file: Option<PathBuf>,
    /// The token itself.
    pub token: Option<SecretString>,
    /// How the server's operator reaches the bot's.
    pub contact: Option<String>,
    /// Where processes that may play the same account look for one another.
    pub lock_dir: Option<PathBuf>,
}
settings!(AccountConfig {
    token_file: Kind::Text, "File that holds the account's token and nothing else. It must not be readable by everybody (chmod 600). It goes before the environment variable YINSH_BOT_TOKEN, and that before `token`.";
    token: Kind::Secret, "The token itself. Better kept in `token_file`: config files get shown to others.";
    contact: Kind::Text, "Mail or web address sent along in the User-Agent, so that the server's operator can reach you.";
    lock_dir: Kind::Text, "Folder for the lock that keeps a second process from playing the same account. Empty: /run/lock if all users may write there, else the folder for temporary files. Processes that see different folders, as in containers, do not see each other's lock.";
});

/// `[server]`: where to play, and how long to wait for it.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Base address, or `embedded`.
    pub url: String,
    /// Longest time to open a connection.
    pub connect_timeout_ms: u64,
    /// Longest time from a request to the end of its answer; a poll gets its wait on top.
    pub request_timeout_ms: u64,
    /// How long a poll may hang.
    pub poll_wait_s: u64,
    /// Most requests a minute, turns not counted.
    pub requests_per_minute: u32,
}
impl ServerConfig {
    /// The `url` that asks for a server inside this process.
    pub const EMBEDDED: &'static str = "embedded";
}
impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            url: Self::EMBEDDED.to_owned(),
            connect_timeout_ms: 5_000,
            request_timeout_ms: 10_000,
            poll_wait_s: 25,
            requests_per_minute: 6_000,
        }
    }
}
settings!(ServerConfig {
    url: Kind::Text, "The game server, such as \"https://yinsh.example.org\". \"embedded\" starts one inside this process and plays one game against a house bot there.";
    connect_timeout_ms: Kind::Int { min: 100, max: 60_000 }, "Milliseconds a connection may take to open.";
    request_timeout_ms: Kind::Int { min: 500, max: 120_000 }, "Milliseconds from a request to the end of its answer. A poll gets its wait on top; a turn gets less when the clock is short.";
    poll_wait_s: Kind::Int { min: 0, max: 30 }, "Seconds a poll may hang until something happens. 0 asks again and again instead: slower, and more work for the server.";
    requests_per_minute: Kind::Int { min: 10, max: 1_000_000 }, "Most requests a minute, turns not counted. The limit that the server tells holds too. While requests fail, it is up to eight times fewer.";
});

/// What becomes of games that still run when the bot leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// Their clocks run on, and the bot may come back.
    Leave,
    /// They are given up.
    Resign,
}
choices!(Unfinished { Leave => "leave", Resign => "resign" });

/// `[play]`: how the account plays.
#[derive(Clone, Debug)]
pub struct PlayConfig {
    /// Most games at once.
    pub games_max: usize,
    /// Where the records go; without it there are none.
    pub records_dir: Option<PathBuf>,
    /// How long running games may go on after a request to stop.
    pub drain_s: u64,
    /// What becomes of games that still run when the bot leaves.
    pub unfinished: Unfinished,
    /// How long an opponent may take over a first turn.
    pub first_turn_s: u64,
    /// Whether to search while opponents think.
    pub ponder: bool,
    /// Whether the server is told the win probability with each turn.
    pub publish: bool,
    /// Win probability below which a turn looks lost.
    pub resign_below: f64,
    /// Turns in a row that must look lost before the game is given up.
    pub resign_turns: u32,
    /// No game is given up before this ply.
    pub resign_from_ply: u16,
    /// Who plays the house bot of the embedded server.
    pub house_player: PlayerKind,
    /// Simulations a turn of the house bot.
    pub house_simulations: u64,
    /// Each player's time at the start of the embedded game.
    pub house_initial_s: u64,
    /// What a turn gives back in the embedded game.
    pub house_increment_ms: u64,
}
impl Default for PlayConfig {
    fn default() -> Self {
        Self {
            games_max: 1,
            records_dir: Some("records".into()),
            drain_s: 600,
            unfinished: Unfinished::Leave,
            first_turn_s: 180,
            ponder: false,
            publish: false,
            resign_below: 0.0,
            resign_turns: 3,
            resign_from_ply: 30,
            house_player: PlayerKind::Mcts,
            house_simulations: 2_000,
            house_initial_s: 30,
            house_increment_ms: 500,
        }
    }
}
settings!(PlayConfig {
    games_max: Kind::Int { min: 1, max: 64 }, "Most games at once. The memory of [search] is shared out evenly over so many; its threads over the games that think at the same time, the most urgent first.";
    records_dir: Kind::Text, "Folder for one record a game (JSON lines, written turn by turn). Empty: no records.";
    drain_s: Kind::Int { min: 0, max: 86_400 }, "Seconds that running games may go on after the first Ctrl-C or SIGTERM. The second one does not wait for them.";
    unfinished: Kind::Choice(Unfinished::WORDS), "What becomes of games that still run after drain_s or at the second signal: \"leave\" leaves them to their clocks, so that the bot can go on with them when it is started again; \"resign\" gives them up, or calls them off if both have not played yet.";
    first_turn_s: Kind::Int { min: 5, max: 86_400 }, "Seconds an opponent may take over a first turn before the game is called off.";
    ponder: Kind::Bool, "Whether to search on while opponents think, as long as no game waits for a turn of the bot.";
    publish: Kind::Bool, "Whether to tell the server the bot's win probability with each turn. Everybody who watches sees it, opponents too.";
    resign_below: Kind::Float { min: 0.0, max: 0.5 }, "Win probability below which a turn looks lost, 0 to 0.5. 0: never resign.";
    resign_turns: Kind::Int { min: 1, max: 100 }, "Turns in a row that must look lost before the bot resigns.";
    resign_from_ply: Kind::Int { min: 0, max: 1_000 }, "Turns, of both players together, before which the bot never resigns.";
    house_player: Kind::Choice(PlayerKind::WORDS), "Who plays the house bot of the embedded server.";
    house_simulations: Kind::Int { min: 1, max: 1_000_000_000 }, "Simulations a turn of the house bot when it is \"mcts\". More make it stronger and slower.";
    house_initial_s: Kind::Int { min: 1, max: 86_400 }, "Seconds on each clock at the start of the embedded game.";
    house_increment_ms: Kind::Int { min: 0, max: 600_000 }, "Milliseconds that a turn gives back in the embedded game.";
});
