//! How the types of fields travel as values.

use std::path::PathBuf;

use secrecy::{ExposeSecret, SecretString};

use super::Value;

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
plain_field!(bool => Bool, f64 => Float, String => Text);

/// A list of texts, or of the words of an enum.
impl<T: Field> Field for Vec<T> {
    fn to_value(&self) -> Value {
        let texts = self.iter().map(|item| String::from_value(item.to_value()));
        Value::List(texts.collect())
    }
    fn from_value(value: Value) -> Self {
        match value {
            Value::List(texts) => texts
                .into_iter()
                .map(|t| T::from_value(Value::Text(t)))
                .collect(),
            other => panic!("the table's kind does not fit its field: {other}"),
        }
    }
}

impl Field for PathBuf {
    fn to_value(&self) -> Value {
        Value::Text(self.to_string_lossy().into_owned())
    }
    fn from_value(value: Value) -> Self {
        Self::from(String::from_value(value))
    }
}

impl Field for SecretString {
    fn to_value(&self) -> Value {
        Value::Text(self.expose_secret().to_owned())
    }
    fn from_value(value: Value) -> Self {
        Self::from(String::from_value(value))
    }
}

/// A text that may be left out: the config file writes `""` for `None`.
impl<T: Field> Field for Option<T> {
    fn to_value(&self) -> Value {
        match self {
            Some(field) => field.to_value(),
            None => Value::Text(String::new()),
        }
    }
    fn from_value(value: Value) -> Self {
        match value {
            Value::Text(text) if text.is_empty() => None,
            value => Some(T::from_value(value)),
        }
    }
}
