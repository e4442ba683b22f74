//! What the counted games of a match say.

use std::collections::BTreeMap;
use std::time::Duration;

use super::ledger::{Ledger, Results};
use super::schedule::SideId;
use super::stats::{
    Estimate, Pentanomial, Sprt, StoppedEstimate, Undefined, Verdict, estimate_after_sprt,
    expected_pairs_to_go, pair_correlation,
};
use super::tally::{GameTally, TurnTally};
use super::termination::Termination;

/// Everything about a match between two sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Results from the view of side A.
    pub results: Results,
    /// Finished games that do not count: behind a gap in the schedule, or behind the end of the test.
    pub uncounted: usize,
    /// Strength of A over B; `None` without games.
    pub estimate: Option<Estimate>,
    /// How the games of a pair depend on each other.
    pub pair_correlation: Option<f64>,
    /// The sequential test.
    pub test: Option<TestReport>,
    /// The course of the games.
    pub games: GamesReport,
    /// What each side did, A first.
    pub sides: Vec<SideReport>,
}

/// A sequential test and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// The test.
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: Result<f64, Undefined>,
    /// What it has decided; `None`: not yet.
    pub verdict: Option<Verdict>,
    /// Strength of A over B, allowing for the early end; `None` while it runs.
    pub estimate: Option<StoppedEstimate>,
    /// Games that it still takes on average, as far as the match has them; `None` when it is over, or when too few
    /// games tell.
    pub games_to_go: Option<f64>,
}

/// The course of the games, whoever plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GamesReport {
    /// Mean score of White, 0 to 1; `None` without games.
    pub first_player_score: Option<f64>,
    /// Length in turns; `None` without games.
    pub length: Option<Spread>,
    /// How often games ended in each way.
    pub terminations: BTreeMap<Termination, u64>,
}

/// Mean, least and greatest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Least.
    pub min: u64,
    /// Greatest.
    pub max: u64,
}

/// What one side did in its counted games.
#[derive(Clone, Debug, PartialEq)]
pub struct SideReport {
    /// Which side.
    pub side: SideId,
    /// Turns played.
    pub turns: u64,
    /// Simulations per second of search; `None` if it does not report any.
    pub simulations_per_second: Option<f64>,
    /// Mean depth of its simulations.
    pub depth: Option<f64>,
    /// Time per turn; `None` without turns.
    pub time: Option<TurnTimes>,
    /// Turns that took longer than their limit.
    pub overruns: u64,
    /// Games that it lost by failing, by the way it failed.
    pub failures: BTreeMap<Termination, u64>,
}

/// Time per turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnTimes {
    /// Half of the turns took less.
    pub median: Duration,
    /// 99 % of the turns took less.
    pub p99: Duration,
    /// The longest.
    pub max: Duration,
}

impl Report {
    /// The report of a match between A and B.
    pub fn new(ledger: &Ledger) -> Self {
        let results = ledger
            .results()
            .get(&(SideId::A, SideId::B))
            .copied()
            .unwrap_or_default();
        Self {
            results,
            uncounted: ledger.uncounted(),
            estimate: results.pairs.estimate(),
            pair_correlation: pair_correlation(&results.pairs, &results.games),
            test: ledger
                .sprt()
                .map(|sprt| TestReport::new(sprt, ledger, &results)),
            games: GamesReport::new(ledger.counted()),
            sides: side_reports(ledger),
        }
    }
}

/// The reports of all sides, A first.
pub fn side_reports(ledger: &Ledger) -> Vec<SideReport> {
    let sides = ledger.schedule().sides();
    sides
        .map(|side| SideReport::new(side, ledger.counted()))
        .collect()
}

impl TestReport {
    fn new(sprt: &Sprt, ledger: &Ledger, results: &Results) -> Self {
        let is_spent = || (ledger.missing() == 0).then_some(Verdict::Inconclusive);
        let verdict = ledger.verdict().or_else(is_spent);
        let estimate = || estimate_after_sprt(&results.pairs, sprt).ok().flatten();
        Self {
            sprt: *sprt,
            llr: results.pairs.llr(sprt.hypotheses()),
            verdict,
            estimate: verdict.and_then(|_| estimate()),
            games_to_go: match verdict {
                Some(_) => None,
                None => expected_games(ledger, sprt, &results.pairs),
            },
        }
    }
}

/// Games that a test still takes on average, beyond those that are finished.
pub(super) fn expected_games(ledger: &Ledger, sprt: &Sprt, pairs: &Pentanomial) -> Option<f64> {
    // Games that are finished but do not count yet are among those to come.
    let ahead = ledger.uncounted() as f64;
    let budget = (ledger.missing() as f64 + ahead) / 2.0;
    let pairs = expected_pairs_to_go(pairs, sprt, budget)?;
    Some((2.0 * pairs - ahead).max(0.0))
}

impl GamesReport {
    /// The course of these games.
    pub fn new<'a>(games: impl Iterator<Item = &'a GameTally>) -> Self {
        let mut terminations = BTreeMap::new();
        let mut lengths = Vec::new();
        let mut half_points = 0;
        for game in games {
            *terminations.entry(game.termination).or_default() += 1;
            lengths.push(game.length);
            half_points += game.half_points(game.white);
        }
        let count = lengths.len() as f64;
        Self {
            first_player_score: (!lengths.is_empty()).then(|| half_points as f64 / 2.0 / count),
            length: Spread::of(&lengths),
            terminations,
        }
    }
}

impl Spread {
    fn of(numbers: &[u64]) -> Option<Self> {
        Some(Self {
            mean: numbers.iter().sum::<u64>() as f64 / numbers.len() as f64,
            min: *numbers.iter().min()?,
            max: *numbers.iter().max()?,
        })
    }
}

impl SideReport {
    fn new<'a>(side: SideId, games: impl Iterator<Item = &'a GameTally>) -> Self {
        let mut failures = BTreeMap::new();
        let mut all = TurnTally::default();
        for (game, turns) in games.filter_map(|game| Some((game, game.turns_of(side)?))) {
            all.add(turns);
            let is_lost = game.winner.is_some_and(|winner| winner != side);
            if is_lost && game.termination.is_failure() {
                *failures.entry(game.termination).or_default() += 1;
            }
        }
        let simulations = all.simulations as f64;
        Self {
            side,
            turns: all.elapsed_us.len() as u64,
            simulations_per_second: (all.searched_us > 0)
                .then(|| simulations / all.searched_us as f64 * 1e6),
            depth: (all.depth_sum > 0.0).then(|| all.depth_sum / simulations),
            time: TurnTimes::of(all.elapsed_us),
            overruns: all.overruns,
            failures,
        }
    }
}

impl TurnTimes {
    fn of(mut micros: Vec<u32>) -> Option<Self> {
        micros.sort_unstable();
        let at = |share: f64| {
            let index = (share * micros.len() as f64).ceil() as usize;
            let micros = micros.get(index.saturating_sub(1));
            micros.map(|micros| Duration::from_micros(u64::from(*micros)))
        };
        Some(Self {
            median: at(0.5)?,
            p99: at(0.99)?,
            max: at(1.0)?,
        })
    }
}
