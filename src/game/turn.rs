use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::action::Action;
use super::legality::IllegalReason;
use super::line::Row;
use super::point::Point;
use super::position::Position;

/// The most actions in a turn: three rows with their rings, and a move.
const MAX_TURN_ACTIONS: usize = 7;

/// A player's whole turn, as a sequence of actions in turn notation.
///
/// ```
/// use yinsh_bot::game::Turn;
/// let turn: Turn = "XG6-G2xk7;d1-c1".parse().unwrap();
/// assert_eq!(turn.to_string(), "xg2-g6xk7;d1-c1");
/// assert_eq!(turn.actions().len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    actions: ArrayVec<Action, MAX_TURN_ACTIONS>,
}

/// A turn text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("part {} of the turn, `{found}`: {problem}", .at + 1)]
pub struct TurnError {
    /// Index of the bad part; parts are separated by `;`.
    pub at: usize,
    /// The part as it stands there, at most 20 characters of it.
    pub found: String,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// A turn that may not be played, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("part {} of the turn: {reason}", .at + 1)]
pub struct IllegalTurn {
    /// Index of the bad part; parts are separated by `;`.
    pub at: usize,
    /// Why it may not be played.
    pub reason: IllegalReason,
}

impl Turn {
    /// The turn made of these actions; whether it is legal shows when it is played.
    ///
    /// # Errors
    /// Gives the actions back as `Err` when there are more than any turn can have, or none.
    pub fn new(actions: &[Action]) -> Result<Self, &[Action]> {
        let list = ArrayVec::try_from(actions).map_err(|_| actions)?;
        if list.is_empty() {
            Err(actions)
        } else {
            Ok(Self { actions: list })
        }
    }

    /// Its actions, in order; at least one.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }
}

/// The part of the turn text in which the action at `index` stands: a row and its ring share a part.
fn part_of(actions: &[Action], index: usize) -> usize {
    let before = &actions[..index];
    let is_row = |action: &&Action| matches!(action, Action::TakeRow(_));
    before.len() - before.iter().filter(is_row).count()
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut previous = None;
        for action in &self.actions {
            if !matches!(previous, None | Some(Action::TakeRow(_))) {
                f.write_str(";")?;
            }
            write!(f, "{action}")?;
            previous = Some(*action);
        }
        Ok(())
    }
}

impl FromStr for Turn {
    type Err = TurnError;

    fn from_str(text: &str) -> Result<Self, TurnError> {
        let mut actions = ArrayVec::new();
        let mut is_main_part_read = false;
        for (at, part) in text.split(';').enumerate() {
            let refuse = |problem: String| TurnError {
                at,
                found: part.chars().take(20).collect(),
                problem,
            };
            let part_actions = read_part(part).map_err(refuse)?;
            let is_main_part = !matches!(part_actions.first(), Some(Action::TakeRow(_)));
            if is_main_part && is_main_part_read {
                return Err(refuse("a turn has one move".to_owned()));
            }
            is_main_part_read |= is_main_part;
            let stands_alone =
                |action: Option<&Action>| matches!(action, Some(Action::PlaceRing(_)));
            if at > 0 && (stands_alone(actions.first()) || stands_alone(part_actions.first())) {
                return Err(refuse("placing a ring is a whole turn".to_owned()));
            }
            if !is_main_part && actions.last() == Some(&Action::Pass) {
                return Err(refuse("nothing follows a pass".to_owned()));
            }
            if actions.try_extend_from_slice(&part_actions).is_err() {
                return Err(refuse("no turn takes so many rows".to_owned()));
            }
        }
        Ok(Self { actions })
    }
}

fn read_part(part: &str) -> Result<ArrayVec<Action, 2>, String> {
    let lower = part.to_ascii_lowercase();
    let point = |text: &str| text.parse::<Point>().map_err(|error| error.to_string());
    let mut actions = ArrayVec::new();
    if let Some(removal) = lower.strip_prefix('x') {
        let (row, ring) = removal
            .split_once('x')
            .ok_or("a removal is `x`, the ends of the row, `x`, the ring")?;
        let (low, high) = row
            .split_once('-')
            .ok_or("a row is written as its two ends with `-` between them")?;
        let (low, high) = (point(low)?, point(high)?);
        let row = Row::between(low, high)
            .ok_or_else(|| format!("{low} and {high} are not the ends of a row of five"))?;
        actions.push(Action::TakeRow(row));
        actions.push(Action::TakeRing(point(ring)?));
    } else if lower == "pass" {
        actions.push(Action::Pass);
    } else if let Some((from, to)) = lower.split_once('-') {
        let (from, to) = (point(from)?, point(to)?);
        if from == to {
            return Err("a ring moves to another point".to_owned());
        }
        actions.push(Action::MoveRing { from, to });
    } else if lower.is_empty() {
        return Err(
            "nothing stands here; expected a point, a move, a removal or `pass`".to_owned(),
        );
    } else {
        actions.push(Action::PlaceRing(point(&lower)?));
    }
    Ok(actions)
}

impl Position {
    /// The position after a whole turn.
    ///
    /// # Errors
    /// Names the first part that is not legal, and why; also a turn that stops too early or goes on too long.
    pub fn play_turn(&self, turn: &Turn) -> Result<Self, IllegalTurn> {
        let after = self.play_within_turn(&turn.actions)?;
        if after.ply == self.ply {
            return Err(IllegalTurn {
                at: part_of(&turn.actions, turn.actions.len()),
                reason: IllegalReason::Incomplete(after.phase),
            });
        }
        Ok(after)
    }

    /// The position after actions of one turn, which may stop anywhere in it.
    fn play_within_turn(&self, actions: &[Action]) -> Result<Self, IllegalTurn> {
        let mut after = *self;
        for (index, action) in actions.iter().enumerate() {
            let illegal = |reason| IllegalTurn {
                at: part_of(actions, index),
                reason,
            };
            if after.ply != self.ply {
                return Err(illegal(if after.is_over() {
                    IllegalReason::GameOver
                } else {
                    IllegalReason::TurnOver
                }));
            }
            after
                .try_play(*action)
                .map_err(|error| illegal(error.reason))?;
        }
        Ok(after)
    }

    /// Legal turns that begin with `prefix` (which may be empty), at most `cap` of them, in a fixed order.
    ///
    /// # Errors
    /// The prefix itself is not legal.
    pub fn legal_turns(&self, prefix: &[Action], cap: usize) -> Result<Vec<Turn>, IllegalTurn> {
        let start = self.play_within_turn(prefix)?;
        let actions = prefix.iter().copied().collect();
        let mut turns = Vec::new();
        start.collect_turns(self.ply, &mut Turn { actions }, cap, &mut turns);
        Ok(turns)
    }

    fn collect_turns(&self, ply: u16, so_far: &mut Turn, cap: usize, turns: &mut Vec<Turn>) {
        if self.ply != ply {
            if turns.len() < cap {
                turns.push(so_far.clone());
            }
            return;
        }
        for action in self.actions() {
            if turns.len() >= cap {
                return;
            }
            let mut after = *self;
            after.play_unchecked(action);
            so_far.actions.push(action);
            after.collect_turns(ply, so_far, cap, turns);
            so_far.actions.pop();
        }
    }
}
