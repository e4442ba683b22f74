//! One table per group of tunable values: name, meaning, kind and range.
//!
//! Each layer owns a plain struct with a `Default` and lists its fields once with
//! [`settings!`](crate::settings). The config file, its comments, the UGI options and tuning are derived from that table.

mod field;
mod kind;

pub use field::Field;
pub use kind::{Kind, Value};

/// A field of the settings struct `S`.
pub struct Setting<S: 'static> {
    /// The key in the config file, snake case.
    pub name: &'static str,
    /// Meaning, unit and effect, for comments in the config file and help texts.
    pub doc: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// Whether games can tell which value is best: not so for a resource, a seed, or what a network needs.
    pub is_tunable: bool,
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
    #[error("`{name}` must be {allowed}, not {}", match .allowed { Kind::Secret => "***".to_owned(), _ => .found.to_string() })]
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
        .map(|c| (likeness(name, c), c))
        .filter(|(likeness, _)| *likeness > 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// From 0 to 1: high for a few slipped letters as well as for the same words in another order.
fn likeness(a: &str, b: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(a, b).max(strsim::sorensen_dice(a, b))
}

/// Lists the fields of a struct: `settings!(SearchParams { exploration: Kind::Float { min: 0.0, max: 4.0 }, "Doc."; … })`.
///
/// A field's type is any [`Field`]; enums implement it with the words of their [`Kind::Choice`]. The word `fixed` behind the
/// text of a field says that tuning leaves it alone.
#[macro_export]
macro_rules! settings {
    (@is_tunable) => { true };
    (@is_tunable fixed) => { false };
    ($struct:ty { $($field:ident : $kind:expr, $doc:expr $(, $fixed:ident)?);+ $(;)? }) => {
        impl $crate::setting::Settings for $struct {
            const TABLE: &'static [$crate::setting::Setting<Self>] = &[$(
                $crate::setting::Setting {
                    name: stringify!($field),
                    doc: $doc,
                    kind: $kind,
                    is_tunable: $crate::settings!(@is_tunable $($fixed)?),
                    get: |s| $crate::setting::Field::to_value(&s.$field),
                    set: |s, v| s.$field = $crate::setting::Field::from_value(v),
                }
            ),+];
        }
    };
}

/// Lets an enum without data be a field: `choices!(Color { White => "white", Black => "black" })` implements
/// [`Field`] and gives the enum its list `WORDS` for [`Kind::Choice`].
#[macro_export]
macro_rules! choices {
    ($enum:ty { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $enum {
            /// The words of the config file, one per variant.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Its word in the config file.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
        impl $crate::setting::Field for $enum {
            fn to_value(&self) -> $crate::setting::Value {
                $crate::setting::Value::Text(self.word().to_owned())
            }
            fn from_value(value: $crate::setting::Value) -> Self {
                match &value {
                    $($crate::setting::Value::Text(word) if word == $word => Self::$variant,)+
                    other => panic!("the table's kind does not fit its field: {other}"),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    enum Pace {
        #[default]
        Slow,
        Fast,
    }
    choices!(Pace { Slow => "slow", Fast => "fast" });

    #[derive(Default)]
    struct Demo {
        depth: u32,
        rate: f64,
        name: String,
        token: Option<SecretString>,
        pace: Pace,
    }
    settings!(Demo {
        depth: Kind::Int { min: 1, max: 9 }, "Depth.", fixed;
        rate: Kind::Float { min: 0.0, max: 1.0 }, "Rate.";
        name: Kind::Text, "Name.";
        token: Kind::Secret, "Token.";
        pace: Kind::Choice(Pace::WORDS), "Pace.";
    });

    #[test]
    fn what_is_fixed_is_not_tuned() {
        let tunable = |name| {
            let mut table = Demo::TABLE.iter();
            table.find(|s| s.name == name).map(|s| s.is_tunable)
        };
        assert_eq!(
            (tunable("depth"), tunable("rate")),
            (Some(false), Some(true))
        );
    }

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
    fn the_nearest_key_is_found() {
        let nearest = |name| nearest(name, ["games_max", "log", "poll_wait_s"].into_iter());
        assert_eq!(nearest("lgo"), Some("log"));
        assert_eq!(nearest("max_games"), Some("games_max"));
        assert_eq!(nearest("poll_wait"), Some("poll_wait_s"));
        assert_eq!(nearest("threads"), None);
    }

    #[test]
    fn a_secret_is_not_repeated_in_an_error() {
        let mut demo = Demo::default();
        let error = demo.set_by_name("token", Value::Int(4711)).unwrap_err();
        assert_eq!(error.to_string(), "`token` must be text in quotes, not ***");
        demo.set_by_name("token", Value::Text("x".into())).unwrap();
        assert!(demo.token.is_some());
        demo.set_by_name("token", Value::Text(String::new()))
            .unwrap();
        assert!(demo.token.is_none());
    }

    #[test]
    fn a_choice_is_one_of_its_words() {
        let mut demo = Demo::default();
        demo.set_by_name("pace", Value::Text("fast".into()))
            .unwrap();
        assert_eq!(demo.pace, Pace::Fast);
        let error = demo
            .set_by_name("pace", Value::Text("swift".into()))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"`pace` must be one of "slow", "fast", not "swift""#
        );
    }
}
