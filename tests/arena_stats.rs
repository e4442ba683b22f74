//! The statistics of matches against published numbers, and their properties.

#[path = "common/property.rs"]
mod property;

use proptest::prelude::*;
use serde_json::Value;

use yinsh_bot::arena::stats::{
    Counts, EloModel, Hypotheses, Pentanomial, REGULARISATION, Sprt, Undefined,
    estimate_after_sprt, expected_length, expected_pairs_to_go, score_of_elo,
};

fn rows(group: &str) -> Vec<Value> {
    let text = include_str!("data/stats_vectors.json");
    let vectors: Value = serde_json::from_str(text).unwrap();
    vectors[group].as_array().unwrap().clone()
}

fn number(row: &Value, key: &str) -> f64 {
    row[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {row}"))
}

fn cells<const N: usize>(row: &Value) -> Counts<N> {
    let cells = row["counts"].as_array().unwrap();
    Counts::new(std::array::from_fn(|i| cells[i].as_u64().unwrap()))
}

/// Equal to 11 digits, or to 1e-10 near zero.
fn assert_near(found: f64, expected: f64, what: &str) {
    let tolerance = 1e-10 + 1e-11 * expected.abs();
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: {found:?} instead of {expected:?}"
    );
}

fn check_row<const N: usize>(row: &Value) {
    let counts = cells::<N>(row);
    let name = format!("{:?}", counts.cells());
    let estimate = counts.estimate().unwrap();
    for (found, key) in [
        (estimate.score, "score"),
        (estimate.variance, "var"),
        (estimate.standard_error, "se"),
        (estimate.elo.value, "elo"),
        (estimate.elo.low, "elo_lo"),
        (estimate.elo.high, "elo_hi"),
        (estimate.elo.half_width(), "elo_err"),
        (estimate.nelo.value, "nelo"),
        (estimate.nelo.half_width(), "nelo_err"),
        (estimate.los, "los"),
    ] {
        assert_near(found, number(row, key), &format!("{name} {key}"));
    }
    for (model, key) in [
        (EloModel::Logistic, "llr_logistic"),
        (EloModel::Normalized, "llr_normalized"),
    ] {
        let hypotheses = Hypotheses {
            elo0: number(row, "elo0"),
            elo1: number(row, "elo1"),
            model,
        };
        let llr = counts.llr(&hypotheses).unwrap();
        assert_near(llr, number(row, key), &format!("{name} {key}"));
    }
}

#[test]
fn published_results_of_pairs() {
    let rows = rows("penta");
    assert_eq!(rows.len(), 16);
    rows.iter().for_each(check_row::<5>);
}

#[test]
fn published_results_of_games() {
    let rows = rows("tri");
    assert_eq!(rows.len(), 7);
    rows.iter().for_each(check_row::<3>);
}

/// Results that leave no distribution which a hypothesis allows, and no results at all.
#[test]
fn degenerate_results() {
    let one_sided = Pentanomial::new([20, 0, 0, 0, 0]);
    let bounds = |model| Hypotheses {
        elo0: -1500.0,
        elo1: -500.0,
        model,
    };
    assert_eq!(one_sided.llr(&bounds(EloModel::Normalized)), Err(Undefined));
    let llr = one_sided.llr(&bounds(EloModel::Logistic)).unwrap();
    assert_near(llr, -1.083_800_164_353, "logistic, all lost");

    let nothing = Pentanomial::default();
    assert_eq!(nothing.llr(&bounds(EloModel::Normalized)), Ok(0.0));
    assert_eq!(nothing.llr(&bounds(EloModel::Logistic)), Ok(0.0));
    assert_eq!(nothing.estimate(), None);
    let sprt = Sprt::new(bounds(EloModel::Logistic), 0.05, 0.05).unwrap();
    assert_eq!(sprt.verdict(0.0), None);
    assert_eq!(estimate_after_sprt(&nothing, &sprt), Ok(None));
    assert_eq!(expected_pairs_to_go(&nothing, &sprt, 100.0), None);
}

