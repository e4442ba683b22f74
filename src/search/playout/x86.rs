//! The hot steps of a random game with the instructions of x86-64.
//!
//! With AVX-512 one register holds all lines of the board. With AVX2 the portable code is compiled anew for it.
//! All `unsafe` code of the crate is in this file.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::random::{Random, below};
use super::board::Board;
use super::game::{Game, play_out};
use super::kernel::{Kernel, Portable, Rays, Rows};
use super::lines::{PointEntry, Words};
use super::policy::Policy;
use crate::game::Color;

/// Exists only where the processor has AVX-512 with all parts used here.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

/// Exists only where the processor has AVX2 and what came with it.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx512 {
    /// The kernel, if this processor has the instructions.
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    /// [`play_out`] with this kernel.
    pub fn play_out<P: Policy>(self, policy: P, games: &mut [Game]) {
        #[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<P: Policy>(kernel: Avx512, policy: P, games: &mut [Game]) {
            play_out(kernel, policy, games);
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(self, policy, games) }
    }
}

impl Avx2 {
    /// The kernel, if this processor has the instructions.
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    /// [`play_out`] compiled for this processor.
    pub fn play_out<P: Policy>(self, policy: P, games: &mut [Game]) {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<P: Policy>(policy: P, games: &mut [Game]) {
            play_out(Portable, policy, games);
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(policy, games) }
    }
}

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

// The functions from here to the kernel are unsafe because they need the instructions that `Avx512::detect` looks for.
// Within them that is what makes each intrinsic sound.

/// # Safety
/// The processor has the instructions of [`Avx512::detect`].
#[inline(always)]
unsafe fn load(words: &Words) -> __m512i {
    // SAFETY: `Words` is 64 bytes, aligned to 64.
    unsafe { _mm512_load_si512(words.0.as_ptr().cast()) }
}

/// # Safety
/// The processor has the instructions of [`Avx512::detect`].
#[inline(always)]
unsafe fn store(words: &mut Words, register: __m512i) {
    // SAFETY: `Words` is 64 bytes, aligned to 64.
    unsafe { _mm512_store_si512(words.0.as_mut_ptr().cast(), register) }
}

/// Steps and jumps along every ray; see `look` of the portable kernel.
///
/// # Safety
/// The processor has the instructions of [`Avx512::detect`].
#[inline(always)]
unsafe fn look(board: &Board) -> (__m512i, __m512i) {
    let rings = &board.rings[board.side as usize];
    // SAFETY: the caller's promise.
    unsafe {
        let (rays, factors) = (load(&rings.words), load(&rings.factors));
        let along = |words, reversed| {
            let seen = _mm512_permutex2var_epi16(load(words), rays, load(reversed));
            _mm512_mulhi_epu16(seen, factors)
        };
        let occupied = along(&board.occupied, &board.occupied_reversed);
        let markers = along(&board.markers, &board.markers_reversed);
        let first = _mm512_and_si512(occupied, _mm512_sub_epi16(_mm512_setzero_si512(), occupied));
        let steps = _mm512_sub_epi16(first, _mm512_set1_epi16(1));
        (
            steps,
            _mm512_andnot_si512(occupied, _mm512_add_epi16(markers, first)),
        )
    }
}

/// Chooses a bit, each with the same probability.
///
/// # Safety
/// The processor has the instructions of [`Avx512::detect`].
#[inline(always)]
unsafe fn pick(words: __m512i, random: &mut Random) -> Option<u32> {
    let mut stored = Words::EMPTY;
    // One byte for each eighth of the words.
    // SAFETY: the caller's promise.
    let counts = unsafe {
        store(&mut stored, words);
        _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(_mm512_popcnt_epi64(words))) as u64
    };
    // The product holds in each byte the sum of all bytes up to it; the highest is the total, at most 130.
    let sums = counts.wrapping_mul(ONES);
    let total = (sums >> 56) as u32;
    if total == 0 {
        return None;
    }
    let choice = below(random, total);
    let group = group_of(sums, choice);
    let rank = u64::from(choice) - ((sums << 8) >> (8 * group) & 0xff);
    // SAFETY: the caller's promise.
    let bit = unsafe { _pdep_u64(1 << rank, stored.group(group as usize)) };
    Some(group * 64 + bit.trailing_zeros())
}

/// The lowest bits of all rows of five.
///
/// # Safety
/// The processor has the instructions of [`Avx512::detect`].
#[inline(always)]
unsafe fn fives(words: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let pairs = _mm512_and_si512(words, _mm512_srli_epi16::<1>(words));
        let fours = _mm512_and_si512(pairs, _mm512_srli_epi16::<2>(pairs));
        _mm512_and_si512(fours, _mm512_srli_epi16::<4>(words))
    }
}

