use super::board::{Board, Rings};
use super::kernel::{Among, BLACK, Kernel, RingMove, Rows, WHITE};
use super::lines::{RAYS, ROWS, WORDS, grid};
use super::policy::{Policy, TakeFive, Uniform, ring_move};
use super::*;
use crate::game::{Action, Phase, Point, Variant};
use crate::search::random::random_stream;

mod judging;
mod results;

const POLICIES: [PlayoutPolicy; 2] = [PlayoutPolicy::Uniform, PlayoutPolicy::TakeFive];
/// Lengths of random games.
const LENGTHS: [u32; 4] = [0, 1, 6, TO_THE_END];

/// Something to find out about each kernel of this processor. That of AVX2 is the portable one, compiled anew.
trait Check {
    fn run<K: Kernel>(&mut self, kernel: K);

    fn run_on_all(&mut self) {
        self.run(Portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = x86::Avx512::detect() {
            self.run(kernel);
        }
    }
}

fn portable_playouts() -> Playouts {
    Playouts::up_to(Simd::Portable, Evaluation::built_in())
}

/// A uniformly random action.
fn random_action(position: &Position, random: &mut Random) -> Action {
    let actions = position.actions();
    actions[below(random, actions.len() as u32) as usize]
}

/// Positions with a ring move due, from random games.
fn middle_games(count: usize) -> Vec<Position> {
    let mut random = random_stream(3, 0);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::start(Variant::Standard);
        while !position.is_over() {
            if position.phase() == Phase::MoveRing {
                positions.push(position);
            }
            position.play(random_action(&position, &mut random));
        }
    }
    positions
}

/// The point at an index of the grid.
fn point(at: u8) -> Point {
    Point::all().find(|point| grid(*point) == at).unwrap()
}

fn action(ring_move: &RingMove) -> Action {
    Action::MoveRing {
        from: point(ring_move.way.from),
        to: point(ring_move.way.to),
    }
}

/// All targets of `rings`, those of `SIDE`.
fn targets<K: Kernel, const SIDE: usize>(
    kernel: K,
    lines: &K::Lines,
    rings: &Rings,
) -> Vec<RingMove> {
    let rays = kernel.look::<SIDE>(lines, rings);
    let mut bits = Vec::new();
    for ray in 0..WORDS {
        let (steps, jumps) = (1 << ray, 1 << ray);
        let steps = kernel.count(&rays, &Among { steps, jumps: 0 });
        bits.extend((0..kernel.total(&steps) as usize).map(|distance| ray * 16 + distance));
        let jump = kernel.count(&rays, &Among { steps: 0, jumps });
        bits.extend(kernel.draw(&jump, lines, rings, &mut random_stream(0, 0)));
    }
    bits.into_iter().map(|bit| ring_move(rings, bit)).collect()
}

/// Plays random games by the rules and by a kernel side by side, and compares all that the kernel says.
struct SideBySide {
    positions: usize,
}

impl Check for SideBySide {
    fn run<K: Kernel>(&mut self, kernel: K) {
        let mut seed = 0;
        let mut left = self.positions;
        while left > 0 {
            let mut random = random_stream(11, seed);
            seed += 1;
            let mut position = Position::start(Variant::Standard);
            while position.phase() == Phase::PlaceRing {
                position.play(random_action(&position, &mut random));
            }
            left -= left.min(compare_game(kernel, position, &mut random));
        }
    }
}

/// Compares a random game from `position` to its end; tells how many positions with a ring move due it had.
fn compare_game<K: Kernel>(kernel: K, mut position: Position, random: &mut Random) -> usize {
    let board = Board::new(&position);
    let mut lines = kernel.set_up(&board);
    let mut rings = board.state.rings;
    let mut compared = 0;
    while !position.is_over() {
        let side = position.side();
        let own = &mut rings[side as usize];
        let mut chosen = random_action(&position, random);
        if position.phase() == Phase::MoveRing {
            compared += 1;
            let chosen_move = match side {
                Color::White => compare_moves::<K, WHITE>(kernel, &lines, own, &position, random),
                Color::Black => compare_moves::<K, BLACK>(kernel, &lines, own, &position, random),
            };
            if let Some(chosen_move) = chosen_move {
                own.put(chosen_move.slot, chosen_move.way.to);
                match side {
                    Color::White => kernel.move_ring::<WHITE>(&mut lines, &chosen_move),
                    Color::Black => kernel.move_ring::<BLACK>(&mut lines, &chosen_move),
                };
                chosen = action(&chosen_move);
            }
        }
        match chosen {
            Action::TakeRow(row) => kernel.take_row(&mut lines, side, &ROWS[row.index()]),
            Action::TakeRing(ring) => {
                let slot = (0..own.count).find(|slot| own.at(*slot) == grid(ring));
                own.remove(slot.unwrap());
                kernel.take_ring(&mut lines, side, own, grid(ring));
            }
            _ => {}
        }
        position.play(chosen);
        assert_same(kernel, &lines, &position);
    }
    compared
}

