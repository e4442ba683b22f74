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

/// What is to be expected of a test that stands at `llr`, when the true mean score is `score` and one pair has this
/// `variance`.
///
/// Wald's approximation: the ratio drifts like a particle with constant mean and variance per pair; that it steps over
/// the bounds is left out, so that tests really take a little longer.
pub fn expected_length(sprt: &Sprt, llr: f64, score: f64, variance: f64) -> ExpectedLength {
    let hypotheses = sprt.hypotheses();
    let score_at = |elo| match hypotheses.model {
        EloModel::Logistic => score_of_elo(elo),
        EloModel::Normalized => 0.5 + elo / NELO_SCALE * (2.0 * variance).sqrt(),
    };
    let (score0, score1) = (score_at(hypotheses.elo0), score_at(hypotheses.elo1));
    let drift = (score - (score0 + score1) / 2.0) * (score1 - score0) / variance;
    let spread = (score1 - score0).powi(2) / variance;
    let (below, above) = (sprt.lower() - llr, sprt.upper() - llr);
    if below >= 0.0 || above <= 0.0 {
        let h1 = if above <= 0.0 { 1.0 } else { 0.0 };
        return ExpectedLength { pairs: 0.0, h1 };
    }
    let tilt = -2.0 * drift / spread;
    if (tilt * (above - below)).abs() < 1e-6 {
        return ExpectedLength {
            pairs: -below * above / spread,
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
        pairs: (h1 * above + (1.0 - h1) * below) / drift,
        h1,
    }
}

impl Pentanomial {
    /// What is to be expected of a test with these results, if the score so far is the true one; `None` without
    /// results.
    pub fn expected_length(&self, sprt: &Sprt) -> Option<ExpectedLength> {
        let estimate = self.estimate()?;
        let llr = self.llr(sprt.hypotheses()).ok()?;
        Some(expected_length(
            sprt,
            llr,
            estimate.score,
            estimate.variance,
        ))
    }
}
