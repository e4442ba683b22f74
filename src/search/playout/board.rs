//! The position that a random game begins from, as line words.

use super::super::random::{Random, below};
use super::lines::{RAYS, WALLS, Words, entry, grid};
use crate::game::{Color, Phase, Point, Position, RINGS, Variant};

/// Where a ring is that is not there: an index of the grid that is no point and from which nothing can be seen.
pub const NOWHERE: u8 = 0;

/// The rings of a side, in an order of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rings {
    /// For each ray, the point on the grid of the ring that it belongs to; room for eight rings, so that any three bits
    /// are the index of one.
    at: [u8; 8 * RAYS],
    /// How many there are.
    pub count: u8,
    /// How many have been taken off.
    pub off: u8,
}

impl Rings {
    const NONE: Self = Self {
        at: [NOWHERE; 8 * RAYS],
        count: 0,
        off: 0,
    };

    /// The point of the ring that a ray belongs to.
    #[inline(always)]
    pub fn of_ray(&self, ray: usize) -> u8 {
        self.at[ray]
    }

    /// The points of the rings that the rays belong to.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn of_rays(&self) -> &[u8; 8 * RAYS] {
        &self.at
    }

    /// The point of a ring.
    #[inline(always)]
    pub fn at(&self, slot: u8) -> u8 {
        self.of_ray(usize::from(slot) * RAYS)
    }

    /// Puts a ring of the list on a point.
    #[inline(always)]
    pub fn put(&mut self, slot: u8, at: u8) {
        let first = usize::from(slot) % 8 * RAYS;
        self.at[first..first + RAYS].copy_from_slice(&[at; RAYS]);
    }

    /// Takes a ring off the list; the last one gets its place.
    #[inline(always)]
    pub fn remove(&mut self, slot: u8) {
        self.count -= 1;
        self.put(slot, self.at(self.count));
        self.put(self.count, NOWHERE);
        self.off += 1;
    }
}

/// Everything about a position that is no line word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The rings of White and Black.
    pub rings: [Rings; 2],
    /// Who decides.
    pub side: Color,
    /// What is to be decided.
    pub phase: Phase,
    /// Markers on the board.
    pub marker_count: u8,
    /// The rules.
    pub variant: Variant,
    /// The running turn has taken rows already.
    pub took_rows: bool,
    /// The last turn was nothing but a pass.
    pub last_was_pass: bool,
}

/// A position as line words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Rings, markers and walls.
    pub occupied: Words,
    /// Markers of both colours.
    pub markers: Words,
    /// White's markers.
    pub white: Words,
    /// All else.
    pub state: State,
}

impl Board {
    /// The board of `position`.
    pub fn new(position: &Position) -> Self {
        let mut board = Self {
            occupied: WALLS,
            markers: Words::EMPTY,
            white: Words::EMPTY,
            state: State {
                rings: [Rings::NONE; 2],
                side: position.side(),
                phase: position.phase(),
                marker_count: position.markers_on_board(),
                variant: position.variant(),
                took_rows: position.turn_took_rows(),
                last_was_pass: position.last_turn_was_pass(),
            },
        };
        for color in Color::ALL {
            board.state.rings[color as usize].off = position.rings_off(color);
            for point in position.rings(color) {
                board.add_ring(color, point);
            }
        }
        for point in position.markers(Color::White) {
            board.white.toggle(&entry(grid(point)).bits);
        }
        board.markers = board.white;
        for point in position.markers(Color::Black) {
            board.markers.toggle(&entry(grid(point)).bits);
        }
        board.occupied.toggle(&board.markers);
        board
    }

    /// Adds a ring.
    pub fn add_ring(&mut self, color: Color, point: Point) {
        let at = grid(point);
        let rings = &mut self.state.rings[color as usize];
        rings.put(rings.count, at);
        rings.count += 1;
        self.occupied.toggle(&entry(at).bits);
    }

    /// The same with the rings that are still to be placed at random points.
    pub fn with_all_rings(mut self, random: &mut Random) -> Self {
        while self.state.rings[0].count + self.state.rings[1].count < 2 * RINGS {
            let point = Point::from_index(below(random, Point::COUNT as u32) as usize)
                .expect("below their number");
            let place = entry(grid(point));
            let word = self.occupied.0[usize::from(place.words[0])];
            if word >> place.places[0] & 1 == 0 {
                self.add_ring(self.state.side, point);
                self.state.side = self.state.side.opposite();
            }
        }
        self.state.phase = Phase::MoveRing;
        self
    }
}
