/// What an empty cell counts as.
pub const REGULARISATION: f64 = 1e-3;

/// Results counted by their score, worst first: `N` cells from 0 to 1 at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize>([u64; N]);

/// Pairs of games with 0, ½, 1, 1½ and 2 points.
pub type Pentanomial = Counts<5>;

/// Games lost, drawn and won.
pub type Trinomial = Counts<3>;

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Counts<N> {
    /// Counts of each cell, worst first.
    pub const fn new(cells: [u64; N]) -> Self {
        Self(cells)
    }

    /// The cells, worst first.
    pub const fn cells(&self) -> [u64; N] {
        self.0
    }

    /// One more result in `cell`.
    ///
    /// # Panics
    /// There is no such cell.
    pub fn add(&mut self, cell: usize) {
        self.0[cell] += 1;
    }

    /// Number of results.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same results seen from the other side.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The results as a distribution; `None` when there is none.
    pub(super) fn sample(&self) -> Option<Sample<N>> {
        if self.total() == 0 {
            return None;
        }
        let cells = self.0.map(|count| match count {
            0 => REGULARISATION,
            count => count as f64,
        });
        let results: f64 = cells.iter().sum();
        Some(Sample {
            shares: cells.map(|cell| cell / results),
            results,
        })
    }
}

impl<const N: usize> std::ops::Add for Counts<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|cell| self.0[cell] + other.0[cell]))
    }
}

/// A distribution of scores with the number of results behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample<const N: usize> {
    /// Part of the results in each cell; they sum to 1 and none is 0.
    pub shares: [f64; N],
    /// Results, empty cells counted as [`REGULARISATION`].
    pub results: f64,
}

impl<const N: usize> Sample<N> {
    /// Games that make one result.
    pub const GAMES_PER_RESULT: f64 = (N - 1) as f64 / 2.0;

    /// Score of each cell, from 0 to 1.
    pub fn scores() -> [f64; N] {
        std::array::from_fn(|cell| cell as f64 / (N - 1) as f64)
    }

    /// The same with one more game, which was drawn.
    pub fn with_draw(&self) -> Self {
        let more = 1.0 / Self::GAMES_PER_RESULT;
        let results = self.results + more;
        let mut shares = self.shares.map(|share| share * self.results / results);
        shares[N / 2] += more / results;
        Self { shares, results }
    }

    pub fn mean_and_variance(&self) -> (f64, f64) {
        mean_and_variance(&self.shares, &Self::scores())
    }

    /// Standard deviation of the score of one game, as if its results were independent.
    pub fn deviation_per_game(&self) -> f64 {
        (self.mean_and_variance().1 * Self::GAMES_PER_RESULT).sqrt()
    }
}

pub(super) fn mean_and_variance<const N: usize>(
    shares: &[f64; N],
    values: &[f64; N],
) -> (f64, f64) {
    let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
        shares
            .iter()
            .zip(values)
            .map(|(share, x)| share * value(*x))
            .sum()
    };
    let mean = weighted(&|x| x);
    (mean, weighted(&|x| (x - mean).powi(2)))
}

/// Correlation between the two games of a pair: below 0 when the first player has an edge, which pairing cancels out.
/// `None` when all games ended alike.
///
/// From var(pair) = var(game)·(1 + ρ)/2, both seen from the same side.
pub fn pair_correlation(pairs: &Pentanomial, games: &Trinomial) -> Option<f64> {
    let variance = |shares: &[f64], top: f64| {
        let total: f64 = shares.iter().sum();
        let score = |cell: usize| cell as f64 / top;
        let cells = || shares.iter().enumerate();
        let mean: f64 = cells().map(|(cell, n)| n * score(cell)).sum::<f64>() / total;
        cells()
            .map(|(cell, n)| n * (score(cell) - mean).powi(2))
            .sum::<f64>()
            / total
    };
    let of_games = variance(&games.0.map(|n| n as f64), 2.0);
    let of_pairs = variance(&pairs.0.map(|n| n as f64), 4.0);
    (of_games > 0.0 && pairs.total() > 0).then(|| 2.0 * of_pairs / of_games - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_of_pairs() {
        let correlation = |pairs, games| pair_correlation(&Counts::new(pairs), &Counts::new(games));
        // The first player always wins.
        assert_eq!(correlation([0, 0, 8, 0, 0], [8, 0, 8]), Some(-1.0));
        // One side wins both games or neither.
        assert_eq!(correlation([4, 0, 0, 0, 4], [8, 0, 8]), Some(1.0));
        // Independent games.
        assert_eq!(correlation([2, 0, 4, 0, 2], [8, 0, 8]), Some(0.0));
        assert_eq!(correlation([0, 0, 8, 0, 0], [0, 16, 0]), None);
        assert_eq!(correlation([0; 5], [0; 3]), None);
    }
}
