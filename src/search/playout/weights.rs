//! The weights of the evaluation as text.

use std::fmt;
use std::str::FromStr;

use super::evaluation::{Evaluation, MOST_WEIGHT as MOST, STAGES, UNIT, WEIGHTS_OF_STAGE};
use crate::game::RINGS_TO_WIN;

/// The text is no set of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Something that is no weight.
    #[error("line {line}: `{found}` is no whole number from -{MOST} to {MOST}")]
    NoWeight {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// Too few or too many.
    #[error("{found} weights, expected {ALL_WEIGHTS}")]
    Count {
        /// How many there are.
        found: usize,
    },
}

/// Number of all weights.
const ALL_WEIGHTS: usize = (STAGES + STAGES + 1) * WEIGHTS_OF_STAGE;

/// The weights as text; `#` begins a comment.
impl FromStr for Evaluation {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Vec::with_capacity(ALL_WEIGHTS);
        for (index, line) in text.lines().enumerate() {
            let numbers = line.split('#').next().unwrap_or_default();
            for word in numbers.split_whitespace() {
                let weight = word.parse().ok();
                let weight = weight.filter(|weight: &i16| weight.abs() <= MOST);
                weights.push(weight.ok_or_else(|| WeightsError::NoWeight {
                    line: index + 1,
                    found: word.to_owned(),
                })?);
            }
        }
        let (stages, rest) = weights.as_chunks::<WEIGHTS_OF_STAGE>();
        let (values, priors) = stages.split_at_checked(STAGES).unwrap_or_default();
        match (values.try_into(), priors.try_into()) {
            (Ok(values), Ok(priors)) if rest.is_empty() => Ok(Self::new(values, priors)),
            _ => Err(WeightsError::Count {
                found: weights.len(),
            }),
        }
    }
}

/// The text that is read back.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# Weights of the evaluation, in 1/{UNIT} of the natural logarithm of the odds; written by `yinsh-bot learn`."
        )?;
        let rings = RINGS_TO_WIN as usize;
        for (name, stages) in [("Value", &self.values[..]), ("Priors", &self.priors[..])] {
            for (index, stage) in stages.iter().enumerate() {
                match index {
                    STAGES => writeln!(f, "# {name}, placement")?,
                    _ => writeln!(f, "# {name}, rings off {}-{}", index / rings, index % rings)?,
                }
                let weights = stage.weights().map(|weight| weight.to_string());
                writeln!(f, "{}", weights.join(" "))?;
            }
        }
        Ok(())
    }
}
