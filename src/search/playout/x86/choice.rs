//! The choice among the nodes of a block, eight at a time in 512-bit registers.
//!
//! It computes what [`selection::most_urgent`](crate::search::selection::most_urgent) computes, with the same roundings.

use std::arch::asm;
use std::arch::x86_64::*;
use std::mem::offset_of;

use crate::search::node::{
    LEVELS_PER_HALVING, PROOF_BITS, Prior, Proof, Slot, Stats, VISIT_BITS, WIN,
};
use crate::search::selection::{Exploration, SelectionRule};

/// Nodes at a time.
const TOGETHER: usize = 8;

// Nodes are read as two words: the statistics, and one that has the proof and the prior in its highest byte.
const _: () = assert!(
    offset_of!(Slot, stats) == 0
        && offset_of!(Slot, proof_and_prior) == 15
        && size_of::<Slot>() == 16
);

/// Up to eight nodes side by side; in the masks, bit `i` tells of the node number `i`.
struct Group {
    /// Visits and sums of values, as they are and as floating-point numbers.
    visits_of_each: __m512i,
    values_of_each: __m512i,
    visits: __m256,
    values: __m256,
    /// What is proved of them and their priors, as in [`Slot::proof_and_prior`].
    proofs_and_priors: __m256i,
    /// Proved wins.
    wins: u8,
    /// Those of which nothing is proved.
    open: u8,
    /// Those of which nothing is proved and that were never tried.
    untried: u8,
}

/// The node to try next.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn most_urgent(nodes: &[Slot], exploration: &Exploration) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        match exploration.rule {
            SelectionRule::Uct => by_results(nodes, exploration),
            SelectionRule::Puct => with_priors(nodes, exploration),
        }
    }
}

/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
unsafe fn by_results(nodes: &[Slot], exploration: &Exploration) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let weight = _mm256_set1_ps(exploration.weight);
        let untried_urgency = _mm256_set1_ps(exploration.first_play_urgency);
        let mut best = Best::none();
        for (first, nodes) in (0..).step_by(TOGETHER).zip(nodes.chunks(TOGETHER)) {
            let group = Group::read(nodes);
            if group.wins != 0 {
                return first + group.wins.trailing_zeros() as usize;
            }
            let values = _mm256_div_ps(
                group.values,
                _mm256_mul_ps(group.visits, _mm256_set1_ps(WIN as f32)),
            );
            let curiosity = _mm256_div_ps(weight, _mm256_sqrt_ps(group.visits));
            let tried = _mm256_add_ps(values, curiosity);
            let urgencies = _mm256_mask_mov_ps(tried, group.untried, untried_urgency);
            best.improve(first, urgencies, group.open);
            if group.untried != 0 {
                break;
            }
        }
        best.decide().0
    }
}

/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
unsafe fn with_priors(nodes: &[Slot], exploration: &Exploration) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let weight = _mm256_set1_ps(exploration.weight);
        let one = _mm256_set1_ps(1.0);
        let mut best = Best::none();
        let mut all_visits = _mm512_setzero_si512();
        let mut all_values = _mm512_setzero_si512();
        for (first, nodes) in (0..).step_by(TOGETHER).zip(nodes.chunks(TOGETHER)) {
            let group = Group::read(nodes);
            // The bits below the lowest one of `untried`, or all.
            let before = group.untried.wrapping_sub(1) & !group.untried;
            if group.wins & before != 0 {
                return first + group.wins.trailing_zeros() as usize;
            }
            let tried = group.open & before;
            let values = _mm256_mul_ps(group.values, _mm256_set1_ps(1.0 / WIN as f32));
            let means = _mm256_div_ps(values, group.visits);
            let curiosity = _mm256_div_ps(
                _mm256_mul_ps(weight, group.priors()),
                _mm256_add_ps(one, group.visits),
            );
            best.improve(first, _mm256_add_ps(means, curiosity), tried);
            all_visits = _mm512_mask_add_epi64(all_visits, tried, all_visits, group.visits_of_each);
            all_values = _mm512_mask_add_epi64(all_values, tried, all_values, group.values_of_each);
            if group.untried != 0 {
                let index = group.untried.trailing_zeros() as usize;
                let others = Stats {
                    visits: _mm512_reduce_add_epi64(all_visits) as u64,
                    value: _mm512_reduce_add_epi64(all_values) as u64,
                };
                let prior = nodes[index].prior().share();
                let (best, most) = best.decide();
                return if exploration.urgency_untried(others, prior) > most {
                    first + index
                } else {
                    best
                };
            }
        }
        best.decide().0
    }
}

