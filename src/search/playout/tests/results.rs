//! Results of whole games.

use super::*;

/// From positions of every phase, the fast games end like games played by the rules.
#[test]
fn results_are_those_of_the_rules() {
    let mut random = random_stream(4, 0);
    for (start, variant) in crate::search::bench::POSITIONS {
        let position = Position::parse(start, variant).unwrap();
        let games = 2_000;
        let mut counts = [[0_i32; 2]; 3];
        for seed in 0..games {
            let by_rules = play_by_rules(&position, &mut random);
            let game = [Game::new(&position, seed)];
            let playouts = Playouts::up_to(Simd::Avx512, Evaluation::built_in());
            let fast = playouts.run(PlayoutPolicy::Uniform, TO_THE_END, 1, &game)[0];
            for (side, white) in [game::result(by_rules), fast.white].into_iter().enumerate() {
                counts[usize::from(white / 128)][side] += 1;
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

/// Results, lengths and rows of random games from the empty board, as three independent engines found them: White wins
/// 32.0 %, Black 31.0 %, with 58.2 ring moves and 1.77 rows on average.
#[test]
fn random_games_from_the_empty_board_are_those_of_other_engines() {
    let start = Position::start(Variant::Standard);
    let playouts = Playouts::up_to(Simd::Avx512, Evaluation::built_in());
    let count = 100_032;
    let [mut white, mut black, mut ring_moves, mut rows] = [0.0; 4];
    for first in (0..count).step_by(MAX_GAMES) {
        let games: [Game; MAX_GAMES] =
            std::array::from_fn(|index| Game::new(&start, (first + index) as u64));
        for ending in playouts.run(PlayoutPolicy::Uniform, TO_THE_END, MAX_AT_ONCE, &games) {
            white += f64::from(u8::from(ending.white == game::result(Some(Color::White))));
            black += f64::from(u8::from(ending.white == game::result(Some(Color::Black))));
            ring_moves += f64::from(ending.ring_moves);
            rows += f64::from(ending.rows);
        }
    }
    // What the figure's rounding allows, and four standard errors of both samples.
    let error = |deviation: f64| 4.0 * deviation * (2.0 / count as f64).sqrt();
    for (name, sum, expected, rounding, deviation) in [
        ("White", white, 0.320, 0.0005, 0.47),
        ("Black", black, 0.310, 0.0005, 0.46),
        ("ring moves", ring_moves, 58.2, 0.05, 7.5),
        ("rows", rows, 1.77, 0.005, 1.3),
    ] {
        let mean = sum / count as f64;
        let allowed = rounding + error(deviation);
        assert!(
            (mean - expected).abs() < allowed,
            "{name}: {mean}, expected {expected}"
        );
    }
}
