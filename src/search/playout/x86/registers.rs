//! Steps on whole boards in 512-bit registers, one word of 16 bits for each line.
//!
//! These functions are unsafe because they need the instructions that [`Avx512::detect`](super::Avx512::detect) looks
//! for; having them is what makes each intrinsic sound.

use std::arch::x86_64::*;

use super::super::board::{NOWHERE, Rings};
use super::super::evaluation::{CLASS_PARTS, RowWeights};
use super::super::kernel::Way;
use super::super::lines::{FIRST_POINTS, NO_LOOK, RAYS, WORDS, Words, entry};
use super::super::policy::rays_of;

/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn load(words: &Words) -> __m512i {
    // SAFETY: `Words` is 64 bytes, aligned to 64.
    unsafe { _mm512_load_si512(words.0.as_ptr().cast()) }
}

/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn stored(register: __m512i) -> Words {
    let mut words = Words::EMPTY;
    // SAFETY: `Words` is 64 bytes, aligned to 64.
    unsafe { _mm512_store_si512(words.0.as_mut_ptr().cast(), register) };
    words
}

/// Each word with its bits in reverse order.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn reversed(words: __m512i) -> __m512i {
    // Row i of this matrix of bits picks bit 7 - i of a byte.
    const REVERSE: i64 = 0x8040_2010_0804_0201_u64 as i64;
    // SAFETY: the caller's promise.
    unsafe {
        let bytes = _mm512_gf2p8affine_epi64_epi8::<0>(words, _mm512_set1_epi64(REVERSE));
        _mm512_or_si512(_mm512_slli_epi16::<8>(bytes), _mm512_srli_epi16::<8>(bytes))
    }
}

/// The looks of a side after one of its rings has gone from one point to another.
///
/// Written as a difference, since a store under a mask is slow.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn moved_looks(looks: __m512i, slot: u8, from: u8, to: u8) -> __m512i {
    // The rays of each ring are six neighbouring words.
    static REPEATED: Words = {
        let mut repeated = Words::EMPTY;
        let mut ray = 0;
        while ray < WORDS {
            repeated.0[ray] = (ray % RAYS) as u16;
            ray += 1;
        }
        repeated
    };
    // SAFETY: the caller's promise; `looks` of a point is 16 bytes.
    unsafe {
        let of = |at: u8| _mm_loadu_si128(entry(at).looks.as_ptr().cast());
        let change = _mm512_castsi128_si512(_mm_xor_si128(of(from), of(to)));
        let changes = _mm512_maskz_permutexvar_epi16(rays_of(slot), load(&REPEATED), change);
        _mm512_xor_si512(looks, changes)
    }
}

/// The looks of all `rings`.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn all_looks(rings: &Rings) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let mut looks = _mm512_set1_epi16(NO_LOOK as i16);
        for slot in 0..rings.count {
            looks = moved_looks(looks, slot, NOWHERE, rings.at(slot));
        }
        looks
    }
}

/// The points of all `rings`.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn all_rings(rings: &Rings) -> __m512i {
    let of = |slot| &entry(rings.at(slot)).bits;
    // SAFETY: the caller's promise.
    unsafe {
        let two = _mm512_or_si512(load(of(0)), load(of(1)));
        let four = _mm512_or_si512(load(of(2)), load(of(3)));
        _mm512_or_si512(_mm512_or_si512(two, four), load(of(4)))
    }
}

/// The sum of the weights of all rows of five points; `words` are own markers, the opponent's markers, own rings and the
/// opponent's rings.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn weighed_rows(words: [__m512i; 4], weights: &RowWeights) -> i32 {
    // SAFETY: the caller's promise; the weights are 256 bytes, aligned to 64.
    unsafe {
        let table = |index: usize| _mm512_load_si512(weights.0.as_ptr().add(32 * index).cast());
        let (low, high) = ((table(0), table(1)), (table(2), table(3)));
        let parts = CLASS_PARTS
            .each_ref()
            .map(|part| _mm512_load_si512(part.0.as_ptr().cast()));
        let firsts = load(&FIRST_POINTS);
        let mut sum = _mm512_setzero_si512();
        let mut at = words;
        // A row begins at the second bit of a word at the earliest, and at the seventh at the latest.
        for first in 1..=6 {
            at = at.map(|word| _mm512_srli_epi16::<1>(word));
            // The lookup takes the lowest five bits of each word: the row that begins here.
            let part = |index: usize| _mm512_permutexvar_epi16(at[index], parts[index]);
            let class = _mm512_add_epi16(
                _mm512_add_epi16(part(0), part(1)),
                _mm512_add_epi16(part(2), part(3)),
            );
            let is_high = _mm512_test_epi16_mask(class, _mm512_set1_epi16(64));
            let weight = _mm512_mask_mov_epi16(
                _mm512_permutex2var_epi16(low.0, class, low.1),
                is_high,
                _mm512_permutex2var_epi16(high.0, class, high.1),
            );
            let is_row = _mm512_test_epi16_mask(firsts, _mm512_set1_epi16(1 << first));
            sum = _mm512_mask_add_epi16(sum, is_row, sum, weight);
        }
        _mm512_reduce_add_epi32(_mm512_madd_epi16(sum, _mm512_set1_epi16(1)))
    }
}

