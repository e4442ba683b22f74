use crate::arena::tune::spsa::Gains;
use crate::setting::Kind;
use crate::settings;

/// How settings are tuned; section `[tune]` of the config. Limits, openings and the sequential test are those of
/// `[match]`.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneConfig {
    /// Games that look for the best values.
    pub games: u64,
    /// Independent runs that the games are shared out to.
    pub chains: u64,
    /// Pairs of games between two movements of the values.
    pub batch: u64,
    /// Movement of a value for the games of a run: see [`super::Course::r_end`].
    pub gain: f64,
    /// A of the step sizes, as a part of the pairs of a run.
    pub a_ratio: f64,
    /// Exponent of the movement.
    pub alpha: f64,
    /// Exponent of the perturbation.
    pub gamma: f64,
    /// Most games of the match between the tuned and the present values.
    pub verify_games: u64,
    /// Games of each match of a sensitivity run.
    pub sensitivity_games: u64,
}

impl Default for TuneConfig {
    fn default() -> Self {
        Self {
            games: 2000,
            chains: 4,
            batch: 4,
            gain: 40.0,
            a_ratio: 0.1,
            alpha: 0.602,
            gamma: 0.101,
            verify_games: 4000,
            sensitivity_games: 200,
        }
    }
}

impl TuneConfig {
    /// How the steps shrink.
    pub const fn gains(&self) -> Gains {
        Gains {
            a_ratio: self.a_ratio,
            alpha: self.alpha,
            gamma: self.gamma,
        }
    }
}

settings!(TuneConfig {
    games: Kind::Int { min: 8, max: 10_000_000 },
        "Games that look for the best values: pairs of games for each of the chains.";
    chains: Kind::Int { min: 2, max: 64 },
        "Independent runs that the games are shared out to. Their spread gives the error of the estimate; more of them \
         give a better error and a slower search.";
    batch: Kind::Int { min: 1, max: 1000 },
        "Pairs of games of a chain between two movements of the values. At most 2 * chains * batch games can be played at \
         the same time.";
    gain: Kind::Float { min: 0.1, max: 1000.0 },
        "How far the values follow the results. At the end of a chain, a game won more than lost moves each value by its \
         perturbation times this, divided by the chain's pairs (at most 0.3). More finds a far optimum sooner, less is \
         calmer.";
    a_ratio: Kind::Float { min: 0.0, max: 1.0 },
        "SPSA: A, which keeps the first movements small, as a part of a chain's pairs.";
    alpha: Kind::Float { min: 0.0, max: 2.0 },
        "SPSA: exponent by which movements shrink.";
    gamma: Kind::Float { min: 0.0, max: 1.0 },
        "SPSA: exponent by which perturbations shrink.";
    verify_games: Kind::Int { min: 2, max: 1_000_000 },
        "Most games of the match between the tuned and the present values, an even number. It is a sequential test with \
         the hypotheses of [match].";
    sensitivity_games: Kind::Int { min: 2, max: 1_000_000 },
        "Games of each match of `tune sensitivity`, an even number.";
});
