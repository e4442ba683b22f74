//! Counts games in the order in which they are scheduled, whatever the order in which they end.
//!
//! Short games end first, and if those were counted first, a test that stops early would see more of them than there
//! are. So a pair counts only when all pairs before it do.

use std::collections::BTreeMap;

use super::record::GameLine;
use super::schedule::{Schedule, SideId};
use super::stats::{Pentanomial, Sprt, Trinomial, Verdict};
use super::tally::GameTally;

/// All finished games of a match.
pub struct Ledger {
    schedule: Schedule,
    sprt: Option<Sprt>,
    games: BTreeMap<u64, GameTally>,
    /// The pairs of the schedule that count.
    counted: Vec<u64>,
    results: BTreeMap<(SideId, SideId), Results>,
    verdict: Option<Verdict>,
}

/// Counted results between two sides, from the view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games.
    pub games: Trinomial,
    /// Pairs of games.
    pub pairs: Pentanomial,
}

impl Ledger {
    /// A ledger without games.
    pub fn new(schedule: Schedule, sprt: Option<Sprt>) -> Self {
        let results = schedule
            .pairings()
            .into_iter()
            .map(|pairing| (pairing, Results::default()));
        Self {
            schedule,
            sprt,
            games: BTreeMap::new(),
            counted: Vec::new(),
            results: results.collect(),
            verdict: None,
        }
    }

    /// Takes in a finished game. A game that it has already is left out.
    pub fn add(&mut self, game: &GameLine) {
        self.games.entry(game.game).or_insert_with(|| game.into());
        let mut pairs = self.schedule.pairs().skip(self.counted.len());
        while self.verdict.is_none()
            && let Some(pair) = pairs.next()
            && self.has(2 * pair)
            && self.has(2 * pair + 1)
        {
            self.count(pair);
        }
    }

    /// Whether a game is finished.
    pub fn has(&self, number: u64) -> bool {
        self.games.contains_key(&number)
    }

    fn count(&mut self, pair: u64) {
        self.counted.push(pair);
        let pairing = self.schedule.pairing_of(pair);
        let points =
            [2 * pair, 2 * pair + 1].map(|number| self.games[&number].half_points(pairing.0));
        let results = self.results.entry(pairing).or_default();
        points.iter().for_each(|points| results.games.add(*points));
        results.pairs.add(points.iter().sum());
        if let Some(sprt) = &self.sprt
            && let Ok(llr) = results.pairs.llr(sprt.hypotheses())
        {
            self.verdict = sprt.verdict(llr);
        }
    }

    /// Results of each two sides.
    pub fn results(&self) -> &BTreeMap<(SideId, SideId), Results> {
        &self.results
    }

    /// The counted games, in schedule order.
    pub fn counted(&self) -> impl Iterator<Item = &GameTally> {
        self.counted
            .iter()
            .flat_map(|pair| [2 * pair, 2 * pair + 1])
            .map(|number| &self.games[&number])
    }

    /// All finished games.
    pub fn finished(&self) -> usize {
        self.games.len()
    }

    /// Finished games that do not count: behind a gap, or behind the end of the test.
    pub fn uncounted(&self) -> usize {
        self.games.len() - 2 * self.counted.len()
    }

    /// What the test has decided.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The test.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Games of the schedule that are not finished.
    pub fn missing(&self) -> usize {
        self.schedule
            .numbers()
            .filter(|number| !self.has(*number))
            .count()
    }
}
