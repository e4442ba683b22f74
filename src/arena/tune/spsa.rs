//! Simultaneous perturbation stochastic approximation (Spall, "Multivariate stochastic approximation using a simultaneous
//! perturbation gradient approximation", 1992), as Fishtest's `spsa_workflow.py` does it for games.
//!
//! Every batch of games is played between two points on both sides of the present one, all values moved at once, and all
//! values then move towards the side that won, by as much as it won.

use serde::{Deserialize, Serialize};

/// How the steps shrink while a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// Part of the run during which steps are kept from being large.
    pub a_ratio: f64,
    /// Exponent by which the movement shrinks.
    pub alpha: f64,
    /// Exponent by which the perturbation shrinks.
    pub gamma: f64,
}

/// One value that is tuned, on the scale on which it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Where it begins.
    pub start: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Perturbation at the end of the run.
    pub c_end: f64,
    /// Movement at the end of the run: one game won more than lost moves the value by `r_end * c_end`.
    pub r_end: f64,
}

/// Which way a value is perturbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flip {
    /// The first side has more of it.
    Up,
    /// The first side has less of it.
    Down,
}

impl Flip {
    /// +1 or −1.
    pub const fn sign(self) -> f64 {
        match self {
            Self::Up => 1.0,
            Self::Down => -1.0,
        }
    }
}

/// Two points to be played against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// How each value is perturbed.
    pub flips: Vec<Flip>,
    /// The perturbation of each value, above 0.
    pub c: Vec<f64>,
    /// The movement of each value, in parts of its perturbation, for a game won more than lost.
    pub r: Vec<f64>,
    /// The values of the first side.
    pub plus: Vec<f64>,
    /// The values of the second side.
    pub minus: Vec<f64>,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Spsa {
    gains: Gains,
    axes: Vec<Axis>,
    /// Pairs of games of the whole run.
    pairs: u64,
    /// Pairs that are played.
    done: u64,
    theta: Vec<f64>,
}

impl Spsa {
    /// A run of so many pairs of games.
    pub fn new(gains: Gains, axes: Vec<Axis>, pairs: u64) -> Self {
        Self {
            theta: axes.iter().map(|axis| axis.start).collect(),
            gains,
            axes,
            pairs,
            done: 0,
        }
    }

    /// The present values.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// Pairs of games that are played.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Pairs of games that are still to be played.
    pub const fn left(&self) -> u64 {
        self.pairs - self.done
    }

    /// The two points that come next, with these perturbations.
    pub fn trial(&self, flips: Vec<Flip>) -> Trial {
        let steps = self.axes.iter().map(|axis| self.step(axis));
        let (c, r): (Vec<f64>, Vec<f64>) = steps.unzip();
        let moved = |direction: f64| {
            let values = self.axes.iter().zip(&self.theta).zip(flips.iter().zip(&c));
            let moved = values.map(|((axis, theta), (flip, c))| {
                (theta + direction * c * flip.sign()).clamp(axis.min, axis.max)
            });
            moved.collect()
        };
        Trial {
            plus: moved(1.0),
            minus: moved(-1.0),
            flips,
            c,
            r,
        }
    }

    /// Moves the values after `pairs` pairs of games in which the first side won `result` games more than it lost.
    pub fn take_in(&mut self, trial: &Trial, pairs: u64, result: i64) {
        let steps = trial.flips.iter().zip(trial.r.iter().zip(&trial.c));
        for ((theta, axis), (flip, (r, c))) in self.theta.iter_mut().zip(&self.axes).zip(steps) {
            *theta = (*theta + r * c * result as f64 * flip.sign()).clamp(axis.min, axis.max);
        }
        self.done += pairs;
    }

    /// Perturbation and movement of a value at the present moment.
    fn step(&self, axis: &Axis) -> (f64, f64) {
        let Gains {
            a_ratio,
            alpha,
            gamma,
        } = self.gains;
        let (pairs, k) = (self.pairs as f64, (self.done + 1) as f64);
        let stability = (a_ratio * pairs).floor();
        let c = axis.c_end * (pairs / k).powf(gamma);
        let a =
            axis.r_end * axis.c_end.powi(2) * ((stability + pairs) / (stability + k)).powf(alpha);
        (c, a / c.powi(2))
    }
}

#[cfg(test)]
mod tests {
    use super::Flip::{Down, Up};
    use super::*;

