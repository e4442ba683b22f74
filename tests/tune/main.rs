//! Tuning as a user does it, by the program itself.

mod arguments;
mod parts;
mod resume;
mod rig;
#[path = "../common/runs.rs"]
mod runs;
mod spoilt;
mod write;
