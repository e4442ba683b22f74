use super::action::Action;
use super::cell::{Cell, PackedCell};
use super::color::{ByColor, Color};
use super::legality::IllegalAction;
use super::line::{Row, direction_between, ray_from};
use super::outcome::{EndReason, Outcome, Variant};
use super::point::{Direction, Point, PointSet};

/// Rings of each side.
pub const RINGS: u8 = 5;
/// Markers in the common pool.
pub const MARKERS: u8 = 51;
/// Rings to take off to win.
pub const RINGS_TO_WIN: u8 = 3;

/// What the side to decide has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Place a ring.
    PlaceRing,
    /// Move a ring, or pass if none can move.
    MoveRing,
    /// Take a row that the opponent's turn left, before moving.
    EarlyRow,
    /// Take off a ring for an early row.
    EarlyRing,
    /// Take a row that the own move made.
    LateRow,
    /// Take off a ring for a late row.
    LateRing,
    /// Nothing: the game is over.
    Over,
}

/// The state of a game: small, `Copy`, and without history but for what the rule about passes needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Each point's content; the two sets below say the same the other way round.
    cells: [PackedCell; Point::COUNT],
    rings: ByColor<PointSet>,
    markers: ByColor<PointSet>,
    pub(super) rings_off: ByColor<u8>,
    markers_on_board: u8,
    pub(super) side: Color,
    pub(super) phase: Phase,
    pub(super) variant: Variant,
    /// The running turn has taken rows already, so a pass in it is not a turn of nothing but `pass`.
    turn_took_rows: bool,
    /// The last turn was nothing but `pass`.
    passed: bool,
    pub(super) ply: u16,
}

const _: () = assert!(size_of::<Position>() == 160);

impl Position {
    /// The empty board, White to place the first ring.
    pub const fn start(variant: Variant) -> Self {
        const NOWHERE: ByColor<PointSet> = ByColor {
            white: PointSet::EMPTY,
            black: PointSet::EMPTY,
        };
        Self {
            rings: NOWHERE,
            markers: NOWHERE,
            cells: [PackedCell::pack(Cell::Empty); Point::COUNT],
            rings_off: ByColor { white: 0, black: 0 },
            markers_on_board: 0,
            side: Color::White,
            phase: Phase::PlaceRing,
            variant,
            turn_took_rows: false,
            passed: false,
            ply: 0,
        }
    }

    /// Which of the two games is played.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Who decides the next action; when the game is over, who would have been next.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// What is to be decided.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Turns completed. Even: White's turn.
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// Rings that `color` has taken off for rows, 0 to 3.
    pub fn rings_off(&self, color: Color) -> u8 {
        self.rings_off[color]
    }

