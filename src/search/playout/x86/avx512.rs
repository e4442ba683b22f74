//! The kernel that keeps all lines of the board in one register.

use std::arch::x86_64::*;

use super::super::super::random::{Random, below};
use super::super::board::{Board, Rings};
use super::super::evaluation::RowWeights;
use super::super::kernel::{Among, BLACK, Jumps, Kernel, RingMove, Rows, WHITE, Way};
use super::super::lines::{RAYS, RowEntry, STEPS, WORDS, Words, entry};
use super::Avx512;
use super::choice::most_urgent;
use super::registers::{
    Beside, all_looks, all_rings, fives, has_row, load, looked_along, moved_looks, rays_from,
    reversed, stored, toggle, turned, weighed_rows,
};
use crate::game::Color;
use crate::search::node::Slot;
use crate::search::selection::Exploration;

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// All lines in registers.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    occupied: __m512i,
    /// With the bits of each word in reverse order.
    occupied_reversed: __m512i,
    markers: __m512i,
    /// With the bits of each word in reverse order.
    markers_reversed: __m512i,
    white: __m512i,
    /// Where each ray of White's and Black's rings looks.
    white_looks: __m512i,
    black_looks: __m512i,
}

/// Targets of each ray, nearest lowest.
#[derive(Clone, Copy, Debug)]
pub struct Rays {
    steps: __m512i,
    jumps: __m512i,
}

/// Targets to choose from.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    targets: Words,
    /// In each byte the number of targets in the groups of four words up to it, at most 130.
    sums: u64,
}

impl Lines {
    #[inline(always)]
    fn looks<const SIDE: usize>(&self) -> __m512i {
        if SIDE == WHITE {
            self.white_looks
        } else {
            self.black_looks
        }
    }

    /// The markers of `SIDE`.
    ///
    /// # Safety
    /// The processor has the instructions of [`Avx512`].
    #[inline(always)]
    unsafe fn own<const SIDE: usize>(&self) -> __m512i {
        if SIDE == WHITE {
            self.white
        } else {
            // SAFETY: the caller's promise.
            unsafe { _mm512_xor_si512(self.white, self.markers) }
        }
    }
}

// SAFETY, for every block of the kernel: a kernel exists only where `Avx512::detect` found the instructions.
impl Kernel for Avx512 {
    type Lines = Lines;
    type Rays = Rays;
    type Choice = Choice;

    #[inline(always)]
    fn set_up(self, board: &Board) -> Lines {
        // SAFETY: as said above.
        unsafe {
            let (occupied, markers) = (load(&board.occupied), load(&board.markers));
            Lines {
                occupied,
                occupied_reversed: reversed(occupied),
                markers,
                markers_reversed: reversed(markers),
                white: load(&board.white),
                white_looks: all_looks(&board.state.rings[WHITE]),
                black_looks: all_looks(&board.state.rings[BLACK]),
            }
        }
    }

    /// Adding the first obstacle to the markers carries through their group, to the bit right behind it.
    #[inline(always)]
    fn look<const SIDE: usize>(self, lines: &Lines, _: &Rings) -> Rays {
        let looks = lines.looks::<SIDE>();
        // SAFETY: as said above.
        unsafe {
            let occupied = looked_along(lines.occupied, lines.occupied_reversed, looks);
            let markers = looked_along(lines.markers, lines.markers_reversed, looks);
            let zero = _mm512_setzero_si512();
            let first = _mm512_and_si512(occupied, _mm512_sub_epi16(zero, occupied));
            Rays {
                steps: _mm512_sub_epi16(first, _mm512_set1_epi16(1)),
                jumps: _mm512_andnot_si512(occupied, _mm512_add_epi16(markers, first)),
            }
        }
    }

