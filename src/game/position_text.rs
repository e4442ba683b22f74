use std::fmt;
use std::str::FromStr;

use super::cell::Cell;
use super::color::Color;
use super::outcome::Variant;
use super::point::Point;
use super::position::{MARKERS, Phase, Position, RINGS, RINGS_TO_WIN};

/// The five fields of a position text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionField {
    /// The 11 columns.
    Board,
    /// Side to decide.
    Side,
    /// Phase.
    Phase,
    /// Rings off, white-black.
    RingsOff,
    /// Turns completed.
    Ply,
    /// Something follows the fifth field, or there are too few fields.
    Whole,
}

impl fmt::Display for PositionField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board (field 1)",
            Self::Side => "side (field 2)",
            Self::Phase => "phase (field 3)",
            Self::RingsOff => "rings off (field 4)",
            Self::Ply => "ply (field 5)",
            Self::Whole => "position text",
        })
    }
}

/// A position text that cannot be read, or that describes no position of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct PositionError {
    /// Where the text is wrong.
    pub field: PositionField,
    /// What is wrong, and what would be right.
    pub problem: String,
}

fn refuse<T>(field: PositionField, problem: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError {
        field,
        problem: problem.into(),
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

impl Position {
    /// Reads a position text; the variant travels beside it.
    ///
    /// # Errors
    /// Names the field and what is wrong with it. A phase that the board contradicts is refused.
    pub fn parse(text: &str, variant: Variant) -> Result<Self, PositionError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let [board, side, phase, rings_off, ply] = fields[..] else {
            let problem = format!(
                "needs five fields with one blank between them, found {}",
                fields.len()
            );
            return refuse(PositionField::Whole, problem);
        };
        let mut position = Self::start(variant);
        position.read_board(board)?;
        position.side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => {
                return refuse(
                    PositionField::Side,
                    format!("must be `w` or `b`, not `{}`", shortened(side)),
                );
            }
        };
        position.phase = read_phase(phase)?;
        position.read_rings_off(rings_off)?;
        position.read_ply(ply)?;
        position.check_counts()?;
        position.check_phase()?;
        Ok(position)
    }

    fn read_board(&mut self, board: &str) -> Result<(), PositionError> {
        let columns: Vec<&str> = board.split('/').collect();
        if columns.len() != 11 {
            return refuse(
                PositionField::Board,
                format!("needs 11 columns a..k, found {}", columns.len()),
            );
        }
        for (index, text) in columns.into_iter().enumerate() {
            self.read_column(index, text)?;
        }
        Ok(())
    }

    fn read_column(&mut self, index: usize, text: &str) -> Result<(), PositionError> {
        let name = (b'a' + index as u8) as char;
        let expected = Point::in_column(index).len();
        let mut points = Point::in_column(index);
        let too_long = || {
            refuse(
                PositionField::Board,
                format!("column {name} has {expected} points, the text has more"),
            )
        };
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let (run, after) = rest.split_at(digits);
                if run.starts_with('0') {
                    let problem =
                        format!("column {name}: `{run}` is no number of empty points, 1 or more");
                    return refuse(PositionField::Board, problem);
                }
                match run.parse::<usize>() {
                    Ok(length) if length <= points.len() => points.nth(length - 1),
                    _ => return too_long(),
                };
                rest = after;
                continue;
            }
            let Some(cell) = read_piece(letter) else {
                let problem = format!(
                    "column {name}: `{letter}` is none of `R`, `r`, `M`, `m` or a number of empty points"
                );
                return refuse(PositionField::Board, problem);
            };
            let Some(point) = points.next() else {
                return too_long();
            };
            self.set_cell(point, cell);
            rest = &rest[1..];
        }
        if points.len() > 0 {
            let found = expected - points.len();
            let problem = format!("column {name} has {expected} points, the text has {found}");
            return refuse(PositionField::Board, problem);
        }
        Ok(())
    }

    fn read_rings_off(&mut self, text: &str) -> Result<(), PositionError> {
        let digit = |text: &str| match text.as_bytes() {
            [digit @ b'0'..=b'3'] => Some(digit - b'0'),
            _ => None,
        };
        match text
            .split_once('-')
            .map(|(white, black)| (digit(white), digit(black)))
        {
            Some((Some(white), Some(black))) => {
                self.rings_off.white = white;
                self.rings_off.black = black;
                Ok(())
            }
            _ => refuse(
                PositionField::RingsOff,
                format!(
                    "must be white's and black's number, 0 to 3, such as `1-0`, not `{}`",
                    shortened(text)
                ),
            ),
        }
    }

    fn read_ply(&mut self, text: &str) -> Result<(), PositionError> {
        let plain =
            text == "0" || text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
        match text.parse() {
            // No game comes near: every turn but a pass uses up a marker, and only 25 of them ever return.
            Ok(ply) if plain && ply <= 9999 => self.ply = ply,
            _ => {
                let problem = format!(
                    "must be a number of turns from 0 to 9999, not `{}`",
                    shortened(text)
                );
                return refuse(PositionField::Ply, problem);
            }
        }
        if self.ply.is_multiple_of(2) != (self.side == Color::White) {
            return refuse(
                PositionField::Ply,
                "is even on White's turn and odd on Black's",
            );
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), PositionError> {
        if self.markers_on_board() > MARKERS {
            let problem = format!(
                "{} markers on the board, there are only {MARKERS}",
                self.markers_on_board()
            );
            return refuse(PositionField::Board, problem);
        }
        for color in Color::ALL {
            let on_board = self.rings(color).len();
            if on_board > usize::from(RINGS) {
                return refuse(
                    PositionField::Board,
                    format!("{on_board} {color} rings, a side has {RINGS}"),
                );
            }
            let off = self.rings_off[color];
            if self.phase != Phase::PlaceRing && on_board + usize::from(off) != usize::from(RINGS) {
                let problem = format!(
                    "{color} has {on_board} rings on the board and {off} off, together they must be {RINGS}"
                );
                return refuse(PositionField::RingsOff, problem);
            }
        }
        if self.variant == Variant::Blitz && self.rings_off.white + self.rings_off.black > 0 {
            return refuse(
                PositionField::RingsOff,
                "must be 0-0 in blitz, where nothing is taken off",
            );
        }
        Ok(())
    }

    /// Whether the board allows the phase.
    fn check_phase(&self) -> Result<(), PositionError> {
        let contradicted = |problem: &str| refuse(PositionField::Phase, problem);
        let (own, other) = (self.has_row(self.side), self.has_row(self.side.opposite()));
        let won = Color::ALL
            .iter()
            .filter(|color| self.rings_off[**color] == RINGS_TO_WIN)
            .count();
        if won > 0 && (self.phase != Phase::Over || won == 2) {
            return contradicted("the game is over (`-`) when one side has three rings off");
        }
        if self.variant == Variant::Blitz
            && !matches!(self.phase, Phase::PlaceRing | Phase::MoveRing | Phase::Over)
        {
            return contradicted("blitz has no rows and rings to take: `p`, `m` or `-`");
        }
        match self.phase {
            Phase::PlaceRing => self.check_placement(),
            Phase::MoveRing if own || other => contradicted("`m` with a row on the board"),
            Phase::MoveRing if self.markers_on_board() == MARKERS => {
                contradicted("`m` with no marker in the pool")
            }
            Phase::EarlyRow | Phase::LateRow if !own => {
                contradicted("no row of the side to decide is on the board")
            }
            Phase::EarlyRow | Phase::EarlyRing if other => {
                contradicted("an early row, but the opponent has left own rows untaken")
            }
            Phase::EarlyRing | Phase::LateRing if self.markers_on_board() + 5 > MARKERS => {
                contradicted("a row has been taken, so five markers or more are in the pool")
            }
            Phase::Over if !self.is_over_by_board() => {
                contradicted("`-`, but nothing on the board ends the game")
            }
            _ => Ok(()),
        }
    }

    fn check_placement(&self) -> Result<(), PositionError> {
        let contradicted = |problem: &str| refuse(PositionField::Phase, problem);
        let (white, black) = (
            self.rings(Color::White).len() as u16,
            self.rings(Color::Black).len() as u16,
        );
        if self.markers_on_board() > 0 || self.rings_off.white + self.rings_off.black > 0 {
            contradicted("`p` with a marker on the board or a ring off")
        } else if white + black == 2 * u16::from(RINGS) {
            contradicted("`p`, but all rings are placed")
        } else if white + black != self.ply || white != self.ply.div_ceil(2) {
            let problem = format!(
                "{} turns place as many rings, White first; found {white} and {black}",
                self.ply
            );
            refuse(PositionField::Ply, problem)
        } else {
            Ok(())
        }
    }
}

