//! Where strength is greatest, from how results depend on the place at which they were played.
//!
//! Near its maximum x*, strength falls off as h (x − x*)². Of two players at x + d and x − d the first then wins in
//! proportion to 4 h d (x* − x), so that a line through results over places crosses zero at x*. Fitting it by least squares
//! to the games of a stochastic approximation: Frees and Ruppert, "Estimation following a sequentially designed
//! experiment", 1990; the interval of the crossing: Fieller, "Some problems in interval estimation", 1954.

use crate::arena::stats::Z95;

/// Games won more than lost, in a pair of games between players that are 1 Elo apart: 2 (2 p − 1) for small differences.
const NET_WINS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// A batch of games between two places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Place of the first side.
    pub plus: f64,
    /// Place of the second side.
    pub minus: f64,
    /// Pairs of games.
    pub pairs: f64,
    /// Games that the first side won more than it lost.
    pub net_wins: f64,
}

/// Where the line crosses zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The likeliest place.
    pub place: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Elo lost at distance 1 from it.
    pub curvature: f64,
}

/// The place of greatest strength; `None` when the games do not show that strength falls off on both sides of one.
pub fn crossing(samples: impl Iterator<Item = Sample>) -> Option<Crossing> {
    let fit = Fit::new(samples)?;
    // Fieller: all q with (b − q s)² ≤ z² (var b − 2 q cov + q² var s), where q is b / s for the line b − s x.
    let z2 = Z95 * Z95;
    let square = fit.slope.powi(2) - z2 * fit.slope_variance;
    let half = fit.level * fit.slope - z2 * fit.covariance;
    let constant = fit.level.powi(2) - z2 * fit.level_variance;
    let discriminant = half.powi(2) - square * constant;
    if fit.slope <= 0.0 || square <= 0.0 || discriminant < 0.0 {
        return None;
    }
    Some(Crossing {
        place: fit.level / fit.slope,
        low: (half - discriminant.sqrt()) / square,
        high: (half + discriminant.sqrt()) / square,
        curvature: fit.slope / (4.0 * NET_WINS_PER_ELO),
    })
}

/// Least squares for net wins = d (level − slope x) per pair, with their variances.
struct Fit {
    level: f64,
    slope: f64,
    level_variance: f64,
    slope_variance: f64,
    covariance: f64,
}

impl Fit {
    fn new(samples: impl Iterator<Item = Sample>) -> Option<Self> {
        // Each batch is weighted so that all have the same variance.
        let rows: Vec<[f64; 3]> = samples
            .map(|sample| {
                let distance = (sample.plus - sample.minus) / 2.0 * sample.pairs.sqrt();
                let middle = (sample.plus + sample.minus) / 2.0;
                let net_wins = sample.net_wins / sample.pairs.sqrt();
                [distance, -distance * middle, net_wins]
            })
            .collect();
        let sum = |a: usize, b: usize| rows.iter().map(|row| row[a] * row[b]).sum::<f64>();
        let (s11, s12, s22) = (sum(0, 0), sum(0, 1), sum(1, 1));
        let determinant = s11 * s22 - s12 * s12;
        if rows.len() < 3 || determinant <= f64::EPSILON * s11 * s22 {
            return None;
        }
        let level = (s22 * sum(0, 2) - s12 * sum(1, 2)) / determinant;
        let slope = (s11 * sum(1, 2) - s12 * sum(0, 2)) / determinant;
        let error = |row: &[f64; 3]| row[2] - level * row[0] - slope * row[1];
        let squares: f64 = rows.iter().map(|row| error(row).powi(2)).sum();
        let variance = squares / (rows.len() - 2) as f64;
        Some(Self {
            level,
            slope,
            level_variance: variance * s22 / determinant,
            slope_variance: variance * s11 / determinant,
            covariance: -variance * s12 / determinant,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(noise: f64) -> impl Iterator<Item = Sample> {
        (0..100).map(move |index| {
            let x = f64::from(index % 10) / 10.0;
            let exact = 8.0 * NET_WINS_PER_ELO * 4.0 * 50.0 * 0.2 * (0.6 - x);
            Sample {
                plus: x + 0.2,
                minus: x - 0.2,
                pairs: 8.0,
                net_wins: exact + if index % 2 == 0 { noise } else { -noise },
            }
        })
    }

    #[test]
    fn the_best_place_is_found() {
        let found = crossing(samples(0.0)).unwrap();
        assert!((found.place - 0.6).abs() < 1e-9, "{found:?}");
        assert!((found.curvature - 50.0).abs() < 1e-6, "{found:?}");
        let found = crossing(samples(1.5)).unwrap();
        assert!(found.low < 0.6 && 0.6 < found.high, "{found:?}");
        assert!(found.high - found.low > 0.1, "{found:?}");
    }

    #[test]
    fn too_little_shows_no_place() {
        assert_eq!(crossing(samples(100.0)), None);
        assert_eq!(crossing(samples(0.0).take(2)), None);
        let everywhere_the_same = samples(0.0).map(|sample| Sample {
            plus: 0.5,
            minus: 0.3,
            ..sample
        });
        assert_eq!(crossing(everywhere_the_same), None);
        let least = samples(0.0).map(|sample| Sample {
            net_wins: -sample.net_wins,
            ..sample
        });
        assert_eq!(crossing(least), None, "strength is least there");
    }
}
