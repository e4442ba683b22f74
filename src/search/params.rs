use std::num::NonZeroUsize;

use super::playout::{MAX_AT_ONCE, PlayoutPolicy, Simd, TO_THE_END};
use super::selection::{Exploration, SelectionRule};
use crate::setting::Kind;
use crate::settings;

/// Everything that shapes a search; section `[search]` of the config.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchParams {
    /// Worker threads on one tree; 0 takes all cores.
    pub threads: u32,
    /// Memory for the tree in MiB.
    pub memory_mb: u32,
    /// Most advanced instructions that the search may use, if the processor has them.
    pub simd: Simd,
    /// Seed of all random choices.
    pub seed: u64,
    /// How the search chooses among the actions of a position.
    pub selection: SelectionRule,
    /// Weight of the exploration term, for values from 0 (loss) to 1 (win).
    pub exploration: f64,
    /// Value that an action counts with until it is first tried.
    pub first_play_urgency: f64,
    /// Value below the mean of those tried that an action counts with until it is first tried, with priors.
    pub untried_reduction: f64,
    /// How much priors are evened out; below 1 sharpened.
    pub prior_temperature: f64,
    /// Visits of a node before its actions get nodes of their own.
    pub expansion_visits: u32,
    /// How the moves of random games are chosen.
    pub playouts: PlayoutPolicy,
    /// Ring moves of a random game before it is judged.
    pub playout_moves: u32,
    /// Random games that a thread plays at once, from different leaves of the tree.
    pub leaves_at_once: u32,
    /// Whether wins and losses are proved through the tree.
    pub proofs: bool,
    /// Visits that a further decision of the same turn must have to be taken from the tree without a search of its own.
    pub follow_up_visits: u32,
}

impl Default for SearchParams {
    fn default() -> Self {
        Self {
            threads: 0,
            memory_mb: 512,
            simd: Simd::Avx512,
            seed: 1,
            selection: SelectionRule::Puct,
            exploration: 0.8,
            first_play_urgency: 1.0,
            untried_reduction: 0.1,
            prior_temperature: 1.4,
            expansion_visits: 2,
            playouts: PlayoutPolicy::TakeFive,
            playout_moves: 2,
            leaves_at_once: 4,
            proofs: true,
            follow_up_visits: 500,
        }
    }
}

settings!(SearchParams {
    threads: Kind::Int { min: 0, max: 256 },
        "Threads that search one game together; games that think at the same time share them. 0: one for each core.",
        fixed;
    memory_mb: Kind::Int { min: 1, max: 32768 },
        "Memory for the search tree in MiB, never exceeded. The fuller the tree, the more visits a position needs before \
         the tree grows below it, so that there is room in a search of any length.",
        fixed;
    simd: Kind::Choice(Simd::WORDS),
        "Most advanced instructions that the search may use, if the processor has them. All give the same games; less \
         is slower.",
        fixed;
    seed: Kind::Int { min: 0, max: i64::MAX },
        "Seed of all random choices. With one thread and a fixed number of simulations, the same seed gives the same \
         search.",
        fixed;
    selection: Kind::Choice(SelectionRule::WORDS),
        "How the search chooses among the actions of a position: \"uct\" knows nothing of them before they are tried, \
         \"puct\" tries first and most what looks good.";
    exploration: Kind::Float { min: 0.0, max: 10.0 },
        "How much the search prefers actions that it has tried little over those that did well, for values from 0 to 1; \
         with \"puct\" the better they look, the more.";
    first_play_urgency: Kind::Float { min: 0.0, max: 10.0 },
        "With \"uct\": value that an action counts with until it is first tried. 1 is a win, so from 1 upwards most \
         actions are tried before any is looked at deeper.";
    untried_reduction: Kind::Float { min: 0.0, max: 1.0 },
        "With \"puct\": how far below the mean value of its position an action counts until it is first tried.";
    prior_temperature: Kind::Float { min: 0.1, max: 10.0 },
        "With \"puct\": higher makes actions look more alike before they are tried, lower makes the best-looking stand out.";
    expansion_visits: Kind::Int { min: 1, max: 1000 },
        "Visits of a position before the tree grows below it, while there is much memory left. More saves memory, fewer \
         looks deeper.";
    playouts: Kind::Choice(PlayoutPolicy::WORDS),
        "How the moves of random games are chosen: \"uniform\", all alike, or \"take_five\": a move that makes an own row \
         if there is one, else one that leaves the opponent none.";
    playout_moves: Kind::Int { min: 0, max: TO_THE_END as i64 },
        "Ring moves of a random game before the position is judged by counts of what lies on the board, fitted to games; \
         100 always plays to the end.";
    leaves_at_once: Kind::Int { min: 1, max: MAX_AT_ONCE as i64 },
        "Random games that a thread plays at once, from different leaves of the tree. Several are faster than one after \
         the other; with very few simulations each leaf is chosen a little less well.";
    proofs: Kind::Bool,
        "Whether wins and losses that no play can change are proved through the tree. Off only to measure what it gives.";
    follow_up_visits: Kind::Int { min: 1, max: 1_000_000 },
        "A turn may need several decisions (move, row, ring). Later ones with fewer visits than this are searched on \
         their own at the end of the turn's time.";
});

impl SearchParams {
    /// A plain search to measure others by: UCT that tries every action once first, uniform random games, no proofs.
    /// It never changes, so that results against it stay comparable; new parameters get the values here that leave it
    /// as it is.
    pub const fn baseline() -> Self {
        Self {
            threads: 1,
            memory_mb: 64,
            simd: Simd::Avx512,
            seed: 1,
            selection: SelectionRule::Uct,
            exploration: 0.5,
            first_play_urgency: 10.0,
            untried_reduction: 0.0,
            prior_temperature: 1.0,
            expansion_visits: 2,
            playouts: PlayoutPolicy::Uniform,
            playout_moves: TO_THE_END,
            leaves_at_once: 1,
            proofs: false,
            follow_up_visits: 500,
        }
    }

    /// How to choose among the actions of a node that was visited `visits` times, at least once.
    pub fn exploration_after(&self, visits: u64) -> Exploration {
        Exploration {
            rule: self.selection,
            weight: self.exploration as f32 * self.selection.growth(visits),
            first_play_urgency: self.first_play_urgency as f32,
            untried_reduction: self.untried_reduction as f32,
        }
    }

    /// The number of threads to start, at least 1.
    pub fn resolved_threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads as usize,
        }
    }
}
