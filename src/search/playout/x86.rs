//! The hot steps of a random game with the instructions of x86-64.
//!
//! With AVX-512 one register holds all lines of the board. With AVX2 the portable code is compiled anew for it.
//! All `unsafe` code of the crate is in this file.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::random::{Random, below};
use super::board::Board;
use super::game::{Game, play_out};
use super::kernel::{Kernel, Portable};
use super::lines::{PointEntry, Words};
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
    pub fn play_out(self, games: &mut [Game]) {
        #[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
        fn inner(kernel: Avx512, games: &mut [Game]) {
            play_out(kernel, games);
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(self, games) }
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
    pub fn play_out(self, games: &mut [Game]) {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner(games: &mut [Game]) {
            play_out(Portable, games);
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(games) }
    }
}

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

#[inline(always)]
fn load(words: &Words) -> __m512i {
    // SAFETY: `Words` is 64 bytes, aligned to 64; for the instruction see `Kernel for Avx512`, which alone calls this.
    unsafe { _mm512_load_si512(words.0.as_ptr().cast()) }
}

#[inline(always)]
fn store(words: &mut Words, register: __m512i) {
    // SAFETY: as in `load`.
    unsafe { _mm512_store_si512(words.0.as_mut_ptr().cast(), register) }
}

// SAFETY, for every block here: the intrinsics need nothing but the instructions that `Avx512::detect` looks for, and a
// kernel exists only where it found them.
impl Kernel for Avx512 {
    #[inline(always)]
    fn choose(self, board: &Board, random: &mut Random) -> Option<u32> {
        let rings = &board.rings[board.side as usize];
        let mut targets = Words::EMPTY;
        // SAFETY: as said above.
        let counts = unsafe {
            let (rays, factors) = (load(&rings.words), load(&rings.factors));
            let look = |words, reversed| {
                _mm512_mulhi_epu16(
                    _mm512_permutex2var_epi16(load(words), rays, load(reversed)),
                    factors,
                )
            };
            let occupied = look(&board.occupied, &board.occupied_reversed);
            let markers = look(&board.markers, &board.markers_reversed);
            // See `targets` of the portable kernel.
            let first =
                _mm512_and_si512(occupied, _mm512_sub_epi16(_mm512_setzero_si512(), occupied));
            let before = _mm512_sub_epi16(first, _mm512_set1_epi16(1));
            let reached = _mm512_or_si512(before, _mm512_add_epi16(markers, first));
            let free = _mm512_andnot_si512(occupied, reached);
            store(&mut targets, free);
            // One byte for each eighth of the rays.
            let counts = _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(free));
            _mm_cvtsi128_si64(counts) as u64
        };
        // The product holds in each byte the sum of all bytes up to it; the highest is the total, at most 130.
        let sums = counts.wrapping_mul(ONES);
        let total = (sums >> 56) as u32;
        if total == 0 {
            return None;
        }
        let choice = below(random, total);
        let group = group_of(sums, choice);
        let before = (u64::from(choice)).wrapping_sub((sums << 8) >> (8 * group) & 0xff);
        let word = targets.group(group as usize);
        // SAFETY: as said above.
        let bit = unsafe { _pdep_u64(1 << before, word) };
        Some(group * 64 + bit.trailing_zeros())
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

/// The lowest bits of all rows of five.
#[inline(always)]
fn fives(words: __m512i) -> __m512i {
    // SAFETY: as for the kernel, which alone calls this.
    unsafe {
        let pairs = _mm512_and_si512(words, _mm512_srli_epi16::<1>(words));
        let fours = _mm512_and_si512(pairs, _mm512_srli_epi16::<2>(pairs));
        _mm512_and_si512(fours, _mm512_srli_epi16::<4>(words))
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
