//! The board as line words: where each point lies, as constants.
//!
//! Each of the 33 lines is a run of bits in a 16-bit word, its lower end lowest; the two shortest lines of a direction
//! share a word, so that 30 words hold the board. Bits that are no points are walls: always occupied, never a marker.
//! The same words with their bits in reverse order make the way down a line look like the way up another.

use crate::game::{Direction, Point, Row};

/// Words of a board: ten for each direction of lines, and two that are all wall.
pub const WORDS: usize = 32;

/// A word for each line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Words(pub [u16; WORDS]);

impl Words {
    /// Nothing anywhere.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The words that belong to the rays of a ring, if there is one for each ray.
    #[inline(always)]
    pub fn rays_mut(&mut self, slot: usize) -> &mut [u16; RAYS] {
        (&mut self.0[slot * RAYS..slot * RAYS + RAYS])
            .try_into()
            .expect("a slice of this length")
    }

    /// Four words in one number, the first lowest.
    #[inline(always)]
    pub fn group(&self, index: usize) -> u64 {
        let words = &self.0[index * 4..index * 4 + 4];
        u64::from(words[0])
            | u64::from(words[1]) << 16
            | u64::from(words[2]) << 32
            | u64::from(words[3]) << 48
    }

    /// All words, four in a number.
    #[inline(always)]
    pub fn groups(&self) -> [u64; WORDS / 4] {
        let mut groups = [0; WORDS / 4];
        for (index, group) in groups.iter_mut().enumerate() {
            *group = self.group(index);
        }
        groups
    }

    const fn reversed(&self) -> Self {
        let mut reversed = *self;
        let mut word = 0;
        while word < WORDS {
            reversed.0[word] = self.0[word].reverse_bits();
            word += 1;
        }
        reversed
    }
}

/// Index of a point on an 11 by 11 grid, where each direction is a fixed step.
pub const fn grid(point: Point) -> u8 {
    point.column_index() * 11 + point.row() - 1
}

/// Number of indices on the grid.
pub const GRID: usize = 121;

/// Steps on the grid in the order of [`Direction::ALL`].
pub const STEPS: [i8; 6] = [1, 11, 12, -1, -11, -12];

/// Directions, as many as words that a ring looks along.
pub const RAYS: usize = 6;

/// Word and bit of `point` on its line in an ascending direction.
const fn place(point: Point, axis: usize) -> (usize, u32) {
    let (column, row) = (point.column_index() as i32, point.row() as i32 - 1);
    let line = match axis {
        0 => column,
        1 => row,
        _ => column - row + 5,
    };
    let mut below = 0;
    let mut here = point;
    while let Some(next) = here.neighbor(Direction::ASCENDING[axis].opposite()) {
        here = next;
        below += 1;
    }
    // The first and the last line of a direction have four points each and share a word, a wall between them.
    if line == 10 {
        (axis * 10, below + 6)
    } else {
        (axis * 10 + line as usize, below + 1)
    }
}

const fn point_words(point: Point) -> Words {
    let mut words = Words::EMPTY;
    let mut axis = 0;
    while axis < 3 {
        let (word, bit) = place(point, axis);
        words.0[word] |= 1 << bit;
        axis += 1;
    }
    words
}

/// What the constants tell of a point, by its index on the grid.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct PointEntry {
    /// Its bit in each of its three words.
    pub bits: Words,
    /// The same in reverse order.
    pub reversed: Words,
    /// Where to look along each direction: index of a word; from [`WORDS`] on one in reverse order.
    pub ray_words: [u16; RAYS],
    /// What shifts that word down to the first bit behind the point, as a factor: the upper half of the product.
    pub ray_factors: [u16; RAYS],
    /// Where [`BETWEEN`] begins for each direction, less one.
    pub between: [u16; RAYS],
}

impl PointEntry {
    const NONE: Self = Self {
        bits: Words::EMPTY,
        reversed: Words::EMPTY,
        ray_words: [0; RAYS],
        ray_factors: [0; RAYS],
        between: [0; RAYS],
    };
}

/// Ordered pairs of points that share a line.
const PAIRS: usize = 1848;

/// The constants of each point, by its index on the grid.
pub static POINTS: [PointEntry; GRID] = {
    let mut entries = [PointEntry::NONE; GRID];
    let mut pairs = 0;
    let mut index = 0;
    while index < Point::COUNT {
        let point = Point::from_index(index).unwrap();
        let entry = &mut entries[grid(point) as usize];
        entry.bits = point_words(point);
        entry.reversed = entry.bits.reversed();
        let mut axis = 0;
        while axis < 3 {
            let (word, bit) = place(point, axis);
            entry.ray_words[axis] = word as u16;
            entry.ray_factors[axis] = 1 << (15 - bit);
            entry.ray_words[axis + 3] = (WORDS + word) as u16;
            entry.ray_factors[axis + 3] = 1 << bit;
            axis += 1;
        }
        let mut direction = 0;
        while direction < RAYS {
            entry.between[direction] = pairs;
            let mut here = point;
            while let Some(next) = here.neighbor(Direction::ALL[direction]) {
                pairs += 1;
                here = next;
            }
            direction += 1;
        }
        index += 1;
    }
    entries
};