/// Each target is a legal move, each legal move is one target, and its effect is that of the rules. One of them.
fn compare_moves<K: Kernel, const SIDE: usize>(
    kernel: K,
    lines: &K::Lines,
    rings: &Rings,
    position: &Position,
    random: &mut Random,
) -> Option<RingMove> {
    let moves = targets::<K, SIDE>(kernel, lines, rings);
    let mut found: Vec<Action> = moves.iter().map(action).collect();
    found.sort_by_key(Action::to_string);
    let legal = position.actions();
    let mut legal: Vec<Action> = legal
        .iter()
        .filter(|a| **a != Action::Pass)
        .copied()
        .collect();
    legal.sort_by_key(Action::to_string);
    assert_eq!(found, legal, "{position}");
    let all = kernel.count(&kernel.look::<SIDE>(lines, rings), &Among::ALL);
    assert_eq!(kernel.total(&all) as usize, moves.len(), "{position}");
    if moves.is_empty() {
        return None;
    }
    for ring_move in &moves {
        let mut after = *position;
        after.play(action(ring_move));
        let made = Rows {
            own: after.has_row(position.side()),
            other: after.has_row(position.side().opposite()),
        };
        let told = kernel.rows_after::<SIDE>(lines, &ring_move.way);
        assert_eq!(told, made, "{} in {position}", action(ring_move));
        let mut lines = *lines;
        let has_row = kernel.move_ring::<SIDE>(&mut lines, ring_move);
        assert_eq!(
            has_row,
            made.own || made.other,
            "{} in {position}",
            action(ring_move)
        );
    }
    Some(moves[below(random, moves.len() as u32) as usize])
}

fn assert_same<K: Kernel>(kernel: K, lines: &K::Lines, position: &Position) {
    let expected = kernel.set_up(&Board::new(position));
    assert!(kernel.words(lines) == kernel.words(&expected), "{position}");
    for color in Color::ALL {
        let has_row = kernel.rows(lines, color) != lines::Words::EMPTY;
        assert_eq!(has_row, position.has_row(color), "{color} in {position}");
    }
}

#[test]
fn kernels_agree_with_the_rules() {
    SideBySide { positions: 3_000 }.run_on_all();
}

/// The number of positions is that of `YINSH_POSITIONS`; without it what a gate has time for.
#[test]
#[ignore = "slow: YINSH_POSITIONS positions, 100 000 by default"]
fn kernels_agree_with_the_rules_in_many_positions() {
    let positions = std::env::var("YINSH_POSITIONS").ok();
    let positions = positions.map_or(100_000, |number| number.parse().expect("a number"));
    SideBySide { positions }.run_on_all();
}

/// The same seed gives the same game on every instruction set.
#[test]
fn every_instruction_set_plays_the_same_games() {
    let starts = crate::search::bench::POSITIONS
        .map(|(text, variant)| Position::parse(text, variant).unwrap());
    for position in middle_games(500).iter().chain(&starts) {
        for seed in 0..20 {
            let policy = POLICIES[seed as usize % 2];
            let length = LENGTHS[seed as usize / 2 % 4];
            let game = [Game::new(position, seed)];
            let portable = portable_playouts().run(policy, length, 1, &game);
            for playouts in Playouts::all() {
                let ending = playouts.run(policy, length, 1, &game);
                assert_eq!(ending, portable, "{playouts:?} from {position}");
            }
        }
    }
}