impl Group {
    /// Reads the nodes, at most eight.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    unsafe fn read(nodes: &[Slot]) -> Self {
        let count = nodes.len().min(TOGETHER) as u32;
        let all = ((1_u32 << count) - 1) as u8;
        let words = (1_u32 << (2 * count)) - 1;
        // SAFETY: the caller's promise; a word of a node is read only if the node is there.
        unsafe {
            let low = load_words(nodes.as_ptr(), words as u8);
            let high = load_words(
                nodes.as_ptr().wrapping_add(TOGETHER / 2),
                (words >> 8) as u8,
            );
            let even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            let stats = _mm512_permutex2var_epi64(low, even, high);
            let rest = _mm512_permutex2var_epi64(low, odd, high);
            let visits_of_each = _mm512_and_si512(stats, _mm512_set1_epi64((1 << VISIT_BITS) - 1));
            let values_of_each = _mm512_srli_epi64::<VISIT_BITS>(stats);
            let visits = _mm256_cvtepi32_ps(_mm512_cvtepi64_epi32(visits_of_each));
            // The highest of the eight bytes.
            let proofs_and_priors = _mm512_cvtepi64_epi32(_mm512_srli_epi64::<56>(rest));
            let proofs =
                _mm256_and_si256(proofs_and_priors, _mm256_set1_epi32((1 << PROOF_BITS) - 1));
            let open = all & _mm256_testn_epi32_mask(proofs, proofs);
            Self {
                visits_of_each,
                values_of_each,
                visits,
                values: _mm512_cvtepi64_ps(values_of_each),
                proofs_and_priors,
                wins: all & _mm256_cmpeq_epi32_mask(proofs, _mm256_set1_epi32(Proof::Win as i32)),
                open,
                untried: open & _mm256_cmp_ps_mask::<_CMP_EQ_OQ>(visits, _mm256_setzero_ps()),
            }
        }
    }

    /// The shares of the nodes; see [`Prior::share`].
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    unsafe fn priors(&self) -> __m256 {
        const MANTISSA_BITS: u32 = f32::MANTISSA_DIGITS - 1;
        let first: [f32; 8] = std::array::from_fn(|level| {
            Prior::from_bits((level % LEVELS_PER_HALVING) as u8).share()
        });
        // SAFETY: the caller's promise; eight numbers are read where there are eight.
        unsafe {
            let levels = _mm256_srli_epi32::<{ PROOF_BITS as i32 }>(self.proofs_and_priors);
            let of_first = _mm256_permutexvar_ps(levels, _mm256_loadu_ps(first.as_ptr()));
            // A halving is one less in the exponent.
            let halvings = _mm256_srli_epi32::<{ LEVELS_PER_HALVING.ilog2() as i32 }>(levels);
            _mm256_castsi256_ps(_mm256_sub_epi32(
                _mm256_castps_si256(of_first),
                _mm256_slli_epi32::<{ MANTISSA_BITS as i32 }>(halvings),
            ))
        }
    }
}

/// Reads those of eight words whose bits are set, and zeros for the others.
///
/// Other threads write to them meanwhile, which no plain load is allowed to meet. To an instruction of its own the rules of
/// the processor apply: each word is aligned, so it is read as a whole.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512), and the words can be read.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
unsafe fn load_words(at: *const Slot, words: u8) -> __m512i {
    let loaded: __m512i;
    // SAFETY: the caller's promise.
    unsafe {
        asm!(
            "vmovdqu64 {loaded}{{{words}}}{{z}}, [{at}]",
            loaded = lateout(zmm_reg) loaded,
            words = in(kreg) words,
            at = in(reg) at,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    loaded
}

/// The most urgent nodes so far: of those that stood at each place of their group.
struct Best {
    urgencies: __m256,
    indices: __m256i,
}

impl Best {
    /// None yet; the first node stands for it.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    unsafe fn none() -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Self {
                urgencies: _mm256_set1_ps(f32::NEG_INFINITY),
                indices: _mm256_setzero_si256(),
            }
        }
    }

    /// Takes those nodes `among` a group into account whose first has the index `first`.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    unsafe fn improve(&mut self, first: usize, urgencies: __m256, among: u8) {
        // SAFETY: the caller's promise.
        unsafe {
            let better = _mm256_mask_cmp_ps_mask::<_CMP_GT_OQ>(among, urgencies, self.urgencies);
            let indices = _mm256_add_epi32(
                _mm256_set1_epi32(first as i32),
                _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
            );
            self.urgencies = _mm256_mask_mov_ps(self.urgencies, better, urgencies);
            self.indices = _mm256_mask_mov_epi32(self.indices, better, indices);
        }
    }

    /// The most urgent one, the first among equals, and its urgency.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    unsafe fn decide(&self) -> (usize, f32) {
        // SAFETY: the caller's promise.
        unsafe {
            let urgencies = self.urgencies;
            let most = _mm256_max_ps(urgencies, _mm256_permute2f128_ps::<1>(urgencies, urgencies));
            let most = _mm256_max_ps(most, _mm256_permute_ps::<0b_01_00_11_10>(most));
            let most = _mm256_max_ps(most, _mm256_permute_ps::<0b_10_11_00_01>(most));
            let is_most = _mm256_cmp_ps_mask::<_CMP_EQ_OQ>(urgencies, most);
            let first = _mm512_mask_reduce_min_epu32(
                u16::from(is_most),
                _mm512_castsi256_si512(self.indices),
            );
            (first as usize, _mm256_cvtss_f32(most))
        }
    }
}
