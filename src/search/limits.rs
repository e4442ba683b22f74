use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::time::Budget;

/// When a search ends by itself; without any limit it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for the whole turn.
    pub time: Option<Budget>,
    /// Simulations for the whole turn.
    pub simulations: Option<u64>,
}

impl Limits {
    /// A fixed number of simulations.
    pub const fn simulations(count: u64) -> Self {
        Self {
            time: None,
            simulations: Some(count),
        }
    }

    /// A time for the turn.
    pub const fn time(budget: Budget) -> Self {
        Self {
            time: Some(budget),
            simulations: None,
        }
    }
}

/// Ends a running search from another thread; clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the end of the search; it ends within milliseconds with the best turn so far.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
