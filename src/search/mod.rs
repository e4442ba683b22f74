//! Monte Carlo tree search over actions: the tree, the choice in it, random games, threads and the time for a turn.
//!
//! ```
//! use yinsh_bot::game::{Position, Variant};
//! use yinsh_bot::search::{Limits, SearchParams, Searcher, StopFlag};
//! let params = SearchParams { threads: 1, memory_mb: 16, ..SearchParams::default() };
//! let mut searcher = Searcher::new(params);
//! let position = Position::start(Variant::Standard);
//! let report = searcher.search(&position, &Limits::simulations(200), &StopFlag::new(), &mut |_| {}).unwrap();
//! assert!(position.play_turn(&report.turn).is_ok());
//! assert_eq!(report.simulations, 200);
//! ```

pub mod bench;
mod limits;
mod params;
mod playout;
mod random;
mod report;
mod searcher;
mod selection;
mod simulation;
pub mod time;
mod tree;
mod workers;

pub use limits::{Limits, StopFlag};
pub use params::{SearchParams, SelectionRule};
pub use playout::{
    Ending, Evaluation, Features, Game, MAX_GAMES, PlayoutPolicy, Playouts, ROW_CLASSES, STAGES,
    Simd, TO_THE_END, TRAITS, UNIT, WEIGHTS_OF_STAGE, WeightsError, play_by_rules,
};
pub use random::{Random, below, random_stream};
pub use report::{Candidate, MemoryUse, SearchReport};
pub use searcher::{GameOver, Searcher};
pub use time::{Budget, ClockView, Latency, TimeParams, budget};
pub use tree::Proof;
