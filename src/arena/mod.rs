//! Matches between two or more sides, and what they say about strength.
//!
//! A match is a [`Schedule`] of pairs of games, each pair with one opening and swapped colours. A [`Runner`] plays the
//! games, several at a time, a [`Store`] keeps them in a file, a [`Ledger`] counts them in the order of the schedule, and
//! a [`Report`] says what they mean. The same match with a fixed number of simulations gives the same games, in one run
//! or in parts.

mod calibration;
mod config;
mod cores;
mod game;
mod header;
mod journal;
mod learn;
mod ledger;
mod merge;
mod opening;
mod outlook;
mod plan;
mod pool;
mod record;
mod report;
mod runner;
mod schedule;
mod side;
mod side_draft;
mod side_spec;
mod standings;
pub mod stats;
mod store;
mod tally;
mod termination;
pub mod tune;

pub use calibration::{BUCKETS, Bucket, Calibration};
pub use config::{LIMITS, MatchConfig};
pub use cores::{Concurrency, physical_cores};
pub use header::{Header, Identity, OpeningsLine, Program, SideLine, SprtLine};
pub use journal::{Journal, JournalError, Lines};
pub use learn::{LearnError, LearnPlan, LearnProgress, learn};
pub use ledger::{Ledger, Results};
pub use merge::{MergeError, Merged, merge};
pub use opening::{OpeningError, Openings};
pub use outlook::Outlook;
pub use plan::{MatchOptions, OpeningSource, Plan, PlanError, sprt};
pub use record::{End, GameLine, Line, TurnLine};
pub use report::{GamesReport, Report, SideReport, Spread, TestReport, TurnTimes, side_reports};
pub use runner::{RunError, Runner};
pub use schedule::{MAX_SIDES, Schedule, ScheduledGame, Shard, SideId};
pub use side::{Contestant, Pace, Side, TimeControl};
pub use side_spec::{Base, SideError, SideSpec};
pub use standings::{Standing, Standings};
pub use store::{Contents, Store, StoreError, identity_difference, read};
pub use tally::{GameTally, TurnTally};
pub use termination::Termination;
