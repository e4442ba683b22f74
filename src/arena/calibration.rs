//! Do games end as often well as the search thought they would?

use super::record::GameLine;
use super::schedule::SideId;

/// Number of buckets, each as wide as the others.
pub const BUCKETS: usize = 10;

/// Turns of a match by what the side that played them expected, and what it got.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// From the least to the most expected result.
    pub buckets: [Bucket; BUCKETS],
}

/// Turns that expected about the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bucket {
    /// Their number.
    pub turns: u64,
    expected: f64,
    real: f64,
}

impl Bucket {
    /// Mean of the expected results, from 0 to 1; `None` without turns.
    pub fn expected(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.expected / self.turns as f64)
    }

    /// Mean of the real results, from 0 to 1; `None` without turns.
    pub fn real(&self) -> Option<f64> {
        (self.turns > 0).then(|| self.real / self.turns as f64)
    }
}

impl Calibration {
    /// Of all turns of `games` for which the player told what it expected.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a GameLine>) -> Self {
        let mut calibration = Self::default();
        for game in games {
            calibration.add(game, game.white);
            calibration.add(game, game.black);
        }
        calibration
    }

    fn add(&mut self, game: &GameLine, side: SideId) {
        let real = side.half_points(game.end.winner) as f64 / 2.0;
        for expected in game.turns_of(side).filter_map(|turn| turn.win) {
            let index = (expected * BUCKETS as f64) as usize;
            let bucket = &mut self.buckets[index.min(BUCKETS - 1)];
            bucket.turns += 1;
            bucket.expected += expected;
            bucket.real += real;
        }
    }

    /// All turns that were counted.
    pub fn turns(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.turns).sum()
    }

    /// The greatest difference of a bucket between what was expected and what came, from 0 to 1; `None` without turns.
    pub fn worst(&self) -> Option<f64> {
        let differences = self
            .buckets
            .iter()
            .filter_map(|bucket| Some((bucket.expected()? - bucket.real()?).abs()));
        differences.reduce(f64::max)
    }
}