fn read_piece(letter: char) -> Option<Cell> {
    Some(match letter {
        'R' => Cell::Ring(Color::White),
        'r' => Cell::Ring(Color::Black),
        'M' => Cell::Marker(Color::White),
        'm' => Cell::Marker(Color::Black),
        _ => return None,
    })
}

fn read_phase(text: &str) -> Result<Phase, PositionError> {
    Ok(match text {
        "p" => Phase::PlaceRing,
        "m" => Phase::MoveRing,
        "r<" => Phase::EarlyRow,
        "x<" => Phase::EarlyRing,
        "r>" => Phase::LateRow,
        "x>" => Phase::LateRing,
        "-" => Phase::Over,
        _ => {
            let problem = format!(
                "must be one of `p`, `m`, `r<`, `x<`, `r>`, `x>`, `-`, not `{}`",
                shortened(text)
            );
            return refuse(PositionField::Phase, problem);
        }
    })
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads a position of the standard game.
    fn from_str(text: &str) -> Result<Self, PositionError> {
        Self::parse(text, Variant::Standard)
    }
}

impl fmt::Display for Position {
    /// Writes the position text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in 0..11 {
            if column > 0 {
                f.write_str("/")?;
            }
            let mut empty = 0;
            for point in Point::in_column(column) {
                let letter = match self.cell(point) {
                    Cell::Empty => {
                        empty += 1;
                        continue;
                    }
                    Cell::Ring(Color::White) => 'R',
                    Cell::Ring(Color::Black) => 'r',
                    Cell::Marker(Color::White) => 'M',
                    Cell::Marker(Color::Black) => 'm',
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{letter}")?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        let side = if self.side == Color::White { "w" } else { "b" };
        let phase = match self.phase {
            Phase::PlaceRing => "p",
            Phase::MoveRing => "m",
            Phase::EarlyRow => "r<",
            Phase::EarlyRing => "x<",
            Phase::LateRow => "r>",
            Phase::LateRing => "x>",
            Phase::Over => "-",
        };
        write!(
            f,
            " {side} {phase} {}-{} {}",
            self.rings_off.white, self.rings_off.black, self.ply
        )
    }
}
