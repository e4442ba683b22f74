//! One uniformly random game to its end, on a board made for nothing else.
//!
//! Points are numbered on an 11 by 11 grid, so that every line has a fixed step, a set of points is one `u128`, and
//! all rows on the board are found with a few shifts. There is no list of moves: a ring, a direction and a distance are
//! drawn together and rejected unless legal, which leaves every legal move equally likely.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::ops::ControlFlow;

use super::random::{Random, below};
use crate::game::{
    ByColor, Cell, Color, Direction, MARKERS, Phase, Point, Position, RINGS, RINGS_TO_WIN, Variant,
};

/// Most points that a ring can reach.
const TARGETS: usize = 26;

/// Draws before a ring move is chosen from a list instead.
const MAX_DRAWS: u32 = 100;

/// Grid steps of the three directions of lines.
const STEPS: [u32; 3] = [1, 11, 12];

/// A bit that is no point of the board and always counts as occupied: the target of draws that mean nothing.
const NOWHERE: u8 = 127;

const fn grid(point: Point) -> u8 {
    point.column_index() * 11 + point.row() - 1
}

const fn bit(index: u8) -> u128 {
    1 << index
}

/// What lies around a point of the grid.
#[derive(Clone, Copy)]
struct Surroundings {
    /// Points that a ring could reach on an empty board, by direction and distance, filled up with [`NOWHERE`].
    targets: [u8; TARGETS],
    /// The direction of each target, as an index.
    directions: [u8; TARGETS],
    /// The points in each direction.
    rays: [u128; 6],
}

static SURROUNDINGS: [Surroundings; 121] = {
    let nothing = Surroundings {
        targets: [NOWHERE; TARGETS],
        directions: [0; TARGETS],
        rays: [0; 6],
    };
    let mut table = [nothing; 121];
    let mut index = 0;
    while index < Point::COUNT {
        let point = Point::from_index(index).unwrap();
        let entry = &mut table[grid(point) as usize];
        let mut count = 0;
        let mut direction = 0;
        while direction < 6 {
            let mut here = point;
            while let Some(next) = here.neighbor(Direction::ALL[direction]) {
                entry.targets[count] = grid(next);
                entry.directions[count] = direction as u8;
                entry.rays[direction] |= bit(grid(next));
                here = next;
                count += 1;
            }
            direction += 1;
        }
        index += 1;
    }
    table
};

/// Directions below this index lead to higher grid numbers.
const ASCENDING: u8 = 3;

/// A position on the grid, for one random game.
#[derive(Clone, Copy)]
pub struct Playout {
    markers: ByColor<u128>,
    /// All rings, and [`NOWHERE`].
    rings: u128,
    ring_list: ByColor<[u8; RINGS as usize]>,
    ring_count: ByColor<u8>,
    rings_off: ByColor<u8>,
    side: Color,
    phase: Phase,
    variant: Variant,
    /// The running turn has taken rows already.
    took_rows: bool,
    /// The last turn was nothing but a pass.
    last_was_pass: bool,
}

impl Playout {
    /// The board of `position`.
    pub fn new(position: &Position) -> Self {
        let mut playout = Self {
            markers: ByColor { white: 0, black: 0 },
            rings: bit(NOWHERE),
            ring_list: ByColor::default(),
            ring_count: ByColor::default(),
            rings_off: ByColor::from_fn(|color| position.rings_off(color)),
            side: position.side(),
            phase: position.phase(),
            variant: position.variant(),
            took_rows: position.turn_took_rows(),
            last_was_pass: position.last_turn_was_pass(),
        };
        for color in Color::ALL {
            for point in position.rings(color) {
                playout.add_ring(color, grid(point));
            }
        }
        if position.markers_on_board() > 0 {
            for point in Point::all() {
                if let Cell::Marker(color) = position.cell(point) {
                    playout.markers[color] |= bit(grid(point));
                }
            }
        }
        playout
    }

    fn add_ring(&mut self, color: Color, at: u8) {
        self.ring_list[color][self.ring_count[color] as usize] = at;
        self.ring_count[color] += 1;
        self.rings |= bit(at);
    }

    fn remove_ring(&mut self, color: Color, index: usize) {
        self.ring_count[color] -= 1;
        self.rings &= !bit(self.ring_list[color][index]);
        self.ring_list[color][index] = self.ring_list[color][self.ring_count[color] as usize];
    }

    /// Plays the game to its end and tells who won; `None` is a draw.
    pub fn run(mut self, random: &mut Random) -> Option<Color> {
        match self.play_on(random) {
            ControlFlow::Break(winner) => winner,
            ControlFlow::Continue(never) => match never {},
        }
    }

