use super::color::Color;

/// What lies on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A ring.
    Ring(Color),
    /// A marker with this colour up.
    Marker(Color),
}

/// A [`Cell`] in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedCell(u8);

impl PackedCell {
    const UNPACKED: [Cell; 5] = [
        Cell::Empty,
        Cell::Ring(Color::White),
        Cell::Ring(Color::Black),
        Cell::Marker(Color::White),
        Cell::Marker(Color::Black),
    ];

    /// Packs `cell`.
    pub(super) const fn pack(cell: Cell) -> Self {
        Self(match cell {
            Cell::Empty => 0,
            Cell::Ring(color) => 1 + color as u8,
            Cell::Marker(color) => 3 + color as u8,
        })
    }

    /// The cell that was packed.
    pub(super) const fn unpack(self) -> Cell {
        Self::UNPACKED[self.0 as usize]
    }
}
