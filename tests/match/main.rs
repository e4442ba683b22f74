//! Matches as a user plays them, by the program itself.

mod engines;
mod files;
mod reports;
mod resume;
mod rig;
#[path = "../common/runs.rs"]
mod runs;
mod strength;
