use super::counts::Pentanomial;
use super::elo::{NELO_SCALE, score_of_elo};
use super::llr::EloModel;
use super::sprt::Sprt;

/// How a test is expected to go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedLength {
    /// Pairs still to play, on average.
    pub pairs: f64,
    /// How probable it is that H1 will be accepted.
    pub h1: f64,
}

/// How the log-likelihood ratio moves with each pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drift {
    /// On average.
    pub mean: f64,
    /// How much it scatters.
    pub variance: f64,
}

impl Drift {
    /// The drift when the true mean score is `score` and one pair has this `variance`, by the normal approximation of
    /// the ratio (Van den Bergh, "GSPRT approximation").
    pub fn new(sprt: &Sprt, score: f64, variance: f64) -> Self {
        let hypotheses = sprt.hypotheses();
        let score_at = |elo| match hypotheses.model {
            EloModel::Logistic => score_of_elo(elo),
            EloModel::Normalized => 0.5 + elo / NELO_SCALE * (2.0 * variance).sqrt(),
        };
        let (score0, score1) = (score_at(hypotheses.elo0), score_at(hypotheses.elo1));
        Self {
            mean: (score - (score0 + score1) / 2.0) * (score1 - score0) / variance,
            variance: (score1 - score0).powi(2) / variance,
        }
    }
}

/// What is to be expected of a test that stands at `llr`, when the true mean score is `score` and one pair has this
/// `variance`.
///
/// Wald's approximation: the ratio moves like a particle with constant drift; that it steps over the bounds is left
/// out, so that tests really take a little longer.
pub fn expected_length(sprt: &Sprt, llr: f64, score: f64, variance: f64) -> ExpectedLength {
    let drift = Drift::new(sprt, score, variance);
    let (below, above) = (sprt.lower() - llr, sprt.upper() - llr);
    if below >= 0.0 || above <= 0.0 {
        let h1 = if above <= 0.0 { 1.0 } else { 0.0 };
        return ExpectedLength { pairs: 0.0, h1 };
    }
    let tilt = -2.0 * drift.mean / drift.variance;
    if (tilt * (above - below)).abs() < 1e-6 {
        return ExpectedLength {
            pairs: -below * above / drift.variance,
            h1: below / (below - above),
        };
    }
    // (1 − e^{hA}) / (e^{hB} − e^{hA}) with the greater power taken out, so that nothing overflows.
    let h1 = if tilt > 0.0 {
        (tilt * below).exp_m1() * (-tilt * above).exp() / (tilt * (below - above)).exp_m1()
    } else {
        (-tilt * below).exp_m1() / (tilt * (above - below)).exp_m1()
    };
    ExpectedLength {
        pairs: (h1 * above + (1.0 - h1) * below) / drift.mean,
        h1,
    }
}

/// Fewer pairs than this say too little about what is to come.
const FEWEST_PAIRS: u64 = 10;

/// The middles of nine parts of a normal distribution that are equally probable.
const NINTHS: [f64; 9] = [
    -1.593_218_818,
    -0.967_421_566,
    -0.589_455_798,
    -0.282_216_147,
    0.0,
    0.282_216_147,
    0.589_455_798,
    0.967_421_566,
    1.593_218_818,
];

/// Pairs that a test still takes on average, at most `budget`; `None` while the results are too few to say.
///
/// The mean over what the true score may be, judged by the results: taking the score so far for the true one would
/// promise too early an end.
pub fn expected_pairs_to_go(counts: &Pentanomial, sprt: &Sprt, budget: f64) -> Option<f64> {
    if counts.total() < FEWEST_PAIRS {
        return None;
    }
    let estimate = counts.estimate()?;
    let llr = counts.llr(sprt.hypotheses()).ok()?;
    let pairs = |z: f64| {
        let score = estimate.score + z * estimate.standard_error;
        expected_length(sprt, llr, score, estimate.variance)
            .pairs
            .min(budget)
    };
    Some(NINTHS.map(pairs).iter().sum::<f64>() / NINTHS.len() as f64)
}
