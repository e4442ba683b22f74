//! The game server, tested from outside: in this process, over HTTP, and as a process of its own.

#[path = "../common/server.rs"]
mod common;
#[path = "../common/process.rs"]
mod server_process;

mod accounts;
mod clocks;
mod games;
mod http;
mod lobby;
mod page;
mod polls;
mod process;
mod store;
mod turns;
