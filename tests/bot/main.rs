//! The bot account: its session event by event, its HTTP client, and whole games.

mod http;
mod play_command;
mod records;
mod rig;
mod session_faults;
mod session_games;
mod session_lobby;
mod session_matchmaking;
mod session_turns;
mod whole_game;
