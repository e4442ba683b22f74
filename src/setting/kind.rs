//! The values that settings take, and what each setting accepts.

use std::fmt;

/// A value on its way into or out of a settings struct.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// On or off.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite real number.
    Float(f64),
    /// Free text or one of a fixed list of words.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

/// What a setting accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number, both ends allowed.
    Int {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
    },
    /// A real number, both ends allowed.
    Float {
        /// Smallest allowed value.
        min: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// Any text.
    Text,
    /// Text that no output may show, such as a token.
    Secret,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of texts; `Some` limits each to one of these words.
    List(Option<&'static [&'static str]>),
}

impl Kind {
    /// Accepts `value`, turning whole numbers into reals where a real is wanted.
    ///
    /// # Errors
    /// Gives the value back when its type or range is wrong.
    pub fn check(self, value: Value) -> Result<Value, Value> {
        let value = match (self, value) {
            (Self::Float { .. }, Value::Int(i)) => Value::Float(i as f64),
            (_, value) => value,
        };
        let good = match (self, &value) {
            (Self::Bool, Value::Bool(_)) | (Self::Text | Self::Secret, Value::Text(_)) => true,
            (Self::Int { min, max }, Value::Int(i)) => (min..=max).contains(i),
            (Self::Float { min, max }, Value::Float(f)) => (min..=max).contains(f),
            (Self::Choice(words), Value::Text(t)) => words.contains(&t.as_str()),
            (Self::List(words), Value::List(l)) => {
                words.is_none_or(|words| l.iter().all(|t| words.contains(&t.as_str())))
            }
            _ => false,
        };
        if good { Ok(value) } else { Err(value) }
    }

    /// Reads text from a place that has no types, such as a UGI option or `name=value` on the command line.
    ///
    /// # Errors
    /// Gives the text back when it does not read as this kind or is out of range.
    pub fn parse(self, text: &str) -> Result<Value, Value> {
        let refused = || Value::Text(text.to_owned());
        let value = match self {
            Self::Bool => Value::Bool(text.parse().map_err(|_| refused())?),
            Self::Int { .. } => Value::Int(text.parse().map_err(|_| refused())?),
            Self::Float { .. } => Value::Float(text.parse().map_err(|_| refused())?),
            Self::Text | Self::Secret | Self::Choice(_) => Value::Text(text.to_owned()),
            Self::List(_) if text.trim().is_empty() => Value::List(Vec::new()),
            Self::List(_) => Value::List(text.split(',').map(|t| t.trim().to_owned()).collect()),
        };
        self.check(value)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |words: &[&str]| {
            words
                .iter()
                .map(|w| format!("\"{w}\""))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Self::Bool => write!(f, "true or false"),
            Self::Int { min, max: i64::MAX } => write!(f, "a whole number from {min} up"),
            Self::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Float { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Text | Self::Secret => write!(f, "text in quotes"),
            Self::Choice(words) => write!(f, "one of {}", quoted(words)),
            Self::List(None) => write!(f, "a list of texts"),
            Self::List(Some(words)) => write!(f, "a list of any of {}", quoted(words)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(i) => write!(f, "{i}"),
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Text(t) => write!(f, "{t:?}"),
            Self::List(l) => write!(f, "{l:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_untyped_text() {
        assert_eq!(Kind::Int { min: 0, max: 9 }.parse("7"), Ok(Value::Int(7)));
        assert!(Kind::Int { min: 0, max: 9 }.parse("seven").is_err());
        assert_eq!(
            Kind::List(None).parse("a, b"),
            Ok(Value::List(vec!["a".into(), "b".into()]))
        );
        assert_eq!(Kind::List(None).parse(""), Ok(Value::List(Vec::new())));
    }
}
