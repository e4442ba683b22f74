//! Accounts and tokens in the store.

use rusqlite::{OptionalExtension, Row};

use crate::api::{PlayerId, PlayerKind, PlayerRef, TokenId};
use crate::server::glicko::Rating;
use crate::server::hub::Topic;
use crate::server::name::skeleton;
use crate::server::secret::TokenHash;
use crate::server::time::Millis;

use super::{Snapshot, StoreError, Tx, from_sql, known, to_sql};

/// The condition that nothing but tokens refers to an account.
const UNUSED: &str =
    "NOT EXISTS (SELECT 1 FROM games WHERE white = accounts.id OR black = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM seeks WHERE maker = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM challenges WHERE maker = accounts.id OR target = accounts.id)";

/// An account.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Names it.
    pub id: PlayerId,
    /// Its name.
    pub name: String,
    /// Who sits behind it.
    pub kind: PlayerKind,
    /// Its rating, as of its last rated game.
    pub rating: Rating,
    /// How many rated games it has finished.
    pub rated_games: u32,
    /// When the last of them ended.
    pub rated_at: Option<Millis>,
}

/// The account behind a token.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// The account.
    pub account: Account,
    /// Names the token.
    pub token_id: TokenId,
    /// When the token stops working.
    pub expires_at: Option<Millis>,
}

impl Account {
    /// An account that has not played.
    pub fn new(id: PlayerId, name: String, kind: PlayerKind) -> Self {
        Self {
            id,
            name,
            kind,
            rating: Rating::default(),
            rated_games: 0,
            rated_at: None,
        }
    }

    /// The account as named in games, seeks and challenges.
    pub fn to_ref(&self) -> PlayerRef {
        PlayerRef {
            id: self.id.clone(),
            name: self.name.clone(),
            kind: self.kind,
            rating: Some(self.rounded_rating()),
        }
    }

    /// The rating in whole points.
    pub fn rounded_rating(&self) -> u32 {
        self.rating.rating.round() as u32
    }

    fn read(row: &Row) -> Result<Self, StoreError> {
        let kind: String = row.get("kind")?;
        let rated_at: Option<i64> = row.get("rated_at")?;
        Ok(Self {
            id: row.get::<_, String>("id")?.into(),
            name: row.get("name")?,
            kind: known("kind of player", &kind, PlayerKind::from_word(&kind))?,
            rating: Rating {
                rating: row.get("rating")?,
                deviation: row.get("deviation")?,
                volatility: row.get("volatility")?,
            },
            rated_games: row.get("rated_games")?,
            rated_at: rated_at.map(from_sql).transpose()?,
        })
    }
}

impl Snapshot<'_> {
    /// The account with this identifier.
    ///
    /// # Errors
    /// The store failed.
    pub fn account(&self, id: &PlayerId) -> Result<Option<Account>, StoreError> {
        self.find_account("SELECT * FROM accounts WHERE id = ?1", id.as_str())
    }

    /// The account whose name looks like this one.
    ///
    /// # Errors
    /// The store failed.
    pub fn account_looking_like(&self, name: &str) -> Result<Option<Account>, StoreError> {
        self.find_account(
            "SELECT * FROM accounts WHERE skeleton = ?1 LIMIT 1",
            &skeleton(name),
        )
    }

    fn find_account(&self, query: &str, key: &str) -> Result<Option<Account>, StoreError> {
        self.connection
            .prepare_cached(query)?
            .query_row([key], |row| Ok(Account::read(row)))
            .optional()?
            .transpose()
    }

    /// An account that something else in the store refers to.
    ///
    /// # Errors
    /// The store failed.
    pub fn known_account(&self, id: &PlayerId) -> Result<Account, StoreError> {
        self.account(id)?
            .ok_or_else(|| StoreError::Contradiction(format!("account {id} is missing")))
    }

    /// Accounts by name, those after `after`, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub fn accounts_after(&self, after: &str, limit: u32) -> Result<Vec<Account>, StoreError> {
        self.connection
            .prepare_cached("SELECT * FROM accounts WHERE name > ?1 ORDER BY name LIMIT ?2")?
            .query_and_then((after, limit), Account::read)?
            .collect()
    }

    /// Accounts that have finished rated games, the highest rating first, at most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub fn accounts_by_rating(&self, limit: u32) -> Result<Vec<Account>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT * FROM accounts WHERE rated_games > 0 ORDER BY rating DESC, name LIMIT ?1",
            )?
            .query_and_then([limit], Account::read)?
            .collect()
    }

    /// Who a token with this hash belongs to.
    ///
    /// # Errors
    /// The store failed.
    pub fn identity(&self, hash: &TokenHash) -> Result<Option<Identity>, StoreError> {
        let read = |row: &Row| -> Result<Identity, StoreError> {
            let expires_at: Option<i64> = row.get("token_expires_at")?;
            Ok(Identity {
                account: Account::read(row)?,
                token_id: row.get::<_, String>("token_id")?.into(),
                expires_at: expires_at.map(from_sql).transpose()?,
            })
        };
        self.connection
            .prepare_cached(
                "SELECT accounts.*, tokens.id AS token_id, tokens.expires_at AS token_expires_at
                 FROM tokens JOIN accounts ON accounts.id = tokens.account WHERE tokens.hash = ?1",
            )?
            .query_row([hash.as_slice()], |row| Ok(read(row)))
            .optional()?
            .transpose()
    }

    /// How many tokens an account has that still work.
    ///
    /// # Errors
    /// The store failed.
    pub fn count_tokens(&self, account: &PlayerId, now: Millis) -> Result<u32, StoreError> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT count(*) FROM tokens
                 WHERE account = ?1 AND (expires_at IS NULL OR expires_at > ?2)",
            )?
            .query_row((account.as_str(), to_sql(now)?), |row| row.get(0))?)
    }

    /// The version of what is pending for a player.
    ///
    /// # Errors
    /// The store failed.
    pub fn pending_version(&self, player: &PlayerId) -> Result<u64, StoreError> {
        let version = self
            .connection
            .prepare_cached("SELECT pending_version FROM accounts WHERE id = ?1")?
            .query_row([player.as_str()], |row| row.get(0))?;
        from_sql(version)
    }
}