#[test]
fn games_played_at_once_are_those_played_one_by_one() {
    for playouts in Playouts::all() {
        for positions in middle_games(2_000).chunks(MAX_GAMES) {
            let games: Vec<Game> = (0..)
                .zip(positions)
                .map(|(seed, position)| Game::new(position, seed))
                .collect();
            for (policy, length) in POLICIES.into_iter().cycle().zip(LENGTHS) {
                let alone = games
                    .iter()
                    .map(|game| playouts.run(policy, length, 1, std::slice::from_ref(game))[0]);
                let alone: Vec<Ending> = alone.collect();
                for at_once in 1..=MAX_AT_ONCE {
                    let together = playouts.run(policy, length, at_once, &games);
                    assert_eq!(alone[..], together[..], "{playouts:?}, {at_once} at once");
                }
            }
        }
    }
}

/// The policy allows exactly the moves that its words say, found here by the rules.
struct TakesFives {
    takes: usize,
}

impl Check for TakesFives {
    fn run<K: Kernel>(&mut self, kernel: K) {
        let mut random = random_stream(6, 0);
        for position in middle_games(1_500) {
            let side = position.side();
            let moves = position.actions();
            if moves[0] == Action::Pass {
                continue;
            }
            let makes = |action: &Action, color: Color| {
                let mut after = position;
                after.play(*action);
                after.has_row(color)
            };
            let rows: Vec<&Action> = moves.iter().filter(|action| makes(action, side)).collect();
            let is_safe = |action: &&Action| !makes(action, side.opposite());
            let safe: Vec<&Action> = moves.iter().filter(is_safe).collect();
            let sets = [rows, safe, moves.iter().collect()];
            let allowed = sets.into_iter().find(|set| !set.is_empty()).unwrap();
            self.takes += usize::from(makes(allowed[0], side));

            let board = Board::new(&position);
            let lines = kernel.set_up(&board);
            let rings = &board.state.rings[side as usize];
            let choice = match side {
                Color::White => TakeFive.choice::<K, WHITE>(kernel, &lines, rings),
                Color::Black => TakeFive.choice::<K, BLACK>(kernel, &lines, rings),
            };
            assert_eq!(kernel.total(&choice) as usize, allowed.len(), "{position}");
            for _ in 0..20 {
                let bit = kernel.draw(&choice, &lines, rings, &mut random).unwrap();
                let action = action(&ring_move(rings, bit));
                assert!(allowed.contains(&&action), "{action} in {position}");
            }
        }
    }
}

#[test]
fn a_five_is_taken_and_none_is_given() {
    let mut check = TakesFives { takes: 0 };
    check.run_on_all();
    let takes = check.takes;
    assert!(takes > 100, "only {takes} positions had a five to take");
}

/// Every target is drawn equally often.
struct DrawsUniformly;

impl Check for DrawsUniformly {
    fn run<K: Kernel>(&mut self, kernel: K) {
        let position: Position = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10"
            .parse()
            .unwrap();
        let board = Board::new(&position);
        let lines = kernel.set_up(&board);
        let rings = &board.state.rings[WHITE];
        let choice = Uniform.choice::<K, WHITE>(kernel, &lines, rings);
        let mut counts = std::collections::HashMap::new();
        let mut random = random_stream(5, 0);
        let moves = position.actions().len() as f64;
        let draws = 200_000;
        for _ in 0..draws {
            let bit = kernel.draw(&choice, &lines, rings, &mut random).unwrap();
            *counts.entry(bit).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len() as f64, moves);
        let expected = f64::from(draws) / moves;
        let chi_squared: f64 = counts
            .values()
            .map(|count| (f64::from(*count) - expected).powi(2) / expected)
            .sum();
        // Passed once in about a thousand seeds: mean plus 3.3 standard deviations.
        let freedom = moves - 1.0;
        assert!(
            chi_squared < freedom + 3.3 * (2.0 * freedom).sqrt(),
            "{chi_squared} with {freedom}"
        );
    }
}

#[test]
fn moves_are_drawn_uniformly() {
    DrawsUniformly.run_on_all();
}

#[test]
fn rings_look_along_their_own_lines() {
    for at in Point::all() {
        let entry = lines::entry(grid(at));
        for ray in 0..RAYS {
            let look = usize::from(entry.looks[ray]);
            let (word, shift) = (look % 64, look >> 12);
            let bits = if word < WORDS {
                entry.bits.0[word]
            } else {
                entry.reversed.0[word - WORDS]
            };
            // The point itself is just shifted out.
            assert_eq!(
                (bits >> (shift - 1), bits >> shift),
                (1, 0),
                "{at} along {ray}"
            );
            assert_eq!(usize::from(entry.starts[ray]), shift, "{at} along {ray}");
        }
    }
}
