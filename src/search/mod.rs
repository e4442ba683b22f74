//! Monte Carlo tree search over actions: the tree, the choice in it, random games, threads and the time for a turn.
//!
//! # What was tried and not kept
//!
//! Elo of the change against the program without it, with the 95 % interval: if nothing else is said, 160 or 240 games
//! from random placements with colours swapped, one thread for each side, 10 ms a turn. Nobody needs to try these blind
//! again.
//!
//! | change | Elo |
//! |---|---|
//! | judging at once, without a random move | -35 [-81, +10] against 4 moves |
//! | random games of 1 move | -67 [-112, -25] against 2 |
//! | random games of 3 moves | +9 [-32, +49] against 2 |
//! | random games of 8 moves | -55 [-100, -13] against 4 |
//! | uniform random moves before judging | -41 [-84, +2], with 2 moves -92 [-138, -49] |
//! | growing at the first visit: more memory | +13 [-29, +55] against the second |
//! | growing at the tenth visit | -92 [-135, -52] against the fourth |
//! | `exploration` 1.4 / 1.5 | -47 [-90, -5] / -55 [-115, +3] against 1 |
//! | `prior_temperature` 0.7 | -75 [-123, -30] against 1 |
//! | `exploration` 1 and `prior_temperature` 1 | -38 [-58, -19] against 0.8 and 1.4: 1,200 games, 20 ms |
//! | `exploration` 0.65 and `prior_temperature` 1.8 | +11 [-13, +35] against 0.8 and 1.4: 800 games, 20 ms |
//! | a tree that grows until it is full, and then no more | -49 [-95, -5] in a fifth of the memory it takes, 40 ms |
//! | `untried_reduction` 0 / 0.25 | -13 [-59, +32] / -1 [-45, +42] against 0.1 |
//! | 2 / 8 random games at once | -12 [-53, +30] / -20 [-66, +25] against 4 |
//! | weights of a third round of games | +6 [-37, +48] against the second |
//!
//! Richer evaluations, by the loss on games that were kept apart (the linear one over classes of rows: 0.6068): with
//! 32 hidden units over the same counts 0.6060; with rings told apart by where they stand on a row 0.6050; with every
//! pattern of five points of its own 0.5978, which a processor can only look up one by one. Priors over all patterns
//! put the best action first as often as those over classes (42 %).
//!
//! Plain loads and stores of statistics in place of atomic additions, which lose some, fetching the children of a node
//! before they are looked at, large pages of memory, and threads that outlive a search: no faster.
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
mod node;
mod params;
mod playout;
mod random;
mod report;
mod searcher;
mod selection;
mod simulation;
pub mod time;
mod top;
mod tree;
mod workers;

pub use limits::{Limits, StopFlag};
pub use node::Proof;
pub use params::SearchParams;
pub use playout::{
    Ending, Evaluation, Features, Game, MAX_AT_ONCE, MAX_GAMES, MOST_WEIGHT, PlayoutPolicy,
    Playouts, ROW_CLASSES, STAGES, Simd, TO_THE_END, TRAITS, UNIT, WEIGHTS_OF_STAGE, WeightsError,
    play_by_rules,
};
pub use random::{Random, below, random_stream, shuffle};
pub use report::{Candidate, MemoryUse, SearchReport, expected_result, mean_value};
pub use searcher::{GameOver, Searcher};
pub use selection::SelectionRule;
pub use time::{Budget, ClockView, Latency, TimeParams, budget};