/// The points strictly between two points of a line: of a point, a direction and a distance from 1 up, at the point's
/// entry for the direction plus the distance less 1.
pub static BETWEEN: [Words; PAIRS] = {
    let mut table = [Words::EMPTY; PAIRS];
    let mut pairs = 0;
    let mut index = 0;
    while index < Point::COUNT {
        let mut direction = 0;
        while direction < RAYS {
            let mut between = Words::EMPTY;
            let mut here = Point::from_index(index).unwrap();
            while let Some(next) = here.neighbor(Direction::ALL[direction]) {
                table[pairs] = between;
                pairs += 1;
                let mut axis = 0;
                while axis < 3 {
                    let (word, bit) = place(next, axis);
                    between.0[word] |= 1 << bit;
                    axis += 1;
                }
                here = next;
            }
            direction += 1;
        }
        index += 1;
    }
    assert!(pairs == PAIRS);
    table
};

/// The bits that are no points.
pub static WALLS: Words = {
    let mut walls = Words([u16::MAX; WORDS]);
    let mut index = 0;
    while index < Point::COUNT {
        let bits = point_words(Point::from_index(index).unwrap());
        let mut word = 0;
        while word < WORDS {
            walls.0[word] &= !bits.0[word];
            word += 1;
        }
        index += 1;
    }
    walls
};

/// The same in reverse order.
pub static WALLS_REVERSED: Words = WALLS_VALUE.reversed();
const WALLS_VALUE: Words = WALLS;

/// A word without a point, for the rays of rings that a side does not have.
pub const WALL_WORD: u16 = 31;

/// What the constants tell of a row of five.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct RowEntry {
    /// Its points in each of their words.
    pub bits: Words,
    /// The same in reverse order.
    pub reversed: Words,
}

/// For each bit of each word, which of [`ROWS`] has its lowest point there.
static ROW_AT: [[u8; 16]; WORDS] = {
    let mut table = [[u8::MAX; 16]; WORDS];
    let mut row = 0;
    while row < Row::COUNT {
        let (word, bit) = first_of(row);
        table[word][bit as usize] = row as u8;
        row += 1;
    }
    table
};

const fn first_of(row: usize) -> (usize, u32) {
    let points = Row::from_index(row).unwrap().points();
    let step = grid(points[1]) - grid(points[0]);
    let axis = if step == 1 { 0 } else { step as usize - 10 };
    place(points[0], axis)
}

/// The constants of each row.
static ROWS: [RowEntry; Row::COUNT] = {
    let mut rows = [RowEntry {
        bits: Words::EMPTY,
        reversed: Words::EMPTY,
    }; Row::COUNT];
    let mut row = 0;
    while row < Row::COUNT {
        let points = Row::from_index(row).unwrap().points();
        let mut index = 0;
        while index < 5 {
            let bits = point_words(points[index]);
            let mut word = 0;
            while word < WORDS {
                rows[row].bits.0[word] |= bits.0[word];
                word += 1;
            }
            index += 1;
        }
        rows[row].reversed = rows[row].bits.reversed();
        row += 1;
    }
    rows
};

/// The row whose lowest point is this bit of this word.
#[inline(always)]
pub fn row_at(word: usize, bit: u32) -> &'static RowEntry {
    &ROWS[usize::from(ROW_AT[word][bit as usize])]
}

/// Which ring, and how far on the grid, for each bit among the targets of all rays.
pub static MOVES: [(u8, i8); 16 * WORDS] = {
    let mut moves = [(0, 0); 16 * WORDS];
    let mut bit = 0;
    while bit < 16 * 5 * RAYS {
        let ray = bit / 16;
        moves[bit] = (
            (ray / RAYS) as u8,
            STEPS[ray % RAYS].wrapping_mul((bit % 16) as i8 + 1),
        );
        bit += 1;
    }
    moves
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_bit_of_its_own_in_each_direction() {
        let mut seen = Words::EMPTY;
        for point in Point::all() {
            let entry = &POINTS[grid(point) as usize];
            for word in 0..WORDS {
                assert_eq!(seen.0[word] & entry.bits.0[word], 0, "{point}");
                seen.0[word] |= entry.bits.0[word];
            }
        }
        let bits: u32 = seen.0.iter().map(|word| word.count_ones()).sum();
        assert_eq!(bits, 3 * 85);
        assert!(
            seen.0
                .iter()
                .zip(WALLS.0)
                .all(|(points, walls)| points ^ walls == u16::MAX)
        );
    }
}