    fn play_on(&mut self, random: &mut Random) -> ControlFlow<Option<Color>, Infallible> {
        self.finish_turn_in_progress(random)?;
        loop {
            let mover = self.side;
            if self.move_ring(random) {
                self.last_was_pass = false;
                self.took_rows = false;
                self.take_rows(mover, random)?;
                self.end_turn(random)?;
            } else {
                let pure = !self.took_rows;
                if pure && self.last_was_pass {
                    return self.end_by_rings_off();
                }
                self.last_was_pass = pure;
                self.took_rows = false;
                self.side = mover.opposite();
            }
        }
    }

    /// Brings the game to the next ring move.
    fn finish_turn_in_progress(&mut self, random: &mut Random) -> ControlFlow<Option<Color>> {
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

    /// Hands over to the opponent, who takes early rows at once.
    fn end_turn(&mut self, random: &mut Random) -> ControlFlow<Option<Color>> {
        self.side = self.side.opposite();
        self.took_rows = false;
        self.take_rows(self.side, random)?;
        if (self.markers.white | self.markers.black).count_ones() == u32::from(MARKERS) {
            return self.end_by_rings_off();
        }
        ControlFlow::Continue(())
    }

    fn end_by_rings_off<T>(&self) -> ControlFlow<Option<Color>, T> {
        ControlFlow::Break(match self.rings_off.white.cmp(&self.rings_off.black) {
            Ordering::Greater => Some(Color::White),
            Ordering::Less => Some(Color::Black),
            Ordering::Equal => None,
        })
    }

    fn place_rings(&mut self, random: &mut Random) {
        while self.ring_count.white + self.ring_count.black < 2 * RINGS {
            let point = Point::from_index(below(random, Point::COUNT as u32) as usize)
                .expect("below their number");
            if self.rings & bit(grid(point)) == 0 {
                self.add_ring(self.side, grid(point));
                self.side = self.side.opposite();
            }
        }
    }

    /// Moves a random ring of the side to move; `false` if none can move.
    fn move_ring(&mut self, random: &mut Random) -> bool {
        let draws = u32::from(self.ring_count[self.side]) * TARGETS as u32;
        for _ in 0..MAX_DRAWS {
            let draw = below(random, draws) as usize;
            if self.try_move(draw / TARGETS, draw % TARGETS) {
                return true;
            }
        }
        // Few moves are left, or none: choose among those there are.
        let legal = (0..draws as usize).filter(|draw| {
            let mut copy = *self;
            copy.try_move(draw / TARGETS, draw % TARGETS)
        });
        match legal.clone().count() {
            0 => false,
            count => {
                let draw = legal
                    .clone()
                    .nth(below(random, count as u32) as usize)
                    .expect("below their number");
                self.try_move(draw / TARGETS, draw % TARGETS)
            }
        }
    }

    /// Plays the move of a ring to one of its targets if it is legal.
    fn try_move(&mut self, ring: usize, target: usize) -> bool {
        let from = self.ring_list[self.side][ring];
        let around = &SURROUNDINGS[from as usize];
        let to = around.targets[target];
        let markers = self.markers.white | self.markers.black;
        if (self.rings | markers) & bit(to) != 0 {
            return false;
        }
        let direction = around.directions[target];
        let between = (around.rays[direction as usize]
            ^ SURROUNDINGS[to as usize].rays[direction as usize])
            & !bit(to);
        let jumped = between & markers;
        let crossed = between ^ jumped;
        // What is jumped must lie behind all that is crossed, seen from the ring.
        let in_order = if direction < ASCENDING {
            jumped == 0 || crossed < jumped & jumped.wrapping_neg()
        } else {
            crossed == 0 || jumped < crossed & crossed.wrapping_neg()
        };
        if between & self.rings != 0 || !in_order {
            return false;
        }
        self.rings ^= bit(from) | bit(to);
        self.ring_list[self.side][ring] = to;
        // Each jumped marker lies in exactly one of the two sets, and goes to the other.
        self.markers.white ^= jumped;
        self.markers.black ^= jumped;
        self.markers[self.side] |= bit(from);
        true
    }

    /// Takes random rows of `owner` while there are any, each with a random ring.
    fn take_rows(&mut self, owner: Color, random: &mut Random) -> ControlFlow<Option<Color>> {
        loop {
            let starts = row_starts(self.markers[owner]);
            let count: u32 = starts.iter().map(|s| s.count_ones()).sum();
            if count == 0 {
                return ControlFlow::Continue(());
            }
            if self.variant == Variant::Blitz {
                return ControlFlow::Break(Some(owner));
            }
            let choice = if count == 1 { 0 } else { below(random, count) };
            self.markers[owner] ^= nth_row(starts, choice);
            self.take_ring(owner, random)?;
        }
    }

    fn take_ring(&mut self, owner: Color, random: &mut Random) -> ControlFlow<Option<Color>> {
        let ring = below(random, u32::from(self.ring_count[owner])) as usize;
        self.remove_ring(owner, ring);
        self.rings_off[owner] += 1;
        self.took_rows = true;
        if self.rings_off[owner] == RINGS_TO_WIN {
            return ControlFlow::Break(Some(owner));
        }
        ControlFlow::Continue(())
    }
}

/// The lowest points of all rows in `markers`, for each direction of lines.
fn row_starts(markers: u128) -> [u128; 3] {
    STEPS.map(|step| {
        let pairs = markers & markers >> step;
        let fours = pairs & pairs >> (2 * step);
        fours & markers >> (4 * step)
    })
}

/// The points of the row at index `choice` among `starts`.
fn nth_row(starts: [u128; 3], mut choice: u32) -> u128 {
    for (mut starts, step) in starts.into_iter().zip(STEPS) {
        let count = starts.count_ones();
        if choice < count {
            for _ in 0..choice {
                starts &= starts - 1;
            }
            let first = starts.trailing_zeros();
            return (0..5).map(|i| 1 << (first + i * step)).sum();
        }
        choice -= count;
    }
    unreachable!("the choice is below the number of rows")
}

#[cfg(test)]
mod tests {
    use super::super::random::random_stream;
    use super::*;
    use crate::game::Action;

