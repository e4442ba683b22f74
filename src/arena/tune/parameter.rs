//! What can be tuned: any setting of `[search]` and `[time]` that games can judge.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::spsa::Axis;
use crate::arena::side::{Contestant, Side};
use crate::search::{SearchParams, TimeParams};
use crate::setting::{Settings, Value};

/// A setting that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its key in the config.
    pub name: String,
    /// The section that it stands in.
    pub section: TunedSection,
    /// What it may be.
    pub domain: Domain,
}

/// A section of the config with settings that can be tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TunedSection {
    /// `[search]`.
    Search,
    /// `[time]`.
    Time,
}

/// What a setting may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// A number.
    Number(NumberDomain),
    /// One of a few words; a switch has the words `true` and `false`.
    Words {
        /// The present one.
        current: String,
        /// All others.
        others: Vec<String>,
    },
}

/// The numbers that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberDomain {
    /// How differences count.
    pub scale: Scale,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
    /// The present value.
    pub current: f64,
    /// Least value that is tried.
    pub low: f64,
    /// Greatest value that is tried.
    pub high: f64,
}

/// The scale on which a number moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// From 1 to 2 is as far as from 2 to 3.
    Linear,
    /// From 1 to 2 is as far as from 2 to 4.
    Logarithmic,
}

/// A perturbation on a logarithmic scale: the two sides of a game have the √2-fold and the √2th part at the end of a run.
const LOGARITHMIC_STEP: f64 = std::f64::consts::LN_2 / 2.0;

/// A perturbation on a linear scale, as a part of the range.
const LINEAR_STEP: f64 = 0.1;

/// Whole numbers must be perturbed at least so much that the two sides differ (as OpenBench does it).
const LEAST_WHOLE_STEP: f64 = 0.5;

/// Digits of a tuned number that are written down: more would promise a precision that no tuning has.
const DIGITS: i32 = 3;

impl Scale {
    /// The place of a value on the scale.
    pub fn place(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Logarithmic => value.ln(),
        }
    }

    /// The value at a place of the scale.
    pub fn value(self, place: f64) -> f64 {
        match self {
            Self::Linear => place,
            Self::Logarithmic => place.exp(),
        }
    }
}

impl NumberDomain {
    /// The axis on which it moves.
    pub fn axis(&self, r_end: f64) -> Axis {
        let place = |value| self.scale.place(value);
        Axis {
            start: place(self.current.clamp(self.low, self.high)),
            min: place(self.low),
            max: place(self.high),
            c_end: self.step(),
            r_end,
        }
    }

    /// The perturbation at the end of a run, on the scale.
    pub fn step(&self) -> f64 {
        match (self.scale, self.whole) {
            (Scale::Logarithmic, _) => LOGARITHMIC_STEP,
            (Scale::Linear, false) => LINEAR_STEP * (self.high - self.low),
            (Scale::Linear, true) => (LINEAR_STEP * (self.high - self.low)).max(LEAST_WHOLE_STEP),
        }
    }

    /// The value to play with at a place. Whole numbers are rounded down after adding `dither`: when that is random
    /// from 0 to 1, their mean is the unrounded value.
    pub fn played(&self, place: f64, dither: f64) -> Value {
        let value = self.scale.value(place).clamp(self.low, self.high);
        match self.whole {
            true => Value::Int((value + dither).floor().min(self.high) as i64),
            false => Value::Float(value),
        }
    }

    /// The value to write down for a place: a whole number, or one with few digits.
    pub fn written(&self, place: f64) -> Value {
        match self.played(place, 0.5) {
            Value::Float(value) => Value::Float(rounded(value).clamp(self.low, self.high)),
            whole => whole,
        }
    }

    /// The place of a value that was played with.
    pub(super) fn place_of(&self, value: &Value) -> Option<f64> {
        number(value).map(|value| self.scale.place(value))
    }
}

/// A number with the three digits that are written down.
pub fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let decimals = DIGITS - 1 - value.abs().log10().floor() as i32;
    // By way of the text, so that the number is the one that its digits mean.
    let text = format!("{value:.*}", decimals.max(0) as usize);
    text.parse().unwrap_or(value)
}

