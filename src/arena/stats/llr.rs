//! The log-likelihood ratio of the generalized sequential probability ratio test.
//!
//! Each hypothesis takes part with the distribution that it allows and that makes the results most likely (Van den
//! Bergh, "Support MLE multinomial" and "Normalized Elo practical").

use super::counts::{Counts, Sample, mean_and_variance};
use super::elo::{NELO_SCALE, score_of_elo};
use crate::choices;

/// What the two bounds of a test are differences of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Normalized Elo: the edge in standard deviations of a game, so that the length of a test does not depend on how
    /// many games are drawn.
    #[default]
    Normalized,
    /// Plain Elo, that is, the score.
    Logistic,
}
choices!(EloModel { Normalized => "normalized", Logistic => "logistic" });

/// The two claims that a test decides between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// H0: the first side is this much stronger.
    pub elo0: f64,
    /// H1: the first side is this much stronger.
    pub elo1: f64,
    /// The scale of both.
    pub model: EloModel,
}

/// The results leave no distribution that a hypothesis allows: they are too one-sided for the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the results are too one-sided for the bounds of the test")]
pub struct Undefined;

/// The normalized distribution is found by this many refinements at most.
const ROUNDS: usize = 10;

/// Refinement ends when no share changes more.
const PRECISION: f64 = 1e-9;

impl<const N: usize> Counts<N> {
    /// How much more likely H1 makes the results than H0, as a natural logarithm; 0 without results.
    ///
    /// # Errors
    /// A hypothesis cannot be true of any distribution with such results; more results may help.
    pub fn llr(&self, hypotheses: &Hypotheses) -> Result<f64, Undefined> {
        let Some(sample) = self.sample() else {
            return Ok(0.0);
        };
        let jumps = sample.llr_of_cells(hypotheses)?;
        let mean: f64 = sample
            .shares
            .iter()
            .zip(jumps)
            .map(|(share, jump)| share * jump)
            .sum();
        Ok(sample.results * mean)
    }
}

impl<const N: usize> Sample<N> {
    /// What one more result in each cell would add to the ratio.
    fn llr_of_cells(&self, hypotheses: &Hypotheses) -> Result<[f64; N], Undefined> {
        let likeliest = |elo| match hypotheses.model {
            EloModel::Logistic => self.likeliest_with_mean(score_of_elo(elo)),
            EloModel::Normalized => self.likeliest_with_nelo(elo),
        };
        let at0 = likeliest(hypotheses.elo0)?;
        let at1 = likeliest(hypotheses.elo1)?;
        Ok(std::array::from_fn(|cell| (at1[cell] / at0[cell]).ln()))
    }

    /// The likeliest shares among those with this mean score.
    fn likeliest_with_mean(&self, mean: f64) -> Result<[f64; N], Undefined> {
        self.likeliest_orthogonal(&Self::scores().map(|score| score - mean))
    }

    /// The likeliest shares among those with this normalized Elo.
    fn likeliest_with_nelo(&self, nelo: f64) -> Result<[f64; N], Undefined> {
        let edge = nelo / NELO_SCALE * Self::GAMES_PER_RESULT.sqrt();
        let mut shares = [1.0 / N as f64; N];
        for _ in 0..ROUNDS {
            let (mean, variance) = mean_and_variance(&shares, &Self::scores());
            let deviation = variance.sqrt();
            let constraint = Self::scores().map(|score| {
                let distance = (score - mean) / deviation;
                score - 0.5 - 0.5 * edge * deviation * (1.0 + distance.powi(2))
            });
            let next = self.likeliest_orthogonal(&constraint)?;
            let change = shares
                .iter()
                .zip(next)
                .map(|(old, new)| (old - new).abs())
                .fold(0.0, f64::max);
            shares = next;
            if change < PRECISION {
                break;
            }
        }
        Ok(shares)
    }

    /// The likeliest shares p with Σ p·g = 0: p = share / (1 + θ·g) with the one θ that fulfils it.
    fn likeliest_orthogonal(&self, g: &[f64; N]) -> Result<[f64; N], Undefined> {
        let least = g.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && greatest > 0.0) {
            return Err(Undefined);
        }
        let theta = self.multiplier(g, -1.0 / greatest, -1.0 / least);
        Ok(std::array::from_fn(|cell| {
            self.shares[cell] / (1.0 + theta * g[cell])
        }))
    }

    /// The zero of Σ share·g / (1 + θ·g) between its poles, where it falls strictly: Newton's method, with bisection
    /// wherever that would leave the range.
    fn multiplier(&self, g: &[f64; N], mut low: f64, mut high: f64) -> f64 {
        let mut theta = 0.0;
        for _ in 0..200 {
            let mut value = 0.0;
            let mut slope = 0.0;
            for (share, g) in self.shares.iter().zip(g) {
                let term = g / (1.0 + theta * g);
                value += share * term;
                slope -= share * term * term;
            }
            if value > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let newton = theta - value / slope;
            let next = if newton > low && newton < high {
                newton
            } else {
                (low + high) / 2.0
            };
            if next == theta || (next - theta).abs() < f64::EPSILON * theta.abs() {
                break;
            }
            theta = next;
        }
        theta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::Pentanomial;

    fn assert_near(found: [f64; 5], expected: [f64; 5]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-9,
                "{found} instead of {expected}"
            );
        }
    }

    /// The steps between counts and ratio, from the statistics notes.
    #[test]
    fn likeliest_distributions() {
        let sample = Pentanomial::new([10, 50, 120, 60, 16]).sample().unwrap();
        assert_near(
            sample.likeliest_with_mean(score_of_elo(0.0)).unwrap(),
            [
                0.049_197_567,
                0.217_740_595,
                0.468_750_000,
                0.212_487_947,
                0.051_823_891,
            ],
        );
        let with_mean = sample.likeliest_with_mean(score_of_elo(5.0)).unwrap();
        assert_near(
            with_mean,
            [
                0.045_399_124,
                0.210_189_269,
                0.469_679_979,
                0.219_695_411,
                0.055_036_217,
            ],
        );
        assert!((with_mean.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let (mean, _) = mean_and_variance(&with_mean, &Sample::<5>::scores());
        assert!((mean - score_of_elo(5.0)).abs() < 1e-12);

        let with_nelo = sample.likeliest_with_nelo(5.0).unwrap();
        assert_near(
            with_nelo,
            [
                0.046_847_228,
                0.212_888_675,
                0.469_102_518,
                0.217_163_865,
                0.053_997_713,
            ],
        );
        let (mean, variance) = mean_and_variance(&with_nelo, &Sample::<5>::scores());
        let nelo = NELO_SCALE * (mean - 0.5) / (2.0 * variance).sqrt();
        assert!((nelo - 5.0).abs() < 1e-6, "{nelo}");
    }
}
