//! Tuning finds the best values of games whose results are drawn from a known strength.

use std::ops::Range;

use rand::Rng;

use yinsh_bot::arena::Shard;
use yinsh_bot::arena::stats::score_of_elo;
use yinsh_bot::arena::tune::{
    BatchLine, Course, Design, Domain, Estimate, Finding, NumberDomain, Parameter, Progress, Scale,
    TuneConfig, TunedSection, Tuning,
};
use yinsh_bot::search::{Random, random_stream};
use yinsh_bot::setting::Value;

/// Games of each run.
const GAMES: u64 = 2_000;

fn number(name: &str, scale: Scale, (current, low, high): (f64, f64, f64)) -> Parameter {
    Parameter {
        name: name.to_owned(),
        section: TunedSection::Search,
        domain: Domain::Number(NumberDomain {
            scale,
            whole: false,
            current,
            low,
            high,
        }),
    }
}

/// An exploration constant, which counts by ratios, and a share.
fn two_numbers(exploration: f64, share: f64) -> Vec<Parameter> {
    vec![
        number("exploration", Scale::Logarithmic, (exploration, 0.01, 10.0)),
        number("share", Scale::Linear, (share, 0.0, 1.0)),
    ]
}

fn design(parameters: Vec<Parameter>, games: u64, seed: u64) -> Design {
    let config = TuneConfig::default();
    let course = Course {
        chains: config.chains,
        pairs: games / 2 / config.chains,
        batch: config.batch,
        gain: config.gain,
        gains: config.gains(),
    };
    Design {
        parameters,
        course,
        seed,
    }
}

/// The cell of a pair of games: draws are rare, and the first player has an edge.
fn pair(random: &mut Random, elo: f64) -> usize {
    let half_points =
        |random: &mut Random, score: f64| match random.next_u64() as f64 / u64::MAX as f64 {
            draw if draw < 0.01 => 1,
            rest => 2 * usize::from((rest - 0.01) / 0.99 < score),
        };
    let edge = 30.0;
    half_points(random, score_of_elo(elo + edge)) + half_points(random, score_of_elo(elo - edge))
}

/// Plays a whole run, in which `strength` tells the Elo of a player with these values.
fn played(design: Design, strength: impl Fn(&[Value]) -> f64) -> Tuning {
    let mut random = random_stream(design.seed, 0xE10);
    let mut tuning = Tuning::new(design, Shard::WHOLE);
    while let Some(batch) = tuning.next().into_iter().min_by_key(|batch| batch.first) {
        let elo = strength(&batch.plus) - strength(&batch.minus);
        let mut results = [0; 5];
        (0..batch.pairs).for_each(|_| results[pair(&mut random, elo)] += 1);
        let line = BatchLine {
            chain: batch.chain,
            first: batch.first,
            results,
        };
        tuning.take_in(&line).unwrap();
    }
    assert!(tuning.is_over());
    tuning
}

fn float(value: &Value) -> f64 {
    match value {
        Value::Float(number) => *number,
        other => panic!("{other}"),
    }
}

/// Elo of a player: best at exploration 0.5 and share 0.7, where twice the exploration costs 40 Elo.
fn hill(values: &[Value]) -> f64 {
    let octaves = (float(&values[0]) / 0.5).log2();
    let share = float(&values[1]) - 0.7;
    -40.0 * octaves.powi(2) - 800.0 * share.powi(2)
}

/// The same height, but level far away, so that results there hardly tell the way.
fn lone_hill(values: &[Value]) -> f64 {
    -500.0 * (1.0 - (hill(values) / 500.0).exp())
}

fn ranges(estimates: &[Estimate]) -> Vec<Option<(f64, f64)>> {
    let range = |estimate: &Estimate| match &estimate.finding {
        Finding::Number(number) => number.range,
        Finding::Words(_) => None,
    };
    estimates.iter().map(range).collect()
}

/// For each of the two values, the seeds whose stated range holds the best one; every range must be known.
fn hits(seeds: Range<u64>, start: (f64, f64), strength: fn(&[Value]) -> f64) -> [usize; 2] {
    let mut hits = [0; 2];
    for seed in seeds {
        let parameters = two_numbers(start.0, start.1);
        let estimates = played(design(parameters, GAMES, seed), strength).estimates();
        for ((hits, range), best) in hits.iter_mut().zip(ranges(&estimates)).zip([0.5, 0.7]) {
            let (low, high) = range.unwrap_or_else(|| panic!("seed {seed}: {estimates:?}"));
            assert!(
                high < 5.0 * low,
                "seed {seed} tells too little: {low} to {high}"
            );
            *hits += usize::from(low <= best && best <= high);
        }
    }
    println!("{hits:?}");
    hits
}

