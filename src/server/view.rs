//! How stored things look on the wire.

use crate::api::{
    Challenge, ClockState, ColorWord, Ending, GameResult, GameState, GameStatus, GameSummary,
    MyGame, Pending, Player, PlayerId, Players, Seek,
};
use crate::game::{ByColor, Color, Outcome, Position};

use super::answer::{Tag, Tagged};
use super::clock::GameClock;
use super::error::ApiError;
use super::game::Game;
use super::store::{Account, GameEntry, Snapshot, StoreError, StoredChallenge, StoredSeek};
use super::time::Millis;

/// A game, with the turns from `since_ply` on.
pub fn game_state(
    snapshot: &Snapshot,
    game: &Game,
    since_ply: u16,
    now: Millis,
) -> Result<Tagged<GameState>, StoreError> {
    let turns = game.turns.iter().skip(usize::from(since_ply));
    let state = GameState {
        id: game.id.clone(),
        version: game.version,
        server_time: now,
        status: status(game.outcome),
        variant: game.position.variant().into(),
        rated: game.rated,
        players: players(snapshot, &game.players)?,
        ply: game.position.ply(),
        to_move: game.to_move().map(ColorWord::from),
        initial_position: Position::start(game.position.variant()).to_string(),
        position: game.position.to_string(),
        turns_from: since_ply.min(game.position.ply()),
        turns: turns.map(ToString::to_string).collect(),
        win_permille: published(game, since_ply),
        clock: clock_state(&game.clock, now),
        result: game.outcome.map(|outcome| result(outcome, &game.position)),
    };
    Ok(Tagged {
        tag: Tag::of_version(game.id.as_str(), game.version),
        value: state,
        is_final: game.outcome.is_some(),
    })
}

/// A player's public face.
pub fn player(account: Account, online_since_at: Option<Millis>) -> Player {
    Player {
        rating: account.rounded_rating(),
        rating_deviation: Some(account.rating.deviation.round() as u32),
        rated_games: account.rated_games,
        id: account.id,
        name: account.name,
        kind: account.kind,
        online_since_at,
    }
}

/// The published chances from `since_ply` on; nothing when nobody published any.
fn published(game: &Game, since_ply: u16) -> Vec<Option<u16>> {
    if game.win_permille.iter().all(Option::is_none) {
        return Vec::new();
    }
    let published = game.win_permille.iter().skip(usize::from(since_ply));
    published.copied().collect()
}

/// A game in a list that everybody may see.
pub fn game_summary(snapshot: &Snapshot, entry: &GameEntry) -> Result<GameSummary, StoreError> {
    Ok(GameSummary {
        id: entry.id.clone(),
        status: status(entry.outcome),
        variant: entry.variant.into(),
        rated: entry.rated,
        players: players(snapshot, &entry.players)?,
        clock: entry.clock.control,
        created_at: entry.created_at,
        ending: entry.outcome.map(|outcome| Ending {
            winner: outcome.winner.map(ColorWord::from),
            reason: outcome.reason.into(),
            plies: entry.ply,
        }),
    })
}

fn players(snapshot: &Snapshot, ids: &ByColor<PlayerId>) -> Result<Players, StoreError> {
    Ok(Players {
        white: snapshot.known_account(&ids.white)?.to_ref(),
        black: snapshot.known_account(&ids.black)?.to_ref(),
    })
}

/// A game as one of its players sees it in a list.
pub fn my_game(
    snapshot: &Snapshot,
    entry: &GameEntry,
    me: &PlayerId,
) -> Result<MyGame, StoreError> {
    let color = if entry.players.white == *me {
        Color::White
    } else {
        Color::Black
    };
    let opponent = snapshot.known_account(&entry.players[color.opposite()])?;
    Ok(MyGame {
        id: entry.id.clone(),
        my_turn: entry.clock.running.is_some_and(|(side, _)| side == color),
        color: color.into(),
        ply: entry.ply,
        version: entry.version,
        deadline_at: entry.clock.deadline(),
        opponent: opponent.to_ref(),
        status: status(entry.outcome),
    })
}

/// Everything that may want an answer from a player: my turn first, then the nearest deadline.
pub fn pending(
    snapshot: &Snapshot,
    me: &PlayerId,
    now: Millis,
) -> Result<Tagged<Pending>, ApiError> {
    let version = snapshot.pending_version(me)?;
    let view = |challenges: Vec<StoredChallenge>| {
        let seen = challenges.iter().map(|stored| challenge(snapshot, stored));
        seen.collect::<Result<Vec<_>, _>>()
    };
    let entries = snapshot.running_games(me)?;
    let games = entries.iter().map(|entry| my_game(snapshot, entry, me));
    let mut games = games.collect::<Result<Vec<_>, _>>()?;
    games.sort_by_key(|game| (!game.my_turn, game.deadline_at));
    let pending = Pending {
        server_time: now,
        version,
        challenges: view(snapshot.challenges_to(me, now)?)?,
        sent: view(snapshot.challenges_from(me, now)?)?,
        games,
    };
    Ok(Tagged {
        tag: Tag::of_version("p", version),
        value: pending,
        is_final: false,
    })
}

/// A challenge.
pub fn challenge(snapshot: &Snapshot, stored: &StoredChallenge) -> Result<Challenge, StoreError> {
    let offer = &stored.offer;
    Ok(Challenge {
        id: stored.id.clone(),
        from: snapshot.known_account(&offer.maker)?.to_ref(),
        to: Some(snapshot.known_account(&stored.target)?.to_ref()),
        variant: offer.terms.variant.into(),
        rated: offer.terms.rated,
        color: offer.color,
        clock: offer.terms.clock,
        expires_at: stored.expires_at,
        status: stored.status,
        decline_reason: stored.decline_reason,
        game_id: stored.game.clone(),
    })
}

/// A seek.
pub fn seek(snapshot: &Snapshot, stored: &StoredSeek) -> Result<Seek, StoreError> {
    let offer = &stored.offer;
    Ok(Seek {
        id: stored.id.clone(),
        from: snapshot.known_account(&offer.maker)?.to_ref(),
        variant: offer.terms.variant.into(),
        color: offer.color,
        rated: offer.terms.rated,
        clock: offer.terms.clock,
        opponent_kind: stored.opponent_kind,
        expires_at: stored.expires_at,
    })
}

fn status(outcome: Option<Outcome>) -> GameStatus {
    match outcome {
        None => GameStatus::Active,
        Some(_) => GameStatus::Finished,
    }
}

fn clock_state(clock: &GameClock, now: Millis) -> ClockState {
    ClockState {
        initial_ms: clock.control.initial_ms,
        increment_ms: clock.control.increment_ms,
        white_ms: clock.left_at(Color::White, now),
        black_ms: clock.left_at(Color::Black, now),
        running: clock.running.map(|(side, _)| side.into()),
        as_of: now,
        deadline_at: clock.deadline(),
    }
}

fn result(outcome: Outcome, position: &Position) -> GameResult {
    GameResult {
        winner: outcome.winner.map(ColorWord::from),
        reason: outcome.reason.into(),
        score: [
            position.rings_off(Color::White),
            position.rings_off(Color::Black),
        ],
    }
}
