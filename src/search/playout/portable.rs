//! The hot steps of a random game in plain Rust, for any processor.

use super::super::random::{Random, below};
use super::board::{Board, Rings};
use super::bytes::{ALL_BYTES, ONES, bytes_of, bytes_up_to};
use super::evaluation::{CLASS_PARTS, RowWeights, TABLE};
use super::kernel::{Among, Jumps, Kernel, RingMove, Rows, WHITE, Way};
use super::lines::{
    AXES, FIRST_POINTS, PointEntry, RAYS, RowEntry, STEPS, WALLS, WORDS, Words, entry,
};
use super::policy::rays_of;
use crate::game::{Color, RINGS};

/// Plain Rust for any processor: rays one by one, whole boards four lines at a time.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// All lines as words.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// In order and in reverse order.
    occupied: [Words; 2],
    /// In order and in reverse order.
    markers: [Words; 2],
    white: Words,
}

/// What each ray of each ring can reach; a byte for each ray of a ring.
#[derive(Clone, Copy, Debug)]
pub struct Rays {
    /// Number of steps.
    steps: [u64; RING_COUNT],
    /// Number of jumps, 0 or 1.
    jumps: [u64; RING_COUNT],
}

/// Targets to choose from.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    among: Among,
    /// Number of targets of each ring and those before it.
    ends: [u8; RING_COUNT],
    /// For each ring, in each byte the number of targets of a ray and those before it; fewer than 128.
    ray_ends: [u64; RING_COUNT],
}

const RING_COUNT: usize = RINGS as usize;

/// What the ray number `direction` of the ring on a point can reach: the number of steps, and where the jump ends, as a
/// bit of the word that it looks along.
///
/// Adding the first obstacle to the markers carries through their group, to the bit right behind it.
#[inline(always)]
fn look_along(lines: &Lines, ring: &PointEntry, direction: usize) -> (u32, u32) {
    let word = usize::from(ring.words[direction % AXES]);
    let way = direction / AXES;
    let occupied = u32::from(lines.occupied[way].0[word]);
    let markers = u32::from(lines.markers[way].0[word]);
    let obstacles = occupied & u32::from(ring.ahead[direction]);
    let first = obstacles & obstacles.wrapping_neg();
    let steps = first
        .trailing_zeros()
        .wrapping_sub(u32::from(ring.starts[direction]));
    (steps, (markers + first) & !occupied)
}

impl Kernel for Portable {
    type Lines = Lines;
    type Rays = Rays;
    type Choice = Choice;

    fn set_up(self, board: &Board) -> Lines {
        Lines {
            occupied: [board.occupied, board.occupied.reversed()],
            markers: [board.markers, board.markers.reversed()],
            white: board.white,
        }
    }

    #[inline(always)]
    fn look<const SIDE: usize>(self, lines: &Lines, rings: &Rings) -> Rays {
        let mut rays = Rays {
            steps: [0; RING_COUNT],
            jumps: [0; RING_COUNT],
        };
        for slot in 0..RING_COUNT {
            let ring = entry(rings.at(slot as u8));
            let (mut all_steps, mut all_jumps) = (0, 0);
            for direction in 0..RAYS {
                let (steps, landing) = look_along(lines, ring, direction);
                all_steps |= u64::from(steps) << (8 * direction);
                all_jumps |= u64::from(landing != 0) << (8 * direction);
            }
            rays.steps[slot] = all_steps;
            rays.jumps[slot] = all_jumps;
        }
        rays
    }

    #[inline(always)]
    fn count(self, rays: &Rays, among: &Among) -> Choice {
        let mut choice = Choice {
            among: *among,
            ends: [0; RING_COUNT],
            ray_ends: [0; RING_COUNT],
        };
        let mut end = 0;
        for slot in 0..RING_COUNT {
            let (mut steps, mut jumps) = (rays.steps[slot], rays.jumps[slot]);
            if *among != Among::ALL {
                steps &= bytes_of(among.steps >> (slot * RAYS));
                jumps &= bytes_of(among.jumps >> (slot * RAYS));
            }
            // The product holds in each byte the sum of all bytes up to it.
            choice.ray_ends[slot] = (steps + jumps).wrapping_mul(ONES) & ALL_BYTES;
            end += (choice.ray_ends[slot] >> (8 * (RAYS - 1))) as u32;
            choice.ends[slot] = end as u8;
        }
        choice
    }

    #[inline(always)]
    fn total(self, choice: &Choice) -> u32 {
        u32::from(choice.ends[RING_COUNT - 1])
    }

