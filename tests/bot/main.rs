//! The bot account: its session event by event, its HTTP client, and whole games.

mod flaky;
mod http;
mod play_command;
mod records;
mod rig;
mod rows;
mod session_faults;
mod session_games;
mod session_lobby;
mod session_matchmaking;
mod session_turns;
mod session_world;
mod whole_game;
mod world;
