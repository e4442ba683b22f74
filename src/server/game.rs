//! One game on the server: who plays, what was played, the clocks, and what each request does to it.
//! Pure: no store, no sockets, and instants come from outside.

use crate::api::{Clock, GameId, PlayerId};
use crate::game::{ByColor, Color, EndReason, IllegalTurn, Outcome, Position, Turn, Variant};

use super::clock::GameClock;
use super::error::ApiError;
use super::time::Millis;

/// So many illegal turns at one ply lose the game.
const ILLEGAL_TURNS_TO_LOSE: u8 = 3;
/// From this ply on a game can no longer be called off.
const ABORTABLE_BEFORE_PLY: u16 = 2;

/// A game, running or finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names it.
    pub id: GameId,
    /// Grows by one with every change that players can see.
    pub version: u64,
    /// Whether the result counts.
    pub rated: bool,
    /// Who plays.
    pub players: ByColor<PlayerId>,
    /// What was played.
    pub turns: Vec<Turn>,
    /// The chances to win, in thousandths, that the players published with their turns.
    pub win_permille: Vec<Option<u16>>,
    /// Where it stands: the turns, replayed.
    pub position: Position,
    /// Both clocks.
    pub clock: GameClock,
    /// Illegal turns at the current ply.
    pub illegal_turns: u8,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// What two players have agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Which game.
    pub variant: Variant,
    /// Whether the result counts.
    pub rated: bool,
    /// The time control.
    pub clock: Clock,
}

/// A turn as a player sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRequest {
    /// Who sent it.
    pub player: PlayerId,
    /// Where in the game it belongs.
    pub ply: u32,
    /// The turn.
    pub turn: Turn,
    /// The position that the player believes in.
    pub position_before: Option<String>,
    /// The chance to win that the player publishes, in thousandths.
    pub win_permille: Option<u16>,
    /// When the complete request was there.
    pub arrived: Millis,
}

/// What became of a turn that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// It is the game's newest turn.
    Recorded,
    /// It had been recorded before.
    Replayed,
}

impl Game {
    /// Begins a game: White's clock runs from now on.
    pub fn begin(id: GameId, players: ByColor<PlayerId>, terms: &Terms, now: Millis) -> Self {
        Self {
            id,
            version: 1,
            rated: terms.rated,
            players,
            turns: Vec::new(),
            win_permille: Vec::new(),
            position: Position::start(terms.variant),
            clock: GameClock::start(terms.clock, now),
            illegal_turns: 0,
            outcome: None,
        }
    }

    /// The colour that `player` has in this game.
    pub fn color_of(&self, player: &PlayerId) -> Option<Color> {
        [Color::White, Color::Black]
            .into_iter()
            .find(|&color| self.players[color] == *player)
    }