    #[inline(always)]
    fn count(self, rays: &Rays, among: &Among) -> Choice {
        // SAFETY: as said above.
        unsafe {
            let targets = _mm512_or_si512(
                _mm512_maskz_mov_epi16(among.steps, rays.steps),
                _mm512_maskz_mov_epi16(among.jumps, rays.jumps),
            );
            // One byte for each group of four words.
            let counts = _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(targets));
            Choice {
                targets: stored(targets),
                sums: (_mm_cvtsi128_si64(counts) as u64).wrapping_mul(ONES),
            }
        }
    }

    #[inline(always)]
    fn total(self, choice: &Choice) -> u32 {
        (choice.sums >> 56) as u32
    }

    #[inline(always)]
    fn draw(self, choice: &Choice, _: &Lines, _: &Rings, random: &mut Random) -> Option<usize> {
        let total = self.total(choice);
        if total == 0 {
            return None;
        }
        let number = below(random, total);
        let group = group_of(choice.sums, number) % 8;
        let rank = u64::from(number) - ((choice.sums << 8) >> (8 * group) & 0xff);
        // SAFETY: as said above.
        let bit = unsafe { _pdep_u64(1 << rank, choice.targets.group(group as usize)) };
        Some((group * 64 + bit.trailing_zeros()) as usize)
    }

    #[inline(always)]
    fn reach(self, rays: &Rays) -> (u32, u32) {
        // SAFETY: as said above.
        unsafe {
            let steps = _mm512_reduce_add_epi64(_mm512_popcnt_epi64(rays.steps));
            let jumps = _mm512_test_epi16_mask(rays.jumps, rays.jumps);
            (steps as u32, jumps.count_ones())
        }
    }

    #[inline(always)]
    fn weigh_rows<const SIDE: usize>(
        self,
        lines: &Lines,
        rings: &[Rings; 2],
        weights: &RowWeights,
    ) -> i32 {
        // SAFETY: as said above.
        unsafe {
            let own = lines.own::<SIDE>();
            let other = _mm512_xor_si512(own, lines.markers);
            let own_rings = all_rings(&rings[SIDE]);
            let other_rings = all_rings(&rings[1 - SIDE]);
            weighed_rows([own, other, own_rings, other_rings], weights)
        }
    }

    #[inline(always)]
    fn jumps(self, rays: &Rays, among: u32, _: &Lines, rings: &Rings) -> Jumps {
        // The number of each ray, and how far one point in its direction is on the grid.
        static NUMBERS: Words = {
            let mut numbers = Words::EMPTY;
            let mut ray = 0;
            while ray < WORDS {
                numbers.0[ray] = ray as u16;
                ray += 1;
            }
            numbers
        };
        static DISTANCES: Words = {
            let mut distances = Words::EMPTY;
            let mut ray = 0;
            while ray < WORDS {
                distances.0[ray] = STEPS[ray % RAYS] as u16;
                ray += 1;
            }
            distances
        };
        // SAFETY: as said above; the points are 48 bytes.
        unsafe {
            let has_jump = _mm512_mask_test_epi16_mask(among, rays.jumps, rays.jumps);
            let below = _mm512_sub_epi16(rays.jumps, _mm512_set1_epi16(1));
            let lengths = _mm512_add_epi16(_mm512_popcnt_epi16(below), _mm512_set1_epi16(1));
            let points = _mm256_loadu_si256(rings.of_rays().as_ptr().cast());
            let from = _mm512_cvtepu8_epi16(points);
            let to = _mm512_add_epi16(from, _mm512_mullo_epi16(lengths, load(&DISTANCES)));
            let packed = |words| stored(_mm512_maskz_compress_epi16(has_jump, words));
            Jumps {
                rays: packed(load(&NUMBERS)),
                from: packed(from),
                to: packed(to),
                count: has_jump.count_ones() as usize,
            }
        }
    }

    #[inline(always)]
    fn row_candidates<const SIDE: usize>(self, lines: &Lines, _: &Rings) -> u32 {
        let looks = lines.looks::<SIDE>();
        // SAFETY: as said above.
        unsafe {
            let own = lines.own::<SIDE>();
            let others = Beside::new(_mm512_xor_si512(own, lines.markers));
            let own = Beside::new(own);
            let completing = own.completing();
            let points = _mm512_or_si512(completing, own.completing_with(&others));
            let either = _mm512_or_si512(completing, others.completing());
            if _mm512_test_epi16_mask(either, lines.markers) != 0 {
                u32::MAX
            } else {
                rays_from(points, looks)
            }
        }
    }

    #[inline(always)]
    fn row_makers<const SIDE: usize>(self, lines: &Lines, _: &Rings) -> u32 {
        // SAFETY: as said above.
        unsafe {
            let completing = Beside::new(lines.own::<SIDE>()).completing();
            rays_from(completing, lines.looks::<SIDE>())
        }
    }

    #[inline(always)]
    fn rows_after<const SIDE: usize>(self, lines: &Lines, way: &Way) -> Rows {
        // SAFETY: as said above.
        unsafe {
            let from = load(&entry(way.from).bits);
            let turned = turned(lines.markers, way);
            let markers = _mm512_xor_si512(lines.markers, from);
            let own = _mm512_xor_si512(lines.own::<SIDE>(), _mm512_or_si512(turned, from));
            if !has_row(markers, own) {
                return Rows::default();
            }
            let (own_fives, other_fives) = (fives(own), fives(_mm512_xor_si512(own, markers)));
            Rows {
                own: _mm512_test_epi16_mask(own_fives, own_fives) != 0,
                other: _mm512_test_epi16_mask(other_fives, other_fives) != 0,
            }
        }
    }

    #[inline(always)]
    fn move_ring<const SIDE: usize>(self, lines: &mut Lines, ring_move: &RingMove) -> bool {
        let RingMove { slot, way } = ring_move;
        let (from, to) = (entry(way.from), entry(way.to));
        // SAFETY: as said above.
        unsafe {
            let looks = lines.looks::<SIDE>();
            let looks = moved_looks(looks, *slot, way.from, way.to);
            if SIDE == WHITE {
                lines.white_looks = looks;
            } else {
                lines.black_looks = looks;
            }
            let from_bits = load(&from.bits);
            lines.white = _mm512_xor_si512(lines.white, turned(lines.markers, way));
            if SIDE == WHITE {
                lines.white = _mm512_xor_si512(lines.white, from_bits);
            }
            toggle(&mut lines.markers, from_bits);
            toggle(&mut lines.markers_reversed, load(&from.reversed));
            toggle(&mut lines.occupied, load(&to.bits));
            toggle(&mut lines.occupied_reversed, load(&to.reversed));
            has_row(lines.markers, lines.white)
        }
    }

    #[inline(always)]
    fn rows(self, lines: &Lines, color: Color) -> Words {
        // SAFETY: as said above.
        unsafe {
            stored(fives(match color {
                Color::White => lines.own::<WHITE>(),
                Color::Black => lines.own::<BLACK>(),
            }))
        }
    }

    #[inline(always)]
    fn take_row(self, lines: &mut Lines, color: Color, row: &RowEntry) {
        // SAFETY: as said above.
        unsafe {
            let (bits, reversed) = (load(&row.bits), load(&row.reversed));
            toggle(&mut lines.occupied, bits);
            toggle(&mut lines.occupied_reversed, reversed);
            toggle(&mut lines.markers, bits);
            toggle(&mut lines.markers_reversed, reversed);
            if color == Color::White {
                toggle(&mut lines.white, bits);
            }
        }
    }

    #[inline(always)]
    fn take_ring(self, lines: &mut Lines, color: Color, rings: &Rings, at: u8) {
        // SAFETY: as said above.
        unsafe {
            toggle(&mut lines.occupied, load(&entry(at).bits));
            toggle(&mut lines.occupied_reversed, load(&entry(at).reversed));
            let looks = all_looks(rings);
            match color {
                Color::White => lines.white_looks = looks,
                Color::Black => lines.black_looks = looks,
            }
        }
    }

    #[inline(always)]
    fn most_urgent(self, nodes: &[Slot], exploration: &Exploration) -> usize {
        // SAFETY: as said above.
        unsafe { most_urgent(nodes, exploration) }
    }

    #[cfg(test)]
    fn words(self, lines: &Lines) -> [Words; 5] {
        let Lines {
            occupied,
            occupied_reversed,
            markers,
            markers_reversed,
            white,
            ..
        } = *lines;
        let registers = [
            occupied,
            occupied_reversed,
            markers,
            markers_reversed,
            white,
        ];
        // SAFETY: as said above.
        registers.map(|register| unsafe { stored(register) })
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