    #[inline(always)]
    fn draw(
        self,
        choice: &Choice,
        lines: &Lines,
        rings: &Rings,
        random: &mut Random,
    ) -> Option<usize> {
        let total = self.total(choice);
        if total == 0 {
            return None;
        }
        let mut number = below(random, total) as u8;
        let mut slot = 0;
        let mut before = 0;
        for end in choice.ends {
            let passed = end <= number;
            slot += usize::from(passed);
            before = if passed { end } else { before };
        }
        number -= before;
        let ends = choice.ray_ends[slot];
        let direction = bytes_up_to(ends, number);
        let rank = number - (ends << 8 >> (8 * direction)) as u8;
        let ray = slot * RAYS + direction;
        let ring = entry(rings.at(slot as u8));
        let (steps, landing) = look_along(lines, ring, direction);
        let is_step = choice.among.steps >> ray & 1 != 0 && u32::from(rank) < steps;
        let distance = if is_step {
            u32::from(rank)
        } else {
            landing.trailing_zeros() - u32::from(ring.starts[direction])
        };
        Some(ray * 16 + distance as usize)
    }

    #[inline(always)]
    fn reach(self, rays: &Rays) -> (u32, u32) {
        let sum = |counts: &[u64; RING_COUNT]| {
            let sums = counts.map(|bytes| (bytes.wrapping_mul(ONES) >> (8 * (RAYS - 1))) as u8);
            sums.into_iter().map(u32::from).sum()
        };
        (sum(&rays.steps), sum(&rays.jumps))
    }

    #[inline(always)]
    fn weigh_rows<const SIDE: usize>(
        self,
        lines: &Lines,
        rings: &[Rings; 2],
        weights: &RowWeights,
    ) -> i32 {
        let mut sum = 0;
        row_classes::<SIDE>(lines, rings, |class| {
            sum += i32::from(weights.0[class % TABLE]);
        });
        sum
    }

    #[inline(always)]
    fn jumps(self, rays: &Rays, among: u32, lines: &Lines, rings: &Rings) -> Jumps {
        let mut jumps = Jumps {
            rays: Words::EMPTY,
            from: Words::EMPTY,
            to: Words::EMPTY,
            count: 0,
        };
        for slot in 0..RING_COUNT {
            let from = rings.at(slot as u8);
            let ring = entry(from);
            let mut left = rays.jumps[slot] & bytes_of(among >> (slot * RAYS));
            while left != 0 {
                let direction = left.trailing_zeros() as usize / 8;
                left &= left - 1;
                let (_, landing) = look_along(lines, ring, direction);
                let length = landing.trailing_zeros() as i8 - ring.starts[direction] as i8 + 1;
                jumps.rays.0[jumps.count] = (slot * RAYS + direction) as u16;
                jumps.from.0[jumps.count] = u16::from(from);
                jumps.to.0[jumps.count] =
                    u16::from(from.wrapping_add_signed(STEPS[direction].wrapping_mul(length)));
                jumps.count += 1;
            }
        }
        jumps
    }

    #[inline(always)]
    fn row_candidates<const SIDE: usize>(self, lines: &Lines, rings: &Rings) -> u32 {
        let mut points = Words::EMPTY;
        let mut turning = 0;
        for word in 0..WORDS {
            let markers = lines.markers[0].0[word];
            let own = own::<SIDE>(lines, word);
            let beside = [own, own ^ markers].map(Beside::new);
            points.0[word] = beside[0].completing() | beside[0].completing_with(&beside[1]);
            turning |= markers & (beside[0].completing() | beside[1].completing());
        }
        if turning != 0 {
            u32::MAX
        } else {
            rays_from(&points, rings)
        }
    }

    #[inline(always)]
    fn row_makers<const SIDE: usize>(self, lines: &Lines, rings: &Rings) -> u32 {
        let mut completing = Words::EMPTY;
        for word in 0..WORDS {
            completing.0[word] = Beside::new(own::<SIDE>(lines, word)).completing();
        }
        rays_from(&completing, rings)
    }

    #[inline(always)]
    fn rows_after<const SIDE: usize>(self, lines: &Lines, way: &Way) -> Rows {
        let (from, to) = (entry(way.from), entry(way.to));
        let axis = way.axis as usize;
        let (below_from, below_to) = (&from.below[axis], &to.below[axis]);
        let mut rows = [0; 2];
        for word in 0..WORDS {
            let markers = lines.markers[0].0[word];
            let turned = (below_from.0[word] ^ below_to.0[word]) & markers;
            let own = own::<SIDE>(lines, word);
            rows[0] |= fives(own ^ (turned | from.bits.0[word]));
            rows[1] |= fives(own ^ markers ^ turned);
        }
        Rows {
            own: rows[0] != 0,
            other: rows[1] != 0,
        }
    }

    #[inline(always)]
    fn move_ring<const SIDE: usize>(self, lines: &mut Lines, ring_move: &RingMove) -> bool {
        let Way { from, to, axis } = ring_move.way;
        let (from, to, axis) = (entry(from), entry(to), axis as usize);
        let (below_from, below_to) = (&from.below[axis], &to.below[axis]);
        let placed = if SIDE == WHITE { u16::MAX } else { 0 };
        let mut rows = 0;
        for word in 0..WORDS {
            let turned = (below_from.0[word] ^ below_to.0[word]) & lines.markers[0].0[word];
            lines.occupied[0].0[word] ^= to.bits.0[word];
            lines.occupied[1].0[word] ^= to.reversed.0[word];
            lines.markers[1].0[word] ^= from.reversed.0[word];
            let markers = lines.markers[0].0[word] ^ from.bits.0[word];
            let white = lines.white.0[word] ^ turned ^ (from.bits.0[word] & placed);
            lines.markers[0].0[word] = markers;
            lines.white.0[word] = white;
            // Neighbours of one colour: four in a line make a row.
            let alike = markers & markers >> 1 & !(white ^ white >> 1);
            let three = alike & alike >> 1;
            rows |= three & three >> 2;
        }
        rows != 0
    }

