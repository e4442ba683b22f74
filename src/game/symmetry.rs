use super::action::Action;
use super::cell::Cell;
use super::line::Row;
use super::point::Point;
use super::position::Position;

/// One of the 12 ways to turn or mirror the board onto itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All 12: six rotations, then the same after a reflection.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..12).map(Self)
    }

    /// Where `point` goes.
    pub fn point(self, point: Point) -> Point {
        // Steps from the centre f6.
        let mut column = point.column_index() as i8 - 5;
        let mut row = point.row() as i8 - 6;
        if self.0 >= 6 {
            (column, row) = (row, column);
        }
        for _ in 0..self.0 % 6 {
            (column, row) = (column - row, column);
        }
        Point::new((column + 5) as u8, (row + 6) as u8).expect("the board is symmetric")
    }

    /// Where a row goes.
    pub fn row(self, row: Row) -> Row {
        let points = row.points();
        Row::between(self.point(points[0]), self.point(points[4])).expect("the board is symmetric")
    }

    /// What becomes of an action.
    pub fn action(self, action: Action) -> Action {
        match action {
            Action::PlaceRing(point) => Action::PlaceRing(self.point(point)),
            Action::MoveRing { from, to } => Action::MoveRing {
                from: self.point(from),
                to: self.point(to),
            },
            Action::TakeRow(row) => Action::TakeRow(self.row(row)),
            Action::TakeRing(point) => Action::TakeRing(self.point(point)),
            Action::Pass => Action::Pass,
        }
    }

    /// What becomes of a position.
    pub fn position(self, position: &Position) -> Position {
        let mut image = *position;
        for point in Point::all() {
            image.set_cell(self.point(point), position.cell(point));
        }
        image
    }
}

impl Position {
    /// The same position with the colours of everything and the side to decide exchanged.
    ///
    /// The ply goes up by one to fit the side; so a position of the placement, where it counts the rings, has no such
    /// image.
    #[must_use]
    pub fn with_colors_swapped(&self) -> Self {
        let mut image = *self;
        for point in Point::all() {
            let cell = match self.cell(point) {
                Cell::Empty => Cell::Empty,
                Cell::Ring(color) => Cell::Ring(color.opposite()),
                Cell::Marker(color) => Cell::Marker(color.opposite()),
            };
            image.set_cell(point, cell);
        }
        image.rings_off = self.rings_off.swapped();
        image.side = self.side.opposite();
        image.ply += 1;
        image
    }
}
