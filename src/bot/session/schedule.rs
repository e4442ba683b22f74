//! Which games may search now: the most urgent first, as many as there are threads for.

use std::collections::BTreeMap;
use std::time::Instant;

use super::Common;
use super::game::Game;
use crate::api::GameId;
use crate::search::time::Budget;

/// A game's part of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    /// Threads for its search.
    pub threads: usize,
    /// How many games want to search for each that can, at least 1.
    pub load: f64,
}

impl Share {
    /// The share of each when `wanting` games want to search, of which `at_once` can, with `threads` in all.
    fn new(wanting: usize, at_once: usize, threads: usize) -> Self {
        let running = wanting.clamp(1, at_once.max(1));
        Self {
            threads: (threads / running).max(1),
            load: (wanting as f64 / at_once.max(1) as f64).max(1.0),
        }
    }

    /// The part of a turn's time that leaves the games that wait as much of theirs.
    pub(super) fn of(self, time: Budget) -> Budget {
        Budget {
            target: time.target.div_f64(self.load),
            hard: time.hard.div_f64(self.load),
        }
    }
}

/// Begins the searches that can begin, and ponders where nothing else is to be done.
pub(super) fn schedule(games: &mut BTreeMap<GameId, Game>, common: &mut Common, now: Instant) {
    let thinking = games.values().filter(|game| game.is_thinking()).count();
    let mut waiting: Vec<_> = games
        .values_mut()
        .filter_map(|game| game.waiting().map(|due| (due.flag, due.start_by, game)))
        .collect();
    waiting.sort_by_key(|(flag, ..)| *flag);
    let wanting = thinking + waiting.len();
    let at_once = common.settings.searches_max();
    let share = Share::new(wanting, at_once, common.settings.threads);
    let mut free = at_once.saturating_sub(thinking);
    for (_, start_by, game) in waiting {
        if free > 0 || start_by <= now {
            free = free.saturating_sub(1);
            game.think(common, share, now);
        }
    }
    ponder(games, common, wanting == 0);
}

/// Lets games search while their opponents think, or stops that when threads are wanted.
fn ponder(games: &mut BTreeMap<GameId, Game>, common: &mut Common, is_free: bool) {
    let may_ponder = is_free && common.settings.play.ponder;
    let candidates = games.values().filter(|game| game.can_ponder()).count();
    let at_once = common.settings.searches_max();
    let share = Share::new(candidates, at_once, common.settings.threads);
    let mut free = if may_ponder { at_once } else { 0 };
    for game in games.values_mut() {
        if free > 0 && game.can_ponder() {
            free -= 1;
            game.ponder(common, share.threads);
        } else {
            game.stop_pondering(common);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_game_alone_has_everything_and_many_share_evenly() {
        let share = |wanting, at_once, threads| {
            let Share { threads, load } = Share::new(wanting, at_once, threads);
            (threads, load)
        };
        assert_eq!(share(1, 8, 8), (8, 1.0));
        assert_eq!(share(3, 8, 8), (2, 1.0));
        assert_eq!(share(8, 4, 8), (2, 2.0));
        assert_eq!(share(50, 1, 1), (1, 50.0));
        assert_eq!(share(0, 0, 0), (1, 1.0));
    }

    #[test]
    fn games_that_wait_shorten_the_turns_of_all() {
        let budget = Budget {
            target: Duration::from_secs(10),
            hard: Duration::from_secs(30),
        };
        let shared = Share::new(50, 1, 1).of(budget);
        assert_eq!(shared.target, Duration::from_millis(200));
        assert_eq!(shared.hard, Duration::from_millis(600));
    }
}
