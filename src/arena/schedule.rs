//! Which game is played when, by whom, and from which opening.

use serde::{Deserialize, Serialize};

use crate::game::ByColor;

/// A player of a match: A, B, C and so on, in the order of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct SideId(u8);

/// More letters do not exist.
pub const MAX_SIDES: usize = 26;

impl SideId {
    /// The first side.
    pub const A: Self = Self(0);
    /// The second side.
    pub const B: Self = Self(1);

    /// The side of that index; `None` from [`MAX_SIDES`] on.
    pub fn new(index: usize) -> Option<Self> {
        (index < MAX_SIDES).then_some(Self(index as u8))
    }

    /// Position in the list of sides.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// What this side, which played in it, gets of a game that `winner` has won, `None` being a draw: points, times two.
    pub fn half_points(self, winner: Option<Self>) -> usize {
        match winner {
            Some(winner) if winner == self => 2,
            Some(_) => 0,
            None => 1,
        }
    }
}

impl From<SideId> for char {
    fn from(side: SideId) -> Self {
        char::from(b'A' + side.0)
    }
}

impl TryFrom<char> for SideId {
    type Error = String;

    fn try_from(letter: char) -> Result<Self, String> {
        match letter {
            'A'..='Z' => Ok(Self(letter as u8 - b'A')),
            _ => Err(format!("`{letter}` is no side, sides are A to Z")),
        }
    }
}

impl std::fmt::Display for SideId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        char::from(*self).fmt(f)
    }
}

/// A part of a match that is played on its own: pairs `index`, `index + count`, `index + 2·count` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 0.
    index: u64,
    /// How many parts there are.
    count: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// What the name of a file has for this part.
    pub(super) fn file_suffix(&self) -> String {
        match *self {
            Self::WHOLE => String::new(),
            shard => format!("-{}", shard.to_string().replace('/', "-of-")),
        }
    }

    /// How many parts there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// What this part has of `all` things that are shared out.
    pub fn of(&self, all: u64) -> impl Iterator<Item = u64> + use<> {
        (self.index..all).step_by(self.count as usize)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(k, n)| Some((k.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
        match numbers {
            Some((k, n)) if (1..=n).contains(&k) => Ok(Self {
                index: k - 1,
                count: n,
            }),
            _ => Err("write K/N, the part and how many there are, from 1/N to N/N".to_owned()),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

/// The order of all games: round by round, in each round a pair of games for each two players, and the same opening for
/// all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    sides: usize,
    rounds: u64,
    shard: Shard,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Number of the game in the whole match, from 0.
    pub number: u64,
    /// Which opening it has.
    pub round: u64,
    /// Who plays.
    pub sides: ByColor<SideId>,
}

impl ScheduledGame {
    /// Number of its pair in the whole match.
    pub const fn pair(&self) -> u64 {
        self.number / 2
    }
}

impl Schedule {
    /// A schedule for so many sides, at least two, with `rounds` pairs of games for each two of them.
    ///
    /// # Panics
    /// Fewer than two sides, or more than there are letters.
    pub fn new(sides: usize, rounds: u64, shard: Shard) -> Self {
        assert!(
            (2..=MAX_SIDES).contains(&sides),
            "a match has 2 to {MAX_SIDES} sides, not {sides}"
        );
        Self {
            sides,
            rounds,
            shard,
        }
    }

    /// All sides.
    pub fn sides(&self) -> impl Iterator<Item = SideId> + use<> {
        (0..self.sides).filter_map(SideId::new)
    }

    /// Each two sides that meet, the one that is listed first in front.
    pub fn pairings(&self) -> Vec<(SideId, SideId)> {
        let pairs_with = |a| self.sides().filter(move |b| a < *b).map(move |b| (a, b));
        self.sides().flat_map(pairs_with).collect()
    }

    /// Number of pairs of games in the whole match.
    pub fn all_pairs(&self) -> u64 {
        self.rounds * self.pairings().len() as u64
    }

    /// The pairs of games of this shard, in order.
    pub fn pairs(&self) -> impl Iterator<Item = u64> + use<> {
        self.shard.of(self.all_pairs())
    }

    /// The numbers of the games of this shard, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        self.pairs().flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// The games of this shard, in order.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + use<> {
        let schedule = *self;
        self.numbers().map(move |number| schedule.game(number))
    }

    /// Who meets in a pair of games.
    pub fn pairing_of(&self, pair: u64) -> (SideId, SideId) {
        let pairings = self.pairings();
        pairings[(pair % pairings.len() as u64) as usize]
    }

    /// A game by its number.
    pub fn game(&self, number: u64) -> ScheduledGame {
        let pair = number / 2;
        let (first, second) = self.pairing_of(pair);
        let sides = ByColor {
            white: first,
            black: second,
        };
        ScheduledGame {
            number,
            round: pair / self.pairings().len() as u64,
            sides: if number.is_multiple_of(2) {
                sides
            } else {
                sides.swapped()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_swapped_within_a_pair() {
        let games: Vec<_> = Schedule::new(2, 2, Shard::WHOLE).games().collect();
        let whites: Vec<_> = games
            .iter()
            .map(|game| (game.number, game.round, game.sides.white))
            .collect();
        assert_eq!(
            whites,
            [
                (0, 0, SideId::A),
                (1, 0, SideId::B),
                (2, 1, SideId::A),
                (3, 1, SideId::B)
            ]
        );
    }

    #[test]
    fn everybody_meets_everybody_in_every_round() {
        let schedule = Schedule::new(4, 3, Shard::WHOLE);
        assert_eq!(schedule.pairings().len(), 6);
        let games: Vec<_> = schedule.games().collect();
        assert_eq!(games.len(), 36);
        for (a, b) in schedule.pairings() {
            let met = |white, black| {
                let rounds = games
                    .iter()
                    .filter(|game| game.sides == ByColor { white, black });
                rounds.map(|game| game.round).collect::<Vec<_>>()
            };
            assert_eq!((met(a, b), met(b, a)), (vec![0, 1, 2], vec![0, 1, 2]));
        }
    }

    #[test]
    fn shards_share_out_the_pairs() {
        let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap());
        let mut numbers: Vec<_> = shards
            .iter()
            .flat_map(|shard| Schedule::new(2, 10, *shard).games())
            .map(|game| game.number)
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..20).collect::<Vec<_>>());
        for bad in ["0/3", "4/3", "1", "1/0", "a/b", ""] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
