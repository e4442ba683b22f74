//! Student's distribution, for means of few numbers.

/// Upper 2.5 % points for 1 to 30 degrees of freedom (Abramowitz and Stegun, table 26.10).
const T95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The mean of independent numbers, as an interval in which the true one lies in 95 of 100 cases; `None` for fewer than
/// two.
pub fn mean_interval(numbers: &[f64]) -> Option<super::Interval> {
    let degrees = numbers.len().checked_sub(1)?;
    let t = T95[degrees.checked_sub(1)?.min(T95.len() - 1)];
    let count = numbers.len() as f64;
    let value = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|x| (x - value).powi(2)).sum();
    let error = t * (squares / degrees as f64 / count).sqrt();
    Some(super::Interval {
        value,
        low: value - error,
        high: value + error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_numbers_have_wide_intervals() {
        assert_eq!(mean_interval(&[]), None);
        assert_eq!(mean_interval(&[1.0]), None);
        let interval = mean_interval(&[1.0, 3.0]).unwrap();
        assert_eq!(interval.value, 2.0);
        assert!((interval.half_width() - 12.706).abs() < 1e-12);
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        // The deviation of these is 1.291, that of their mean half of it.
        assert!((interval.half_width() - 3.182 * 0.645_497).abs() < 1e-5);
    }
}
