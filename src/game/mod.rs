//! The rules of YINSH: board, positions, actions, turns, results, and their text forms.
//!
//! An action is one atomic decision, a turn is a player's whole turn. The side to decide does not alternate per
//! action: a turn may take rows before and after its move.
//!
//! ```
//! use yinsh_bot::game::{Position, Turn, Variant};
//! let turns = "g2 c6 f2 d4 e1 e4 h3 a4 d1 f6 e1-e2";
//! let mut position = Position::start(Variant::Standard);
//! for text in turns.split(' ') {
//!     let turn: Turn = text.parse().unwrap();
//!     position = position.play_turn(&turn).unwrap();
//! }
//! assert_eq!(position.to_string(), "2r1/7/5r2/R2r5/MR1r6/R3r4/R9/R8/8/7/4 b m 0-0 11");
//! ```

mod action;
mod cell;
mod color;
mod legality;
mod line;
mod outcome;
mod perft;
mod point;
mod position;
mod position_text;
mod record;
mod symmetry;
mod turn;

pub use action::{Action, PackedAction};
pub use cell::Cell;
pub use color::{ByColor, Color, UnknownWord};
pub use legality::{ActionList, IllegalAction, IllegalReason, MAX_ACTIONS};
pub use line::{Line, Points, Row, direction_between, ray_from};
pub use outcome::{EndReason, Outcome, Variant};
pub use perft::{divide, perft};
pub use point::{Direction, ParsePointError, Point, PointSet};
pub use position::{MARKERS, Phase, Position, RINGS, RINGS_TO_WIN};
pub use position_text::{PositionError, PositionField};
pub use record::{GameRecord, RecordError};
pub use symmetry::Symmetry;
pub use turn::{IllegalTurn, Turn, TurnError};
