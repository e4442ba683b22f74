//! The rules by which seeks and challenges become games.

use crate::api::{Clock, ColorChoice, GameId, OpponentKind, PlayerKind, VariantWord};
use crate::game::{ByColor, Color};

use super::error::ApiError;
use super::game::{Game, Terms};
use super::secret::new_id;
use super::store::{Account, Offer, Tx};

/// Shortest and longest time at the start that a clock may have.
const INITIAL_MS: std::ops::RangeInclusive<u64> = 100..=24 * 60 * 60 * 1000;
/// Largest increment that a clock may have.
const INCREMENT_MAX_MS: u64 = 60 * 60 * 1000;

/// Checks what a seek or challenge asks for.
///
/// # Errors
/// The server does not offer it.
pub fn check_terms(variant: VariantWord, rated: bool, clock: Clock) -> Result<Terms, ApiError> {
    let variant = variant
        .try_into()
        .map_err(|_| ApiError::Unsupported("the variants are standard and blitz".to_owned()))?;
    if !INITIAL_MS.contains(&clock.initial_ms) || clock.increment_ms > INCREMENT_MAX_MS {
        return Err(ApiError::Unsupported(format!(
            "a clock has {} to {} ms at the start and an increment of at most {INCREMENT_MAX_MS} ms",
            INITIAL_MS.start(),
            INITIAL_MS.end()
        )));
    }
    Ok(Terms {
        variant,
        rated,
        clock,
    })
}

/// Checks a choice of colour.
///
/// # Errors
/// It is a word that this version does not know.
pub fn check_color(color: ColorChoice) -> Result<ColorChoice, ApiError> {
    match color {
        ColorChoice::Unknown => Err(ApiError::Unsupported(
            "the colours are white, black and random".to_owned(),
        )),
        known => Ok(known),
    }
}

/// Whether a seek that wants `wanted` is meant for `player`.
pub fn is_meant_for(wanted: OpponentKind, player: &Account) -> bool {
    match wanted {
        OpponentKind::Any => true,
        OpponentKind::Bot => player.kind == PlayerKind::Bot,
        OpponentKind::Human => player.kind == PlayerKind::Human,
        OpponentKind::Unknown => false,
    }
}

/// Begins the game on which `acceptor` and the offer's maker have agreed.
///
/// # Errors
/// One of the two plays as many games as allowed, or the store failed.
pub fn begin_game(
    tx: &mut Tx,
    offer: &Offer,
    acceptor: &Account,
    games_max: u32,
) -> Result<Game, ApiError> {
    if tx.count_running(&acceptor.id)? >= games_max {
        return Err(ApiError::Busy("you play as many games as allowed"));
    }
    if tx.count_running(&offer.maker)? >= games_max {
        return Err(ApiError::Busy(
            "the other player plays as many games as allowed",
        ));
    }
    let color = maker_color(offer.color, rand::random());
    let players = ByColor::from_fn(|side| {
        if side == color {
            offer.maker.clone()
        } else {
            acceptor.id.clone()
        }
    });
    let id = GameId::from(new_id("g"));
    let game = Game::begin(id, players, &offer.terms, tx.now());
    tx.insert_game(&game)?;
    Ok(game)
}

fn maker_color(choice: ColorChoice, coin: bool) -> Color {
    match choice {
        ColorChoice::White => Color::White,
        ColorChoice::Black => Color::Black,
        ColorChoice::Random | ColorChoice::Unknown if coin => Color::White,
        ColorChoice::Random | ColorChoice::Unknown => Color::Black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maker_gets_the_colour_chosen() {
        for coin in [false, true] {
            assert_eq!(maker_color(ColorChoice::White, coin), Color::White);
            assert_eq!(maker_color(ColorChoice::Black, coin), Color::Black);
        }
        assert_ne!(
            maker_color(ColorChoice::Random, false),
            maker_color(ColorChoice::Random, true)
        );
    }

    #[test]
    fn clocks_have_bounds() {
        let check = |initial_ms, increment_ms| {
            let clock = Clock {
                initial_ms,
                increment_ms,
            };
            check_terms(VariantWord::Standard, false, clock)
        };
        assert!(check(100, 0).is_ok());
        assert!(check(86_400_000, 3_600_000).is_ok());
        assert!(check(99, 0).is_err());
        assert!(check(86_400_001, 0).is_err());
        assert!(check(u64::MAX, u64::MAX).is_err());
        assert!(check(100, 3_600_001).is_err());
    }

    #[test]
    fn an_unknown_variant_is_not_on_offer() {
        let clock = Clock {
            initial_ms: 60_000,
            increment_ms: 0,
        };
        assert!(check_terms(VariantWord::Unknown, false, clock).is_err());
        assert!(check_color(ColorChoice::Unknown).is_err());
    }
}
