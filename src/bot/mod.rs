//! The bot account: follows its games on a server and plays its turns, until it is stopped.
//!
//! [`Session`] decides, without sockets, threads or a clock of its own; [`Bot`] joins it with a [`Transport`], searches
//! and records; a [`Watcher`] is told what happens.

mod answered;
mod ask;
mod backoff;
mod config;
mod driver;
mod engine;
mod engines;
mod errand;
mod event;
mod http;
mod lock;
mod monitor;
mod policy;
mod record;
mod rules;
pub mod session;
mod shelf;
mod stop;
mod timing;
mod token;
mod transport;
mod unfinished;

pub use answered::{AnswerClass, Answered, RequestKind};
pub use config::{
    AccountConfig, ChallengeConfig, MatchmakingConfig, Mode, Opponent, PlayConfig, ServerConfig,
    Unfinished, Way,
};
pub use driver::{Bot, Setup};
pub use engine::{PlayerFactory, player_factory};
pub use event::{Event, GameInfo, PlayedTurn, TurnTime, Watcher};
pub use http::{HttpSetupError, HttpTransport};
pub use lock::LockPlace;
pub use monitor::{
    Health, Monitor, MonitorConfig, MonitorPort, PortError, Status, Watchdog, ask_monitor,
};
pub use record::{RecordError, Records};
pub use session::{Exit, Session, SessionSettings};
pub use stop::{StopReceiver, StopSender, stop_channel};
pub use timing::Trip;
pub use token::{TOKEN_VARIABLE, TokenError, load_token};
pub use transport::{Refusal, Remedy, Tagged, Transport, TransportError};
pub use unfinished::{UnfinishedGame, unfinished_games};
