use std::fmt;
use std::str::FromStr;

/// Lowest and highest row of each column a..k.
const COLUMNS: [(u8, u8); 11] = [
    (2, 5),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (2, 10),
    (2, 11),
    (3, 11),
    (4, 11),
    (5, 11),
    (7, 10),
];

/// Index of each column's lowest point; the last entry is the number of points.
const COLUMN_START: [u8; 12] = {
    let mut start = [0; 12];
    let mut column = 0;
    while column < 11 {
        start[column + 1] = start[column] + COLUMNS[column].1 - COLUMNS[column].0 + 1;
        column += 1;
    }
    start
};

/// Column (0..11) and row (1..=11) of each point.
const COORDINATES: [(u8, u8); Point::COUNT] = {
    let mut coordinates = [(0, 0); Point::COUNT];
    let mut column = 0;
    while column < 11 {
        let mut row = COLUMNS[column].0;
        while row <= COLUMNS[column].1 {
            coordinates[(COLUMN_START[column] + row - COLUMNS[column].0) as usize] =
                (column as u8, row);
            row += 1;
        }
        column += 1;
    }
    coordinates
};

/// One of the 85 points of the board, ordered by column a..k, then by row from the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// Number of points.
    pub const COUNT: usize = 85;

    /// The point in `column` (0 is a, 10 is k) and `row` (1 to 11), if the board has it.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column >= 11 {
            return None;
        }
        let (lowest, highest) = COLUMNS[column as usize];
        if row < lowest || row > highest {
            return None;
        }
        Some(Self(COLUMN_START[column as usize] + row - lowest))
    }

    /// The point with this index, 0 to 84.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// Position in the order of points, 0 to 84.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column number, 0 for a to 10 for k.
    pub const fn column_index(self) -> u8 {
        COORDINATES[self.0 as usize].0
    }

    /// Column letter, `a` to `k`.
    pub const fn column(self) -> char {
        (b'a' + self.column_index()) as char
    }

    /// Row number, 1 to 11.
    pub const fn row(self) -> u8 {
        COORDINATES[self.0 as usize].1
    }

    /// All points in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT).map(|index| Self(index as u8))
    }

    /// The neighbour in `direction`, if the board goes on there.
    pub const fn neighbor(self, direction: Direction) -> Option<Self> {
        let (column_step, row_step) = direction.step();
        Self::new(
            self.column_index().wrapping_add_signed(column_step),
            self.row().wrapping_add_signed(row_step),
        )
    }

    /// The points of `column` (0 to 10), from the lowest row.
    pub fn in_column(column: usize) -> impl ExactSizeIterator<Item = Self> {
        (COLUMN_START[column]..COLUMN_START[column + 1]).map(Self)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column(), self.row())
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no point of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no point of the board; points are a2 to k10, a column letter and a row number")]
pub struct ParsePointError(pub String);

impl FromStr for Point {
    type Err = ParsePointError;

    /// Reads a column letter of either case and a row number without leading zeros.
    fn from_str(text: &str) -> Result<Self, ParsePointError> {
        let parse = || {
            let (letter, row) = text.split_at_checked(1)?;
            let letter = letter.as_bytes()[0].to_ascii_lowercase();
            let row_is_plain =
                row.bytes().all(|b| b.is_ascii_digit()) && !row.starts_with('0') && row.len() <= 2;
            if !row_is_plain {
                return None;
            }
            Self::new(letter.checked_sub(b'a')?, row.parse().ok()?)
        };
        parse().ok_or_else(|| ParsePointError(text.chars().take(20).collect()))
    }
}

/// One of the six ways along a line; the first three lead up the lines, the last three back down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Column step 0, row step +1.
    Up,
    /// Column step +1, row step 0.
    Right,
    /// Column step +1, row step +1.
    UpRight,
    /// The way back from [`Direction::Up`].
    Down,
    /// The way back from [`Direction::Right`].
    Left,
    /// The way back from [`Direction::UpRight`].
    DownLeft,
}

impl Direction {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::Up,
        Self::Right,
        Self::UpRight,
        Self::Down,
        Self::Left,
        Self::DownLeft,
    ];

    /// The three that lead from a line's lower end to its upper end.
    pub const ASCENDING: [Self; 3] = [Self::Up, Self::Right, Self::UpRight];

    /// Column step and row step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Self::Up => (0, 1),
            Self::Right => (1, 0),
            Self::UpRight => (1, 1),
            Self::Down => (0, -1),
            Self::Left => (-1, 0),
            Self::DownLeft => (-1, -1),
        }
    }

    /// The way back.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 3) % 6]
    }
}

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PointSet(u128);

impl PointSet {
    /// No point.
    pub const EMPTY: Self = Self(0);

    /// Whether `point` is in the set.
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 != 0
    }

    /// Whether every point of `other` is in this set.
    pub const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Puts `point` into the set.
    pub const fn insert(&mut self, point: Point) {
        self.0 |= 1 << point.0;
    }

    /// Takes `point` out of the set.
    pub const fn remove(&mut self, point: Point) {
        self.0 &= !(1 << point.0);
    }

    /// Number of points.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no point in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, bit i for the point of index i.
    pub const fn bits(self) -> u128 {
        self.0
    }
}

impl Iterator for PointSet {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(point)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_85_points_and_222_neighbouring_pairs() {
        assert_eq!(
            Point::all()
                .filter(|p| p.to_string().parse() == Ok(*p))
                .count(),
            85
        );
        let pairs = Point::all().map(|p| {
            Direction::ASCENDING
                .into_iter()
                .filter_map(|d| p.neighbor(d))
                .count()
        });
        assert_eq!(pairs.sum::<usize>(), 222);
    }

    #[test]
    fn reads_points_of_either_case_and_refuses_others() {
        assert_eq!("E10".parse(), Ok(Point::new(4, 10).unwrap()));
        for text in [
            "", "a1", "a6", "l7", "e0", "e05", "e011", "e+5", "5e", "é5", "e", "e5 ",
        ] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let points: Vec<Point> = Point::all().step_by(7).collect();
        let mut set: PointSet = points.iter().copied().collect();
        assert_eq!(set.collect::<Vec<_>>(), points);
        set.remove(points[3]);
        assert!(!set.contains(points[3]) && set.len() == points.len() - 1);
    }
}