    /// The worked example: 40 000 games, with an exploration constant and a first play urgency.
    fn example() -> Spsa {
        let gains = Gains {
            a_ratio: 0.1,
            alpha: 0.602,
            gamma: 0.101,
        };
        let axis = |start, min, max, c_end| Axis {
            start,
            min,
            max,
            c_end,
            r_end: 0.002,
        };
        let axes = vec![axis(1.4, 0.2, 4.0, 0.2), axis(0.25, 0.0, 1.0, 0.05)];
        Spsa::new(gains, axes, 20_000)
    }

    fn assert_near(found: f64, expected: f64, precision: f64) {
        assert!(
            (found - expected).abs() <= precision,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn steps_shrink_as_in_the_worked_example() {
        for (done, c_first, c_second, r) in [
            (0, 0.543_793_52, 0.135_948_38, 0.001_145_538_4),
            (1, 0.507_025_73, 0.126_756_43, 0.001_317_307_2),
            (8, 0.435_567_56, 0.108_891_89, 0.001_781_244_2),
            (999, 0.270_666_20, 0.067_666_55, 0.003_623_542_8),
            (9_999, 0.214_503_32, 0.053_625_83, 0.002_504_339_9),
            (19_999, 0.2, 0.05, 0.002),
        ] {
            let trial = Spsa { done, ..example() }.trial(vec![Up, Up]);
            assert_near(trial.c[0], c_first, 5e-9);
            assert_near(trial.c[1], c_second, 5e-9);
            assert_near(trial.r[0], r, 5e-11);
            assert_near(trial.r[1], r, 5e-11);
        }
        let first = example().trial(vec![Up, Up]);
        assert_near(first.c[0], 0.543_793_516_395_984_1, 1e-15);
        assert_near(first.c[1], 0.135_948_379_098_996, 1e-15);
        // The constants a of the example, which c and r at the first pair make up.
        for (index, a) in [0.032_902_465_381_138_1, 0.002_056_404_086_321_131]
            .into_iter()
            .enumerate()
        {
            let constant = first.r[index] * first.c[index].powi(2) * 2_001_f64.powf(0.602);
            assert_near(constant, a, 1e-15);
        }
    }

    #[test]
    fn values_move_as_in_the_worked_example() {
        let mut spsa = example();
        for (flips, result, plus, minus, after) in [
            (
                [Up, Down],
                3,
                [1.943_793_516_395_984, 0.114_051_620_901_003_99],
                [0.856_206_483_604_015_9, 0.385_948_379_098_996_04],
                [1.401_868_809_025_925, 0.249_532_797_743_518_72],
            ),
            (
                [Down, Down],
                -2,
                [0.966_301_244_343_463_8, 0.140_640_906_572_903_4],
                [1.837_436_373_708_386_3, 0.358_424_688_914_134_04],
                [1.403_420_513_394_484_4, 0.249_920_723_835_658_55],
            ),
            (
                [Up, Up],
                5,
                [1.811_889_120_274_690_7, 0.352_037_875_555_710_14],
                [0.994_951_906_514_278, 0.147_803_572_115_606_96],
                [1.407_547_250_569_714_4, 0.250_952_408_129_466_06],
            ),
            (
                [Down, Up],
                0,
                [1.014_683_386_090_458_3, 0.349_168_374_249_280_1],
                [1.800_411_115_048_970_6, 0.152_736_442_009_652_03],
                [1.407_547_250_569_714_4, 0.250_952_408_129_466_06],
            ),
        ] {
            let trial = spsa.trial(flips.to_vec());
            spsa.take_in(&trial, 8, result);
            for index in 0..2 {
                assert_near(trial.plus[index], plus[index], 1e-14);
                assert_near(trial.minus[index], minus[index], 1e-14);
                assert_near(spsa.theta()[index], after[index], 1e-14);
            }
        }
        assert_eq!((spsa.done(), spsa.left()), (32, 19_968));
    }

    #[test]
    fn values_stay_within_their_range() {
        let mut spsa = example();
        for _ in 0..200 {
            let trial = spsa.trial(vec![Up, Down]);
            assert!(trial.plus[0] <= 4.0 && trial.plus[1] >= 0.0);
            spsa.take_in(&trial, 8, 16);
        }
        assert_eq!(spsa.theta(), [4.0, 0.0]);
    }
}
