use std::fmt;
use std::num::NonZeroU16;

use super::line::Row;
use super::point::Point;

/// One atomic decision; a turn is a sequence of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Put a ring on an empty point.
    PlaceRing(Point),
    /// Put a marker into the ring on `from` and move that ring to `to`.
    MoveRing {
        /// Where the ring stands; the marker stays there.
        from: Point,
        /// The empty point where it goes.
        to: Point,
    },
    /// Take these five markers off the board.
    TakeRow(Row),
    /// Take the own ring on this point off the board, after a row.
    TakeRing(Point),
    /// Do nothing, because no ring can move.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlaceRing(point) => write!(f, "{point}"),
            Self::MoveRing { from, to } => write!(f, "{from}-{to}"),
            Self::TakeRow(row) => write!(f, "x{row}"),
            Self::TakeRing(point) => write!(f, "x{point}"),
            Self::Pass => write!(f, "pass"),
        }
    }
}

/// An [`Action`] in two bytes, for trees and tables.
///
/// The upper two bits tell the kind; the lower 14 hold one or two points, a row, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedAction(NonZeroU16);

const KIND_SHIFT: u32 = 14;
const MOVE: u16 = 0;
const PLACE: u16 = 1;
const ROW: u16 = 2;
const RING_OR_PASS: u16 = 3;
const PASS: u16 = 127;

impl From<Action> for PackedAction {
    fn from(action: Action) -> Self {
        let (kind, payload) = match action {
            // Never zero: a ring moves to another point than its own.
            Action::MoveRing { from, to } => (MOVE, (from.index() as u16) << 7 | to.index() as u16),
            Action::PlaceRing(point) => (PLACE, point.index() as u16),
            Action::TakeRow(row) => (ROW, row.index() as u16),
            Action::TakeRing(point) => (RING_OR_PASS, point.index() as u16),
            Action::Pass => (RING_OR_PASS, PASS),
        };
        Self(
            NonZeroU16::new(kind << KIND_SHIFT | payload)
                .expect("a ring never moves to its own point"),
        )
    }
}

impl PackedAction {
    /// The packed form as a number; never zero.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Reads back what [`PackedAction::bits`] gave; `None` for a number that packs no action.
    pub fn from_bits(bits: u16) -> Option<Self> {
        let packed = Self(NonZeroU16::new(bits)?);
        packed.decode().map(|_| packed)
    }

    fn decode(self) -> Option<Action> {
        let payload = self.bits() & ((1 << KIND_SHIFT) - 1);
        let low = Point::from_index((payload & 127) as usize);
        Some(match self.bits() >> KIND_SHIFT {
            MOVE => Action::MoveRing {
                from: Point::from_index((payload >> 7) as usize)?,
                to: low?,
            },
            PLACE => Action::PlaceRing(Point::from_index(payload as usize)?),
            ROW => Action::TakeRow(Row::from_index(payload as usize)?),
            _ if payload == PASS => Action::Pass,
            _ => Action::TakeRing(Point::from_index(payload as usize)?),
        })
    }
}

impl From<PackedAction> for Action {
    fn from(packed: PackedAction) -> Self {
        packed.decode().expect("only valid actions are packed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_action() {
        let points = || Point::all();
        let actions = points()
            .flat_map(|from| {
                points()
                    .filter(move |to| *to != from)
                    .map(move |to| Action::MoveRing { from, to })
            })
            .chain(points().map(Action::PlaceRing))
            .chain(points().map(Action::TakeRing))
            .chain(Row::all().map(Action::TakeRow))
            .chain([Action::Pass]);
        for action in actions {
            let packed = PackedAction::from(action);
            assert_eq!(Action::from(packed), action);
            assert_eq!(PackedAction::from_bits(packed.bits()), Some(packed));
        }
        assert_eq!(PackedAction::from_bits(0), None);
        assert_eq!(PackedAction::from_bits(u16::MAX - 200), None);
    }
}
