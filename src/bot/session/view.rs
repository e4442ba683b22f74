//! A game state from the server, replayed and seen with the account's eyes.

use std::time::Duration;

use crate::api::{BorderError, Clock, GameState, GameStatus, PlayerId};
use crate::bot::event::GameInfo;
use crate::game::{ByColor, Color, Outcome, Position, Turn};

/// A game state that can be trusted to be what it says.
pub(super) struct GameView {
    /// What stays the same.
    pub info: GameInfo,
    /// Every turn, with the position after it.
    pub turns: Vec<(Turn, Position)>,
    /// Where the game stands, as replayed: unlike the text, this knows of a pass just played.
    pub position: Position,
    /// Time left to each player.
    pub clocks: ByColor<Duration>,
    /// Whether the server waits for a turn of this account.
    pub is_my_turn: bool,
}

/// Why a game state cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub(super) enum ViewError {
    /// The server's words and the rules disagree.
    #[error(transparent)]
    Border(#[from] BorderError),
    /// The server counts differently.
    #[error("its turns end at ply {replayed}, but it says {told}")]
    Ply {
        /// Turns counted here.
        replayed: u16,
        /// Turns counted there.
        told: u16,
    },
    /// The account is neither of the players.
    #[error("this account does not play in it")]
    NotMine,
}

impl GameView {
    /// Replays `state` for the account `me`.
    pub(super) fn new(state: &GameState, me: &PlayerId) -> Result<Self, ViewError> {
        let position = state.replay()?;
        if position.ply() != state.ply {
            return Err(ViewError::Ply {
                replayed: position.ply(),
                told: state.ply,
            });
        }
        let info = info(state, me)?;
        let turns = state.read_turns()?.into_iter();
        let turns = turns.scan(info.initial, |position, turn| {
            *position = position.play_turn(&turn).ok()?;
            Some((turn, *position))
        });
        let to_move = state.to_move.and_then(|word| Color::try_from(word).ok());
        Ok(Self {
            is_my_turn: state.status == GameStatus::Active
                && to_move == Some(info.me)
                && position.side() == info.me
                && !position.is_over(),
            turns: turns.collect(),
            info,
            position,
            clocks: ByColor {
                white: Duration::from_millis(state.clock.white_ms),
                black: Duration::from_millis(state.clock.black_ms),
            },
        })
    }
}

fn info(state: &GameState, me: &PlayerId) -> Result<GameInfo, ViewError> {
    let players = ByColor {
        white: state.players.white.clone(),
        black: state.players.black.clone(),
    };
    let variant = state.variant.try_into()?;
    let initial = Position::parse(&state.initial_position, variant).map_err(|error| {
        BorderError::Position {
            which: "initial position",
            error,
        }
    })?;
    Ok(GameInfo {
        game: state.id.clone(),
        variant,
        rated: state.rated,
        me: Color::ALL
            .into_iter()
            .find(|color| players[*color].id == *me)
            .ok_or(ViewError::NotMine)?,
        players,
        clock: Clock {
            initial_ms: state.clock.initial_ms,
            increment_ms: state.clock.increment_ms,
        },
        initial,
    })
}

/// How a finished game ended, as far as its words are known.
pub(super) fn outcome(state: &GameState) -> Option<Outcome> {
    state.result.and_then(|result| result.try_into().ok())
}
