//! Where the account's token comes from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

use super::AccountConfig;

/// The environment variable that may hold the token.
pub const TOKEN_VARIABLE: &str = "YINSH_BOT_TOKEN";

/// Why there is no token to use.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// None of the three places holds one.
    #[error(
        "no token: put it into a file and name that as `token_file` in [account], or set {TOKEN_VARIABLE}"
    )]
    Missing,
    /// The file cannot be read.
    #[error("the token file {path} cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Everybody on this machine can read the file.
    #[error(
        "the token file {path} is open to everybody (mode {mode:03o}); close it with `chmod 600 {path}`"
    )]
    OpenToAll {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// What is there cannot be a token.
    #[error("{place} does not hold a token: one line of printable characters without blanks")]
    Malformed {
        /// Where it was found.
        place: String,
    },
}

/// Finds the token: the file, else the environment, else the config.
///
/// # Errors
/// No token, an unreadable file, one that everybody can read, or a text that cannot be a token.
pub fn load_token(
    account: &AccountConfig,
    environment: Option<SecretString>,
) -> Result<SecretString, TokenError> {
    let (text, place) = match (&account.token_file, environment, &account.token) {
        (Some(path), _, _) => (
            read_private(path)?,
            format!("the token file {}", path.display()),
        ),
        (None, Some(token), _) => (token, TOKEN_VARIABLE.to_owned()),
        (None, None, Some(token)) => (token.clone(), "`token` in [account]".to_owned()),
        (None, None, None) => return Err(TokenError::Missing),
    };
    let token = text.expose_secret().trim();
    if token.is_empty() || !token.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(TokenError::Malformed { place });
    }
    Ok(SecretString::from(token))
}

fn read_private(path: &Path) -> Result<SecretString, TokenError> {
    let unreadable = |source| TokenError::Unreadable {
        path: path.to_owned(),
        source,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).map_err(unreadable)?.permissions().mode() & 0o777;
        if mode & 0o007 != 0 {
            return Err(TokenError::OpenToAll {
                path: path.to_owned(),
                mode,
            });
        }
    }
    fs::read_to_string(path)
        .map(SecretString::from)
        .map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> SecretString {
        SecretString::from(text)
    }

    fn found(account: &AccountConfig, environment: Option<&str>) -> String {
        let token = load_token(account, environment.map(secret)).unwrap();
        token.expose_secret().to_owned()
    }

    fn private_file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn file_goes_before_environment_and_that_before_config() {
        let file = private_file("ynb_file\n");
        let mut account = AccountConfig {
            token_file: Some(file.path().to_owned()),
            token: Some(secret("ynb_config")),
            ..AccountConfig::default()
        };
        assert_eq!(found(&account, Some("ynb_env")), "ynb_file");
        account.token_file = None;
        assert_eq!(found(&account, Some("ynb_env")), "ynb_env");
        assert_eq!(found(&account, None), "ynb_config");
        account.token = None;
        let error = load_token(&account, None).unwrap_err();
        assert!(matches!(error, TokenError::Missing), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_open_to_everybody_is_refused_with_the_remedy() {
        use std::os::unix::fs::PermissionsExt;
        let file = private_file("ynb_file");
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
        let account = AccountConfig {
            token_file: Some(file.path().to_owned()),
            ..AccountConfig::default()
        };
        let error = load_token(&account, None).unwrap_err().to_string();
        assert!(error.contains("mode 644"), "{error}");
        assert!(error.contains("chmod 600"), "{error}");
    }

    #[test]
    fn a_text_that_cannot_be_a_token_is_refused_without_showing_it() {
        for text in ["", "  \n", "two words", "t\u{f6}ken"] {
            let error = load_token(&AccountConfig::default(), Some(secret(text)))
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("YINSH_BOT_TOKEN does not hold"));
            assert!(text.trim().is_empty() || !error.contains(text.trim()));
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        let account = AccountConfig {
            token: Some(secret("ynb_hidden")),
            ..AccountConfig::default()
        };
        assert!(!format!("{account:?}").contains("ynb_hidden"));
    }
}
