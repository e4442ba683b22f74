//! Judgements and priors.

use super::*;
use crate::game::{Cell, Row};
use crate::search::playout::evaluation::{ROW_CLASSES, RowWeights, TABLE, traits};

/// The class of a row, counted by the rules.
fn class_of(position: &Position, row: Row, side: Color) -> usize {
    let cells = row.points().map(|point| position.cell(point));
    let count = |cell: Cell| cells.iter().filter(|found| **found == cell).count();
    let own = count(Cell::Marker(side));
    let other = count(Cell::Marker(side.opposite()));
    let pairs_before: usize = (0..own).map(|fewer| 6 - fewer).sum();
    let has = |color| usize::from(count(Cell::Ring(color)) > 0);
    pairs_before + other + 21 * has(side) + 42 * has(side.opposite())
}

/// Whether a side can make a row at once, its jumps and its steps, by the rules.
fn traits_of(position: &Position, side: Color) -> [i32; 3] {
    let mut here = *position;
    if here.side() != side {
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let (letter, ply) = match side {
            Color::White => ("w", "100"),
            Color::Black => ("b", "101"),
        };
        let turned = [fields[0], letter, fields[2], fields[3], ply].join(" ");
        here = turned.parse().unwrap();
    }
    let mut counts = [0; 3];
    for action in here.actions() {
        let Action::MoveRing { from, to } = action else {
            continue;
        };
        let axis = lines::Axis::between(grid(from), grid(to));
        let step = if grid(from) < grid(to) {
            lines::STEPS[axis as usize]
        } else {
            -lines::STEPS[axis as usize]
        };
        let next = point(grid(to).wrapping_add_signed(-step));
        let is_jump = matches!(here.cell(next), Cell::Marker(_));
        counts[if is_jump { 1 } else { 2 }] += 1;
        let mut after = here;
        after.play(action);
        counts[0] |= i32::from(after.has_row(side));
    }
    counts
}

/// Every count of a judgement is that of the rules.
struct Counts;

impl Check for Counts {
    fn run<K: Kernel>(&mut self, kernel: K) {
        let mut random = random_stream(8, 0);
        let mut weights = RowWeights([i16::MAX; TABLE]);
        for weight in &mut weights.0[..ROW_CLASSES] {
            *weight = below(&mut random, 4_001) as i16 - 2_000;
        }
        for position in middle_games(1_000) {
            let board = Board::new(&position);
            let lines = kernel.set_up(&board);
            let rings = &board.state.rings;
            let [white, black] = Color::ALL.map(|side| traits_of(&position, side));
            for side in Color::ALL {
                let (sum, traits) = match side {
                    Color::White => (
                        kernel.weigh_rows::<WHITE>(&lines, rings, &weights),
                        traits::<K, WHITE>(kernel, &lines, rings),
                    ),
                    Color::Black => (
                        kernel.weigh_rows::<BLACK>(&lines, rings, &weights),
                        traits::<K, BLACK>(kernel, &lines, rings),
                    ),
                };
                let classes = Row::all().map(|row| class_of(&position, row, side));
                let expected: i32 = classes.map(|class| i32::from(weights.0[class])).sum();
                assert_eq!(sum, expected, "{side} in {position}");
                let (own, other) = match side {
                    Color::White => (white, black),
                    Color::Black => (black, white),
                };
                let expected = [own[0], other[0], own[1], other[1], own[2], other[2]];
                assert_eq!(traits, expected, "{side} in {position}");
            }
        }
    }
}

#[test]
fn counts_are_those_of_the_rules() {
    Counts.run_on_all();
}

#[test]
fn priors_are_shares_and_the_same_on_every_instruction_set() {
    let starts = crate::search::bench::POSITIONS
        .map(|(text, variant)| Position::parse(text, variant).unwrap());
    for position in middle_games(1_000).iter().chain(&starts) {
        let actions = position.actions();
        let portable = portable_playouts().priors(position, &actions, 1.0);
        for playouts in Playouts::all() {
            assert_eq!(
                playouts.priors(position, &actions, 1.0),
                portable,
                "{position}"
            );
        }
        // Each share is rounded twice, by less than a tenth.
        let sum: f32 = portable.iter().map(|prior| prior.share()).sum();
        assert!((0.8..1.2).contains(&sum), "{sum} in {position}");
    }
}

#[test]
fn priors_even_out_with_the_temperature() {
    let (text, variant) = crate::search::bench::POSITIONS[4];
    let position = Position::parse(text, variant).unwrap();
    let actions = position.actions();
    let highest = [0.5, 1.0, 2.0, 10.0].map(|temperature| {
        let playouts = Playouts::up_to(Simd::Avx512, Evaluation::built_in());
        let priors = playouts.priors(&position, &actions, temperature);
        priors
            .into_iter()
            .map(Prior::share)
            .reduce(f32::max)
            .unwrap()
    });
    assert!(highest.is_sorted_by(|one, next| one > next), "{highest:?}");
    assert!(highest[3] < 2.0 / actions.len() as f32, "{highest:?}");
}

#[test]
fn weights_are_read_back_as_they_were_written() {
    let text = Evaluation::built_in().to_string();
    assert_eq!(text, include_str!("../weights.txt"));
    let again: Evaluation = text.parse().unwrap();
    assert_eq!(again.to_string(), text);
}

#[test]
fn what_is_no_set_of_weights_is_refused() {
    let refused = |text: &str| text.parse::<Evaluation>().unwrap_err().to_string();
    assert_eq!(
        refused("# none\n1 2 x3"),
        "line 2: `x3` is no whole number from -5461 to 5461"
    );
    assert_eq!(refused("1 2 3"), "3 weights, expected 1729");
    let text = Evaluation::built_in().to_string();
    assert_eq!(refused(&(text + "0")), "1730 weights, expected 1729");
}
