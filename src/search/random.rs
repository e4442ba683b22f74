use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator of all random choices: fast, and the same on every machine.
pub type Random = Xoshiro256PlusPlus;

/// A generator for the `stream`th independent use of `seed`.
pub fn random_stream(seed: u64, stream: u64) -> Random {
    // The golden ratio spreads neighbouring streams over the seeds; seeding mixes them further.
    Random::seed_from_u64(seed ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A number below `bound` (which must not be 0), each with exactly the same probability.
///
/// Lemire, "Fast random integer generation in an interval", 2019.
pub fn below(random: &mut Random, bound: u32) -> u32 {
    let mut product = u64::from(random.next_u64() as u32) * u64::from(bound);
    if (product as u32) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u32) < threshold {
            product = u64::from(random.next_u64() as u32) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// Brings items into a random order, each with the same probability (Fisher and Yates; Durstenfeld, 1964).
pub fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(random, last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut random = random_stream(7, 0);
        let mut counts = [0_u32; 13];
        for _ in 0..130_000 {
            counts[below(&mut random, 13) as usize] += 1;
        }
        // Chi-squared with 12 degrees of freedom; 32.9 is passed once in a thousand seeds.
        let chi_squared: f64 = counts
            .iter()
            .map(|c| (f64::from(*c) - 10_000.0).powi(2) / 10_000.0)
            .sum();
        assert!(chi_squared < 32.9, "{chi_squared}");
    }

    #[test]
    fn streams_differ() {
        assert_ne!(
            random_stream(1, 0).next_u64(),
            random_stream(1, 1).next_u64()
        );
    }
}
