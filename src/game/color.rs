use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

/// A side; White begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The player who begins.
    White,
    /// The player who answers.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side.
    pub const fn opposite(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// What this side gets of a game that `winner` has won, `None` being a draw: 1, ½ or 0.
    pub fn points(self, winner: Option<Self>) -> f64 {
        match winner {
            Some(winner) if winner == self => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }

    /// `white` or `black`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that names none of the allowed words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not {expected}")]
pub struct UnknownWord {
    /// The words that would be right.
    pub expected: &'static str,
    /// What stood there.
    pub found: String,
}

impl FromStr for Color {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text {
            "white" => Ok(Self::White),
            "black" => Ok(Self::Black),
            _ => Err(UnknownWord {
                expected: "`white` or `black`",
                found: text.to_owned(),
            }),
        }
    }
}

/// One `T` for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Makes both from a function of the colour.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> Self {
        Self {
            white: make(Color::White),
            black: make(Color::Black),
        }
    }

    /// The same with the sides exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            white: self.black,
            black: self.white,
        }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
