use super::llr::Hypotheses;

/// A sequential probability ratio test: its hypotheses and where it stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    hypotheses: Hypotheses,
    alpha: f64,
    beta: f64,
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0: the first side is no stronger than `elo0` says.
    H0,
    /// H1: the first side is at least as strong as `elo1` says.
    H1,
    /// The games were spent before either could be said.
    Inconclusive,
}

/// A test that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("elo0 must be less than elo1, not {elo0} and {elo1}")]
    Order {
        /// H0.
        elo0: f64,
        /// H1.
        elo1: f64,
    },
    /// The error rates are no probabilities below one half in sum.
    #[error("alpha and beta must be above 0 and together below 1, not {alpha} and {beta}")]
    Rates {
        /// Rate of wrong H1.
        alpha: f64,
        /// Rate of wrong H0.
        beta: f64,
    },
}

impl Sprt {
    /// A test that says H1 where H0 is true with probability `alpha`, and H0 where H1 is true with `beta`.
    ///
    /// # Errors
    /// Hypotheses out of order, or rates that leave nothing to decide.
    pub fn new(hypotheses: Hypotheses, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let Hypotheses { elo0, elo1, .. } = hypotheses;
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Order { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Rates { alpha, beta });
        }
        Ok(Self {
            hypotheses,
            alpha,
            beta,
        })
    }

    /// What it decides between.
    pub const fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// How often it says H1 where H0 is true.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// How often it says H0 where H1 is true.
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratio at which H0 is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// What a log-likelihood ratio decides; `None`: go on.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
        if llr <= self.lower() {
            Some(Verdict::H0)
        } else if llr >= self.upper() {
            Some(Verdict::H1)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::stats::EloModel;

    fn sprt(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let hypotheses = Hypotheses {
            elo0,
            elo1,
            model: EloModel::Normalized,
        };
        Sprt::new(hypotheses, alpha, beta)
    }

    #[test]
    fn bounds() {
        let bounds = |alpha, beta| {
            let sprt = sprt(0.0, 5.0, alpha, beta).unwrap();
            (sprt.lower(), sprt.upper())
        };
        let near =
            |(a, b): (f64, f64), (c, d): (f64, f64)| (a - c).abs() < 1e-12 && (b - d).abs() < 1e-12;
        assert!(near(
            bounds(0.05, 0.05),
            (-2.944_438_979_166_44, 2.944_438_979_166_44)
        ));
        assert!(near(
            bounds(0.1, 0.05),
            (-2.890_371_757_896_165, 2.251_291_798_606_495)
        ));
        assert!(near(
            bounds(0.01, 0.01),
            (-4.595_119_850_134_59, 4.595_119_850_134_59)
        ));
    }

    #[test]
    fn impossible_tests_are_refused() {
        assert!(sprt(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(sprt(5.0, 0.0, 0.05, 0.05).is_err());
        assert!(sprt(0.0, f64::INFINITY, 0.05, 0.05).is_err());
        assert!(sprt(0.0, 5.0, 0.0, 0.05).is_err());
        assert!(sprt(0.0, 5.0, 0.5, 0.5).is_err());
        assert!(sprt(0.0, 5.0, f64::NAN, 0.5).is_err());
    }

    #[test]
    fn three_outcomes() {
        let sprt = sprt(0.0, 5.0, 0.05, 0.05).unwrap();
        assert_eq!(sprt.verdict(-2.95), Some(Verdict::H0));
        assert_eq!(sprt.verdict(2.95), Some(Verdict::H1));
        assert_eq!(sprt.verdict(2.94), None);
        assert_eq!(sprt.verdict(f64::NAN), None);
    }
}
