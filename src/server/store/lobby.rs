//! Seeks and challenges in the store.
//!
//! They stay for a while after their time is over, so that a late answer is told that it is late.

use rusqlite::{OptionalExtension, Row};

use crate::api::{
    ChallengeId, ChallengeStatus, Clock, ColorChoice, DeclineReason, GameId, OpponentKind,
    PlayerId, SeekId,
};
use crate::server::game::Terms;
use crate::server::hub::Topic;
use crate::server::time::Millis;

use super::{Snapshot, StoreError, Tx, from_sql, known, to_sql};

/// What the maker of a seek or challenge offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Who offers.
    pub maker: PlayerId,
    /// Which game.
    pub terms: Terms,
    /// The colour that the maker plays.
    pub color: ColorChoice,
}

/// A seek.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSeek {
    /// Names it.
    pub id: SeekId,
    /// What is offered.
    pub offer: Offer,
    /// To whom.
    pub opponent_kind: OpponentKind,
    /// For how long, each time it is kept alive.
    pub ttl_s: u64,
    /// Until when.
    pub expires_at: Millis,
    /// The game it became.
    pub game: Option<GameId>,
}

/// A challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChallenge {
    /// Names it.
    pub id: ChallengeId,
    /// What is offered.
    pub offer: Offer,
    /// To whom.
    pub target: PlayerId,
    /// Until when.
    pub expires_at: Millis,
    /// How far it has come.
    pub status: ChallengeStatus,
    /// Why it was declined.
    pub decline_reason: Option<DeclineReason>,
    /// The game it became.
    pub game: Option<GameId>,
}

impl Offer {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let variant: String = row.get("variant")?;
        let color: String = row.get("color")?;
        Ok(Self {
            maker: row.get::<_, String>("maker")?.into(),
            terms: Terms {
                variant: known("variant", &variant, variant.parse().ok())?,
                rated: row.get("rated")?,
                clock: Clock {
                    initial_ms: from_sql(row.get("initial_ms")?)?,
                    increment_ms: from_sql(row.get("increment_ms")?)?,
                },
            },
            color: known("choice of colour", &color, ColorChoice::from_word(&color))?,
        })
    }
}

impl StoredSeek {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let kind: String = row.get("opponent_kind")?;
        Ok(Self {
            id: row.get::<_, String>("id")?.into(),
            offer: Offer::read(row)?,
            opponent_kind: known("kind of opponent", &kind, OpponentKind::from_word(&kind))?,
            ttl_s: from_sql(row.get("ttl_s")?)?,
            expires_at: from_sql(row.get("expires_at")?)?,
            game: row.get::<_, Option<String>>("game")?.map(GameId::from),
        })
    }
}

impl StoredChallenge {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let status: String = row.get("status")?;
        let reason: Option<String> = row.get("decline_reason")?;
        let read_reason =
            |word: String| known("reason to decline", &word, DeclineReason::from_word(&word));
        Ok(Self {
            id: row.get::<_, String>("id")?.into(),
            offer: Offer::read(row)?,
            target: row.get::<_, String>("target")?.into(),
            expires_at: from_sql(row.get("expires_at")?)?,
            status: known("status", &status, ChallengeStatus::from_word(&status))?,
            decline_reason: reason.map(read_reason).transpose()?,
            game: row.get::<_, Option<String>>("game")?.map(GameId::from),
        })
    }
}

impl Snapshot<'_> {
    /// A seek, open or not.
    ///
    /// # Errors
    /// The store failed.
    pub fn seek(&self, id: &SeekId) -> Result<Option<StoredSeek>, StoreError> {
        self.connection
            .prepare_cached("SELECT * FROM seeks WHERE id = ?1")?
            .query_row([id.as_str()], |row| Ok(StoredSeek::read(row)))
            .optional()?
            .transpose()
    }

    /// The seeks open at `now`, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub fn open_seeks(&self, now: Millis) -> Result<Vec<StoredSeek>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT * FROM seeks WHERE expires_at > ?1 AND game IS NULL ORDER BY number",
            )?
            .query_and_then([to_sql(now)?], StoredSeek::read)?
            .collect()
    }

    /// A challenge, open or not.
    ///
    /// # Errors
    /// The store failed.
    pub fn challenge(&self, id: &ChallengeId) -> Result<Option<StoredChallenge>, StoreError> {
        self.connection
            .prepare_cached("SELECT * FROM challenges WHERE id = ?1")?
            .query_row([id.as_str()], |row| Ok(StoredChallenge::read(row)))
            .optional()?
            .transpose()
    }

    /// The challenges to a player that are open at `now`, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub fn challenges_to(
        &self,
        player: &PlayerId,
        now: Millis,
    ) -> Result<Vec<StoredChallenge>, StoreError> {
        self.challenges(
            "SELECT * FROM challenges WHERE target = ?1 AND expires_at > ?2 AND status = 'open' ORDER BY number",
            player,
            now,
        )
    }

    /// The challenges of a player that have not expired at `now`, answered or not, the oldest first.
    ///
    /// # Errors
    /// The store failed.
    pub fn challenges_from(
        &self,
        player: &PlayerId,
        now: Millis,
    ) -> Result<Vec<StoredChallenge>, StoreError> {
        self.challenges(
            "SELECT * FROM challenges WHERE maker = ?1 AND expires_at > ?2 ORDER BY number",
            player,
            now,
        )
    }

    fn challenges(
        &self,
        query: &str,
        player: &PlayerId,
        now: Millis,
    ) -> Result<Vec<StoredChallenge>, StoreError> {
        self.connection
            .prepare_cached(query)?
            .query_and_then((player.as_str(), to_sql(now)?), StoredChallenge::read)?
            .collect()
    }

    /// When the next challenge expires after `instant`.
    ///
    /// # Errors
    /// The store failed.
    pub fn next_expiry(&self, instant: Millis) -> Result<Option<Millis>, StoreError> {
        let expiry: Option<i64> = self
            .connection
            .prepare_cached("SELECT min(expires_at) FROM challenges WHERE expires_at > ?1")?
            .query_row([to_sql(instant)?], |row| row.get(0))?;
        expiry.map(from_sql).transpose()
    }
}

