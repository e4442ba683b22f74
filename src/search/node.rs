//! A node of the tree: an action, how good it looked, and what came of it, in 16 bytes that threads share without a lock.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::game::{Action, PackedAction};

/// A sure win, in the fixed-point units in which values are added up.
pub const WIN: u64 = 256;

/// Visits take the lower bits of the statistics, the sum of values the upper ones.
pub const VISIT_BITS: u32 = 28;

/// A search ends when a node has been visited so often, or a little later: there is room for what many threads do
/// before they tell each other.
pub const MAX_VISITS: u64 = (1 << VISIT_BITS) - (1 << 20);

/// The bits that hold a proof, below those of a prior.
pub const PROOF_BITS: u32 = 2;

/// Something on a cache line of its own, so that threads that write to it do not slow those down that read its neighbours;
/// two lines, since processors fetch them in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct OwnLine<T>(pub T);

/// An entry of the tree's arena: either a node or the head of a block of nodes.
///
/// During a search `stats`, `children` and the proof change, both under any number of threads; `action`, `count` and the
/// prior are written before a block is published by a release store to its parent's `children`.
#[derive(Default, Zeroable)]
#[repr(C)]
pub struct Slot {
    /// Node: visits and sum of values. Head: where its block moves to while gaps are closed, else unused.
    pub stats: AtomicU64,
    /// Node: index of its first child, 0 before it has grown. Head: unused.
    pub children: AtomicU32,
    /// Node: its packed action. Head: unused.
    pub action: AtomicU16,
    /// Node: number of children. Head: number of nodes in the block.
    pub count: AtomicU8,
    /// Node: what is proved of it in the lowest two bits, its prior above them. Head: unused.
    pub proof_and_prior: AtomicU8,
}

const _: () = assert!(size_of::<Slot>() == 16);

impl Slot {
    /// Visits and values.
    #[inline(always)]
    pub fn stats(&self) -> Stats {
        Stats::from_bits(self.stats.load(Relaxed))
    }

    /// Counts a visit, and tells how many there are with it; its value follows at the end of the simulation. Until then it
    /// counts as a loss, which keeps other threads from following the same path.
    #[inline(always)]
    pub fn visit(&self) -> u64 {
        Stats::from_bits(self.stats.fetch_add(1, Relaxed)).visits + 1
    }

    /// Adds the value of a visit, 0 to [`WIN`].
    #[inline(always)]
    pub fn add_value(&self, value: u64) {
        self.stats.fetch_add(value << VISIT_BITS, Relaxed);
    }

    /// What is proved.
    #[inline(always)]
    pub fn proof(&self) -> Option<Proof> {
        match self.proof_and_prior.load(Relaxed) & ((1 << PROOF_BITS) - 1) {
            1 => Some(Proof::Win),
            2 => Some(Proof::Loss),
            _ => None,
        }
    }

    /// Notes a proof.
    pub fn prove(&self, proof: Proof) {
        self.proof_and_prior.fetch_or(proof as u8, Relaxed);
    }

    /// How good it looked before it was tried.
    #[inline(always)]
    pub fn prior(&self) -> Prior {
        Prior::from_bits(self.proof_and_prior.load(Relaxed) >> PROOF_BITS)
    }

    /// The action that leads to it.
    ///
    /// # Panics
    /// For the root of a fresh tree, to which none leads.
    #[inline(always)]
    pub fn action(&self) -> Action {
        PackedAction::from_bits(self.action.load(Relaxed))
            .expect("only actions are stored")
            .into()
    }

    /// Makes it a node that was never visited and has no children.
    pub fn write(&self, action: u16, prior: Prior) {
        self.stats.store(0, Relaxed);
        self.children.store(0, Relaxed);
        self.action.store(action, Relaxed);
        self.count.store(0, Relaxed);
        self.proof_and_prior
            .store(prior.bits() << PROOF_BITS, Relaxed);
    }

    /// Makes it a copy of another.
    pub fn copy(&self, from: &Self) {
        self.stats.store(from.stats.load(Relaxed), Relaxed);
        self.children.store(from.children.load(Relaxed), Relaxed);
        self.action.store(from.action.load(Relaxed), Relaxed);
        self.count.store(from.count.load(Relaxed), Relaxed);
        self.proof_and_prior
            .store(from.proof_and_prior.load(Relaxed), Relaxed);
    }
}

/// A result that is sure if its side plays well, for the colour that decides the action in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The action wins against any defence.
    Win = 1,
    /// The action loses against best play.
    Loss = 2,
}

/// Visits and values of a node, read at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How often it was chosen.
    pub visits: u64,
    /// Sum of the values, in parts of [`WIN`], for the colour that decides the node's action.
    pub value: u64,
}

impl Stats {
    /// From one word.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self {
            visits: bits & ((1 << VISIT_BITS) - 1),
            value: bits >> VISIT_BITS,
        }
    }

    /// Both together.
    #[inline(always)]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            visits: self.visits + other.visits,
            value: self.value + other.value,
        }
    }

    /// Mean value from 0 to 1; `None` before the first visit.
    pub fn mean(self) -> Option<f64> {
        (self.visits > 0).then(|| self.value as f64 / (self.visits * WIN) as f64)
    }
}

/// Priors are powers of the fourth root of 2 from 0 down to this.
pub const LEVELS: usize = 64;

/// How many levels make a halving.
pub const LEVELS_PER_HALVING: usize = 4;

/// How good an action looks: its share among all actions of its position, rounded to a power of the fourth root of 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prior(u8);

impl Prior {
    /// From the number of quarters of a halving, below 64.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits % LEVELS as u8)
    }

    /// The number of quarters of a halving, below 64.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The share, from 1 down to about 1 in 55 000.
    pub fn share(self) -> f32 {
        SHARES[usize::from(self.0) % LEVELS]
    }
}

/// The share of each prior.
pub static SHARES: [f32; LEVELS] = {
    // The first four powers; all others are halves of those.
    const FIRST: [f32; LEVELS_PER_HALVING] = [1.0, 0.840_896_4, 0.707_106_77, 0.594_603_54];
    let mut shares = [0.0; LEVELS];
    let mut level = 0;
    while level < LEVELS {
        shares[level] =
            FIRST[level % LEVELS_PER_HALVING] / (1_u64 << (level / LEVELS_PER_HALVING)) as f32;
        level += 1;
    }
    shares
};