/// The figures in the unit tests of fastchess, which it holds to 1 %.
#[test]
fn published_by_fastchess() {
    let penta = [
        (
            [365, 16_618, 36_229, 16_974, 390],
            0.0,
            2.0,
            EloModel::Normalized,
            2.25,
        ),
        (
            [127, 4883, 10_712, 5150, 104],
            -1.75,
            0.25,
            EloModel::Normalized,
            3.01,
        ),
        ([0, 0, 0, 0, 5550], 0.0, 5.0, EloModel::Normalized, 111.82),
        (
            [223, 9863, 21_279, 10_037, 246],
            0.5,
            2.5,
            EloModel::Logistic,
            -3.07,
        ),
        (
            [871, 26_175, 55_983, 26_678, 821],
            0.0,
            2.0,
            EloModel::Logistic,
            -4.98,
        ),
    ];
    for (cells, elo0, elo1, model, expected) in penta {
        let llr = Counts::new(cells)
            .llr(&Hypotheses { elo0, elo1, model })
            .unwrap();
        assert!(
            (llr / expected - 1.0).abs() < 0.01,
            "{cells:?}: {llr} instead of {expected}"
        );
    }
    let won = Counts::new([0, 0, 4250]);
    let hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 10.0,
        model: EloModel::Normalized,
    };
    assert!((won.llr(&hypotheses).unwrap() / 120.56 - 1.0).abs() < 0.01);
}

#[test]
fn strength_after_a_test() {
    let hypotheses = Hypotheses {
        elo0: 0.5,
        elo1: 2.5,
        model: EloModel::Normalized,
    };
    let sprt = Sprt::new(hypotheses, 0.05, 0.05).unwrap();
    let counts = Pentanomial::new([39, 8843, 26_675, 9240, 44]);
    let estimate = estimate_after_sprt(&counts, &sprt).unwrap().unwrap();
    for (found, expected) in [
        (estimate.elo.value, 1.42726),
        (estimate.elo.low, 0.33864),
        (estimate.elo.high, 2.48739),
        (estimate.los, 0.99456),
    ] {
        assert!((found - expected).abs() < 1e-5, "{estimate:?}");
    }
}

/// The table of expected games in the statistics notes.
#[test]
fn expected_length_of_a_test() {
    // The variance of a match between chess engines, where many games are drawn.
    let chess = 0.05178;
    let table = [
        (0.0, 5.0, 0.125, [25_594.0, 41_867.0, 25_594.0, 9479.0]),
        (0.0, 5.0, chess, [10_602.0, 17_343.0, 10_602.0, 3927.0]),
        (0.0, 10.0, 0.125, [6401.0, 10_471.0, 6401.0, 3538.0]),
        (0.0, 10.0, chess, [2652.0, 4338.0, 2652.0, 1466.0]),
        (0.0, 20.0, 0.125, [1603.0, 2622.0, 1603.0, 1160.0]),
        (-10.0, 0.0, 0.125, [6401.0, 10_471.0, 6401.0, 3536.0]),
    ];
    for (elo0, elo1, variance, expected) in table {
        let hypotheses = Hypotheses {
            elo0,
            elo1,
            model: EloModel::Logistic,
        };
        let sprt = Sprt::new(hypotheses, 0.05, 0.05).unwrap();
        let middle = (score_of_elo(elo0) + score_of_elo(elo1)) / 2.0;
        let scores = [
            score_of_elo(elo0),
            middle,
            score_of_elo(elo1),
            score_of_elo(elo1 + 5.0),
        ];
        for (score, expected) in scores.into_iter().zip(expected) {
            let games = 2.0 * expected_length(&sprt, 0.0, score, variance).pairs;
            assert!(
                (games - expected).abs() <= 1.0,
                "[{elo0}, {elo1}] {score}: {games} instead of {expected}"
            );
        }
        let h1 = scores.map(|score| expected_length(&sprt, 0.0, score, variance).h1);
        assert_near(h1[0], 0.05, "wrong H1");
        assert_near(h1[1], 0.5, "in the middle");
        assert_near(h1[2], 0.95, "right H1");
    }
}

/// Games for an error of so many Elo without draws.
#[test]
fn length_of_a_match() {
    for (error, games) in [(5.0, 18_552), (10.0, 4640), (20.0, 1162), (50.0, 188)] {
        let wins = games / 8;
        let counts = Pentanomial::new([wins, 0, games / 2 - 2 * wins, 0, wins]);
        let found = counts.estimate().unwrap().elo.half_width();
        assert!(
            (found - error).abs() < 0.02 * error,
            "{games} games: ± {found}"
        );
    }
}

