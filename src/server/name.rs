//! Names of accounts: which are allowed, and which look alike.

use super::error::ApiError;

/// Checks the name of a new account.
///
/// # Errors
/// It is not allowed.
pub fn check_name(name: &str) -> Result<(), ApiError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let has_letter = name.chars().any(|c| c.is_ascii_alphabetic());
    if (2..=20).contains(&name.len()) && name.chars().all(is_plain) && has_letter {
        return Ok(());
    }
    Err(ApiError::Unsupported(
        "a name has 2 to 20 letters, digits, `-` or `_`, at least one of them a letter".to_owned(),
    ))
}

/// What is left of a name when all that a quick eye overlooks is taken away. Two names with the same skeleton look
/// alike, so only one of them may exist.
///
/// Names are ASCII, so letters of other alphabets need no thought.
pub fn skeleton(name: &str) -> String {
    let plain: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| match c.to_ascii_lowercase() {
            '0' => 'o',
            '1' | 'i' => 'l',
            '2' => 'z',
            '5' => 's',
            '8' => 'b',
            other => other,
        })
        .collect();
    plain
        .replace("rn", "m")
        .replace("vv", "w")
        .replace("cl", "d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        for good in ["ab", "ring-master_7", "ABCDEFGHIJKLMNOPQRST", "4a"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a",
            "a b",
            "é5",
            "a\n",
            "ABCDEFGHIJKLMNOPQRSTU",
            "a/b",
            "--",
            "1-2",
            "аda",
        ] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_that_look_alike_have_the_same_skeleton() {
        for [one, other] in [
            ["ringmaster", "RingMaster"],
            ["ringmaster", "ring-master"],
            ["ringmaster", "rlngmaster"],
            ["ringmaster", "r1ngmaster"],
            ["ringmaster", "ringrnaster"],
            ["house", "h0use"],
            ["house", "hou5e"],
            ["winner", "vvinner"],
            ["ada_", "_ada"],
        ] {
            assert_eq!(skeleton(one), skeleton(other));
        }
        assert_ne!(skeleton("ada"), skeleton("adam"));
        assert_ne!(skeleton("bot3"), skeleton("bot4"));
    }
}