/// 19 of 20 seeds, and as many of many more, so that the twenty are no lucky ones.
fn assert_honest(start: (f64, f64), strength: fn(&[Value]) -> f64) {
    let few = hits(0..20, start, strength);
    assert!(few.iter().all(|hits| *hits >= 19), "{few:?} of 20");
    let many = hits(20..420, start, strength);
    assert!(many.iter().all(|hits| *hits >= 380), "{many:?} of 400");
}

#[test]
fn the_best_values_lie_within_the_stated_error() {
    assert_honest((0.8, 0.5), hill);
}

#[test]
fn from_ten_times_too_large_a_value_the_stated_error_is_honest_too() {
    assert_honest((5.0, 0.5), hill);
    assert_honest((5.0, 0.5), lone_hill);
}

/// The estimate of a single parameter whose value alone makes the strength.
fn estimate(parameter: Parameter, strength: impl Fn(&Value) -> f64) -> Estimate {
    let design = design(vec![parameter], GAMES, 1);
    let tuning = played(design, |values| strength(&values[0]));
    tuning.estimates().remove(0)
}

fn words(current: &str, others: &[&str]) -> Parameter {
    Parameter {
        name: "word".to_owned(),
        section: TunedSection::Search,
        domain: Domain::Words {
            current: current.to_owned(),
            others: others.iter().map(|word| (*word).to_owned()).collect(),
        },
    }
}

#[test]
fn whole_numbers_are_found_too() {
    let mut parameter = number("visits", Scale::Linear, (2.0, 1.0, 12.0));
    if let Domain::Number(domain) = &mut parameter.domain {
        domain.whole = true;
    }
    let best_at_eight = |value: &Value| match value {
        Value::Int(number) => -5.0 * (*number as f64 - 8.0).powi(2),
        other => panic!("{other}"),
    };
    let estimate = estimate(parameter, best_at_eight);
    assert!(
        [7, 8, 9].map(Value::Int).contains(&estimate.value),
        "{estimate:?}"
    );
}

#[test]
fn a_switch_that_is_surely_stronger_is_turned() {
    let better = |elo: f64| {
        move |value: &Value| {
            if *value == Value::Bool(true) {
                elo
            } else {
                0.0
            }
        }
    };
    let found = estimate(words("false", &["true"]), better(40.0));
    assert_eq!(
        (found.value.clone(), found.progress()),
        (Value::Bool(true), Progress::Settled)
    );
    let found = estimate(words("true", &["false"]), better(40.0));
    assert_eq!(
        (found.value.clone(), found.progress()),
        (Value::Bool(true), Progress::Settled)
    );
    let found = estimate(words("false", &["true"]), better(0.0));
    assert_eq!(
        (found.value.clone(), found.progress()),
        (Value::Bool(false), Progress::Unknown)
    );
}

#[test]
fn the_strongest_of_several_words_is_taken() {
    let strength = |value: &Value| match value {
        Value::Text(word) if word == "good" => 80.0,
        Value::Text(word) if word == "better" => 160.0,
        _ => 0.0,
    };
    let found = estimate(words("bad", &["worse", "better", "good"]), strength);
    assert_eq!(found.value, Value::Text("better".to_owned()));
}

#[test]
fn a_best_value_beyond_the_range_is_told() {
    let parameter = number("share", Scale::Linear, (0.5, 0.0, 1.0));
    let found = estimate(parameter, |value| -300.0 * (float(value) - 1.1).powi(2));
    assert_eq!(found.progress(), Progress::AtEnd, "{found:?}");
}

#[test]
fn a_number_that_does_not_matter_has_no_best_value() {
    let flat = |seed| {
        let parameter = number("share", Scale::Linear, (0.5, 0.0, 1.0));
        let tuning = played(design(vec![parameter], GAMES, seed), |_| 0.0);
        tuning.estimates()[0].progress()
    };
    let unknown = (0..20)
        .filter(|seed| flat(*seed) == Progress::Unknown)
        .count();
    assert!(unknown >= 17, "{unknown} of 20");
}
