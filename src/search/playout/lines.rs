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

    /// Flips the bits that are set in `other`.
    #[inline(always)]
    pub fn toggle(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
    }

    const fn set(&mut self, (word, bit): (usize, u32)) {
        self.0[word] |= 1 << bit;
    }

    const fn union(mut self, other: &Self) -> Self {
        let mut word = 0;
        while word < WORDS {
            self.0[word] |= other.0[word];
            word += 1;
        }
        self
    }

    /// Each word with its bits in reverse order.
    pub const fn reversed(&self) -> Self {
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

/// Number of indices on the grid, and a few more, so that seven bits are always one.
pub const GRID: usize = 128;

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
    while axis < AXES {
        words.set(place(point, axis));
        axis += 1;
    }
    words
}

/// A direction of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Axis {
    /// The points of one column.
    Column,
    /// The points of one row number.
    Row,
    /// Column and row grow together.
    Diagonal,
}

impl Axis {
    /// All of them.
    pub const ALL: [Self; AXES] = [Self::Column, Self::Row, Self::Diagonal];

    /// The axis along which two points of the grid lie; they must have one.
    pub const fn between(one: u8, other: u8) -> Self {
        let distance = one.abs_diff(other);
        if distance.is_multiple_of(11) {
            Self::Row
        } else if distance.is_multiple_of(12) {
            Self::Diagonal
        } else {
            Self::Column
        }
    }
}

/// Number of axes.
pub const AXES: usize = 3;

/// What the constants tell of a point.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct PointEntry {
    /// Its bit in each of its three words.
    pub bits: Words,
    /// The same in reverse order.
    pub reversed: Words,
    /// For each axis, the points below it on that line, each with all of its bits. What two points of a line do not
    /// have in common are the points between them, and the lower one of them.
    pub below: [Words; AXES],
    /// Where to look along each direction: in the lowest six bits the index of a word, from [`WORDS`] on one in reverse
    /// order; in the highest four bits the shift that brings the first bit behind the point to the lowest place.
    pub looks: [u16; 8],
    /// For each direction, the bits that lie ahead in its word, in order or in reverse order.
    pub ahead: [u16; RAYS],
    /// The first of them.
    pub starts: [u8; RAYS],
    /// Its word on each axis.
    pub words: [u8; AXES],
    /// Its bit in that word.
    pub places: [u8; AXES],
}

impl PointEntry {
    const NONE: Self = Self {
        bits: Words::EMPTY,
        reversed: Words::EMPTY,
        below: [Words::EMPTY; AXES],
        looks: [NO_LOOK; 8],
        ahead: [u16::MAX; RAYS],
        starts: [0; RAYS],
        words: [NO_LOOK as u8; AXES],
        places: [0; AXES],
    };
}

/// The constants of a point, by its index on the grid.
#[inline(always)]
pub fn entry(at: u8) -> &'static PointEntry {
    &POINTS[usize::from(at) % GRID]
}

static POINTS: [PointEntry; GRID] = {
    let mut entries = [PointEntry::NONE; GRID];
    let mut index = 0;
    while index < Point::COUNT {
        let point = Point::from_index(index).unwrap();
        let entry = &mut entries[grid(point) as usize];
        entry.bits = point_words(point);
        entry.reversed = entry.bits.reversed();
        let mut axis = 0;
        while axis < AXES {
            let (word, bit) = place(point, axis);
            entry.words[axis] = word as u8;
            entry.places[axis] = bit as u8;
            entry.starts[axis] = bit as u8 + 1;
            entry.starts[axis + AXES] = 16 - bit as u8;
            entry.ahead[axis] = u16::MAX << (bit + 1);
            entry.ahead[axis + AXES] = u16::MAX << (16 - bit);
            entry.looks[axis] = word as u16 | (bit as u16 + 1) << 12;
            entry.looks[axis + AXES] = (WORDS + word) as u16 | (16 - bit as u16) << 12;
            let mut here = point;
            while let Some(next) = here.neighbor(Direction::ASCENDING[axis].opposite()) {
                entry.below[axis] = entry.below[axis].union(&point_words(next));
                here = next;
            }
            axis += 1;
        }
        index += 1;
    }
    entries
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

/// A look along a word without a point, for the rays of rings that a side does not have.
pub const NO_LOOK: u16 = 31;

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
pub static ROWS: [RowEntry; Row::COUNT] = {
    let mut rows = [RowEntry {
        bits: Words::EMPTY,
        reversed: Words::EMPTY,
    }; Row::COUNT];
    let mut row = 0;
    while row < Row::COUNT {
        let points = Row::from_index(row).unwrap().points();
        let mut index = 0;
        while index < 5 {
            rows[row].bits = rows[row].bits.union(&point_words(points[index]));
            index += 1;
        }
        rows[row].reversed = rows[row].bits.reversed();
        row += 1;
    }
    rows
};

/// The lowest points of all rows of five.
pub static FIRST_POINTS: Words = {
    let mut firsts = Words::EMPTY;
    let mut row = 0;
    while row < Row::COUNT {
        firsts.set(first_of(row));
        row += 1;
    }
    firsts
};

/// The row whose lowest point is this bit of this word.
#[inline(always)]
pub fn row_at(word: usize, bit: u32) -> &'static RowEntry {
    &ROWS[usize::from(ROW_AT[word][bit as usize])]
}

/// The axis of each ray of five rings.
pub static AXIS_OF_RAY: [Axis; WORDS] = {
    let mut axes = [Axis::Column; WORDS];
    let mut ray = 0;
    while ray < WORDS {
        axes[ray] = Axis::ALL[ray % AXES];
        ray += 1;
    }
    axes
};

/// What a bit among the targets of all rays stands for: 16 bits for each ray, the nearest target lowest; a ray for each
/// direction of each ring.
#[derive(Clone, Copy)]
pub struct Target {
    /// Index of the ring among those of its side.
    pub slot: u8,
    /// The axis of the move.
    pub axis: Axis,
    /// How far it goes, on the grid.
    pub offset: i8,
}

/// The meaning of each bit.
pub static TARGETS: [Target; 16 * WORDS] = {
    let mut targets = [Target {
        slot: 0,
        axis: Axis::Column,
        offset: 0,
    }; 16 * WORDS];
    let mut bit = 0;
    while bit < 16 * 5 * RAYS {
        let ray = bit / 16;
        targets[bit] = Target {
            slot: (ray / RAYS) as u8,
            axis: Axis::ALL[ray % AXES],
            offset: STEPS[ray % RAYS].wrapping_mul((bit % 16) as i8 + 1),
        };
        bit += 1;
    }
    targets
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
