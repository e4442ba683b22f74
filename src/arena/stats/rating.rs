//! Ratings of several players from the results between each two of them (Bradley and Terry).

use super::counts::{Pentanomial, Sample};
use super::elo::{Interval, score_of_elo};
use super::normal::Z95;

/// Results between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// Index of the one whose points are counted.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// Pairs of games by the points of the first.
    pub counts: Pentanomial,
}

/// Why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// Some players are linked to the others by no game.
    #[error("not all players have met, directly or through others")]
    NotConnected,
}

/// Elo per unit of the logistic scale.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// No step of the solver changes a rating by more than this; results that are nearly all wins would send it too far.
const LONGEST_STEP: f64 = 400.0;

/// Ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Elo of each, in their order, with 95 % errors; the mean is 0, and errors are relative to it.
    pub elo: Vec<Interval>,
    /// Whether each pairing got a drawn game on top, because some players have only lost to some others, so that
    /// nothing bounds the distance between them.
    pub with_draws: bool,
}

/// The ratings that make the results most likely.
///
/// A draw counts as half a win. The errors come from how the scores of pairs really scatter (the sandwich estimator),
/// so that draws and pairs of games that depend on each other count rightly; for two players they are those of
/// [`Counts::estimate`](super::Counts::estimate) wherever Elo is nearly linear in the score.
///
/// # Errors
/// Not all players have met.
///
/// # Panics
/// A pairing names a player that is not below `players`.
pub fn bradley_terry(players: usize, pairings: &[Pairing]) -> Result<Ratings, RatingError> {
    let with_draws = !is_bounded(players, pairings);
    let met: Vec<Met> = pairings
        .iter()
        .filter_map(|pairing| Met::new(pairing, with_draws))
        .collect();
    let mut ratings = vec![0.0; players];
    for _ in 0..200 {
        let step = information(players, &met, &ratings).solve(gradient(players, &met, &ratings))?;
        let longest = step.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
        let scale = (LONGEST_STEP / longest).min(1.0);
        for (rating, step) in ratings.iter_mut().zip(&step) {
            *rating += scale * step;
        }
        if longest < 1e-9 {
            break;
        }
    }
    let errors = errors(players, &met, &ratings)?;
    let interval = |(&value, error): (&f64, f64)| Interval {
        value,
        low: value - error,
        high: value + error,
    };
    Ok(Ratings {
        elo: ratings.iter().zip(errors).map(interval).collect(),
        with_draws,
    })
}

/// Whether each player has scored against each other one, directly or over others (Ford's condition): only then are
/// the likeliest ratings finite.
fn is_bounded(players: usize, pairings: &[Pairing]) -> bool {
    let mut has_scored = vec![vec![false; players]; players];
    for pairing in pairings {
        let [lost, .., won] = pairing.counts.cells();
        let total = pairing.counts.total();
        has_scored[pairing.first][pairing.second] |= lost < total;
        has_scored[pairing.second][pairing.first] |= won < total;
    }
    for over in 0..players {
        for from in 0..players {
            for to in 0..players {
                has_scored[from][to] |= has_scored[from][over] && has_scored[over][to];
            }
        }
    }
    (0..players).all(|from| (0..players).all(|to| from == to || has_scored[from][to]))
}

/// Two players who have met, with the distribution of the score of a pair.
struct Met {
    first: usize,
    second: usize,
    sample: Sample<5>,
}

impl Met {
    /// `None` if they have not met.
    fn new(pairing: &Pairing, with_draw: bool) -> Option<Self> {
        let sample = pairing.counts.sample()?;
        Some(Self {
            first: pairing.first,
            second: pairing.second,
            sample: if with_draw {
                sample.with_draw()
            } else {
                sample
            },
        })
    }

    fn expected(&self, ratings: &[f64]) -> f64 {
        score_of_elo(ratings[self.first] - ratings[self.second])
    }

    /// How much each rating counts for the score: 1, −1 and otherwise 0.
    fn signs(&self) -> [(usize, f64); 2] {
        [(self.first, 1.0), (self.second, -1.0)]
    }
}

/// Slope of the likelihood: points above expectation.
fn gradient(players: usize, met: &[Met], ratings: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; players];
    for met in met {
        let (score, _) = met.sample.mean_and_variance();
        let excess = met.sample.results * (score - met.expected(ratings)) / ELO_PER_LOGIT;
        for (player, sign) in met.signs() {
            gradient[player] += sign * excess;
        }
    }
    gradient
}

/// Curvature of the likelihood.
fn information(players: usize, met: &[Met], ratings: &[f64]) -> Matrix {
    sum_over_pairings(players, met, |met| {
        let expected = met.expected(ratings);
        met.sample.results * expected * (1.0 - expected) / ELO_PER_LOGIT.powi(2)
    })
}

fn errors(players: usize, met: &[Met], ratings: &[f64]) -> Result<Vec<f64>, RatingError> {
    let information = information(players, met, ratings);
    let scatter = sum_over_pairings(players, met, |met| {
        let (score, variance) = met.sample.mean_and_variance();
        let around_expected = variance + (score - met.expected(ratings)).powi(2);
        met.sample.results * around_expected / ELO_PER_LOGIT.powi(2)
    });
    (0..players)
        .map(|player| {
            let mut contrast = vec![-1.0 / players as f64; players];
            contrast[player] += 1.0;
            let weights = information.solve(contrast)?;
            let variance: f64 = scatter
                .times(&weights)
                .iter()
                .zip(&weights)
                .map(|(a, b)| a * b)
                .sum();
            Ok(Z95 * variance.sqrt())
        })
        .collect()
}

