//! What the games of a run say of the best values, and how sure that is.

use super::chain::{Chain, Step, net_wins};
use super::parameter::{Domain, NumberDomain, Parameter};
use super::slope::{Crossing, Sample, crossing};
use super::tuning::Tuning;
use crate::arena::stats::{Interval, Pentanomial, Z95, mean_interval};
use crate::setting::Value;

/// The estimate of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The value to take.
    pub value: Value,
    /// How sure that is.
    pub finding: Finding,
}

/// What is known of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Of a number.
    Number(NumberFinding),
    /// Of a word: for each other word, how much stronger it is than the present one; `None` without games.
    Words(Vec<(Value, Option<Interval>)>),
}

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberFinding {
    /// The range in which the best value lies in 95 of 100 cases; `None`: the games do not tell.
    pub range: Option<(f64, f64)>,
    /// Elo that is lost on average by not knowing the value better; `None` where there is no range.
    pub cost: Option<f64>,
    /// Whether the value lies at an end of what is tried, so that the best one may lie beyond.
    pub is_at_end: bool,
}

/// What may be lost without tuning any longer.
const SETTLED_ELO: f64 = 3.0;

/// How far a parameter is tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// Enough is known.
    Settled,
    /// So many times as many games would settle it.
    Narrowing(f64),
    /// The best value lies at an end of what is tried, or beyond.
    AtEnd,
    /// The games do not tell a best value.
    Unknown,
}

impl Estimate {
    /// How far it is tuned.
    pub fn progress(&self) -> Progress {
        match &self.finding {
            Finding::Number(number) => match number.cost {
                Some(cost) if cost <= SETTLED_ELO => Progress::Settled,
                _ if number.is_at_end => Progress::AtEnd,
                None => Progress::Unknown,
                // The square of the error shrinks with the number of games, and the cost is as the square.
                Some(cost) => Progress::Narrowing(cost / SETTLED_ELO),
            },
            Finding::Words(words) => {
                let decided = |elo: &Interval| elo.low > 0.0 || elo.high < 0.0;
                let all = words
                    .iter()
                    .all(|(_, elo)| elo.as_ref().is_some_and(decided));
                if all {
                    Progress::Settled
                } else {
                    Progress::Unknown
                }
            }
        }
    }
}

impl Tuning {
    /// The estimates of all parameters, by the games so far.
    pub fn estimates(&self) -> Vec<Estimate> {
        let parameters = &self.design().parameters;
        let mut axis = 0;
        let mut estimates = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            estimates.push(match &parameter.domain {
                Domain::Number(domain) => {
                    axis += 1;
                    NumberView {
                        chains: self.chains(),
                        index,
                        axis: axis - 1,
                        domain,
                    }
                    .estimate()
                }
                Domain::Words { others, .. } => words(self.chains(), index, parameter, others),
            });
        }
        estimates
    }
}

/// One number in all chains.
struct NumberView<'a> {
    chains: &'a [Chain],
    /// Among the parameters.
    index: usize,
    /// Among the numbers.
    axis: usize,
    domain: &'a NumberDomain,
}

impl NumberView<'_> {
    /// The value is the mean over the second halves of all chains (Polyak and Juditsky, "Acceleration of stochastic
    /// approximation by averaging", 1992). Two things tell its error: the spread of the chains, which know nothing of one
    /// another (Student's t), and where results say that strength falls off ([`crossing`]). The spread alone would be too
    /// small while all chains are still on their way from the same start, so both must be covered.
    fn estimate(&self) -> Estimate {
        let means: Vec<f64> = self
            .chains
            .iter()
            .filter_map(|chain| self.late_mean(chain))
            .collect();
        let axis = self.domain.axis(0.0);
        let place = match means.is_empty() {
            true => axis.start,
            false => means.iter().sum::<f64>() / means.len() as f64,
        };
        let crossing = crossing(self.samples());
        let range = crossing.map(|crossing| {
            let spread = mean_interval(&means);
            let low = spread.map_or(place, |spread| spread.low).min(crossing.low);
            let high = spread
                .map_or(place, |spread| spread.high)
                .max(crossing.high);
            (low.max(axis.min), high.min(axis.max))
        });
        Estimate {
            value: self.domain.written(place),
            finding: Finding::Number(NumberFinding {
                range: range.map(|(low, high)| {
                    (self.domain.scale.value(low), self.domain.scale.value(high))
                }),
                cost: range
                    .zip(crossing)
                    .map(|(range, crossing)| cost(range, place, &crossing)),
                is_at_end: place - axis.min < axis.c_end || axis.max - place < axis.c_end,
            }),
        }
    }

    /// Mean place over the second half of what a chain has played.
    fn late_mean(&self, chain: &Chain) -> Option<f64> {
        let late = chain
            .steps()
            .iter()
            .filter(|step| 2 * step.done > chain.done());
        let places: Vec<f64> = late.map(|step| step.theta[self.axis]).collect();
        (!places.is_empty()).then(|| places.iter().sum::<f64>() / places.len() as f64)
    }

    fn samples(&self) -> impl Iterator<Item = Sample> {
        let sample = |step: &Step| {
            Some(Sample {
                plus: self.domain.place_of(&step.plus[self.index])?,
                minus: self.domain.place_of(&step.minus[self.index])?,
                pairs: step.results.total() as f64,
                net_wins: net_wins(&step.results) as f64,
            })
        };
        self.chains.iter().flat_map(Chain::steps).filter_map(sample)
    }
}

/// Elo lost on average when the true place is scattered over the range.
fn cost((low, high): (f64, f64), place: f64, crossing: &Crossing) -> f64 {
    let error = (high - place).max(place - low) / Z95;
    crossing.curvature * error.powi(2)
}

/// Each other word against the present one; the strongest is taken that is surely stronger.
fn words(chains: &[Chain], index: usize, parameter: &Parameter, others: &[String]) -> Estimate {
    let elo = |word: &Value| {
        let mut results = Pentanomial::default();
        for step in chains.iter().flat_map(Chain::steps) {
            if step.plus[index] == *word {
                results = results + step.results;
            } else if step.minus[index] == *word {
                results = results + step.results.reversed();
            }
        }
        results.estimate().map(|estimate| estimate.elo)
    };
    let others = others.iter().map(|word| parameter.word(word));
    let found: Vec<_> = others
        .map(|word| (elo(&word), word))
        .map(|(elo, word)| (word, elo))
        .collect();
    let stronger = found.iter().filter_map(|(word, elo)| Some((word, (*elo)?)));
    let best = stronger
        .filter(|(_, elo)| elo.low > 0.0)
        .max_by(|a, b| a.1.value.total_cmp(&b.1.value));
    Estimate {
        value: best.map_or_else(|| parameter.current(), |(word, _)| word.clone()),
        finding: Finding::Words(found),
    }
}
