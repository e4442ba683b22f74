//! How tests of properties are run: with fixed seeds, so that they give the same on every run.

use proptest::test_runner::{Config, RngSeed};

/// So many cases, always the same.
pub fn fixed(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    }
}
