use std::fmt;
use std::ops::Deref;

use super::point::{Direction, Point, PointSet};

/// Up to 11 points on a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    points: [Point; 11],
    len: u8,
}

impl Points {
    const fn empty() -> Self {
        Self {
            points: [Point::from_index(0).unwrap(); 11],
            len: 0,
        }
    }

    const fn push(&mut self, point: Point) {
        self.points[self.len as usize] = point;
        self.len += 1;
    }
}

impl Deref for Points {
    type Target = [Point];

    fn deref(&self) -> &[Point] {
        &self.points[..self.len as usize]
    }
}

const fn ray(from: Point, direction: Direction) -> Points {
    let mut points = Points::empty();
    let mut here = from;
    while let Some(next) = here.neighbor(direction) {
        points.push(next);
        here = next;
    }
    points
}

static RAYS: [[Points; 6]; Point::COUNT] = {
    let mut rays = [[Points::empty(); 6]; Point::COUNT];
    let mut index = 0;
    while index < Point::COUNT {
        let mut direction = 0;
        while direction < 6 {
            rays[index][direction] =
                ray(Point::from_index(index).unwrap(), Direction::ALL[direction]);
            direction += 1;
        }
        index += 1;
    }
    rays
};

/// The points that lie from `from` in `direction`, nearest first, without `from` itself.
pub fn ray_from(from: Point, direction: Direction) -> &'static [Point] {
    &RAYS[from.index()][direction as usize]
}

/// The direction that leads from `from` straight to `to`, if the two share a line.
pub fn direction_between(from: Point, to: Point) -> Option<Direction> {
    let columns = to.column_index() as i8 - from.column_index() as i8;
    let rows = to.row() as i8 - from.row() as i8;
    let straight = columns == 0 || rows == 0 || columns == rows;
    let step = (columns.signum(), rows.signum());
    Direction::ALL
        .into_iter()
        .find(|d| straight && d.step() == step)
}

/// One of the 33 straight lines of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line(u8);

const LINES: [Points; Line::COUNT] = {
    let mut lines = [Points::empty(); Line::COUNT];
    let mut count = 0;
    let mut axis = 0;
    while axis < 3 {
        let direction = Direction::ASCENDING[axis];
        let mut index = 0;
        while index < Point::COUNT {
            let start = Point::from_index(index).unwrap();
            if start.neighbor(direction.opposite()).is_none() {
                lines[count] = ray(start, direction);
                // The ray leaves its start out: put it in front.
                let mut shifted = Points::empty();
                shifted.push(start);
                let mut i = 0;
                while i < lines[count].len as usize {
                    shifted.push(lines[count].points[i]);
                    i += 1;
                }
                lines[count] = shifted;
                count += 1;
            }
            index += 1;
        }
        axis += 1;
    }
    assert!(count == Line::COUNT);
    lines
};

impl Line {
    /// Number of lines.
    pub const COUNT: usize = 33;

    /// All lines, those of one direction together.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Its points, 4 to 10 of them, from the lower end to the upper.
    pub fn points(self) -> &'static [Point] {
        &LINES[self.0 as usize]
    }
}

/// One of the 123 ways in which five markers can lie in a row: five neighbouring points of a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(u8);

const ROWS: [([Point; 5], PointSet); Row::COUNT] = {
    let mut rows = [([Point::from_index(0).unwrap(); 5], PointSet::EMPTY); Row::COUNT];
    let mut count = 0;
    let mut line = 0;
    while line < Line::COUNT {
        let mut start = 0;
        while start + 5 <= LINES[line].len as usize {
            let mut i = 0;
            while i < 5 {
                let point = LINES[line].points[start + i];
                rows[count].0[i] = point;
                rows[count].1.insert(point);
                i += 1;
            }
            count += 1;
            start += 1;
        }
        line += 1;
    }
    assert!(count == Row::COUNT);
    rows
};

impl Row {
    /// Number of possible rows.
    pub const COUNT: usize = 123;

    /// All rows, line by line, from the lower end of each.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The row with this index, 0 to 122.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// Position in the order of rows, 0 to 122.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its five points from the lower end to the upper.
    pub const fn points(self) -> [Point; 5] {
        ROWS[self.index()].0
    }

    /// Its five points as a set.
    pub fn set(self) -> PointSet {
        ROWS[self.index()].1
    }

    /// The row between these two end points, in either order.
    pub fn between(a: Point, b: Point) -> Option<Self> {
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        Self::all().find(|row| {
            let points = row.points();
            points[0] == low && points[4] == high
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = self.points();
        write!(f, "{}-{}", points[0], points[4])
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_lengths_of_the_real_board() {
        let mut by_length = [0; 12];
        for line in Line::all() {
            by_length[line.points().len()] += 1;
        }
        assert_eq!(by_length, [0, 0, 0, 0, 6, 0, 0, 6, 6, 9, 6, 0]);
    }

    #[test]
    fn a_row_is_found_by_its_ends_in_either_order() {
        for row in Row::all() {
            let points = row.points();
            assert_eq!(Row::between(points[0], points[4]), Some(row));
            assert_eq!(Row::between(points[4], points[0]), Some(row));
            assert!(points[0] < points[4]);
        }
        assert_eq!(
            Row::between("a2".parse().unwrap(), "a5".parse().unwrap()),
            None
        );
    }

    #[test]
    fn directions_lead_to_every_point_of_a_ray() {
        for from in Point::all() {
            for direction in Direction::ALL {
                for to in ray_from(from, direction) {
                    assert_eq!(direction_between(from, *to), Some(direction));
                }
            }
        }
        assert_eq!(
            direction_between("e5".parse().unwrap(), "f4".parse().unwrap()),
            None
        );
        assert_eq!(
            direction_between("e5".parse().unwrap(), "e5".parse().unwrap()),
            None
        );
    }
}