/// A value as a number, if it is one.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Bool(_) | Value::Text(_) | Value::List(_) => None,
    }
}

impl Parameter {
    /// The present value.
    pub fn current(&self) -> Value {
        match &self.domain {
            Domain::Number(domain) if domain.whole => Value::Int(domain.current as i64),
            Domain::Number(domain) => Value::Float(domain.current),
            Domain::Words { current, .. } => self.word(current),
        }
    }

    /// A word as the value that it stands for.
    pub fn word(&self, word: &str) -> Value {
        match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            word => Value::Text(word.to_owned()),
        }
    }

    /// Gives a side this value.
    ///
    /// # Panics
    /// The setting does not take it.
    pub fn apply(&self, side: &mut Side, value: &Value) {
        let set = match (self.section, &mut side.contestant) {
            (TunedSection::Time, _) => side.time.set_by_name(&self.name, value.clone()),
            (TunedSection::Search, Contestant::Search(search)) => {
                search.set_by_name(&self.name, value.clone())
            }
            (TunedSection::Search, Contestant::Simple(_) | Contestant::Engine { .. }) => Ok(()),
        };
        set.expect("what is tried lies within the range of the setting");
    }

    /// The names of all settings that can be tuned; those of `[time]` only when there is a clock.
    pub fn all_names(has_clock: bool) -> Vec<&'static str> {
        let time = names::<TimeParams>().filter(|_| has_clock);
        names::<SearchParams>().chain(time).collect()
    }
}

/// The settings of a section that can be tuned.
pub(super) fn names<S: Settings>() -> impl Iterator<Item = &'static str> {
    let table = S::TABLE.iter().filter(|setting| setting.is_tunable);
    table.map(|setting| setting.name)
}

impl TunedSection {
    /// Its name in the config file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Time => "time",
        }
    }
}

impl fmt::Display for TunedSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.name())
    }
}

/// A value as it stands in a config file and in a side of a match.
pub fn text(value: &Value) -> String {
    match value {
        Value::Text(word) => word.clone(),
        Value::Float(number) => format!("{number}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPLORATION: NumberDomain = NumberDomain {
        scale: Scale::Logarithmic,
        whole: false,
        current: 5.0,
        low: 0.01,
        high: 10.0,
    };

    #[test]
    fn numbers_move_on_their_scale() {
        let axis = EXPLORATION.axis(0.1);
        assert!((axis.start - 5_f64.ln()).abs() < 1e-15);
        let (up, down) = (axis.start + axis.c_end, axis.start - axis.c_end);
        let values = [up, down].map(|place| EXPLORATION.written(place));
        assert_eq!(values, [Value::Float(7.07), Value::Float(3.54)]);
    }

    #[test]
    fn whole_numbers_are_dithered() {
        let domain = NumberDomain {
            scale: Scale::Linear,
            whole: true,
            current: 4.0,
            low: 1.0,
            high: 8.0,
        };
        let played = [0.0, 0.69, 0.71, 0.99].map(|dither| domain.played(4.3, dither));
        assert_eq!(played, [4, 4, 5, 5].map(Value::Int));
        assert_eq!(domain.played(8.0, 0.99), Value::Int(8));
        assert_eq!(
            (domain.written(4.5), domain.written(4.4)),
            (Value::Int(5), Value::Int(4))
        );
        assert!((domain.step() - 0.7).abs() < 1e-15);
        assert_eq!(
            NumberDomain {
                high: 3.0,
                ..domain
            }
            .step(),
            LEAST_WHOLE_STEP
        );
    }

    #[test]
    fn numbers_are_written_with_three_digits() {
        let numbers = [0.523_456, 1.234_5, 12_345.678, 0.000_123_456, 0.0, 9.999];
        assert_eq!(
            numbers.map(rounded),
            [0.523, 1.23, 12_346.0, 0.000_123, 0.0, 10.0]
        );
        assert_eq!(text(&Value::Float(0.5)), "0.5");
        assert_eq!(text(&Value::Text("take_five".to_owned())), "take_five");
    }
}
