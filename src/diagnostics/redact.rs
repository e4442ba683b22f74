//! Takes secrets out of texts, wherever they come from.

use std::io::{self, Write};
use std::sync::{Arc, PoisonError, RwLock};

use secrecy::{ExposeSecret, SecretString};

/// What stands where a secret stood.
const MASK: &str = "***";
/// How the tokens of this project's servers begin, so that those are found which nobody has named.
const TOKEN_PREFIX: &str = "ynb_";

/// Knows the secrets of this process. Clones know the same ones.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    secrets: Arc<RwLock<Vec<SecretString>>>,
}

impl Redactor {
    /// Adds a secret, in all forms in which it can occur.
    pub fn add(&self, secret: &SecretString) {
        let secret = secret.expose_secret().trim();
        if secret.is_empty() {
            return;
        }
        let quoted = format!("{secret:?}");
        let in_quotes = &quoted[1..quoted.len() - 1];
        let in_url = percent_encoded(secret);
        let mut secrets = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        for form in [secret, in_quotes, &in_url] {
            if !secrets.iter().any(|known| known.expose_secret() == form) {
                secrets.push(SecretString::from(form));
            }
        }
        // A secret may be part of another one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.expose_secret().len()));
    }

    /// The text with `***` for every secret: those that were added, and whatever looks like a token, follows
    /// `Bearer`, or stands before the `@` of an address.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in self
            .secrets
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            if text.contains(secret.expose_secret()) {
                text = text.replace(secret.expose_secret(), MASK);
            }
        }
        let text = mask_after(&text, TOKEN_PREFIX, is_token_char);
        let text = mask_after(&text, "Bearer ", |c| c.is_ascii_graphic() && c != '"');
        mask_user_info(&text)
    }
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Replaces the run of characters that `belongs` accepts after each `start`.
fn mask_after(text: &str, start: &str, belongs: impl Fn(char) -> bool) -> String {
    let mut parts = text.split(start);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c| !belongs(c)).unwrap_or(part.len());
        masked.push_str(start);
        if end > 0 {
            masked.push_str(MASK);
        }
        masked.push_str(&part[end..]);
    }
    masked
}

/// Masks user names and passwords in addresses: `https://***@host`.
fn mask_user_info(text: &str) -> String {
    const START: &str = "://";
    let mut parts = text.split(START);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends_authority =
            |c: char| matches!(c, '/' | '?' | '#' | '"' | '\'') || c.is_whitespace();
        let authority = &part[..part.find(ends_authority).unwrap_or(part.len())];
        masked.push_str(START);
        match authority.rfind('@') {
            Some(at) => {
                masked.push_str(MASK);
                masked.push_str(&part[at..]);
            }
            None => masked.push_str(part),
        }
    }
    masked
}

/// As it would stand in an address.
fn percent_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// A stream without secrets. It passes on whole lines, and what is left when it is flushed or dropped.
pub struct Redacting<W: Write> {
    inner: W,
    redactor: Redactor,
    waiting: Vec<u8>,
}

impl<W: Write> Redacting<W> {
    /// Takes the secrets that `redactor` knows out of what goes to `inner`.
    pub fn new(inner: W, redactor: Redactor) -> Self {
        Self {
            inner,
            redactor,
            waiting: Vec::new(),
        }
    }

    fn pass_on(&mut self, length: usize) -> io::Result<()> {
        let text: Vec<u8> = self.waiting.drain(..length).collect();
        let text = self.redactor.redact(&String::from_utf8_lossy(&text));
        self.inner.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if let Some(end) = self.waiting.iter().rposition(|byte| *byte == b'\n') {
            self.pass_on(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.waiting.len())?;
        self.inner.flush()
    }
}

impl<W: Write> Drop for Redacting<W> {
    fn drop(&mut self) {
        // Nobody is left to be told of a failure.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor(secrets: &[&str]) -> Redactor {
        let redactor = Redactor::default();
        for secret in secrets {
            redactor.add(&SecretString::from(*secret));
        }
        redactor
    }

    #[test]
    fn a_secret_is_found_in_every_form() {
        let redactor = redactor(&[r#"a"b\c/d"#, "abc"]);
        for text in [
            r#"token a"b\c/d."#,
            r#"token a\"b\\c/d."#,
            "token a%22b%5Cc%2Fd.",
            "token abc.",
        ] {
            assert_eq!(redactor.redact(text), "token ***.");
        }
    }

    #[test]
    fn the_longer_secret_goes_first() {
        assert_eq!(redactor(&["abc", "abcdef"]).redact("abcdef abc"), "*** ***");
    }

    #[test]
    fn what_looks_like_a_secret_is_one() {
        let cases = [
            ("see ynb_4f-Z_9.", "see ynb_***."),
            (
                "\"authorization\": \"Bearer x.y/z=\", more",
                "\"authorization\": \"Bearer ***\", more",
            ),
            ("https://me:pw@host/path", "https://***@host/path"),
            (
                "https://me@x:pw@host:1 and http://host/a@b",
                "https://***@host:1 and http://host/a@b",
            ),
            ("ynb_ alone, Bearer\nnext", "ynb_ alone, Bearer\nnext"),
        ];
        for (text, expected) in cases {
            assert_eq!(redactor(&[]).redact(text), expected);
        }
    }

    #[test]
    fn a_stream_finds_a_secret_that_comes_in_pieces() {
        let mut out = Vec::new();
        let mut stream = Redacting::new(&mut out, redactor(&["secret"]));
        for piece in ["one sec", "ret two\nthree sec", "ret"] {
            stream.write_all(piece.as_bytes()).unwrap();
        }
        drop(stream);
        assert_eq!(String::from_utf8(out).unwrap(), "one *** two\nthree ***");
    }
}
