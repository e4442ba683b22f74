//! Statistics of matches: strength differences with their errors, and sequential tests.
//!
//! Pure functions of counted results. Games are counted in pairs, one opening played with both colours, because the two
//! games of a pair depend on each other: five cells instead of three. Cells without a result count as
//! [`REGULARISATION`], so that every formula has an answer as soon as there is one result. The sources of the formulas
//! are named where they stand.
//!
//! ```
//! use yinsh_bot::arena::stats::{EloModel, Hypotheses, Pentanomial, Sprt};
//! let counts = Pentanomial::new([10, 50, 120, 60, 16]);
//! let estimate = counts.estimate().unwrap();
//! assert_eq!(format!("{:.1} ± {:.1}", estimate.elo.value, estimate.elo.half_width()), "14.9 ± 19.4");
//!
//! let hypotheses = Hypotheses { elo0: 0.0, elo1: 5.0, model: EloModel::Normalized };
//! let sprt = Sprt::new(hypotheses, 0.05, 0.05).unwrap();
//! assert_eq!(format!("{:.3}", counts.llr(&hypotheses).unwrap()), "0.437");
//! assert_eq!(sprt.verdict(0.437), None);
//! ```

mod brownian;
mod counts;
mod elo;
mod length;
mod llr;
mod normal;
mod rating;
mod sprt;
mod student;

pub use brownian::{StoppedEstimate, estimate_after_sprt};
pub use counts::{Counts, Pentanomial, REGULARISATION, Trinomial, pair_correlation};
pub use elo::{Estimate, Interval, NELO_SCALE, elo_of_score, score_of_elo};
pub use length::{ExpectedLength, expected_length, expected_pairs_to_go};
pub use llr::{EloModel, Hypotheses, Undefined};
pub use normal::Z95;
pub use rating::{Pairing, RatingError, Ratings, bradley_terry};
pub use sprt::{Sprt, SprtError, Verdict};
pub use student::mean_interval;
