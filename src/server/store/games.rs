//! Games and turns in the store.

use rusqlite::{OptionalExtension, Row};

use crate::api::{Clock, GameId, GameStatus, PlayerId};
use crate::game::{ByColor, Color, Outcome, Position, Turn, Variant};
use crate::server::clock::GameClock;
use crate::server::game::Game;
use crate::server::hub::Topic;
use crate::server::time::Millis;

use super::{Snapshot, StoreError, Tx, from_sql, known, to_sql};

/// A game in a list: what is known without its turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEntry {
    /// Its place in the order of creation.
    pub number: i64,
    /// Names it.
    pub id: GameId,
    /// Its version.
    pub version: u64,
    /// Which game is played.
    pub variant: Variant,
    /// Whether the result counts.
    pub rated: bool,
    /// Who plays.
    pub players: ByColor<PlayerId>,
    /// Turns completed.
    pub ply: u16,
    /// The clocks.
    pub clock: GameClock,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// When it began.
    pub created_at: Millis,
}

impl GameEntry {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let millis = |column: &str| from_sql(row.get(column)?);
        let running: Option<String> = row.get("running")?;
        let running = match running {
            Some(side) => Some((read_color(&side)?, millis("running_since")?)),
            None => None,
        };
        let clock = GameClock {
            control: Clock {
                initial_ms: millis("initial_ms")?,
                increment_ms: millis("increment_ms")?,
            },
            left: ByColor {
                white: millis("white_ms")?,
                black: millis("black_ms")?,
            },
            running,
        };
        let variant: String = row.get("variant")?;
        Ok(Self {
            number: row.get("number")?,
            id: row.get::<_, String>("id")?.into(),
            version: millis("version")?,
            variant: known("variant", &variant, variant.parse().ok())?,
            rated: row.get("rated")?,
            players: ByColor {
                white: row.get::<_, String>("white")?.into(),
                black: row.get::<_, String>("black")?.into(),
            },
            ply: row.get("ply")?,
            clock,
            outcome: read_outcome(row)?,
            created_at: millis("created_at")?,
        })
    }
}

fn read_color(word: &str) -> Result<Color, StoreError> {
    known("colour", word, word.parse().ok())
}

fn read_outcome(row: &Row) -> Result<Option<Outcome>, StoreError> {
    let Some(reason) = row.get::<_, Option<String>>("reason")? else {
        return Ok(None);
    };
    let winner: Option<String> = row.get("winner")?;
    Ok(Some(Outcome {
        winner: winner.as_deref().map(read_color).transpose()?,
        reason: known("reason", &reason, reason.parse().ok())?,
    }))
}

/// Turns, the chances published with them, and where they lead.
type Replay = (Vec<Turn>, Vec<Option<u16>>, Position);

impl Snapshot<'_> {
    /// A game with its turns, replayed.
    ///
    /// # Errors
    /// The store failed, or its turns are no game.
    pub fn game(&self, id: &GameId) -> Result<Option<Game>, StoreError> {
        let read = |row: &Row| -> Result<_, StoreError> {
            Ok((GameEntry::read(row)?, row.get("illegal_turns")?))
        };
        let found = self
            .connection
            .prepare_cached("SELECT * FROM games WHERE id = ?1")?
            .query_row([id.as_str()], |row| Ok(read(row)))
            .optional()?
            .transpose()?;
        let Some((entry, illegal_turns)) = found else {
            return Ok(None);
        };
        let (turns, win_permille, position) = self.replay(id, entry.variant)?;
        Ok(Some(Game {
            id: entry.id,
            version: entry.version,
            rated: entry.rated,
            players: entry.players,
            turns,
            win_permille,
            position,
            clock: entry.clock,
            illegal_turns,
            outcome: entry.outcome,
        }))
    }

    fn replay(&self, id: &GameId, variant: Variant) -> Result<Replay, StoreError> {
        let (mut turns, mut win_permille) = (Vec::new(), Vec::new());
        let mut position = Position::start(variant);
        let mut statement = self
            .connection
            .prepare_cached("SELECT turn, win_permille FROM turns WHERE game = ?1 ORDER BY ply")?;
        let mut rows = statement.query([id.as_str()])?;
        while let Some(row) = rows.next()? {
            let text: String = row.get(0)?;
            let broken = |problem: String| {
                StoreError::Contradiction(format!("game {id}, ply {}: {problem}", turns.len()))
            };
            let turn: Turn = text.parse().map_err(|error| broken(format!("{error}")))?;
            position = position
                .play_turn(&turn)
                .map_err(|error| broken(error.to_string()))?;
            turns.push(turn);
            win_permille.push(row.get(1)?);
        }
        Ok((turns, win_permille, position))
    }

    /// A player's running games.
    ///
    /// # Errors
    /// The store failed.
    pub fn running_games(&self, player: &PlayerId) -> Result<Vec<GameEntry>, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT * FROM games WHERE (white = ?1 OR black = ?1) AND reason IS NULL ORDER BY number",
            )?
            .query_and_then([player.as_str()], GameEntry::read)?
            .collect()
    }

    /// A player's games, the newest first, those before the one numbered `before`, at most `limit`; only those with
    /// this status, if one is asked for.
    ///
    /// # Errors
    /// The store failed.
    pub fn games_before(
        &self,
        player: &PlayerId,
        before: i64,
        status: Option<GameStatus>,
        limit: u32,
    ) -> Result<Vec<GameEntry>, StoreError> {
        let finished = status.map(|status| status == GameStatus::Finished);
        self.connection
            .prepare_cached(
                "SELECT * FROM games WHERE (white = ?1 OR black = ?1) AND number < ?2
                 AND (?3 IS NULL OR (reason IS NOT NULL) = ?3) ORDER BY number DESC LIMIT ?4",
            )?
            .query_and_then((player.as_str(), before, finished, limit), GameEntry::read)?
            .collect()
    }

    /// All games, the newest first, those before the one numbered `before`, at most `limit`; only those with this status,
    /// if one is asked for.
    ///
    /// # Errors
    /// The store failed.
    pub fn all_games_before(
        &self,
        before: i64,
        status: Option<GameStatus>,
        limit: u32,
    ) -> Result<Vec<GameEntry>, StoreError> {
        let condition = match status {
            Some(GameStatus::Active) => "AND reason IS NULL",
            Some(GameStatus::Finished) => "AND reason IS NOT NULL",
            Some(GameStatus::Unknown) | None => "",
        };
        let query = format!(
            "SELECT * FROM games WHERE number < ?1 {condition} ORDER BY number DESC LIMIT ?2"
        );
        self.connection
            .prepare_cached(&query)?
            .query_and_then((before, limit), GameEntry::read)?
            .collect()
    }

    /// How many games a player plays at the moment.
    ///
    /// # Errors
    /// The store failed.
    pub fn count_running(&self, player: &PlayerId) -> Result<u32, StoreError> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT count(*) FROM games WHERE (white = ?1 OR black = ?1) AND reason IS NULL",
            )?
            .query_row([player.as_str()], |row| row.get(0))?)
    }

    /// The nearest deadline of all running games.
    ///
    /// # Errors
    /// The store failed.
    pub fn next_deadline(&self) -> Result<Option<Millis>, StoreError> {
        let deadline: Option<i64> = self
            .connection
            .prepare_cached("SELECT min(deadline_at) FROM games WHERE deadline_at IS NOT NULL")?
            .query_row((), |row| row.get(0))?;
        deadline.map(from_sql).transpose()
    }

    /// The games whose deadline lies before `instant`.
    ///
    /// # Errors
    /// The store failed.
    pub fn games_fallen(&self, instant: Millis) -> Result<Vec<GameId>, StoreError> {
        let ids = self
            .connection
            .prepare_cached("SELECT id FROM games WHERE deadline_at < ?1")?
            .query_map([to_sql(instant)?], |row| row.get::<_, String>(0))?
            .map(|id| id.map(GameId::from))
            .collect::<Result<_, _>>()?;
        Ok(ids)
    }
}