    #[inline(always)]
    fn rows(self, lines: &Lines, color: Color) -> Words {
        let mut rows = Words::EMPTY;
        for word in 0..WORDS {
            rows.0[word] = fives(match color {
                Color::White => lines.white.0[word],
                Color::Black => lines.white.0[word] ^ lines.markers[0].0[word],
            });
        }
        rows
    }

    #[inline(always)]
    fn take_row(self, lines: &mut Lines, color: Color, row: &RowEntry) {
        for (way, bits) in [&row.bits, &row.reversed].into_iter().enumerate() {
            lines.occupied[way].toggle(bits);
            lines.markers[way].toggle(bits);
        }
        if color == Color::White {
            lines.white.toggle(&row.bits);
        }
    }

    #[inline(always)]
    fn take_ring(self, lines: &mut Lines, _: Color, _: &Rings, at: u8) {
        lines.occupied[0].toggle(&entry(at).bits);
        lines.occupied[1].toggle(&entry(at).reversed);
    }

    #[cfg(test)]
    fn words(self, lines: &Lines) -> [Words; 5] {
        let [occupied, markers] = [lines.occupied, lines.markers];
        [
            occupied[0],
            occupied[1],
            markers[0],
            markers[1],
            lines.white,
        ]
    }
}

/// The class of each row of five points, from the view of `SIDE`.
#[inline(always)]
pub fn row_classes<const SIDE: usize>(
    lines: &Lines,
    rings: &[Rings; 2],
    mut tell: impl FnMut(usize),
) {
    let mut own_rings = Words::EMPTY;
    for slot in 0..rings[SIDE].count {
        own_rings.toggle(&entry(rings[SIDE].at(slot)).bits);
    }
    for word in 0..WORDS {
        let markers = lines.markers[0].0[word];
        let own = own::<SIDE>(lines, word);
        let all_rings = lines.occupied[0].0[word] ^ WALLS.0[word] ^ markers;
        let own_rings = own_rings.0[word];
        let words = [own, own ^ markers, own_rings, own_rings ^ all_rings];
        let mut left = FIRST_POINTS.0[word];
        while left != 0 {
            let first = left.trailing_zeros();
            left &= left - 1;
            let parts = CLASS_PARTS.iter().zip(words);
            let class = parts.map(|(part, word)| part.0[usize::from(word >> first & 31)]);
            tell(usize::from(class.sum::<u16>()));
        }
    }
}

/// The markers of `SIDE` on a line.
#[inline(always)]
fn own<const SIDE: usize>(lines: &Lines, word: usize) -> u16 {
    if SIDE == WHITE {
        lines.white.0[word]
    } else {
        lines.white.0[word] ^ lines.markers[0].0[word]
    }
}

/// The rays, as bits, of those of the `rings` that stand on one of these points.
#[inline(always)]
fn rays_from(points: &Words, rings: &Rings) -> u32 {
    let mut rays = 0;
    for slot in 0..RINGS {
        let ring = entry(rings.at(slot));
        let mut stands = 0;
        for axis in 0..AXES {
            stands |= points.0[usize::from(ring.words[axis])] >> ring.places[axis];
        }
        rays |= if stands & 1 != 0 { rays_of(slot) } else { 0 };
    }
    rays
}

/// The lowest bits of all rows of five.
#[inline(always)]
fn fives(word: u16) -> u16 {
    let pairs = word & word >> 1;
    pairs & pairs >> 2 & word >> 4
}

/// For one to four points: where so many points of a word lie right below, and right above, without a gap.
struct Beside {
    below: [u16; 4],
    above: [u16; 4],
}

impl Beside {
    #[inline(always)]
    fn new(word: u16) -> Self {
        let (mut below, mut above) = ([word << 1; 4], [word >> 1; 4]);
        for distance in 1..4 {
            below[distance] = below[distance - 1] & word << (distance + 1);
            above[distance] = above[distance - 1] & word >> (distance + 1);
        }
        Self { below, above }
    }

    /// Where one marker more makes a row: as many below and above it as are missing.
    #[inline(always)]
    fn completing(&self) -> u16 {
        let Self { below, above } = self;
        let split = below[0] & above[2] | below[1] & above[1] | below[2] & above[0];
        below[3] | above[3] | split
    }

    /// Where one marker more makes a row when all `others` on one side of it are turned.
    #[inline(always)]
    fn completing_with(&self, others: &Self) -> u16 {
        let mut points = others.below[3] | others.above[3];
        for own in 0..3 {
            let other = 2 - own;
            points |= self.below[own] & others.above[other] | self.above[own] & others.below[other];
        }
        points
    }
}