/// What is known must shorten the outlook, and the budget bounds it.
#[test]
fn pairs_to_go() {
    let hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 20.0,
        model: EloModel::Logistic,
    };
    let sprt = Sprt::new(hypotheses, 0.05, 0.05).unwrap();
    let to_go = |cells, budget| expected_pairs_to_go(&Counts::new(cells), &sprt, budget).unwrap();
    let even = [50, 0, 100, 0, 50];
    let strong = [20, 0, 100, 0, 80];
    assert!(to_go(strong, 1e6) < to_go(even, 1e6));
    assert!(to_go(even, 1e6) < 1500.0);
    assert!(to_go(even, 100.0) <= 100.0);
    assert_eq!(
        expected_pairs_to_go(&Counts::new([2, 0, 4, 0, 2]), &sprt, 100.0),
        None
    );
}

fn any_cells() -> impl Strategy<Value = [u64; 5]> {
    let cell = prop_oneof![1 => Just(0), 4 => 1_u64..2000];
    prop::array::uniform5(cell).prop_filter("some results", |cells| cells.iter().sum::<u64>() > 0)
}

fn any_hypotheses() -> impl Strategy<Value = Hypotheses> {
    let model = prop_oneof![Just(EloModel::Normalized), Just(EloModel::Logistic)];
    (-50.0..50.0, 0.1..50.0, model).prop_map(|(elo0, distance, model)| Hypotheses {
        elo0,
        elo1: elo0 + distance,
        model,
    })
}

proptest! {
    #![proptest_config(property::fixed(256))]

    #[test]
    fn the_ratio_changes_sign_with_the_hypotheses(cells in any_cells(), hypotheses in any_hypotheses()) {
        let Hypotheses { elo0, elo1, model } = hypotheses;
        let counts = Counts::new(cells);
        let swapped = Hypotheses { elo0: elo1, elo1: elo0, model };
        let mirrored = Hypotheses { elo0: -elo0, elo1: -elo1, model };
        let same = Hypotheses { elo0, elo1: elo0, model };
        let llr = counts.llr(&hypotheses).unwrap();
        let tolerance = 1e-8 * (1.0 + llr.abs());
        prop_assert!((counts.llr(&swapped).unwrap() + llr).abs() < tolerance);
        prop_assert!((counts.reversed().llr(&mirrored).unwrap() - llr).abs() < 1e-6 * (1.0 + llr.abs()));
        prop_assert!(counts.llr(&same).unwrap().abs() < tolerance);
    }

    #[test]
    fn the_ratio_grows_with_the_results(cells in prop::array::uniform5(1_u64..500), hypotheses in any_hypotheses(), k in 2_u64..9) {
        let once = Counts::new(cells).llr(&hypotheses).unwrap();
        let often = Counts::new(cells.map(|cell| k * cell)).llr(&hypotheses).unwrap();
        prop_assert!((often - k as f64 * once).abs() < 1e-8 * (1.0 + often.abs()));
    }

    #[test]
    fn the_error_of_normalized_elo_depends_on_the_games_alone(cells in any_cells()) {
        let estimate = Counts::new(cells).estimate().unwrap();
        let pairs: f64 = cells.map(|cell| if cell == 0 { REGULARISATION } else { cell as f64 }).iter().sum();
        let constant = estimate.nelo.half_width() * (2.0 * pairs).sqrt();
        prop_assert!((constant - 680.961_234_571_884_7).abs() < 1e-9);
    }

    #[test]
    fn an_estimate_is_mirrored_with_its_results(cells in any_cells()) {
        let estimate = Counts::new(cells).estimate().unwrap();
        let mirrored = Counts::new(cells).reversed().estimate().unwrap();
        prop_assert!((estimate.elo.value + mirrored.elo.value).abs() < 1e-6);
        prop_assert!((estimate.elo.low + mirrored.elo.high).abs() < 1e-6);
        // Where nearly all pairs are even, the rounding of the score is large against its spread.
        prop_assert!((estimate.los + mirrored.los - 1.0).abs() < 1e-10);
        prop_assert!(estimate.elo.low <= estimate.elo.value && estimate.elo.value <= estimate.elo.high);
        prop_assert!((0.0..=1.0).contains(&estimate.los));
    }

    #[test]
    fn what_follows_a_test_lies_in_its_range(cells in any_cells(), hypotheses in any_hypotheses()) {
        let sprt = Sprt::new(hypotheses, 0.05, 0.05).unwrap();
        if let Ok(Some(estimate)) = estimate_after_sprt(&Counts::new(cells), &sprt) {
            prop_assert!(estimate.elo.low <= estimate.elo.value + 1e-9, "{estimate:?}");
            prop_assert!(estimate.elo.value <= estimate.elo.high + 1e-9, "{estimate:?}");
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&estimate.los), "{estimate:?}");
        }
    }
}
