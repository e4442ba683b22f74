//! The table of a round robin.

use super::ledger::Ledger;
use super::report::{GamesReport, SideReport, side_reports};
use super::schedule::SideId;
use super::stats::{Interval, Pairing, Trinomial, bradley_terry};

/// Everything about a match between more than two sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The sides, the strongest first.
    pub rows: Vec<Standing>,
    /// Whether each two sides were given a drawn game, so that whoever has won or lost all can be rated.
    pub with_draws: bool,
    /// Finished games that do not count yet, because an earlier one is missing.
    pub uncounted: usize,
    /// The course of the games.
    pub games: GamesReport,
    /// What each side did, A first.
    pub sides: Vec<SideReport>,
}

/// One side of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Which one.
    pub side: SideId,
    /// Elo, relative to the mean of all; `None` until all have met.
    pub rating: Option<Interval>,
    /// Its games against all others.
    pub results: Trinomial,
    /// Its games against each other side, in the order of [`Standings::rows`]; `None` against itself.
    pub against: Vec<Option<Trinomial>>,
}

impl Standings {
    /// The standings by the counted games.
    pub fn new(ledger: &Ledger) -> Self {
        let sides: Vec<SideId> = ledger.schedule().sides().collect();
        let pairings = ledger
            .results()
            .iter()
            .map(|((first, second), results)| Pairing {
                first: first.index(),
                second: second.index(),
                counts: results.pairs,
            });
        let ratings = bradley_terry(sides.len(), &pairings.collect::<Vec<_>>()).ok();
        let rating = |side: SideId| ratings.as_ref().map(|ratings| ratings.elo[side.index()]);
        let mut order = sides;
        let elo = |side: SideId| rating(side).map_or(0.0, |rating| rating.value);
        order.sort_by(|a, b| elo(*b).total_cmp(&elo(*a)));
        let row = |side: SideId| {
            let against: Vec<_> = order
                .iter()
                .map(|other| games_between(ledger, side, *other))
                .collect();
            Standing {
                side,
                rating: rating(side),
                results: against
                    .iter()
                    .flatten()
                    .fold(Trinomial::default(), |sum, games| sum + *games),
                against,
            }
        };
        Self {
            rows: order.iter().map(|side| row(*side)).collect(),
            with_draws: ratings.as_ref().is_some_and(|ratings| ratings.with_draws),
            uncounted: ledger.uncounted(),
            games: GamesReport::new(ledger.counted()),
            sides: side_reports(ledger),
        }
    }
}

/// Counted games of `side` against `other`; `None` if they do not meet.
fn games_between(ledger: &Ledger, side: SideId, other: SideId) -> Option<Trinomial> {
    let results = ledger.results();
    let own_view = results.get(&(side, other)).map(|results| results.games);
    own_view.or_else(|| {
        results
            .get(&(other, side))
            .map(|results| results.games.reversed())
    })
}