impl Tx<'_> {
    /// Adds a seek.
    ///
    /// # Errors
    /// The store failed.
    pub fn insert_seek(&mut self, seek: &StoredSeek) -> Result<(), StoreError> {
        let Offer {
            maker,
            terms,
            color,
        } = &seek.offer;
        self.connection.execute(
            "INSERT INTO seeks (id, maker, variant, color, rated, initial_ms, increment_ms,
                 opponent_kind, ttl_s, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            (
                seek.id.as_str(),
                maker.as_str(),
                terms.variant.as_str(),
                color.as_str(),
                terms.rated,
                to_sql(terms.clock.initial_ms)?,
                to_sql(terms.clock.increment_ms)?,
                seek.opponent_kind.as_str(),
                to_sql(seek.ttl_s)?,
                to_sql(seek.expires_at)?,
            ),
        )?;
        self.changed.push(Topic::Lobby);
        Ok(())
    }

    /// Writes when a seek expires and the game it became.
    ///
    /// # Errors
    /// The store failed.
    pub fn save_seek(&mut self, seek: &StoredSeek) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE seeks SET expires_at = ?2, game = ?3 WHERE id = ?1",
            (
                seek.id.as_str(),
                to_sql(seek.expires_at)?,
                seek.game.as_ref().map(GameId::as_str),
            ),
        )?;
        self.changed.push(Topic::Lobby);
        Ok(())
    }

    /// Deletes a seek.
    ///
    /// # Errors
    /// The store failed.
    pub fn delete_seek(&mut self, id: &SeekId) -> Result<(), StoreError> {
        self.connection
            .execute("DELETE FROM seeks WHERE id = ?1", [id.as_str()])?;
        self.changed.push(Topic::Lobby);
        Ok(())
    }

    /// Adds a challenge.
    ///
    /// # Errors
    /// The store failed.
    pub fn insert_challenge(&mut self, challenge: &StoredChallenge) -> Result<(), StoreError> {
        let Offer {
            maker,
            terms,
            color,
        } = &challenge.offer;
        self.connection.execute(
            "INSERT INTO challenges (id, maker, target, variant, color, rated, initial_ms, increment_ms,
                 expires_at, status)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            (
                challenge.id.as_str(),
                maker.as_str(),
                challenge.target.as_str(),
                terms.variant.as_str(),
                color.as_str(),
                terms.rated,
                to_sql(terms.clock.initial_ms)?,
                to_sql(terms.clock.increment_ms)?,
                to_sql(challenge.expires_at)?,
                challenge.status.as_str(),
            ),
        )?;
        self.touch_both(challenge)
    }

    /// Writes how a challenge was answered.
    ///
    /// # Errors
    /// The store failed.
    pub fn save_challenge(&mut self, challenge: &StoredChallenge) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE challenges SET status = ?2, decline_reason = ?3, game = ?4 WHERE id = ?1",
            (
                challenge.id.as_str(),
                challenge.status.as_str(),
                challenge.decline_reason.map(DeclineReason::as_str),
                challenge.game.as_ref().map(GameId::as_str),
            ),
        )?;
        self.touch_both(challenge)
    }

    /// Deletes a challenge.
    ///
    /// # Errors
    /// The store failed.
    pub fn delete_challenge(&mut self, challenge: &StoredChallenge) -> Result<(), StoreError> {
        self.connection.execute(
            "DELETE FROM challenges WHERE id = ?1",
            [challenge.id.as_str()],
        )?;
        self.touch_both(challenge)
    }

    /// Tells both sides of every challenge that expired after `after`, up to `until`.
    ///
    /// # Errors
    /// The store failed.
    pub fn announce_expired(&mut self, after: Millis, until: Millis) -> Result<(), StoreError> {
        let expired: Vec<StoredChallenge> = self
            .connection
            .prepare_cached("SELECT * FROM challenges WHERE expires_at > ?1 AND expires_at <= ?2")?
            .query_and_then((to_sql(after)?, to_sql(until)?), StoredChallenge::read)?
            .collect::<Result<_, _>>()?;
        expired
            .iter()
            .try_for_each(|challenge| self.touch_both(challenge))
    }

    /// Deletes seeks and challenges that expired before `instant`.
    ///
    /// # Errors
    /// The store failed.
    pub fn forget_offers(&mut self, instant: Millis) -> Result<(), StoreError> {
        let instant = to_sql(instant)?;
        self.connection
            .execute("DELETE FROM seeks WHERE expires_at < ?1", [instant])?;
        self.connection
            .execute("DELETE FROM challenges WHERE expires_at < ?1", [instant])?;
        Ok(())
    }

    fn touch_both(&mut self, challenge: &StoredChallenge) -> Result<(), StoreError> {
        self.touch_pending(&challenge.offer.maker)?;
        self.touch_pending(&challenge.target)
    }
}
