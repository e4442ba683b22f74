//! The settings of the `serve` command.

use crate::api::Limits;
use crate::setting::Kind;
use crate::settings;

/// Section `[serve]` of the config file.
#[derive(Clone, Debug, PartialEq)]
pub struct ServeConfig {
    /// Where to listen.
    pub address: String,
    /// The store's file.
    pub store: String,
    /// Whether anybody may create a bot account over HTTP.
    pub open_registration: bool,
    /// Whether anybody may take a name on the page and play.
    pub open_to_people: bool,
    /// Connections that are open at once.
    pub connections_max: u32,
    /// Requests that one token may send a minute.
    pub requests_per_minute: u32,
    /// Largest request body.
    pub body_max_bytes: u32,
    /// Games that one account may play at once.
    pub games_max: u32,
    /// Longest long poll.
    pub wait_max_s: u32,
    /// Time for each position of an analysis.
    pub analysis_ms: u32,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            address: "127.0.0.1:8080".to_owned(),
            store: "yinsh-server.sqlite".to_owned(),
            open_registration: false,
            open_to_people: true,
            connections_max: 1000,
            requests_per_minute: 120,
            body_max_bytes: 4096,
            games_max: 16,
            wait_max_s: 30,
            analysis_ms: 150,
        }
    }
}

settings!(ServeConfig {
    address: Kind::Text, "Address and port to listen on; port 0 takes a free one. The server speaks plain HTTP: \
        beyond loopback, put a proxy with TLS in front of it.";
    store: Kind::Text, "The SQLite file that keeps accounts, games and turns; created when it is missing.";
    open_registration: Kind::Bool, "Whether anybody may create a bot account with POST /bots. When off, \
        `serve --create-bot NAME` makes accounts.";
    open_to_people: Kind::Bool, "Whether anybody may take a name on the server's page and play. Everybody may watch.";
    connections_max: Kind::Int { min: 10, max: 100_000 }, "Connections that are open at once; more wait until one is \
        closed. Each needs a file descriptor (`ulimit -n`).";
    requests_per_minute: Kind::Int { min: 10, max: 1_000_000 }, "Requests a minute that one token may send, and one \
        address without a token; a long poll counts once. Turns have ten times as much of their own, and so have \
        those who only watch, for many of them may share an address.";
    body_max_bytes: Kind::Int { min: 1024, max: 1_048_576 }, "Largest request body in bytes.";
    games_max: Kind::Int { min: 1, max: 1000 }, "Games that one account may play at once.";
    wait_max_s: Kind::Int { min: 0, max: 30 }, "Longest time in seconds for which a long poll hangs.";
    analysis_ms: Kind::Int { min: 0, max: 10_000 }, "Time in milliseconds for each position when somebody asks for the \
        analysis of a finished game; one game is analysed at a time, on one core. 0: none.";
});

impl ServeConfig {
    /// The limits as clients see them.
    pub fn limits(&self) -> Limits {
        Limits {
            wait_max_s: self.wait_max_s.into(),
            body_max_bytes: self.body_max_bytes.into(),
            games_max: self.games_max,
            requests_per_minute: self.requests_per_minute,
        }
    }
}
