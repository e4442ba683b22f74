//! New accounts and tokens.

use crate::api::{CreatedBot, CreatedToken, NewBot, PlayerId, PlayerKind, TokenId};

use super::error::ApiError;
use super::name::check_name;
use super::secret;
use super::store::{Account, Tx};

/// Tokens that one account may have at once.
const TOKENS_MAX: u32 = 8;
/// Longest life of a token that has one: ten years.
const TTL_MAX_S: u64 = 10 * 366 * 24 * 60 * 60;
/// How long a person's session lasts.
pub const SESSION_TTL_S: u64 = 366 * 24 * 60 * 60;

/// Creates a bot account with its first token.
///
/// # Errors
/// The name is not allowed or taken, or the store failed.
pub fn create_bot(tx: &mut Tx, new: &NewBot) -> Result<CreatedBot, ApiError> {
    let account = create_account(tx, &new.name, PlayerKind::Bot)?;
    let token = create_token(tx, &account.id, new.token_ttl_s)?;
    Ok(CreatedBot {
        id: account.id,
        name: account.name,
        kind: account.kind,
        token,
    })
}

/// Creates the account of a person who uses the page, with the token that goes into the session's cookie.
///
/// # Errors
/// The name is not allowed or taken, or the store failed.
pub fn create_person(tx: &mut Tx, name: &str) -> Result<(Account, CreatedToken), ApiError> {
    let account = create_account(tx, name, PlayerKind::Human)?;
    let token = create_token(tx, &account.id, Some(SESSION_TTL_S))?;
    Ok((account, token))
}

fn create_account(tx: &mut Tx, name: &str, kind: PlayerKind) -> Result<Account, ApiError> {
    check_name(name)?;
    if tx.account_looking_like(name)?.is_some() {
        return Err(ApiError::NameTaken);
    }
    let prefix = match kind {
        PlayerKind::Human => "u_",
        PlayerKind::Bot | PlayerKind::Unknown => "bot_",
    };
    let account = Account::new(secret::new_id(prefix).into(), name.to_owned(), kind);
    tx.insert_account(&account)?;
    Ok(account)
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
