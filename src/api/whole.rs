//! Whole numbers in requests. To JSON, `60000.0` is the same number as `60000`, and some languages write it so.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// Above this, a float no longer tells neighbouring whole numbers apart.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A whole number, 0 or more, that may be written with a fraction of zero.
struct Whole<T>(T);

/// Reads a whole number.
pub(super) fn number<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    Whole::deserialize(deserializer).map(|Whole(number)| number)
}

/// Reads a whole number or `null`.
pub(super) fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let read = Option::<Whole<T>>::deserialize(deserializer)?;
    Ok(read.map(|Whole(number)| number))
}

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor(PhantomData))
    }
}

struct WholeVisitor<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for WholeVisitor<T> {
    type Value = Whole<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number that is not negative and not too large")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole<T>, E> {
        let refused = E::invalid_value(Unexpected::Unsigned(number), &self);
        T::try_from(number).map(Whole).map_err(|_| refused)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole<T>, E> {
        if number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number) {
            self.visit_u64(number as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<u16> {
        number(&mut serde_json::Deserializer::from_str(text)).ok()
    }

    #[test]
    fn a_fraction_of_zero_changes_nothing() {
        assert_eq!(
            (read("640"), read("640.0"), read("6.4e2")),
            (Some(640), Some(640), Some(640))
        );
        for refused in [
            "-1", "-1.0", "0.5", "65536", "65536.0", "1e300", "\"1\"", "null",
        ] {
            assert_eq!(read(refused), None, "{refused}");
        }
        let mut null = serde_json::Deserializer::from_str("null");
        assert_eq!(optional::<_, u16>(&mut null).ok(), Some(None));
    }
}
