//! How the moves of a random game are chosen.

use super::board::Rings;
use super::kernel::{Among, Kernel, RingMove, Way};
use super::lines::{RAYS, TARGETS};

/// Limits the ring moves of a random game.
pub trait Policy: Copy {
    /// The moves of `rings`, those of `SIDE`, that may be played: all legal ones or some of them.
    fn choice<K: Kernel, const SIDE: usize>(
        self,
        kernel: K,
        lines: &K::Lines,
        rings: &Rings,
    ) -> K::Choice;
}

/// Every legal move.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Policy for Uniform {
    #[inline(always)]
    fn choice<K: Kernel, const SIDE: usize>(
        self,
        kernel: K,
        lines: &K::Lines,
        rings: &Rings,
    ) -> K::Choice {
        kernel.count(&kernel.look::<SIDE>(lines, rings), &Among::ALL)
    }
}

/// The moves that make an own row, if there are any; else those that leave the opponent none; else all.
#[derive(Clone, Copy, Debug)]
pub struct TakeFive;

impl Policy for TakeFive {
    #[inline(always)]
    fn choice<K: Kernel, const SIDE: usize>(
        self,
        kernel: K,
        lines: &K::Lines,
        rings: &Rings,
    ) -> K::Choice {
        let rays = kernel.look::<SIDE>(lines, rings);
        let RowMaking { takes, safe } = row_making::<K, SIDE>(kernel, lines, rings, &rays);
        if takes.steps | takes.jumps != 0 {
            let choice = kernel.count(&rays, &takes);
            if kernel.total(&choice) > 0 {
                return choice;
            }
        }
        let choice = kernel.count(&rays, &safe);
        if kernel.total(&choice) > 0 {
            return choice;
        }
        kernel.count(&rays, &Among::ALL)
    }
}

/// What the moves of a side do with rows.
#[derive(Clone, Copy, Debug)]
pub struct RowMaking {
    /// Those that make an own row.
    pub takes: Among,
    /// Those that leave the opponent none.
    pub safe: Among,
}

/// What the moves of `rings`, those of `SIDE`, do with rows.
#[inline(always)]
pub fn row_making<K: Kernel, const SIDE: usize>(
    kernel: K,
    lines: &K::Lines,
    rings: &Rings,
    rays: &K::Rays,
) -> RowMaking {
    let candidates = kernel.row_candidates::<SIDE>(lines, rings);
    if candidates == 0 {
        return RowMaking {
            takes: Among::NONE,
            safe: Among::ALL,
        };
    }
    // Without a jump all moves of a ring leave the same markers, and turn none that could make a row for the other.
    let mut takes = Among {
        steps: kernel.row_makers::<SIDE>(lines, rings),
        jumps: 0,
    };
    let mut safe = Among::ALL;
    let jumps = kernel.jumps(rays, candidates, lines, rings);
    for (ray, way) in jumps.iter() {
        let made = kernel.rows_after::<SIDE>(lines, &way);
        takes.jumps |= u32::from(made.own) << ray;
        safe.jumps &= !(u32::from(made.other) << ray);
    }
    RowMaking { takes, safe }
}

/// The move of one of `rings` that a bit among [`TARGETS`] stands for.
#[inline(always)]
pub fn ring_move(rings: &Rings, bit: usize) -> RingMove {
    let bit = bit % TARGETS.len();
    let target = TARGETS[bit];
    let from = rings.of_ray(bit / 16);
    RingMove {
        slot: target.slot,
        way: Way {
            from,
            to: from.wrapping_add_signed(target.offset),
            axis: target.axis,
        },
    }
}

/// The rays of a ring, as bits.
pub const fn rays_of(slot: u8) -> u32 {
    ((1 << RAYS) - 1) << (slot as u32 * RAYS as u32)
}
