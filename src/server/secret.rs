//! Tokens and identifiers: random text, and the hash that alone is stored of a token.

use sha2::{Digest, Sha256};

use crate::api::TOKEN_PREFIX;

/// SHA-256 of a token. A token has 256 random bits, so a plain fast hash hides it well enough.
pub type TokenHash = [u8; 32];

/// A new token for the `Authorization` header.
pub fn new_token() -> String {
    let bytes: [u8; 32] = rand::random();
    format!("{TOKEN_PREFIX}{}", hex(&bytes))
}

/// What is stored of a token, and looked up.
pub fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// A new identifier: `prefix`, and enough random letters and digits that no two are ever alike.
pub fn new_id(prefix: &str) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bytes: [u8; 12] = rand::random();
    let random = bytes.map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    prefix.chars().chain(random).collect()
}

/// A short fingerprint of a text, for ETags.
pub fn fingerprint(text: &[u8]) -> String {
    hex(&Sha256::digest(text)[..12])
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string never fails");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_alike() {
        let (one, two) = (new_token(), new_token());
        assert_eq!(one.len(), TOKEN_PREFIX.len() + 64);
        assert!(one.starts_with(TOKEN_PREFIX));
        assert_ne!(one, two);
        assert_ne!(hash(&one), hash(&two));
    }

    #[test]
    fn identifiers_are_plain() {
        let id = new_id("bot_");
        assert!(id.starts_with("bot_") && id.len() == 16);
        assert!(id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        assert_ne!(id, new_id("bot_"));
    }

    #[test]
    fn a_hash_is_sha_256() {
        assert_eq!(hex(&hash("abc")[..4]), "ba7816bf");
    }
}
