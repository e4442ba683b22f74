//! How often simulated sequential tests err. Slow.

use yinsh_bot::arena::stats::{
    EloModel, Hypotheses, NELO_SCALE, Pentanomial, Sprt, Verdict, score_of_elo,
};
use yinsh_bot::search::{Random, below, random_stream};

/// A pair of games between sides whose games are independent.
fn random_pair(random: &mut Random, win: f64, draw: f64) -> usize {
    let mut game = || match f64::from(below(random, 1 << 30)) / f64::from(1 << 30) {
        x if x < win => 2,
        x if x < win + draw => 1,
        _ => 0,
    };
    game() + game()
}

/// The verdict of one simulated test.
fn simulated_test(sprt: &Sprt, random: &mut Random, win: f64, draw: f64) -> Verdict {
    let mut counts = Pentanomial::default();
    loop {
        counts.add(random_pair(random, win, draw));
        if let Ok(llr) = counts.llr(sprt.hypotheses())
            && let Some(verdict) = sprt.verdict(llr)
        {
            return verdict;
        }
    }
}

/// Part of 10 000 simulated tests that decide wrongly, when `elo` is true and one game in ten is drawn.
fn wrong_verdicts(sprt: &Sprt, elo: f64, right: Verdict) -> f64 {
    const TESTS: u64 = 10_000;
    const DRAW: f64 = 0.1;
    let score = match sprt.hypotheses().model {
        EloModel::Logistic => score_of_elo(elo),
        // The variance hardly depends on so small an edge.
        EloModel::Normalized => 0.5 + elo / NELO_SCALE * ((1.0 - DRAW) / 4.0_f64).sqrt(),
    };
    let win = score - DRAW / 2.0;
    let wrong = |stream: u64| {
        let mut random = random_stream(20_251_129, stream);
        simulated_test(sprt, &mut random, win, DRAW) != right
    };
    let half = |part: u64| {
        (0..TESTS)
            .filter(|test| test % 2 == part && wrong(*test))
            .count()
    };
    let wrong = std::thread::scope(|scope| {
        let halves = [0, 1].map(|part| scope.spawn(move || half(part)));
        halves
            .map(|half| half.join().unwrap())
            .iter()
            .sum::<usize>()
    });
    wrong as f64 / TESTS as f64
}

#[test]
#[ignore = "slow: 40 000 simulated tests"]
fn tests_err_as_rarely_as_they_say() {
    for model in [EloModel::Normalized, EloModel::Logistic] {
        let hypotheses = Hypotheses {
            elo0: 0.0,
            elo1: 30.0,
            model,
        };
        let (alpha, beta) = (0.05, 0.1);
        let sprt = Sprt::new(hypotheses, alpha, beta).unwrap();
        let three_deviations = |rate: f64| 3.0 * (rate * (1.0 - rate) / 10_000.0).sqrt();
        let wrong_h1 = wrong_verdicts(&sprt, hypotheses.elo0, Verdict::H0);
        let wrong_h0 = wrong_verdicts(&sprt, hypotheses.elo1, Verdict::H1);
        println!("{model:?}: H1 where H0 is true {wrong_h1}, H0 where H1 is true {wrong_h0}");
        assert!(
            wrong_h1 < alpha + three_deviations(alpha),
            "{model:?}: {wrong_h1}"
        );
        assert!(
            wrong_h0 < beta + three_deviations(beta),
            "{model:?}: {wrong_h0}"
        );
        // And not so rarely that games are wasted.
        assert!(wrong_h1 > 0.5 * alpha && wrong_h0 > 0.5 * beta);
    }
}
