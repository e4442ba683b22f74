use std::fmt;

use arrayvec::ArrayVec;

use super::action::Action;
use super::cell::Cell;
use super::color::Color;
use super::line::{direction_between, ray_from};
use super::outcome::Variant;
use super::point::{Direction, Point};
use super::position::{MARKERS, Phase, Position, RINGS_TO_WIN};

/// The most actions that can be legal at once: five rings with 26 targets each.
pub const MAX_ACTIONS: usize = 130;

/// The legal actions of a position.
pub type ActionList = ArrayVec<Action, MAX_ACTIONS>;

/// Why an action is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// The game is over.
    GameOver,
    /// Another kind of action is due.
    Expected(Phase),
    /// The target is not empty.
    Occupied(Point),
    /// No own ring stands there.
    NotOwnRing(Point),
    /// The two points do not share a line.
    NotOnALine,
    /// A ring stands in the way.
    RingInTheWay(Point),
    /// The move goes on after a jump.
    JumpTooFar(Point),
    /// The five points do not all carry own markers.
    NotARow,
    /// A ring can move, so passing is not allowed.
    MovePossible,
    /// The turn stops before it is complete.
    Incomplete(Phase),
    /// The turn goes on after its end.
    TurnOver,
}

impl IllegalReason {
    /// A stable word for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::GameOver => "game_over",
            Self::Expected(Phase::PlaceRing) => "placement_expected",
            Self::Expected(Phase::MoveRing) => "ring_move_expected",
            Self::Expected(Phase::EarlyRow | Phase::LateRow) => "row_expected",
            Self::Expected(Phase::EarlyRing | Phase::LateRing) => "ring_removal_expected",
            Self::Expected(Phase::Over) => "game_over",
            Self::Occupied(_) => "occupied",
            Self::NotOwnRing(_) => "not_own_ring",
            Self::NotOnALine => "not_on_a_line",
            Self::RingInTheWay(_) => "ring_in_the_way",
            Self::JumpTooFar(_) => "jump_too_far",
            Self::NotARow => "not_a_row",
            Self::MovePossible => "move_possible",
            Self::Incomplete(_) => "incomplete",
            Self::TurnOver => "turn_over",
        }
    }
}

const fn due(phase: Phase) -> &'static str {
    match phase {
        Phase::PlaceRing => "a ring must be placed",
        Phase::MoveRing => "a ring must be moved",
        Phase::EarlyRow => "a row left by the opponent must be taken first",
        Phase::LateRow => "a row must be taken",
        Phase::EarlyRing | Phase::LateRing => "a ring must be taken off for the row",
        Phase::Over => "the game is over",
    }
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => write!(f, "the game is over"),
            Self::Expected(phase) => write!(f, "{} now", due(*phase)),
            Self::Occupied(point) => write!(f, "{point} is not empty"),
            Self::NotOwnRing(point) => write!(f, "no own ring stands on {point}"),
            Self::NotOnALine => write!(f, "a ring moves along a line to another point"),
            Self::RingInTheWay(point) => write!(f, "the ring on {point} is in the way"),
            Self::JumpTooFar(stop) => {
                write!(
                    f,
                    "the ring must stop right behind the jumped markers, on {stop}"
                )
            }
            Self::NotARow => write!(f, "those are not five own markers in a row"),
            Self::MovePossible => write!(f, "a ring can move, so passing is not allowed"),
            Self::Incomplete(phase) => write!(f, "the turn is not complete: {}", due(*phase)),
            Self::TurnOver => write!(f, "the turn is over before this"),
        }
    }
}

/// An action that is not legal, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{action} is not legal: {reason}")]
pub struct IllegalAction {
    /// The action as it was given.
    pub action: Action,
    /// Why it is not legal.
    pub reason: IllegalReason,
}

impl Position {
    /// The legal actions, in a fixed order; none when the game is over.
    pub fn actions(&self) -> ActionList {
        let mut list = ActionList::new();
        match self.phase {
            Phase::PlaceRing => {
                list.extend(
                    Point::all()
                        .filter(|p| self.cell(*p) == Cell::Empty)
                        .map(Action::PlaceRing),
                );
            }
            Phase::MoveRing => {
                self.each_ring_move(self.side, |from, to| {
                    list.push(Action::MoveRing { from, to })
                });
                if list.is_empty() {
                    list.push(Action::Pass);
                }
            }
            Phase::EarlyRow | Phase::LateRow => {
                list.extend(self.rows(self.side).map(Action::TakeRow))
            }
            Phase::EarlyRing | Phase::LateRing => {
                list.extend(self.rings(self.side).map(Action::TakeRing))
            }
            Phase::Over => {}
        }
        list
    }

