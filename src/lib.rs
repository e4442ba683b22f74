//! YINSH: rules, search, a bot account, a game server and strength testing.
//!
//! The layers, each importing only itself and what stands to its right:
//! `cli → config → { bot, server, arena, ugi, diagnostics } → { api, player } → search → { game, setting }`.

pub mod api;
pub mod arena;
pub mod bot;
pub mod cli;
pub mod config;
pub mod diagnostics;
pub mod game;
pub mod player;
pub mod search;
pub mod server;
pub mod setting;
pub mod ugi;
