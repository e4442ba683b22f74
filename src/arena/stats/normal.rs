//! The normal distribution, to the precision of `f64`.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The 97.5 % point of the standard normal distribution: 95 % lie within this many deviations of the mean.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The part of a standard normal distribution below `x`.
pub(super) fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// The natural logarithm of [`cdf`], also where that is too small for a number.
pub(super) fn ln_cdf(x: f64) -> f64 {
    let y = -x * FRAC_1_SQRT_2;
    if y > SERIES_LIMIT {
        -y * y - (2.0 * PI.sqrt() * fraction(y)).ln()
    } else {
        cdf(x).ln()
    }
}

/// Below this the series of erf needs few terms, above it the fraction of erfc does.
const SERIES_LIMIT: f64 = 2.5;

/// The complementary error function.
fn erfc(x: f64) -> f64 {
    if x < -SERIES_LIMIT {
        2.0 - erfc_fraction(-x)
    } else if x > SERIES_LIMIT {
        erfc_fraction(x)
    } else {
        1.0 - erf_series(x)
    }
}

/// erf(x) = 2/√π · exp(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!!, Abramowitz and Stegun 7.1.6.
fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut n = 1.0;
    while term.abs() > f64::EPSILON * sum.abs() * 0.1 {
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
        n += 1.0;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

fn erfc_fraction(x: f64) -> f64 {
    (-x * x).exp() / (PI.sqrt() * fraction(x))
}

/// x + ½/(x + 1/(x + 3⁄2/(x + …))) = exp(−x²) / (√π · erfc(x)), Abramowitz and Stegun 7.1.14, from the inside out.
fn fraction(x: f64) -> f64 {
    (1..=100)
        .rev()
        .fold(x, |tail, n| x + f64::from(n) / 2.0 / tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (x, expected) in [
            (0.0, 1.0),
            (0.1, 0.887_537_083_981_715),
            (1.0, 0.157_299_207_050_285_13),
            (2.5, 0.000_406_952_017_444_959),
            (3.0, 2.209_049_699_858_544e-5),
            (6.0, 2.151_973_671_249_891_3e-17),
            (-1.0, 1.842_700_792_949_715),
            (-4.0, 1.999_999_984_582_742),
        ] {
            let error: f64 = erfc(x) - expected;
            assert!(
                error.abs() < 1e-15 + 2e-13 * expected,
                "erfc({x}) = {} instead of {expected}",
                erfc(x)
            );
        }
        assert!((cdf(Z95) - 0.975).abs() < 1e-15);
        assert!((cdf(-Z95) - 0.025).abs() < 1e-15);
        assert!((ln_cdf(-1.0) - cdf(-1.0).ln()).abs() < 1e-14);
        assert!((ln_cdf(-5.0) - cdf(-5.0).ln()).abs() < 1e-13);
        assert!((ln_cdf(-40.0) - -804.608_442_013_754).abs() < 1e-9);
        assert!((cdf(f64::INFINITY), cdf(f64::NEG_INFINITY)) == (1.0, 0.0));
    }
}