// SAFETY, for every block of the kernel: a kernel exists only where `Avx512::detect` found the instructions.
impl Kernel for Avx512 {
    #[inline(always)]
    fn choose(self, board: &Board, random: &mut Random) -> Option<u32> {
        // SAFETY: as said above.
        unsafe {
            let (steps, jumps) = look(board);
            pick(_mm512_or_si512(steps, jumps), random)
        }
    }

    #[inline(always)]
    fn look(self, board: &Board) -> Rays {
        let mut rays = Rays {
            steps: Words::EMPTY,
            jumps: Words::EMPTY,
        };
        // SAFETY: as said above.
        unsafe {
            let (steps, jumps) = look(board);
            store(&mut rays.steps, steps);
            store(&mut rays.jumps, jumps);
        }
        rays
    }

    #[inline(always)]
    fn pick(self, words: &Words, random: &mut Random) -> Option<u32> {
        // SAFETY: as said above.
        unsafe { pick(load(words), random) }
    }

    #[inline(always)]
    fn occupied_words(self, words: &Words) -> u32 {
        // SAFETY: as said above.
        unsafe {
            let words = load(words);
            _mm512_test_epi16_mask(words, words)
        }
    }

    #[inline(always)]
    fn rows_after(self, board: &Board, from: &PointEntry, between: &Words) -> Rows {
        // SAFETY: as said above.
        unsafe {
            let (markers, white) = (load(&board.markers), load(&board.white));
            let black = _mm512_xor_si512(markers, white);
            let (own, other) = if board.side == Color::White {
                (white, black)
            } else {
                (black, white)
            };
            let turned = _mm512_and_si512(load(between), markers);
            let own = fives(_mm512_xor_si512(
                own,
                _mm512_or_si512(turned, load(&from.bits)),
            ));
            let other = fives(_mm512_xor_si512(other, turned));
            Rows {
                own: _mm512_test_epi16_mask(own, own) != 0,
                other: _mm512_test_epi16_mask(other, other) != 0,
            }
        }
    }

    #[inline(always)]
    fn move_ring(
        self,
        board: &mut Board,
        from: &PointEntry,
        to: &PointEntry,
        between: &Words,
    ) -> bool {
        let own = if board.side == Color::White { -1 } else { 0 };
        // SAFETY: as said above.
        unsafe {
            let from_bits = load(&from.bits);
            let old_markers = load(&board.markers);
            let turned = _mm512_and_si512(load(between), old_markers);
            let placed = _mm512_and_si512(from_bits, _mm512_set1_epi16(own));
            let white = _mm512_xor_si512(load(&board.white), _mm512_xor_si512(turned, placed));
            let markers = _mm512_xor_si512(old_markers, from_bits);
            store(&mut board.white, white);
            store(&mut board.markers, markers);
            let toggle =
                |words: &mut Words, bits| store(words, _mm512_xor_si512(load(words), load(bits)));
            toggle(&mut board.markers_reversed, &from.reversed);
            toggle(&mut board.occupied, &to.bits);
            toggle(&mut board.occupied_reversed, &to.reversed);
            let fives = _mm512_or_si512(fives(white), fives(_mm512_xor_si512(markers, white)));
            _mm512_test_epi16_mask(fives, fives) != 0
        }
    }
}

/// How many of the rising `sums`, one in each byte, are not above `choice`.
#[inline(always)]
fn group_of(sums: u64, choice: u32) -> u32 {
    let choices = u64::from(choice) * ONES;
    if sums & HIGH == 0 {
        // Each byte of the difference keeps its highest bit where the choice is not below the sum.
        return (((choices | HIGH) - sums) & HIGH).count_ones();
    }
    // More than 127 targets: rare, and too large for the trick.
    sums.to_le_bytes()
        .iter()
        .filter(|sum| u32::from(**sum) <= choice)
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_a_choice_is_found_for_every_total() {
        for counts in [
            [0, 0, 1, 0, 40, 2, 0, 7],
            [40, 40, 40, 10, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 64, 66],
        ] {
            let sums = u64::from_le_bytes(counts).wrapping_mul(ONES);
            let mut choice = 0;
            for (group, count) in (0..).zip(counts) {
                for _ in 0..count {
                    assert_eq!(group_of(sums, choice), group, "{choice} of {counts:?}");
                    choice += 1;
                }
            }
        }
    }
}
