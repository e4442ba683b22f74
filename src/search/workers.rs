//! Threads that run simulations on one tree until a limit is reached.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::limits::StopFlag;
use super::node::{MAX_VISITS, OwnLine};
use super::params::SearchParams;
use super::playout::Playouts;
use super::random::random_stream;
use super::simulation::Simulator;
use super::top::TopView;
use super::tree::{NodeId, Tree};
use crate::game::Position;

/// Simulations of a thread between two looks at the clock.
const CLOCK_INTERVAL: u64 = 16;

/// Simulations of a thread between two times that it adds them to the common tally.
const TALLY_INTERVAL: u64 = 256;

/// The part of a search that runs without a decision in between.
pub struct Stint<'a> {
    /// The shared tree.
    pub tree: &'a Tree,
    /// Parameters of the search.
    pub params: &'a SearchParams,
    /// Plays its random games.
    pub playouts: &'a Playouts,
    /// Makes the random choices of this stint differ from those of others.
    pub stream: u64,
    /// The node to search, grown already.
    pub node: NodeId,
    /// Its position.
    pub position: &'a Position,
    /// When to end.
    pub deadline: Option<Instant>,
    /// How many simulations to run.
    pub simulations: Option<u64>,
    /// Ends the stint from outside.
    pub stop: &'a StopFlag,
}

/// What simulations have been run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Their number.
    pub simulations: u64,
    /// Sum of their depths, in actions.
    pub depth_sum: u64,
    /// The greatest of their depths.
    pub max_depth: u32,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            simulations: self.simulations + other.simulations,
            depth_sum: self.depth_sum + other.depth_sum,
            max_depth: self.max_depth.max(other.max_depth),
        }
    }

    /// Counts one simulation.
    pub fn count(&mut self, depth: u32) {
        *self = self.plus(Self {
            simulations: 1,
            depth_sum: u64::from(depth),
            max_depth: depth,
        });
    }
}

/// What the threads of a stint share beside the tree.
#[derive(Default)]
struct Shared {
    is_over: AtomicBool,
    /// Simulations begun, counted only when their number is limited.
    started: OwnLine<AtomicU64>,
    done: OwnLine<Done>,
}

/// A tally to which all threads add.
#[derive(Default)]
struct Done {
    simulations: AtomicU64,
    depth_sum: AtomicU64,
    max_depth: AtomicU32,
}

impl Done {
    fn add(&self, tally: Tally) {
        self.simulations.fetch_add(tally.simulations, Relaxed);
        self.depth_sum.fetch_add(tally.depth_sum, Relaxed);
        self.max_depth.fetch_max(tally.max_depth, Relaxed);
    }

    fn tally(&self) -> Tally {
        Tally {
            simulations: self.simulations.load(Relaxed),
            depth_sum: self.depth_sum.load(Relaxed),
            max_depth: self.max_depth.load(Relaxed),
        }
    }
}

impl Stint<'_> {
    /// Runs to the end. The calling thread works too, and calls `tick` whenever it has looked at the clock, with about
    /// what all threads have done.
    pub fn run(&self, tick: &mut dyn FnMut(Tally)) -> Tally {
        let shared = Shared::default();
        let threads = self.params.resolved_threads();
        std::thread::scope(|scope| {
            for index in 1..threads as u64 {
                let shared = &shared;
                let helper = move || self.work(index, threads, shared, &mut |_| {});
                if std::thread::Builder::new()
                    .spawn_scoped(scope, helper)
                    .is_err()
                {
                    // The system has no more threads to give; the search goes on with those it has.
                    break;
                }
            }
            self.work(0, threads, &shared, tick);
        });
        shared.done.0.tally()
    }

    fn work(&self, index: u64, threads: usize, shared: &Shared, tick: &mut dyn FnMut(Tally)) {
        let random = random_stream(self.params.seed, (self.stream << 16) + index);
        let grower = self.tree.grower(threads);
        let mut simulator = Simulator::new(grower, self.params, self.playouts, random);
        let mut top = TopView::new(self.tree, self.node, threads);
        let mut unshared = Tally::default();
        let mut since_clock = 0;
        let mut is_due = self.is_full();
        while !is_due {
            let count = self.start(shared);
            let simulated = simulator.run(&mut top, self.position, count);
            unshared = unshared.plus(simulated.tally);
            if count == 0 || simulated.settles_root {
                break;
            }
            since_clock += simulated.tally.simulations;
            if since_clock < CLOCK_INTERVAL {
                continue;
            }
            since_clock = 0;
            if unshared.simulations >= TALLY_INTERVAL {
                shared.done.0.add(std::mem::take(&mut unshared));
                is_due = self.is_full();
            }
            is_due |= self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
            tick(shared.done.0.tally().plus(unshared));
        }
        top.hand_in();
        shared.done.0.add(unshared);
        shared.is_over.store(true, Relaxed);
    }

    /// Whether the tree can count no more. Reads what all threads write, so it is asked seldom.
    fn is_full(&self) -> bool {
        self.tree[self.node].stats().visits >= MAX_VISITS
    }

    /// How many simulations may start now; counts them.
    fn start(&self, shared: &Shared) -> usize {
        if shared.is_over.load(Relaxed) || self.stop.is_stopped() {
            return 0;
        }
        let wanted = u64::from(self.params.leaves_at_once);
        let left = self.simulations.map_or(wanted, |limit| {
            limit.saturating_sub(shared.started.0.fetch_add(wanted, Relaxed))
        });
        left.min(wanted) as usize
    }
}
