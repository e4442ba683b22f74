//! New accounts and tokens.

use crate::api::{CreatedBot, CreatedToken, NewBot, PlayerId, PlayerKind, TokenId};

use super::error::ApiError;
use super::secret;
use super::store::{Account, Tx};

/// The rating of an account that has not played.
const FIRST_RATING: u32 = 1500;
/// Tokens that one account may have at once.
const TOKENS_MAX: u32 = 8;
/// Longest life of a token that has one: ten years.
const TTL_MAX_S: u64 = 10 * 366 * 24 * 60 * 60;

/// Creates a bot account with its first token.
///
/// # Errors
/// The name is not allowed or taken, or the store failed.
pub fn create_bot(tx: &mut Tx, new: &NewBot) -> Result<CreatedBot, ApiError> {
    check_name(&new.name)?;
    if tx.account_named(&new.name)?.is_some() {
        return Err(ApiError::NameTaken);
    }
    let account = Account {
        id: secret::new_id("bot_").into(),
        name: new.name.clone(),
        kind: PlayerKind::Bot,
        rating: FIRST_RATING,
    };
    tx.insert_account(&account)?;
    let token = create_token(tx, &account.id, new.token_ttl_s)?;
    Ok(CreatedBot {
        id: account.id,
        name: account.name,
        kind: account.kind,
        token,
    })
}

/// Creates one more token for an account.
///
/// # Errors
/// The account has as many as allowed, the time is not allowed, or the store failed.
pub fn create_token(
    tx: &mut Tx,
    account: &PlayerId,
    ttl_s: Option<u64>,
) -> Result<CreatedToken, ApiError> {
    if ttl_s.is_some_and(|ttl| !(1..=TTL_MAX_S).contains(&ttl)) {
        return Err(ApiError::Unsupported(format!(
            "a token lives 1 to {TTL_MAX_S} s, or without `token_ttl_s` until it is deleted"
        )));
    }
    let now = tx.now();
    if tx.count_tokens(account, now)? >= TOKENS_MAX {
        return Err(ApiError::Busy(
            "this account has as many tokens as allowed; delete one first",
        ));
    }
    let token = secret::new_token();
    let token_id = TokenId::from(secret::new_id("t_"));
    let token_expires_at = ttl_s.map(|ttl| now + ttl * 1000);
    tx.insert_token(account, &token_id, &secret::hash(&token), token_expires_at)?;
    Ok(CreatedToken {
        token_id,
        token,
        token_expires_at,
    })
}

/// Checks the name of a new account.
///
/// # Errors
/// It is not allowed.
pub fn check_name(name: &str) -> Result<(), ApiError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if (2..=20).contains(&name.len()) && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(ApiError::Unsupported(
        "a name has 2 to 20 letters, digits, `-` or `_`".to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        for good in ["ab", "ring-master_7", "ABCDEFGHIJKLMNOPQRST"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "a", "a b", "é5", "a\n", "ABCDEFGHIJKLMNOPQRSTU", "a/b"] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }
}