    /// Who plays the next turn; nobody when the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.clock.running.map(|(side, _)| side)
    }

    /// Plays a turn, whose clock is charged up to its arrival.
    ///
    /// # Errors
    /// One for each way in which a turn can be out of place; an illegal turn is counted, and one that came too late
    /// ends the game, so the game must be kept in either case.
    pub fn put_turn(&mut self, request: &TurnRequest, now: Millis) -> Result<Played, ApiError> {
        let color = self.require_player(&request.player)?;
        let current_ply = self.position.ply();
        if request.ply < u32::from(current_ply) {
            return self.compare_with_recorded(request, color);
        }
        // Only the player's own flag: the opponent's own request, in time, may be next in the queue.
        if self.to_move() == Some(color) {
            self.settle_flag(request.arrived);
        }
        if self.outcome.is_some() {
            return Err(ApiError::GameOver { current_ply });
        }
        if request.ply > u32::from(current_ply) {
            return Err(ApiError::PlyAhead { current_ply });
        }
        if self.to_move() != Some(color) {
            return Err(ApiError::NotYourTurn { current_ply });
        }
        let believed = request.position_before.as_deref();
        if believed.is_some_and(|believed| believed != self.position.to_string()) {
            return Err(ApiError::PositionMismatch { current_ply });
        }
        match self.position.play_turn(&request.turn) {
            Ok(after) => {
                self.record(request, after, now);
                Ok(Played::Recorded)
            }
            Err(illegal) => Err(self.count_illegal(illegal, color, request.arrived)),
        }
    }

    /// Gives the game up for `player`.
    ///
    /// # Errors
    /// The game ended otherwise, or is not this player's.
    pub fn resign(&mut self, player: &PlayerId, arrived: Millis) -> Result<(), ApiError> {
        let color = self.require_player(player)?;
        let resigned = Outcome {
            winner: Some(color.opposite()),
            reason: EndReason::Resign,
        };
        self.end_on_request(resigned, arrived)
    }

    /// Calls the game off for both, as long as not both have played.
    ///
    /// # Errors
    /// Both have played, the game ended otherwise, or is not this player's.
    pub fn abort(&mut self, player: &PlayerId, arrived: Millis) -> Result<(), ApiError> {
        self.require_player(player)?;
        let current_ply = self.position.ply();
        if self.outcome.is_none() && current_ply >= ABORTABLE_BEFORE_PLY {
            return Err(ApiError::PlyConflict {
                detail: "both have played, so the game can no longer be called off; resign instead",
                current_ply,
                recorded_turn: None,
            });
        }
        let aborted = Outcome {
            winner: None,
            reason: EndReason::Abort,
        };
        self.end_on_request(aborted, arrived)
    }

    /// Ends the game if the running clock's flag has fallen before `instant`.
    pub fn settle_flag(&mut self, instant: Millis) {
        if let Some((side, _)) = self.clock.running
            && self.clock.has_fallen(instant)
        {
            let lost = Outcome {
                winner: Some(side.opposite()),
                reason: EndReason::Timeout,
            };
            self.end(lost, instant);
        }
    }

    fn require_player(&self, player: &PlayerId) -> Result<Color, ApiError> {
        self.color_of(player)
            .ok_or(ApiError::Forbidden("you do not play in this game"))
    }

    fn compare_with_recorded(
        &self,
        request: &TurnRequest,
        color: Color,
    ) -> Result<Played, ApiError> {
        // White begins and the players alternate, so the ply tells whose turn it was.
        let side_then = if request.ply.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        let recorded = usize::try_from(request.ply)
            .ok()
            .and_then(|ply| self.turns.get(ply));
        if side_then == color && recorded == Some(&request.turn) {
            return Ok(Played::Replayed);
        }
        Err(ApiError::PlyConflict {
            detail: "another turn is recorded at this ply",
            current_ply: self.position.ply(),
            recorded_turn: recorded.map(Turn::to_string),
        })
    }

    fn record(&mut self, request: &TurnRequest, after: Position, now: Millis) {
        self.turns.push(request.turn.clone());
        self.win_permille.push(request.win_permille);
        self.position = after;
        self.illegal_turns = 0;
        self.clock.press(request.arrived, now);
        match after.outcome() {
            Some(outcome) => self.end(outcome, now),
            None => self.version += 1,
        }
    }

    fn count_illegal(&mut self, illegal: IllegalTurn, color: Color, arrived: Millis) -> ApiError {
        let current_ply = self.position.ply();
        self.illegal_turns += 1;
        let is_last = self.illegal_turns >= ILLEGAL_TURNS_TO_LOSE;
        if is_last {
            let lost = Outcome {
                winner: Some(color.opposite()),
                reason: EndReason::IllegalTurns,
            };
            self.end(lost, arrived);
        }
        ApiError::IllegalTurn {
            at: illegal.at,
            reason: illegal.reason.code(),
            detail: illegal.reason.to_string(),
            current_ply,
            is_last,
        }
    }

    /// Ends the game so, or agrees when it has ended just so before.
    fn end_on_request(&mut self, outcome: Outcome, arrived: Millis) -> Result<(), ApiError> {
        self.settle_flag(arrived);
        match self.outcome {
            None => {
                self.end(outcome, arrived);
                Ok(())
            }
            Some(ended) if ended == outcome => Ok(()),
            Some(_) => Err(ApiError::GameOver {
                current_ply: self.position.ply(),
            }),
        }
    }

    fn end(&mut self, outcome: Outcome, instant: Millis) {
        self.outcome = Some(outcome);
        self.clock.stop(instant);
        self.version += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIAL: Millis = 10_000;

    fn game() -> Game {
        let players = ByColor {
            white: "ada".into(),
            black: "bob".into(),
        };
        let terms = Terms {
            variant: Variant::Standard,
            rated: false,
            clock: Clock {
                initial_ms: INITIAL,
                increment_ms: 0,
            },
        };
        Game::begin("g".into(), players, &terms, 0)
    }

    fn request(player: &str, ply: u32, turn: &str, arrived: Millis) -> TurnRequest {
        TurnRequest {
            player: player.into(),
            ply,
            turn: turn.parse().unwrap(),
            position_before: None,
            win_permille: None,
            arrived,
        }
    }

    #[test]
    fn a_turn_that_arrived_in_time_counts_however_long_it_waited_for_the_store() {
        let mut game = game();
        let late = INITIAL + 5_000;
        let in_time = request("ada", 0, "e5", INITIAL);
        assert_eq!(game.put_turn(&in_time, late), Ok(Played::Recorded));
        assert_eq!(game.clock.left.white, 0);
        assert_eq!(game.clock.running, Some((Color::Black, late)));
    }

    #[test]
    fn a_turn_that_arrived_too_late_ends_the_game() {
        let mut game = game();
        let late = request("ada", 0, "e5", INITIAL + 1);
        let refused = game.put_turn(&late, INITIAL + 1);
        assert_eq!(refused, Err(ApiError::GameOver { current_ply: 0 }));
        let outcome = game.outcome.unwrap();
        assert_eq!(
            (outcome.reason, outcome.winner),
            (EndReason::Timeout, Some(Color::Black))
        );
    }

    #[test]
    fn the_opponents_turns_do_not_fell_a_flag() {
        let mut game = game();
        let hasty = request("bob", 0, "e5", INITIAL + 1);
        let refused = game.put_turn(&hasty, INITIAL + 1);
        assert_eq!(refused, Err(ApiError::NotYourTurn { current_ply: 0 }));
        assert_eq!(game.outcome, None);
    }

    #[test]
    fn whoever_resigns_after_a_flag_has_fallen_changes_nothing() {
        for player in ["ada", "bob"] {
            let mut game = game();
            let refused = game.resign(&player.into(), INITIAL + 1);
            assert_eq!(refused, Err(ApiError::GameOver { current_ply: 0 }));
            assert_eq!(game.outcome.unwrap().reason, EndReason::Timeout);
        }
    }

    #[test]
    fn versions_grow_by_one_with_each_visible_change() {
        let mut game = game();
        game.put_turn(&request("ada", 0, "e5", 1), 1).unwrap();
        assert_eq!(game.version, 2);
        game.put_turn(&request("ada", 0, "e5", 2), 2).unwrap();
        game.put_turn(&request("bob", 1, "e5", 3), 3).unwrap_err();
        assert_eq!(game.version, 2);
        game.resign(&"bob".into(), 4).unwrap();
        game.resign(&"bob".into(), 5).unwrap();
        assert_eq!(game.version, 3);
    }
}
