//! Counts of values by size.

/// How many values lie below each of some fixed bounds.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    bounds: &'static [f64],
    /// Values up to each bound and above the one before; the last count is of those above all bounds.
    counts: Vec<u64>,
    sum: f64,
}

impl Histogram {
    /// No values yet; `bounds` ascend.
    pub(super) fn new(bounds: &'static [f64]) -> Self {
        Self {
            bounds,
            counts: vec![0; bounds.len() + 1],
            sum: 0.0,
        }
    }

    /// Counts one more value.
    pub(super) fn add(&mut self, value: f64) {
        let bucket = self.bounds.iter().position(|bound| value <= *bound);
        self.counts[bucket.unwrap_or(self.bounds.len())] += 1;
        self.sum += value;
    }

    /// Each bound with the number of values up to it.
    pub(super) fn cumulative(&self) -> impl Iterator<Item = (f64, u64)> {
        let mut total = 0;
        self.bounds
            .iter()
            .zip(&self.counts)
            .map(move |(bound, count)| {
                total += count;
                (*bound, total)
            })
    }

    /// The number of values.
    pub(super) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of the values.
    pub(super) fn sum(&self) -> f64 {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_counts_below_every_bound_that_it_does_not_pass() {
        let mut histogram = Histogram::new(&[1.0, 2.0]);
        for value in [0.5, 1.0, 1.5, 9.0] {
            histogram.add(value);
        }
        let cumulative: Vec<_> = histogram.cumulative().collect();
        assert_eq!(cumulative, [(1.0, 2), (2.0, 3)]);
        assert_eq!((histogram.count(), histogram.sum()), (4, 12.0));
    }
}