impl Tx<'_> {
    /// Adds an account.
    ///
    /// # Errors
    /// The store failed.
    pub fn insert_account(&mut self, account: &Account) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO accounts (id, name, skeleton, kind, pending_version, created_at)
             VALUES (?1, ?2, ?3, ?4, 1, ?5)",
            (
                account.id.as_str(),
                &account.name,
                skeleton(&account.name),
                account.kind.as_str(),
                to_sql(self.now)?,
            ),
        )?;
        self.changed.push(Topic::Lobby);
        Ok(())
    }

    /// Writes the rating of an account that has finished one more rated game.
    ///
    /// # Errors
    /// The store failed.
    pub fn save_rating(&mut self, account: &PlayerId, rating: &Rating) -> Result<(), StoreError> {
        self.connection
            .prepare_cached(
                "UPDATE accounts SET rating = ?2, deviation = ?3, volatility = ?4, rated_at = ?5,
                     rated_games = rated_games + 1 WHERE id = ?1",
            )?
            .execute((
                account.as_str(),
                rating.rating,
                rating.deviation,
                rating.volatility,
                to_sql(self.now)?,
            ))?;
        Ok(())
    }

    /// Adds a token to an account.
    ///
    /// # Errors
    /// The store failed.
    pub fn insert_token(
        &mut self,
        account: &PlayerId,
        id: &TokenId,
        hash: &TokenHash,
        expires_at: Option<Millis>,
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO tokens (id, account, hash, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            (
                id.as_str(),
                account.as_str(),
                hash.as_slice(),
                to_sql(self.now)?,
                expires_at.map(to_sql).transpose()?,
            ),
        )?;
        Ok(())
    }

    /// Deletes a token of an account; tells whether there was one.
    ///
    /// # Errors
    /// The store failed.
    pub fn delete_token(&mut self, account: &PlayerId, id: &TokenId) -> Result<bool, StoreError> {
        let deleted = self.connection.execute(
            "DELETE FROM tokens WHERE id = ?1 AND account = ?2",
            (id.as_str(), account.as_str()),
        )?;
        Ok(deleted == 1)
    }

    /// Deletes a person's account that no game, seek or challenge refers to, so that its name is free again.
    ///
    /// # Errors
    /// The store failed.
    pub fn delete_unused_account(&mut self, account: &PlayerId) -> Result<(), StoreError> {
        let query = format!("SELECT id FROM accounts WHERE id = ?1 AND {UNUSED}");
        let is_unused = self
            .connection
            .prepare_cached(&query)?
            .exists([account.as_str()])?;
        if is_unused {
            self.delete_account(account.as_str())?;
        }
        Ok(())
    }

    /// Deletes the accounts of people who took their name before `instant` and have never played.
    ///
    /// # Errors
    /// The store failed.
    pub fn forget_unused_people(&mut self, instant: Millis) -> Result<(), StoreError> {
        let query = format!(
            "SELECT id FROM accounts WHERE kind = 'human' AND created_at < ?1 AND {UNUSED}"
        );
        let unused: Vec<String> = self
            .connection
            .prepare_cached(&query)?
            .query_map([to_sql(instant)?], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        unused.iter().try_for_each(|id| self.delete_account(id))
    }

    fn delete_account(&mut self, id: &str) -> Result<(), StoreError> {
        self.connection
            .execute("DELETE FROM tokens WHERE account = ?1", [id])?;
        self.connection
            .execute("DELETE FROM accounts WHERE id = ?1", [id])?;
        self.changed.push(Topic::Lobby);
        Ok(())
    }

    /// Deletes tokens that expired before `instant`.
    ///
    /// # Errors
    /// The store failed.
    pub fn forget_tokens(&mut self, instant: Millis) -> Result<(), StoreError> {
        self.connection.execute(
            "DELETE FROM tokens WHERE expires_at < ?1",
            [to_sql(instant)?],
        )?;
        Ok(())
    }
}