    /// Whether `action` may be played now.
    pub fn is_legal(&self, action: Action) -> bool {
        self.check(action).is_ok()
    }

    /// Whether `color` could move a ring if it were to move.
    pub fn can_move_ring(&self, color: Color) -> bool {
        // A ring can move exactly when a neighbouring point is empty or a jump over markers ends on an empty one.
        self.rings(color).any(|from| {
            Direction::ALL.into_iter().any(|direction| {
                let mut behind = ray_from(from, direction).iter().map(|p| self.cell(*p));
                behind.find(|cell| !matches!(cell, Cell::Marker(_))) == Some(Cell::Empty)
            })
        })
    }

    fn each_ring_move(&self, color: Color, mut visit: impl FnMut(Point, Point)) {
        for from in self.rings(color) {
            for direction in Direction::ALL {
                let mut jumped = false;
                for to in ray_from(from, direction) {
                    match self.cell(*to) {
                        Cell::Empty => {
                            visit(from, *to);
                            if jumped {
                                break;
                            }
                        }
                        Cell::Marker(_) => jumped = true,
                        Cell::Ring(_) => break,
                    }
                }
            }
        }
    }

    pub(super) fn check(&self, action: Action) -> Result<(), IllegalReason> {
        match (self.phase, action) {
            (Phase::Over, _) => Err(IllegalReason::GameOver),
            (Phase::PlaceRing, Action::PlaceRing(point)) => self.check_empty(point),
            (Phase::MoveRing, Action::MoveRing { from, to }) => self.check_ring_move(from, to),
            (Phase::MoveRing, Action::Pass) if self.can_move_ring(self.side) => {
                Err(IllegalReason::MovePossible)
            }
            (Phase::MoveRing, Action::Pass) => Ok(()),
            (Phase::EarlyRow | Phase::LateRow, Action::TakeRow(row)) => {
                if self.is_row(row, self.side) {
                    Ok(())
                } else {
                    Err(IllegalReason::NotARow)
                }
            }
            (Phase::EarlyRing | Phase::LateRing, Action::TakeRing(point)) => {
                self.check_own_ring(point)
            }
            (phase, _) => Err(IllegalReason::Expected(phase)),
        }
    }

    fn check_empty(&self, point: Point) -> Result<(), IllegalReason> {
        if self.cell(point) == Cell::Empty {
            Ok(())
        } else {
            Err(IllegalReason::Occupied(point))
        }
    }

    fn check_own_ring(&self, point: Point) -> Result<(), IllegalReason> {
        if self.cell(point) == Cell::Ring(self.side) {
            Ok(())
        } else {
            Err(IllegalReason::NotOwnRing(point))
        }
    }

    fn check_ring_move(&self, from: Point, to: Point) -> Result<(), IllegalReason> {
        self.check_own_ring(from)?;
        let direction = direction_between(from, to).ok_or(IllegalReason::NotOnALine)?;
        let mut jumped = false;
        for point in ray_from(from, direction)
            .iter()
            .copied()
            .take_while(|point| *point != to)
        {
            match self.cell(point) {
                Cell::Ring(_) => return Err(IllegalReason::RingInTheWay(point)),
                Cell::Empty if jumped => return Err(IllegalReason::JumpTooFar(point)),
                Cell::Empty => {}
                Cell::Marker(_) => jumped = true,
            }
        }
        self.check_empty(to)
    }

    /// Whether the board itself says that the game is over, whoever is next.
    pub(super) fn is_over_by_board(&self) -> bool {
        let blitz_row = || {
            self.variant == Variant::Blitz && Color::ALL.iter().any(|color| self.has_row(*color))
        };
        let full = || {
            self.markers_on_board() == MARKERS
                && !Color::ALL.iter().any(|color| self.has_row(*color))
        };
        Color::ALL
            .iter()
            .any(|color| self.rings_off[*color] == RINGS_TO_WIN)
            || blitz_row()
            || full()
            || !Color::ALL.iter().any(|color| self.can_move_ring(*color))
    }
}