impl Tx<'_> {
    /// Adds a game that has just begun.
    ///
    /// # Errors
    /// The store failed.
    pub fn insert_game(&mut self, game: &Game) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT INTO games (id, version, variant, rated, white, black, ply, initial_ms, increment_ms,
                 white_ms, black_ms, illegal_turns, created_at)
             VALUES (?1, 0, ?2, ?3, ?4, ?5, 0, ?6, ?7, 0, 0, 0, ?8)",
            (
                game.id.as_str(),
                game.position.variant().as_str(),
                game.rated,
                game.players.white.as_str(),
                game.players.black.as_str(),
                to_sql(game.clock.control.initial_ms)?,
                to_sql(game.clock.control.increment_ms)?,
                to_sql(self.now)?,
            ),
        )?;
        self.update_row(game)?;
        self.changed.push(Topic::Lobby);
        self.announce_game(game)
    }

    /// Writes what has changed in a game.
    ///
    /// # Errors
    /// The store failed.
    pub fn save_game(&mut self, before: &Game, after: &Game) -> Result<(), StoreError> {
        if before == after {
            return Ok(());
        }
        for (ply, turn) in after.turns.iter().enumerate().skip(before.turns.len()) {
            self.connection
                .prepare_cached(
                    "INSERT INTO turns (game, ply, turn, win_permille, recorded_at)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute((
                    after.id.as_str(),
                    to_sql(ply as u64)?,
                    turn.to_string(),
                    after.win_permille.get(ply).copied().flatten(),
                    to_sql(self.now)?,
                ))?;
        }
        self.update_row(after)?;
        if before.version == after.version {
            return Ok(());
        }
        if before.outcome != after.outcome {
            self.changed.push(Topic::Lobby);
        }
        self.announce_game(after)
    }

    /// Gives all running games the time back during which the server was not alive.
    ///
    /// # Errors
    /// The store failed.
    pub fn credit_downtime(&mut self) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE games SET running_since = running_since + away.ms, deadline_at = deadline_at + away.ms
             FROM (SELECT max(?1 - alive_at, 0) AS ms FROM server) AS away WHERE reason IS NULL",
            [to_sql(self.now)?],
        )?;
        Ok(())
    }

    fn update_row(&mut self, game: &Game) -> Result<(), StoreError> {
        let running = game.clock.running;
        self.connection
            .prepare_cached(
                "UPDATE games SET version = ?2, ply = ?3, white_ms = ?4, black_ms = ?5, running = ?6,
                     running_since = ?7, deadline_at = ?8, illegal_turns = ?9, winner = ?10, reason = ?11
                 WHERE id = ?1",
            )?
            .execute((
                game.id.as_str(),
                to_sql(game.version)?,
                game.position.ply(),
                to_sql(game.clock.left.white)?,
                to_sql(game.clock.left.black)?,
                running.map(|(side, _)| side.as_str()),
                running.map(|(_, since)| to_sql(since)).transpose()?,
                game.clock.deadline().map(to_sql).transpose()?,
                game.illegal_turns,
                game.outcome.and_then(|outcome| outcome.winner).map(Color::as_str),
                game.outcome.map(|outcome| outcome.reason.as_str()),
            ))?;
        Ok(())
    }

    fn announce_game(&mut self, game: &Game) -> Result<(), StoreError> {
        self.changed.push(Topic::Game(game.id.clone()));
        self.touch_pending(&game.players.white)?;
        self.touch_pending(&game.players.black)
    }
}
