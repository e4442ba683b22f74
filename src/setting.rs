//! One table per group of tunable values: name, meaning, kind and range.
//!
//! Each layer owns a plain struct with a `Default` and lists its fields once with [`settings!`]. The config file,
//! its comments, the UGI options and tuning are derived from that table.

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
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of texts; `Some` limits each to one of these words.
    List(Option<&'static [&'static str]>),
}

/// A field of the settings struct `S`.
pub struct Setting<S: 'static> {
    /// The key in the config file, snake case.
    pub name: &'static str,
    /// Meaning, unit and effect, for comments in the config file and help texts.
    pub doc: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// Reads the field.
    pub get: fn(&S) -> Value,
    /// Writes the field; the value has passed [`Kind::check`].
    pub set: fn(&mut S, Value),
}

/// A struct whose fields are listed in a table.
pub trait Settings: Default + Sized + 'static {
    /// The fields, in the order in which they are shown.
    const TABLE: &'static [Setting<Self>];

    /// Sets the field `name`.
    ///
    /// # Errors
    /// An unknown name, a wrong type, or a value out of range.
    fn set_by_name(&mut self, name: &str, value: Value) -> Result<(), SettingError> {
        let setting =
            Self::TABLE
                .iter()
                .find(|s| s.name == name)
                .ok_or_else(|| SettingError::Unknown {
                    name: name.to_owned(),
                    nearest: nearest(name, Self::TABLE.iter().map(|s| s.name)),
                })?;
        let value = setting
            .kind
            .check(value)
            .map_err(|found| SettingError::Refused {
                name: name.to_owned(),
                allowed: setting.kind,
                found,
            })?;
        (setting.set)(self, value);
        Ok(())
    }
}

/// Why a setting was not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingError {
    /// There is no such key.
    #[error("unknown key `{name}`{}", .nearest.map(|n| format!(", did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// What was given.
        name: String,
        /// The known key that looks most like it.
        nearest: Option<&'static str>,
    },
    /// The value has the wrong type or lies outside its range.
    #[error("`{name}` must be {allowed}, not {found}")]
    Refused {
        /// The key.
        name: String,
        /// What would be right.
        allowed: Kind,
        /// What was given.
        found: Value,
    },
}

/// The candidate most like `name`, if any is close enough to be a slip of the pen.
pub fn nearest(name: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    candidates
        .map(|c| (strsim::jaro_winkler(name, c), c))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
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
            (Self::Bool, Value::Bool(_)) | (Self::Text, Value::Text(_)) => true,
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
            Self::Text | Self::Choice(_) => Value::Text(text.to_owned()),
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
            Self::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Float { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Text => write!(f, "text in quotes"),
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

/// How a field type travels as a [`Value`].
pub trait Field: Sized {
    /// The field as a value.
    fn to_value(&self) -> Value;
    /// The value as a field; the kind has been checked, so a mismatch is a mistake in the table.
    fn from_value(value: Value) -> Self;
}

macro_rules! int_field {
    ($($t:ty),*) => {$(
        impl Field for $t {
            fn to_value(&self) -> Value {
                Value::Int(i64::try_from(*self).expect("settings stay within i64"))
            }
            fn from_value(value: Value) -> Self {
                match value {
                    Value::Int(i) => Self::try_from(i).expect("the table's range fits the field"),
                    other => panic!("the table's kind does not fit its field: {other}"),
                }
            }
        }
    )*};
}
int_field!(u8, u16, u32, u64, usize, i64);

macro_rules! plain_field {
    ($($t:ty => $variant:ident),*) => {$(
        impl Field for $t {
            fn to_value(&self) -> Value {
                Value::$variant(self.clone())
            }
            fn from_value(value: Value) -> Self {
                match value {
                    Value::$variant(v) => v,
                    other => panic!("the table's kind does not fit its field: {other}"),
                }
            }
        }
    )*};
}
plain_field!(bool => Bool, f64 => Float, String => Text, Vec<String> => List);

/// Lists the fields of a struct: `settings!(SearchParams { exploration: Kind::Float { min: 0.0, max: 4.0 }, "Doc."; … })`.
///
/// A field's type is any [`Field`]; enums implement it with the words of their [`Kind::Choice`].
#[macro_export]
macro_rules! settings {
    ($struct:ty { $($field:ident : $kind:expr, $doc:expr);+ $(;)? }) => {
        impl $crate::setting::Settings for $struct {
            const TABLE: &'static [$crate::setting::Setting<Self>] = &[$(
                $crate::setting::Setting {
                    name: stringify!($field),
                    doc: $doc,
                    kind: $kind,
                    get: |s| $crate::setting::Field::to_value(&s.$field),
                    set: |s, v| s.$field = $crate::setting::Field::from_value(v),
                }
            ),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Demo {
        depth: u32,
        rate: f64,
        name: String,
    }
    settings!(Demo {
        depth: Kind::Int { min: 1, max: 9 }, "Depth.";
        rate: Kind::Float { min: 0.0, max: 1.0 }, "Rate.";
        name: Kind::Text, "Name.";
    });

    #[test]
    fn sets_fields_and_refuses_what_is_wrong() {
        let mut demo = Demo::default();
        demo.set_by_name("depth", Value::Int(3)).unwrap();
        demo.set_by_name("rate", Value::Int(1)).unwrap();
        demo.set_by_name("name", Value::Text("x".into())).unwrap();
        assert_eq!((demo.depth, demo.rate, demo.name.as_str()), (3, 1.0, "x"));

        let error = demo.set_by_name("dept", Value::Int(3)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown key `dept`, did you mean `depth`?"
        );
        let error = demo.set_by_name("depth", Value::Int(10)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`depth` must be a whole number from 1 to 9, not 10"
        );
        assert!(demo.set_by_name("rate", Value::Float(f64::NAN)).is_err());
    }

    #[test]
    fn reads_untyped_text() {
        assert_eq!(Kind::Int { min: 0, max: 9 }.parse("7"), Ok(Value::Int(7)));
        assert!(Kind::Int { min: 0, max: 9 }.parse("seven").is_err());
        assert_eq!(
            Kind::List(None).parse("a, b"),
            Ok(Value::List(vec!["a".into(), "b".into()]))
        );
    }
}
