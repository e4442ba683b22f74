//! A position as line words, and all of a random game but its hot inner steps.

use std::ops::ControlFlow;

use super::super::random::{Random, below};
use super::kernel::Kernel;
use super::lines::{
    BETWEEN, MOVES, POINTS, RAYS, RowEntry, WALL_WORD, WALLS, WALLS_REVERSED, WORDS, Words, grid,
    row_at,
};
use super::policy::Policy;
use crate::game::{Color, MARKERS, Phase, Point, Position, RINGS, RINGS_TO_WIN, Variant};

/// The rings of a side, in an order of their own, and where they look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Rings {
    /// For each ring and direction, the word that it looks along; words without a point for rings that are not there.
    pub words: Words,
    /// For each ring and direction, the factor that shifts that word down to the first bit behind the ring.
    pub factors: Words,
    /// Their points on the grid.
    pub at: [u8; RINGS as usize],
    /// How many there are.
    pub count: u8,
    /// How many have been taken off.
    pub off: u8,
}

impl Rings {
    const NONE: Self = Self {
        words: Words([WALL_WORD; WORDS]),
        factors: Words([1 << 15; WORDS]),
        at: [0; RINGS as usize],
        count: 0,
        off: 0,
    };

    /// Puts a ring of the list on a point.
    #[inline(always)]
    fn put(&mut self, slot: usize, at: u8) {
        let entry = &POINTS[at as usize];
        self.at[slot] = at;
        *self.words.rays_mut(slot) = entry.ray_words;
        *self.factors.rays_mut(slot) = entry.ray_factors;
    }

    /// Takes a ring off the list; the last one gets its place.
    #[inline(always)]
    fn remove(&mut self, slot: usize) {
        self.count -= 1;
        self.put(slot, self.at[self.count as usize]);
        *self.words.rays_mut(self.count as usize) = [WALL_WORD; RAYS];
    }
}

/// A position as line words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Board {
    /// Rings, markers and walls.
    pub occupied: Words,
    /// The same in reverse order.
    pub occupied_reversed: Words,
    /// Markers of both colours.
    pub markers: Words,
    /// The same in reverse order.
    pub markers_reversed: Words,
    /// White's markers.
    pub white: Words,
    /// The rings of both sides.
    pub rings: [Rings; 2],
    /// Who decides.
    pub side: Color,
    phase: Phase,
    marker_count: u8,
    variant: Variant,
    /// The running turn has taken rows already.
    took_rows: bool,
    /// The last turn was nothing but a pass.
    last_was_pass: bool,
}

impl Board {
    /// The board of `position`.
    pub fn new(position: &Position) -> Self {
        let mut board = Self {
            occupied: WALLS,
            occupied_reversed: WALLS_REVERSED,
            markers: Words::EMPTY,
            markers_reversed: Words::EMPTY,
            white: Words::EMPTY,
            rings: [Rings::NONE; 2],
            side: position.side(),
            phase: position.phase(),
            marker_count: 0,
            variant: position.variant(),
            took_rows: position.turn_took_rows(),
            last_was_pass: position.last_turn_was_pass(),
        };
        for color in Color::ALL {
            board.rings[color as usize].off = position.rings_off(color);
            for point in position.rings(color) {
                board.add_ring(color, grid(point));
            }
        }
        for color in Color::ALL {
            for point in position.markers(color) {
                board.toggle_occupied(grid(point));
                board.toggle_marker(grid(point), color);
            }
        }
        board.marker_count = position.markers_on_board();
        board
    }

    fn add_ring(&mut self, color: Color, at: u8) {
        let rings = &mut self.rings[color as usize];
        rings.put(rings.count as usize, at);
        rings.count += 1;
        self.toggle_occupied(at);
    }

    #[inline(always)]
    fn toggle_occupied(&mut self, at: u8) {
        let entry = &POINTS[at as usize];
        xor(&mut self.occupied, &entry.bits);
        xor(&mut self.occupied_reversed, &entry.reversed);
    }

    fn toggle_marker(&mut self, at: u8, color: Color) {
        let entry = &POINTS[at as usize];
        xor(&mut self.markers, &entry.bits);
        xor(&mut self.markers_reversed, &entry.reversed);
        if color == Color::White {
            xor(&mut self.white, &entry.bits);
        }
    }

    /// Brings the game to its next ring move; breaks with the winner if it ends before.
    pub fn begin(&mut self, random: &mut Random) -> ControlFlow<Option<Color>> {
        let side = self.side;
        match self.phase {
            Phase::PlaceRing => self.place_rings(random),
            Phase::MoveRing => {}
            Phase::EarlyRow => self.take_rows(side, random)?,
            Phase::EarlyRing => {
                self.take_ring(side, random)?;
                self.take_rows(side, random)?;
            }
            Phase::LateRow => {
                self.take_rows(side, random)?;
                self.end_turn(random)?;
            }
            Phase::LateRing => {
                self.take_ring(side, random)?;
                self.take_rows(side, random)?;
                self.end_turn(random)?;
            }
            Phase::Over => return self.end_by_rings_off(),
        }
        ControlFlow::Continue(())
    }

