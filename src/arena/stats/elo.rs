use super::counts::{Counts, Sample};
use super::normal::{Z95, cdf};

/// Normalized Elo per standard deviation of a game: 800 / ln 10.
pub const NELO_SCALE: f64 = 347.435_585_522_601_46;

/// Scores closer to 0 or 1 have the Elo of this distance.
const SCORE_MARGIN: f64 = 1e-3;

/// The expected score, 0 to 1, of a player who is `elo` points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference with this expected score, at most about 1200 points either way.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// A value and the range in which the true one lies in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The best guess.
    pub value: f64,
    /// Lower end of the range.
    pub low: f64,
    /// Upper end of the range.
    pub high: f64,
}

impl Interval {
    /// The number behind "±".
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// How much stronger one side is than the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Variance of the score of one result.
    pub variance: f64,
    /// Standard error of the mean score.
    pub standard_error: f64,
    /// Elo difference.
    pub elo: Interval,
    /// Normalized Elo: the edge in standard deviations of a game, on a scale like Elo.
    pub nelo: Interval,
    /// Likelihood of superiority: how sure it is that the first side is the stronger one.
    pub los: f64,
}

impl<const N: usize> Counts<N> {
    /// The strength difference that these results speak for; `None` when there are none.
    ///
    /// Elo and likelihood of superiority as fishtest computes them (`stat_util.py`); normalized Elo: Van den Bergh,
    /// "Normalized Elo practical".
    pub fn estimate(&self) -> Option<Estimate> {
        let sample = self.sample()?;
        let (score, variance) = sample.mean_and_variance();
        let standard_error = (variance / sample.results).sqrt();
        let elo = Interval {
            value: elo_of_score(score),
            low: elo_of_score(score - Z95 * standard_error),
            high: elo_of_score(score + Z95 * standard_error),
        };
        let nelo = NELO_SCALE * (score - 0.5) / sample.deviation_per_game();
        let games = sample.results * Sample::<N>::GAMES_PER_RESULT;
        let nelo_error = Z95 * NELO_SCALE / games.sqrt();
        Some(Estimate {
            score,
            variance,
            standard_error,
            elo,
            nelo: Interval {
                value: nelo,
                low: nelo - nelo_error,
                high: nelo + nelo_error,
            },
            los: cdf((score - 0.5) / standard_error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-1000.0, -5.0, 0.0, 5.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(5.0) - 0.507_195_081_709_051_4).abs() < 1e-15);
        assert!((elo_of_score(1.0) - 1_199.826_195_290_377_7).abs() < 1e-9);
    }
}