    /// What lies on `point`.
    pub const fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()].unpack()
    }

    /// Puts something else on a point, in the cells and the sets alike.
    pub(super) fn set_cell(&mut self, point: Point, cell: Cell) {
        match self.cell(point) {
            Cell::Empty => {}
            Cell::Ring(color) => self.rings[color].remove(point),
            Cell::Marker(color) => {
                self.markers[color].remove(point);
                self.markers_on_board -= 1;
            }
        }
        match cell {
            Cell::Empty => {}
            Cell::Ring(color) => self.rings[color].insert(point),
            Cell::Marker(color) => {
                self.markers[color].insert(point);
                self.markers_on_board += 1;
            }
        }
        self.cells[point.index()] = PackedCell::pack(cell);
    }

    /// Where the rings of `color` stand.
    pub fn rings(&self, color: Color) -> PointSet {
        self.rings[color]
    }

    /// Where markers lie with `color` up.
    pub fn markers(&self, color: Color) -> PointSet {
        self.markers[color]
    }

    /// Markers on the board, of both colours.
    pub const fn markers_on_board(&self) -> u8 {
        self.markers_on_board
    }

    /// Whether the running turn has taken rows before its ring move; a pass in it is not a turn of nothing but `pass`.
    pub const fn turn_took_rows(&self) -> bool {
        self.turn_took_rows
    }

    /// Whether the last turn was nothing but `pass`: a second such turn ends the game. The position text does not tell.
    pub const fn last_turn_was_pass(&self) -> bool {
        self.passed
    }

    /// Whether the game has ended on the board.
    pub const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// The result, once the game has ended on the board.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let more_off = match self.rings_off.white.cmp(&self.rings_off.black) {
            std::cmp::Ordering::Greater => Some(Color::White),
            std::cmp::Ordering::Less => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        };
        let row_owner = || {
            // If one move made rows of both colours, the mover wins.
            [self.side.opposite(), self.side]
                .into_iter()
                .find(|color| self.has_row(*color))
        };
        Some(
            if more_off.is_some_and(|color| self.rings_off[color] == RINGS_TO_WIN) {
                Outcome {
                    winner: more_off,
                    reason: EndReason::Rings,
                }
            } else if self.variant == Variant::Blitz
                && let Some(owner) = row_owner()
            {
                Outcome {
                    winner: Some(owner),
                    reason: EndReason::Row,
                }
            } else if self.markers_on_board == MARKERS {
                Outcome {
                    winner: more_off,
                    reason: EndReason::MarkersExhausted,
                }
            } else {
                Outcome {
                    winner: more_off,
                    reason: EndReason::NoMoves,
                }
            },
        )
    }

    /// Whether five markers of `color` lie in a row anywhere.
    pub fn has_row(&self, color: Color) -> bool {
        self.rows(color).next().is_some()
    }

    /// The rows of `color` on the board.
    pub fn rows(&self, color: Color) -> impl Iterator<Item = Row> {
        Row::all().filter(move |row| self.is_row(*row, color))
    }

    pub(super) fn is_row(&self, row: Row, color: Color) -> bool {
        self.markers[color].contains_all(row.set())
    }

    /// Whether a marker row leads through `point`, in the colour of the marker there.
    fn is_in_row(&self, point: Point) -> bool {
        let cell = self.cell(point);
        let run = |direction| {
            ray_from(point, direction)
                .iter()
                .take_while(|p| self.cell(**p) == cell)
                .count()
        };
        Direction::ASCENDING
            .into_iter()
            .any(|up| run(up) + run(up.opposite()) >= 4)
    }

    /// Plays `action`.
    ///
    /// # Panics
    /// If the action is not legal.
    pub fn play(&mut self, action: Action) {
        if let Err(error) = self.try_play(action) {
            panic!("{error}");
        }
    }

    /// Plays `action` if it is legal.
    ///
    /// # Errors
    /// The action with the reason why it is not legal; the position is unchanged.
    pub fn try_play(&mut self, action: Action) -> Result<(), IllegalAction> {
        self.check(action)
            .map_err(|reason| IllegalAction { action, reason })?;
        self.play_unchecked(action);
        Ok(())
    }

    /// Plays an action that is known to be legal.
    ///
    /// An illegal one breaks the position: counts, rings and phase no longer fit the board.
    pub fn play_unchecked(&mut self, action: Action) {
        debug_assert_eq!(self.check(action), Ok(()), "{action} in {self}");
        match action {
            Action::PlaceRing(point) => self.place_ring(point),
            Action::MoveRing { from, to } => self.move_ring(from, to),
            Action::TakeRow(row) => self.take_row(row),
            Action::TakeRing(point) => self.take_ring(point),
            Action::Pass => self.pass(),
        }
    }

    fn place_ring(&mut self, point: Point) {
        self.set_cell(point, Cell::Ring(self.side));
        self.start_turn(false);
        if self.ply == 2 * u16::from(RINGS) {
            self.phase = Phase::MoveRing;
        }
    }

    fn move_ring(&mut self, from: Point, to: Point) {
        let mover = self.side;
        self.set_cell(to, Cell::Ring(mover));
        self.set_cell(from, Cell::Marker(mover));

        let direction = direction_between(from, to).expect("a legal move follows a line");
        let jumped = || {
            ray_from(from, direction)
                .iter()
                .copied()
                .take_while(|point| *point != to)
        };
        for point in jumped() {
            if let Cell::Marker(color) = self.cell(point) {
                self.set_cell(point, Cell::Marker(color.opposite()));
            }
        }
        // No row lay on the board before, so a new one leads through a marker that has just been placed or turned.
        let mut made = ByColor {
            white: false,
            black: false,
        };
        for point in jumped().chain([from]) {
            if let Cell::Marker(color) = self.cell(point) {
                made[color] = made[color] || self.is_in_row(point);
            }
        }
        if self.variant == Variant::Blitz && (made.white || made.black) {
            self.end_game();
        } else if made[mover] {
            self.phase = Phase::LateRow;
        } else {
            self.end_turn(made[mover.opposite()], false);
        }
    }

    fn take_row(&mut self, row: Row) {
        for point in row.points() {
            self.set_cell(point, Cell::Empty);
        }
        self.phase = if self.phase == Phase::EarlyRow {
            Phase::EarlyRing
        } else {
            Phase::LateRing
        };
    }

    fn take_ring(&mut self, point: Point) {
        self.set_cell(point, Cell::Empty);
        self.rings_off[self.side] += 1;
        let early = self.phase == Phase::EarlyRing;
        if self.rings_off[self.side] == RINGS_TO_WIN {
            self.end_game();
        } else if self.has_row(self.side) {
            self.phase = if early {
                Phase::EarlyRow
            } else {
                Phase::LateRow
            };
        } else if early {
            self.phase = Phase::MoveRing;
            self.turn_took_rows = true;
        } else {
            self.end_turn(self.has_row(self.side.opposite()), false);
        }
    }

    fn pass(&mut self) {
        let pure = !self.turn_took_rows;
        if pure && self.passed {
            self.end_game();
        } else {
            self.end_turn(false, pure);
        }
    }

    /// Hands over to the opponent, in whose colour there are rows or not.
    fn end_turn(&mut self, opponent_has_row: bool, passed: bool) {
        self.start_turn(passed);
        self.phase = if opponent_has_row {
            Phase::EarlyRow
        } else if self.markers_on_board == MARKERS {
            Phase::Over
        } else {
            Phase::MoveRing
        };
    }

    fn end_game(&mut self) {
        self.start_turn(false);
        self.phase = Phase::Over;
    }

    fn start_turn(&mut self, passed: bool) {
        self.side = self.side.opposite();
        self.ply += 1;
        self.passed = passed;
        self.turn_took_rows = false;
    }
}
