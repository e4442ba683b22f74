//! What a finished game does to the ratings of its players.

use crate::api::PlayerId;
use crate::game::{ByColor, Color, EndReason};

use super::game::Game;
use super::glicko::{Rating, Score};
use super::store::{StoreError, Tx};
use super::time::Millis;

/// A rating period. Ratings are computed after each game; this says how fast they become unsure again.
const PERIOD_MS: f64 = 24.0 * 60.0 * 60.0 * 1000.0;

/// Writes what has changed in a game, and rates its players when it has ended.
///
/// # Errors
/// The store failed.
pub fn save_game(tx: &mut Tx, before: &Game, after: &Game) -> Result<(), StoreError> {
    tx.save_game(before, after)?;
    if before.outcome.is_some() || !after.rated {
        return Ok(());
    }
    match after.outcome {
        Some(outcome) if outcome.reason != EndReason::Abort => rate(tx, after, outcome.winner),
        _ => Ok(()),
    }
}

fn rate(tx: &mut Tx, game: &Game, winner: Option<Color>) -> Result<(), StoreError> {
    let now = tx.now();
    let mut old = ByColor::from_fn(|_| (Rating::default(), 0.0));
    for color in Color::ALL {
        old[color] = rating_before(tx, &game.players[color], now)?;
    }
    for color in Color::ALL {
        let ((own, periods), (opponent, idle)) = (old[color], old[color.opposite()]);
        let points = color.points(winner);
        let opponent = opponent.after(&[], idle);
        let new = own.after(&[Score { opponent, points }], periods);
        tx.save_rating(&game.players[color], &new)?;
    }
    Ok(())
}

/// A rating as last computed, and how many periods ago that was.
fn rating_before(tx: &Tx, player: &PlayerId, now: Millis) -> Result<(Rating, f64), StoreError> {
    let account = tx.known_account(player)?;
    let since = account.rated_at.map_or(0, |at| now.saturating_sub(at));
    Ok((account.rating, since as f64 / PERIOD_MS))
}
