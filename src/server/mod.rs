//! The game server: accounts, seeks and challenges, games with clocks, and long polls, over HTTP and SQLite.
//!
//! ```text
//! frame → admission → routes → store (one writer, one reader) → SQLite
//!                       │         │ after each commit
//!                       └─ waits ─┴→ hub (wakes long polls), alarm (flags, expiry)
//! ```
//!
//! The store holds the whole truth; nothing but wake-ups, rate limits and presence lives in memory only. So a server
//! that is killed and started again goes on where it was, and running games get the time back in which it was away.

mod admission;
mod alarm;
mod analyst;
mod answer;
mod clock;
mod config;
mod error;
mod extract;
mod frame;
mod game;
mod gate;
mod glicko;
mod hub;
mod limiter;
mod limits;
mod lobby;
mod name;
mod openapi;
mod presence;
mod ratings;
mod registration;
mod router;
mod routes;
mod running;
mod secret;
mod session;
mod state;
mod store;
mod time;
mod view;
mod web;

pub use config::ServeConfig;
pub use error::ApiError;
pub use router::{document, router};
pub use running::{ServeError, Server, create_bot};
pub use state::AppState;
pub use store::StoreError;