/// The lowest bits of all rows of five.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn fives(words: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let pairs = _mm512_and_si512(words, _mm512_srli_epi16::<1>(words));
        let fours = _mm512_and_si512(pairs, _mm512_srli_epi16::<2>(pairs));
        _mm512_and_si512(fours, _mm512_srli_epi16::<4>(words))
    }
}

/// Whether there is a row of either colour; `one` are the markers of one of them.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn has_row(markers: __m512i, one: __m512i) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let pairs = _mm512_and_si512(markers, _mm512_srli_epi16::<1>(markers));
        let changes = _mm512_xor_si512(one, _mm512_srli_epi16::<1>(one));
        // Neighbours of one colour: four in a line make a row.
        let alike = _mm512_andnot_si512(changes, pairs);
        let three = _mm512_and_si512(alike, _mm512_srli_epi16::<1>(alike));
        _mm512_test_epi16_mask(three, _mm512_srli_epi16::<2>(three)) != 0
    }
}

/// The markers that a move turns.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn turned(markers: __m512i, way: &Way) -> __m512i {
    let below = |at: u8| &entry(at).below[way.axis as usize];
    // SAFETY: the caller's promise.
    unsafe {
        let between = _mm512_xor_si512(load(below(way.from)), load(below(way.to)));
        _mm512_and_si512(between, markers)
    }
}

/// What each ray sees of words, given in order and in reverse order: the first point behind its ring lowest.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn looked_along(words: __m512i, reversed: __m512i, looks: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let seen = _mm512_permutex2var_epi16(words, looks, reversed);
        _mm512_srlv_epi16(seen, _mm512_srli_epi16::<12>(looks))
    }
}

/// For one to four points: where so many points of the words lie right below, and right above, without a gap.
pub struct Beside {
    below: [__m512i; 4],
    above: [__m512i; 4],
}

impl Beside {
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    pub unsafe fn new(words: __m512i) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let and = |one, other| _mm512_and_si512(one, other);
            let below_1 = _mm512_slli_epi16::<1>(words);
            let below_2 = and(below_1, _mm512_slli_epi16::<2>(words));
            let below_3 = and(below_2, _mm512_slli_epi16::<3>(words));
            let below_4 = and(below_3, _mm512_slli_epi16::<4>(words));
            let above_1 = _mm512_srli_epi16::<1>(words);
            let above_2 = and(above_1, _mm512_srli_epi16::<2>(words));
            let above_3 = and(above_2, _mm512_srli_epi16::<3>(words));
            let above_4 = and(above_3, _mm512_srli_epi16::<4>(words));
            Self {
                below: [below_1, below_2, below_3, below_4],
                above: [above_1, above_2, above_3, above_4],
            }
        }
    }

    /// Where one marker more makes a row: as many below and above it as are missing.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    pub unsafe fn completing(&self) -> __m512i {
        let Self { below, above } = self;
        // SAFETY: the caller's promise.
        unsafe {
            let mut points = _mm512_or_si512(below[3], above[3]);
            for under in 0..3 {
                let split = _mm512_and_si512(below[under], above[2 - under]);
                points = _mm512_or_si512(points, split);
            }
            points
        }
    }

    /// Where one marker more makes a row when all `others` on one side of it are turned.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`](super::Avx512).
    #[inline(always)]
    pub unsafe fn completing_with(&self, others: &Self) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe {
            let mut points = _mm512_or_si512(others.below[3], others.above[3]);
            for own in 0..3 {
                let up = _mm512_and_si512(self.below[own], others.above[2 - own]);
                let down = _mm512_and_si512(self.above[own], others.below[2 - own]);
                points = _mm512_or_si512(points, _mm512_or_si512(up, down));
            }
            points
        }
    }
}

/// The rays, as bits, of those rings that stand on one of these points; `looks` are those of all of them.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn rays_from(points: __m512i, looks: __m512i) -> u32 {
    // The rays up each axis, of all rings; the first of each ring.
    const UPWARD: u32 = 0b000111_000111_000111_000111_000111;
    const FIRST: u32 = 0b000001_000001_000001_000001_000001;
    // SAFETY: the caller's promise.
    let seen = unsafe {
        // One bit less than a look shifts, so that the ring's own point comes to the lowest place.
        let one = _mm512_set1_epi16(1);
        let shifts = _mm512_sub_epi16(_mm512_srli_epi16::<12>(looks), one);
        let own_points = _mm512_srlv_epi16(_mm512_permutexvar_epi16(looks, points), shifts);
        _mm512_test_epi16_mask(own_points, one) & UPWARD
    };
    ((seen | seen >> 1 | seen >> 2) & FIRST) * ((1 << RAYS) - 1)
}

/// Flips the bits that are set in `bits`.
///
/// # Safety
/// The processor has the instructions of [`Avx512`](super::Avx512).
#[inline(always)]
pub unsafe fn toggle(words: &mut __m512i, bits: __m512i) {
    // SAFETY: the caller's promise.
    *words = unsafe { _mm512_xor_si512(*words, bits) };
}
