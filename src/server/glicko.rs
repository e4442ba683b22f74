//! Glicko-2, after Mark E. Glickman, "Example of the Glicko-2 system" (2022). Pure.

use std::f64::consts::PI;

/// Points of the usual scale in one unit of the inner one.
const SCALE: f64 = 173.7178;
/// The rating of somebody of whom nothing is known.
const FIRST_RATING: f64 = 1500.0;
/// The deviation of somebody of whom nothing is known; it never becomes larger.
const DEVIATION_MAX: f64 = 350.0;
/// The volatility that everybody begins with.
const FIRST_VOLATILITY: f64 = 0.06;
/// How fast the volatility may change; the paper recommends 0.3 to 1.2, and uses this in its example.
const TAU: f64 = 0.5;
/// How exactly the new volatility is found.
const EPSILON: f64 = 1e-6;

/// How strong somebody is, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The estimate, 1500 for a beginner.
    pub rating: f64,
    /// The estimate's standard deviation, at most 350: the truth lies within two of them in 95 of 100 cases.
    pub deviation: f64,
    /// How much the strength is expected to change.
    pub volatility: f64,
}

/// One game as its player sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The opponent, before the game.
    pub opponent: Rating,
    /// 1 won, 0.5 drawn, 0 lost.
    pub points: f64,
}

/// What the games of a period say about a player, on the inner scale.
struct Evidence {
    /// The variance of a strength estimated from the games alone.
    variance: f64,
    /// By how much that estimate lies above the rating.
    improvement: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Self {
            rating: FIRST_RATING,
            deviation: DEVIATION_MAX,
            volatility: FIRST_VOLATILITY,
        }
    }
}

impl Rating {
    /// The rating after some games; `periods` have passed since it was last computed, which makes it less sure.
    ///
    /// The paper computes once a period from all games of that period, which is `periods` = 1. Computed after each game,
    /// with the part of a period since the game before, it grows as unsure in the same time.
    pub fn after(self, games: &[Score], periods: f64) -> Self {
        let deviation = self.deviation / SCALE;
        let Some(evidence) = self.evidence(games) else {
            let deviation = deviation.hypot(self.volatility * periods.sqrt());
            return Self {
                deviation: (deviation * SCALE).min(DEVIATION_MAX),
                ..self
            };
        };
        let volatility = self.new_volatility(&evidence);
        let before = deviation.hypot(volatility * periods.sqrt());
        let variance = (before.powi(-2) + evidence.variance.recip()).recip();
        let change = variance * evidence.improvement / evidence.variance;
        Self {
            rating: self.rating + change * SCALE,
            deviation: (variance.sqrt() * SCALE).min(DEVIATION_MAX),
            volatility,
        }
    }

    /// Steps 3 and 4 of the paper; nothing without games.
    fn evidence(&self, games: &[Score]) -> Option<Evidence> {
        let (mut information, mut surplus) = (0.0, 0.0);
        for game in games {
            let opponent = game.opponent.deviation / SCALE;
            let weight = (1.0 + 3.0 * (opponent / PI).powi(2)).sqrt().recip();
            let distance = (self.rating - game.opponent.rating) / SCALE;
            let expected = (1.0 + (-weight * distance).exp()).recip();
            information += weight.powi(2) * expected * (1.0 - expected);
            surplus += weight * (game.points - expected);
        }
        (information > 0.0).then(|| Evidence {
            variance: information.recip(),
            improvement: surplus / information,
        })
    }

    /// Step 5 of the paper: the root of a decreasing function, by the Illinois algorithm.
    fn new_volatility(&self, evidence: &Evidence) -> f64 {
        let deviation = self.deviation / SCALE;
        let start = self.volatility.powi(2).ln();
        let excess = evidence.improvement.powi(2) - deviation.powi(2) - evidence.variance;
        let f = |x: f64| {
            let spread = deviation.powi(2) + evidence.variance + x.exp();
            x.exp() * (excess - x.exp()) / (2.0 * spread.powi(2)) - (x - start) / TAU.powi(2)
        };
        let mut low = start;
        let mut high = if excess > 0.0 {
            excess.ln()
        } else {
            let mut steps = 1.0;
            while f(start - steps * TAU) < 0.0 {
                steps += 1.0;
            }
            start - steps * TAU
        };
        let (mut at_low, mut at_high) = (f(low), f(high));
        while (high - low).abs() > EPSILON {
            let next = low + (low - high) * at_low / (at_high - at_low);
            let at_next = f(next);
            if at_next * at_high <= 0.0 {
                (low, at_low) = (high, at_high);
            } else {
                at_low /= 2.0;
            }
            (high, at_high) = (next, at_next);
        }
        (low / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating {
            rating,
            deviation,
            ..Rating::default()
        }
    }

    fn score(opponent: Rating, points: f64) -> Score {
        Score { opponent, points }
    }

    #[test]
    fn the_papers_example_comes_out() {
        let games = [
            score(rating(1400.0, 30.0), 1.0),
            score(rating(1550.0, 100.0), 0.0),
            score(rating(1700.0, 300.0), 0.0),
        ];
        let after = rating(1500.0, 200.0).after(&games, 1.0);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn time_without_games_only_makes_less_sure() {
        let idle = rating(1700.0, 50.0).after(&[], 100.0);
        let expected = 50f64.hypot(0.06 * 10.0 * SCALE);
        assert!((idle.deviation - expected).abs() < 1e-9, "{idle:?}");
        assert_eq!((idle.rating, idle.volatility), (1700.0, 0.06));
        let forgotten = rating(1700.0, 50.0).after(&[], 1e9);
        assert_eq!(forgotten.deviation, DEVIATION_MAX);
        assert_eq!(rating(1700.0, 50.0).after(&[], 0.0), rating(1700.0, 50.0));
    }

    #[test]
    fn winner_and_loser_move_apart_by_the_same_amount() {
        let start = Rating::default();
        let won = start.after(&[score(start, 1.0)], 0.0);
        let lost = start.after(&[score(start, 0.0)], 0.0);
        let drawn = start.after(&[score(start, 0.5)], 0.0);
        assert!((won.rating + lost.rating - 2.0 * FIRST_RATING).abs() < 1e-9);
        assert!(won.rating > FIRST_RATING + 100.0 && drawn.rating == FIRST_RATING);
        assert!(won.deviation < DEVIATION_MAX && won.deviation == lost.deviation);
    }

    #[test]
    fn a_great_surprise_raises_the_volatility() {
        let strong = rating(2200.0, 40.0);
        let weak = rating(1200.0, 40.0);
        let after = strong.after(&[score(weak, 0.0); 10], 1.0);
        assert!(after.volatility > FIRST_VOLATILITY, "{after:?}");
        assert!(after.rating < 2200.0 && after.rating.is_finite());
    }
}