    /// Plays one turn that begins with a ring move, and the early rows of the next; breaks with the winner at the end
    /// of the game, `None` for a draw.
    #[inline(always)]
    pub fn play_turn<K: Kernel, P: Policy>(
        &mut self,
        kernel: K,
        policy: P,
        random: &mut Random,
    ) -> ControlFlow<Option<Color>> {
        let Some(bit) = policy.choose(kernel, self, random) else {
            return self.pass();
        };
        let makes_rows = self.move_ring(kernel, bit);
        self.last_was_pass = false;
        self.took_rows = false;
        if makes_rows {
            self.take_rows(self.side, random)?;
            self.end_turn(random)
        } else {
            self.side = self.side.opposite();
            if self.marker_count == MARKERS {
                self.end_by_rings_off()
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    /// Plays the ring move that a bit among the targets of all rays stands for; tells whether there is a row then.
    #[inline(always)]
    pub fn move_ring<K: Kernel>(&mut self, kernel: K, bit: u32) -> bool {
        let (slot, offset) = MOVES[bit as usize];
        let rings = &mut self.rings[self.side as usize];
        let from = rings.at[usize::from(slot)];
        let to = from.wrapping_add_signed(offset);
        rings.put(usize::from(slot), to);
        self.marker_count += 1;
        let entry = &POINTS[usize::from(from)];
        let ray = (bit / 16) as usize % RAYS;
        let between = &BETWEEN[usize::from(entry.between[ray]) + (bit % 16) as usize];
        kernel.move_ring(self, entry, &POINTS[usize::from(to)], between)
    }

    #[cold]
    fn pass(&mut self) -> ControlFlow<Option<Color>> {
        let pure = !self.took_rows;
        if pure && self.last_was_pass {
            return self.end_by_rings_off();
        }
        self.last_was_pass = pure;
        self.took_rows = false;
        self.side = self.side.opposite();
        ControlFlow::Continue(())
    }

    fn place_rings(&mut self, random: &mut Random) {
        while self.rings[0].count + self.rings[1].count < 2 * RINGS {
            let point = Point::from_index(below(random, Point::COUNT as u32) as usize)
                .expect("below their number");
            let bits = &POINTS[grid(point) as usize].bits;
            let is_free = bits
                .0
                .iter()
                .zip(self.occupied.0)
                .all(|(point, occupied)| point & occupied == 0);
            if is_free {
                self.add_ring(self.side, grid(point));
                self.side = self.side.opposite();
            }
        }
    }

    /// Hands over to the opponent, who takes early rows at once.
    #[inline(always)]
    fn end_turn(&mut self, random: &mut Random) -> ControlFlow<Option<Color>> {
        self.side = self.side.opposite();
        self.took_rows = false;
        self.take_rows(self.side, random)?;
        if self.marker_count == MARKERS {
            self.end_by_rings_off()
        } else {
            ControlFlow::Continue(())
        }
    }

    fn end_by_rings_off(&self) -> ControlFlow<Option<Color>> {
        let [white, black] = &self.rings;
        ControlFlow::Break(match white.off.cmp(&black.off) {
            std::cmp::Ordering::Greater => Some(Color::White),
            std::cmp::Ordering::Less => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        })
    }

    /// Takes random rows of `owner` while there are any, each with a random ring.
    #[inline(always)]
    fn take_rows(&mut self, owner: Color, random: &mut Random) -> ControlFlow<Option<Color>> {
        loop {
            let fives = fives(&self.markers_of(owner));
            let count = count_bits(&fives);
            if count == 0 {
                return ControlFlow::Continue(());
            }
            if self.variant == Variant::Blitz {
                return ControlFlow::Break(Some(owner));
            }
            let choice = if count == 1 { 0 } else { below(random, count) };
            let row = nth_row(&fives, choice);
            xor(&mut self.occupied, &row.bits);
            xor(&mut self.occupied_reversed, &row.reversed);
            xor(&mut self.markers, &row.bits);
            xor(&mut self.markers_reversed, &row.reversed);
            if owner == Color::White {
                xor(&mut self.white, &row.bits);
            }
            self.marker_count -= 5;
            self.take_ring(owner, random)?;
        }
    }

    #[inline(always)]
    fn take_ring(&mut self, owner: Color, random: &mut Random) -> ControlFlow<Option<Color>> {
        let rings = &mut self.rings[owner as usize];
        let slot = below(random, u32::from(rings.count)) as usize;
        let at = rings.at[slot];
        rings.remove(slot);
        rings.off += 1;
        let has_won = rings.off == RINGS_TO_WIN;
        self.toggle_occupied(at);
        self.took_rows = true;
        if has_won {
            ControlFlow::Break(Some(owner))
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The markers of one colour.
    #[inline(always)]
    pub fn markers_of(&self, color: Color) -> Words {
        let mut words = self.white;
        if color == Color::Black {
            xor(&mut words, &self.markers);
        }
        words
    }
}

#[inline(always)]
fn xor(words: &mut Words, other: &Words) {
    for (word, other) in words.0.iter_mut().zip(other.0) {
        *word ^= other;
    }
}

/// The lowest bits of all rows of five.
#[inline(always)]
pub fn fives(words: &Words) -> Words {
    let mut fives = *words;
    for word in &mut fives.0 {
        let pairs = *word & *word >> 1;
        *word = pairs & pairs >> 2 & *word >> 4;
    }
    fives
}

/// Number of bits set.
#[inline(always)]
pub fn count_bits(words: &Words) -> u32 {
    let mut count = 0;
    for group in words.groups() {
        count += group.count_ones();
    }
    count
}

/// The row at index `choice` among those with the lowest bits `fives`.
#[inline(always)]
fn nth_row(fives: &Words, choice: u32) -> &'static RowEntry {
    let bit = nth_bit(fives, choice);
    row_at((bit / 16) as usize, bit % 16)
}

/// The index of the set bit number `choice`, from 0, in the words; there must be as many.
#[inline(always)]
pub fn nth_bit(words: &Words, mut choice: u32) -> u32 {
    for (index, mut group) in words.groups().into_iter().enumerate() {
        let count = group.count_ones();
        if choice < count {
            for _ in 0..choice {
                group &= group - 1;
            }
            return index as u32 * 64 + group.trailing_zeros();
        }
        choice -= count;
    }
    unreachable!("the choice is below the number of bits")
}