fn sum_over_pairings(players: usize, met: &[Met], weight: impl Fn(&Met) -> f64) -> Matrix {
    let mut matrix = Matrix(vec![vec![0.0; players]; players]);
    for met in met {
        let weight = weight(met);
        for (row, sign) in met.signs() {
            for (column, other) in met.signs() {
                matrix.0[row][column] += sign * other * weight;
            }
        }
    }
    matrix
}

/// A symmetric matrix whose rows sum to 0.
struct Matrix(Vec<Vec<f64>>);

impl Matrix {
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let product = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.0.iter().map(product).collect()
    }

    /// The solution that sums to 0 of `self · x = right`, where `right` sums to 0 too: Gaussian elimination after
    /// adding the same to all cells, which keeps that solution and makes it the only one.
    fn solve(&self, right: Vec<f64>) -> Result<Vec<f64>, RatingError> {
        let size = right.len();
        let scale = self
            .0
            .iter()
            .enumerate()
            .map(|(i, row)| row[i])
            .fold(0.0, f64::max);
        let with_right = |(row, right): (&Vec<f64>, f64)| -> Vec<f64> {
            row.iter().map(|cell| cell + scale).chain([right]).collect()
        };
        let mut rows: Vec<Vec<f64>> = self.0.iter().zip(right).map(with_right).collect();
        for column in 0..size {
            let pivot = (column..size)
                .max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()));
            let pivot = pivot.filter(|row| rows[*row][column].abs() > 1e-12 * scale);
            rows.swap(column, pivot.ok_or(RatingError::NotConnected)?);
            let top = rows[column].clone();
            for (index, row) in rows.iter_mut().enumerate() {
                if index != column {
                    let factor = row[column] / top[column];
                    row.iter_mut()
                        .zip(&top)
                        .for_each(|(cell, top)| *cell -= factor * top);
                }
            }
        }
        Ok((0..size).map(|i| rows[i][size] / rows[i][i]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Counts;
    use super::*;

    fn pairing(first: usize, second: usize, counts: [u64; 5]) -> Pairing {
        Pairing {
            first,
            second,
            counts: Counts::new(counts),
        }
    }

    #[test]
    fn three_players_with_a_known_fixed_point() {
        // 75 %, 75 % and 90 %.
        let pairings = [
            pairing(0, 1, [1000, 1000, 1000, 1000, 6000]),
            pairing(1, 2, [1000, 1000, 1000, 1000, 6000]),
            pairing(0, 2, [100, 200, 600, 1800, 7300]),
        ];
        let ratings = bradley_terry(3, &pairings).unwrap();
        let expected = 400.0 * 3_f64.log10();
        for (rating, expected) in ratings.elo.iter().zip([expected, 0.0, -expected]) {
            assert!((rating.value - expected).abs() < 1e-6, "{ratings:?}");
        }
    }

    #[test]
    fn two_players_are_rated_as_in_a_match() {
        let counts = [400, 1800, 3000, 2200, 600];
        let ratings = bradley_terry(2, &[pairing(0, 1, counts)]).unwrap();
        let estimate = Counts::new(counts).estimate().unwrap();
        assert!((ratings.elo[0].value - ratings.elo[1].value - estimate.elo.value).abs() < 1e-9);
        // Each is half the difference away from the mean, and so is its error.
        let error = 2.0 * ratings.elo[0].half_width();
        assert!((error / estimate.elo.half_width() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn one_sided_results_have_a_rating() {
        let all_won = [0, 0, 0, 0, 20];
        let ratings = bradley_terry(2, &[pairing(0, 1, all_won)]).unwrap();
        assert!(ratings.with_draws);
        let distance = ratings.elo[0].value - ratings.elo[1].value;
        assert!((600.0..900.0).contains(&distance), "{ratings:?}");
        assert!(
            (50.0..400.0).contains(&ratings.elo[0].half_width()),
            "{ratings:?}"
        );

        // Nobody has beaten the first, but everybody else has scored.
        let chain = [pairing(0, 1, all_won), pairing(1, 2, [5, 0, 10, 0, 5])];
        assert!(bradley_terry(3, &chain).unwrap().with_draws);
        // Each has scored against the next, and the last against the first.
        let circle = [
            pairing(0, 1, all_won),
            pairing(1, 2, all_won),
            pairing(2, 0, all_won),
        ];
        let ratings = bradley_terry(3, &circle).unwrap();
        assert!(!ratings.with_draws);
        assert!(
            ratings.elo.iter().all(|elo| elo.value.abs() < 1e-6),
            "{ratings:?}"
        );
    }

    #[test]
    fn strangers_cannot_be_rated() {
        let strangers = [
            pairing(0, 1, [1, 1, 1, 1, 1]),
            pairing(2, 3, [1, 1, 1, 1, 1]),
            pairing(1, 2, [0; 5]),
        ];
        assert_eq!(bradley_terry(4, &strangers), Err(RatingError::NotConnected));
        assert_eq!(bradley_terry(2, &[]), Err(RatingError::NotConnected));
    }
}
