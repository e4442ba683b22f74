//! Strength after a sequential test.
//!
//! A test that stops as soon as it has seen enough tends to stop at a lucky moment, so the plain estimate is biased.
//! This one is not: the true strength lies above and below it with the same probability (as fishtest does it,
//! `sprt.py`). The log-likelihood ratio is taken for a Brownian motion that ends at the bounds of the test.

use super::counts::Pentanomial;
use super::elo::{Interval, elo_of_score, score_of_elo};
use super::length::Drift;
use super::llr::Undefined;
use super::normal::{cdf, ln_cdf};
use super::sprt::Sprt;

/// How much stronger one side is than the other, judged by a sequential test and where it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedEstimate {
    /// Elo difference; the value is the median-unbiased one.
    pub elo: Interval,
    /// Likelihood of superiority: how sure it is that the first side is the stronger one.
    pub los: f64,
}

/// The strength difference that a test with these results speaks for; `None` without results.
///
/// # Errors
/// The results are too one-sided for the bounds of the test.
pub fn estimate_after_sprt(
    counts: &Pentanomial,
    sprt: &Sprt,
) -> Result<Option<StoppedEstimate>, Undefined> {
    let Some(estimate) = counts.estimate() else {
        return Ok(None);
    };
    let reached = counts.llr(sprt.hypotheses())?;
    let llr = reached.clamp(sprt.lower(), sprt.upper());
    let results = counts.total() as f64;
    let end = End {
        sprt,
        variance: estimate.variance,
        llr,
        results: if llr == reached {
            results
        } else {
            results * llr / reached
        },
    };
    Ok(Some(StoppedEstimate {
        elo: Interval {
            value: end.elo_with_worse_ends(0.5),
            low: end.elo_with_worse_ends(0.975),
            high: end.elo_with_worse_ends(0.025),
        },
        los: end.probability_of_worse(0.0),
    }))
}

/// Where a test has ended.
struct End<'a> {
    sprt: &'a Sprt,
    /// Of the score of one pair.
    variance: f64,
    /// The ratio at the end, not beyond the bounds.
    llr: f64,
    /// Results until it got there.
    results: f64,
}

impl End<'_> {
    /// How probable a worse end was, if the true difference is `elo`: H0 sooner, H1 later, or H0 instead of H1.
    fn probability_of_worse(&self, elo: f64) -> f64 {
        let motion = Motion {
            lower: self.sprt.lower(),
            upper: self.sprt.upper(),
            drift: Drift::new(self.sprt, score_of_elo(elo), self.variance),
        };
        motion.probability_of_worse(self.results, self.llr)
    }

    /// The true difference at which a worse end has this probability.
    fn elo_with_worse_ends(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (elo_of_score(0.0), elo_of_score(1.0));
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.probability_of_worse(middle) > probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    }
}

/// A Brownian motion from 0 that ends at either bound.
struct Motion {
    lower: f64,
    upper: f64,
    /// Per result.
    drift: Drift,
}

impl Motion {
    /// The probability that it has ended at the lower bound by `time`, or is then between the bounds and below `place`.
    ///
    /// By the method of images: mirroring the start at both bounds again and again leaves nothing at the bounds. An image
    /// at m weighs exp(mean·m/variance), and its sign tells how often it was mirrored.
    fn probability_of_worse(&self, time: f64, place: f64) -> f64 {
        let width = self.upper - self.lower;
        let deviation = (self.drift.variance * time).sqrt();
        // Images beyond this are too far away to count in a number of 16 digits.
        let reach = 2 + (20_f64.sqrt() * deviation / width) as i32;
        let share = |image: f64| {
            let weight = self.drift.mean / self.drift.variance * image;
            let distance = (place - image - self.drift.mean * time) / deviation;
            match image {
                0.0 => cdf(distance),
                _ if image > 0.0 => (weight + ln_cdf(distance)).exp(),
                _ => -(weight + ln_cdf(-distance)).exp(),
            }
        };
        let of_pair = |k: i32| {
            let shift = 2.0 * f64::from(k) * width;
            share(shift) - share(2.0 * self.lower + shift)
        };
        (-reach..=reach).map(of_pair).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// The same probability as a sum of eigenfunctions, which converges where there was much time.
    fn spectral(motion: &Motion, time: f64, place: f64) -> f64 {
        let width = motion.upper - motion.lower;
        let Drift { mean, variance } = motion.drift;
        let tilt = mean / variance;
        let (start, place) = (-motion.lower, place - motion.lower);
        let at_last = (2.0 * tilt * (width - start)).exp_m1() / (2.0 * tilt * width).exp_m1();
        let term = |n: f64| {
            let wave = n * PI / width;
            let decay = (wave.powi(2) * variance + mean * tilt) / 2.0;
            let shape = 2.0 * (tilt * (wave * place).sin() - wave * (wave * place).cos())
                / (width * (tilt.powi(2) + wave.powi(2)));
            (tilt * (place - start) - decay * time).exp() * (wave * start).sin() * shape
        };
        at_last + (1..200).map(|n| term(f64::from(n))).sum::<f64>()
    }

    #[test]
    fn both_series_agree() {
        for (mean, variance) in [(0.01, 0.02), (-0.004, 0.01), (0.000_1, 0.01), (0.02, 0.01)] {
            let motion = Motion {
                lower: -2.9,
                upper: 2.2,
                drift: Drift { mean, variance },
            };
            for time in [50.0, 300.0, 1000.0, 5000.0] {
                for place in [-2.9, -1.0, 0.3, 2.2] {
                    let images = motion.probability_of_worse(time, place);
                    let expected = spectral(&motion, time, place);
                    assert!(
                        (images - expected).abs() < 1e-9,
                        "{mean} {time} {place}: {images} instead of {expected}"
                    );
                }
            }
        }
    }
}