    /// A uniformly random action.
    fn random_action(position: &Position, random: &mut Random) -> Action {
        let actions = position.actions();
        actions[below(random, actions.len() as u32) as usize]
    }

    fn sets(position: &Position) -> (ByColor<u128>, u128) {
        let playout = Playout::new(position);
        (playout.markers, playout.rings)
    }

    /// Each draw is a legal move or is rejected, each legal move is one draw, and its effect is that of the rules.
    #[test]
    fn draws_are_the_legal_moves() {
        let mut random = random_stream(3, 0);
        let mut positions = 0;
        while positions < 5_000 {
            let mut position = Position::start(Variant::Standard);
            while !position.is_over() {
                if position.phase() == Phase::MoveRing {
                    check_draws(&position);
                    positions += 1;
                }
                position.play(random_action(&position, &mut random));
            }
        }
    }

    fn check_draws(position: &Position) {
        let from_list: Vec<Action> = position
            .actions()
            .iter()
            .copied()
            .filter(|a| *a != Action::Pass)
            .collect();
        let mut accepted = 0;
        for draw in 0..usize::from(Playout::new(position).ring_count[position.side()]) * TARGETS {
            let mut playout = Playout::new(position);
            let from = playout.ring_list[position.side()][draw / TARGETS];
            if !playout.try_move(draw / TARGETS, draw % TARGETS) {
                continue;
            }
            accepted += 1;
            let to = playout.ring_list[position.side()][draw / TARGETS];
            let action = *from_list
                .iter()
                .find(|action| matches!(action, Action::MoveRing { from: f, to: t } if (grid(*f), grid(*t)) == (from, to)))
                .unwrap_or_else(|| panic!("draw {draw} in {position} is not legal"));
            let mut after = *position;
            after.play(action);
            assert_eq!(
                (playout.markers, playout.rings),
                sets(&after),
                "{action} in {position}"
            );
            for color in Color::ALL {
                let rows: u32 = row_starts(playout.markers[color])
                    .iter()
                    .map(|s| s.count_ones())
                    .sum();
                assert_eq!(
                    rows as usize,
                    after.rows(color).count(),
                    "{action} in {position}"
                );
            }
        }
        assert_eq!(accepted, from_list.len(), "{position}");
    }

    /// From positions of every phase, the fast games end like games played by the rules.
    #[test]
    fn results_are_those_of_the_rules() {
        let mut random = random_stream(4, 0);
        for (start, variant) in crate::search::bench::POSITIONS {
            let position = Position::parse(start, variant).unwrap();
            let games = 2_000;
            let mut counts = [[0_i32; 2]; 3];
            for _ in 0..games {
                let mut here = position;
                while !here.is_over() {
                    here.play(random_action(&here, &mut random));
                }
                let by_rules = here.outcome().unwrap().winner;
                let fast = Playout::new(&position).run(&mut random);
                for (side, winner) in [by_rules, fast].into_iter().enumerate() {
                    counts[winner.map_or(2, |color| color as usize)][side] += 1;
                }
            }
            for [by_rules, fast] in counts {
                // Five standard deviations of the difference of two counts.
                let allowed = 5.0 * f64::from(by_rules + fast).sqrt();
                assert!(
                    f64::from((by_rules - fast).abs()) <= allowed,
                    "{start}: {counts:?}"
                );
            }
        }
    }
}
