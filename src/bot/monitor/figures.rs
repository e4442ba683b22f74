//! The figures themselves: pure counting, every instant given from outside.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::histogram::Histogram;
use super::recent::LastMinute;
use super::watchdog::Health;
use crate::api::GameId;
use crate::bot::answered::{AnswerClass, Answered, RequestKind};
use crate::bot::event::{Event, GameInfo, PlayedTurn};
use crate::game::{Color, Outcome};
use crate::search::SearchReport;
use crate::search::time::Budget;

/// Bounds of the latencies, in seconds.
const LATENCY_BOUNDS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Bounds of the time that a search takes, as a part of what it should take.
const BUDGET_BOUNDS: &[f64] = &[0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0];

/// Everything that is counted. Counts of things that happened never fall; the rest is as it is now.
#[derive(Debug)]
pub(super) struct Figures {
    started: Instant,
    patience: Duration,
    account: Option<String>,
    last_good_poll: Option<Instant>,
    games: BTreeMap<GameId, RunningGame>,
    challenges_waiting: usize,
    requests_sent: LastMinute<()>,
    searches_done: LastMinute<(u64, Duration)>,
    pub requests: BTreeMap<(RequestKind, AnswerClass), u64>,
    pub latencies: BTreeMap<RequestKind, Histogram>,
    /// By result for the account and reason.
    pub finished: BTreeMap<(&'static str, &'static str), u64>,
    /// By the reason of a refusal, or `accepted`.
    pub challenges: BTreeMap<&'static str, u64>,
    pub searches: u64,
    pub simulations: u64,
    pub search_time: Duration,
    /// The time of each search as a part of what it should take.
    pub budget_used: Histogram,
    /// Searches that took longer than they may.
    pub overruns: u64,
    /// Searches that panicked or found nothing.
    pub failed_searches: u64,
    /// Searches that did not end, and were replaced.
    pub hung_searches: u64,
    pub troubles: u64,
    /// Taken and refused.
    pub reloads: [u64; 2],
}

/// A game that goes on.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RunningGame {
    game: GameId,
    me: &'static str,
    opponent: String,
    ply: u16,
    is_my_turn: bool,
    position: String,
    last_turn: Option<String>,
    #[serde(skip)]
    budget: Option<Budget>,
    #[serde(skip)]
    since: Instant,
}

/// The account at a glance.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// The account's name, once the server has told it.
    pub account: Option<String>,
    /// Games that go on.
    pub games: usize,
    /// Those of them in which it is the account's turn.
    pub my_turn: usize,
    /// Challenges that wait for an answer.
    pub challenges: usize,
    /// How long ago the last successful poll was.
    pub last_good_poll: Option<Duration>,
    /// Requests answered within the last minute.
    pub requests_per_minute: usize,
    /// Simulations in each second of the searches of the last minute; `None` if there were none.
    pub simulations_per_second: Option<f64>,
}

impl Figures {
    /// Nothing has happened; polls may fail for `patience`.
    pub(super) fn new(now: Instant, patience: Duration) -> Self {
        Self {
            started: now,
            patience,
            account: None,
            last_good_poll: None,
            games: BTreeMap::new(),
            challenges_waiting: 0,
            requests_sent: LastMinute::default(),
            searches_done: LastMinute::default(),
            requests: BTreeMap::new(),
            latencies: BTreeMap::new(),
            finished: BTreeMap::new(),
            challenges: BTreeMap::new(),
            searches: 0,
            simulations: 0,
            search_time: Duration::ZERO,
            budget_used: Histogram::new(BUDGET_BOUNDS),
            overruns: 0,
            failed_searches: 0,
            hung_searches: 0,
            troubles: 0,
            reloads: [0, 0],
        }
    }

    pub(super) fn see_answer(&mut self, answered: &Answered) {
        let Answered {
            request,
            class,
            trip,
            ..
        } = answered;
        *self.requests.entry((*request, *class)).or_default() += 1;
        self.requests_sent.add(trip.received, ());
        if *class != AnswerClass::Ok {
            return;
        }
        if *request == RequestKind::Poll {
            self.last_good_poll = Some(trip.received);
        }
        if !request.hangs() {
            let latencies = self.latencies.entry(*request);
            let latencies = latencies.or_insert_with(|| Histogram::new(LATENCY_BOUNDS));
            latencies.add(trip.duration().as_secs_f64());
        }
    }

    pub(super) fn see(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Connected { account } => self.account = Some(account.clone()),
            Event::Listed { challenges } => self.challenges_waiting = *challenges,
            Event::ChallengeAnswered { declined, .. } => {
                let answer = declined.map_or("accepted", |reason| reason.as_str());
                *self.challenges.entry(answer).or_default() += 1;
            }
            Event::GameStarted(info) => {
                self.games
                    .insert(info.game.clone(), RunningGame::new(info, now));
            }
            Event::Thinking(time) => {
                if let Some(game) = self.games.get_mut(&time.game) {
                    game.budget = Some(time.budget);
                }
            }
            Event::Searched { game, report, .. } => self.see_search(game, report, now),
            Event::SearchFailed { .. } => self.failed_searches += 1,
            Event::SearchHung { .. } => self.hung_searches += 1,
            Event::TurnPlayed(played) => {
                if let Some(game) = self.games.get_mut(&played.game) {
                    game.play(played, now);
                }
            }
            Event::GameFinished { game, outcome } => {
                let game = self.games.remove(game);
                let key = game.map_or(("unknown", "unknown"), |game| game.result(*outcome));
                *self.finished.entry(key).or_default() += 1;
            }
            Event::Trouble { .. } => self.troubles += 1,
            Event::GameSought { .. }
            | Event::ChallengeDeclined { .. }
            | Event::Recorded { .. }
            | Event::Stopping { .. } => {}
        }
    }

    fn see_search(&mut self, game: &GameId, report: &SearchReport, now: Instant) {
        let game = self.games.get_mut(game);
        if let Some(budget) = game.and_then(|game| game.budget.take()) {
            let target = budget.target.as_secs_f64().max(1e-3);
            self.budget_used.add(report.elapsed.as_secs_f64() / target);
            self.overruns += u64::from(report.elapsed > budget.hard);
        }
        self.searches += 1;
        self.simulations += report.simulations;
        self.search_time += report.elapsed;
        self.searches_done
            .add(now, (report.simulations, report.elapsed));
    }

    pub(super) fn count_reload(&mut self, is_taken: bool) {
        self.reloads[usize::from(!is_taken)] += 1;
    }

    /// The games that go on, each with how long it has stood where it stands.
    pub(super) fn running(&self, now: Instant) -> impl Iterator<Item = (&RunningGame, Duration)> {
        let games = self.games.values();
        games.map(move |game| (game, now.saturating_duration_since(game.since)))
    }

    /// How many games wait for the account, and how many for its opponents.
    pub(super) fn games_by_side(&self) -> [usize; 2] {
        let mine = self.games.values().filter(|game| game.is_my_turn).count();
        [mine, self.games.len() - mine]
    }

    pub(super) fn status(&mut self, now: Instant) -> Status {
        let (simulations, time) = self
            .searches_done
            .at(now)
            .fold((0, Duration::ZERO), |sum, one| {
                (sum.0 + one.0, sum.1 + one.1)
            });
        let has_searched = simulations > 0 && !time.is_zero();
        Status {
            account: self.account.clone(),
            games: self.games.len(),
            my_turn: self.games_by_side()[0],
            challenges: self.challenges_waiting,
            last_good_poll: self.poll_age(now),
            requests_per_minute: self.requests_sent.at(now).len(),
            simulations_per_second: has_searched.then(|| simulations as f64 / time.as_secs_f64()),
        }
    }

    /// How long ago the last successful poll was.
    pub(super) fn poll_age(&self, now: Instant) -> Option<Duration> {
        self.last_good_poll
            .map(|at| now.saturating_duration_since(at))
    }

    pub(super) fn health(&self, now: Instant) -> Health {
        let last = self.last_good_poll;
        let age = now.saturating_duration_since(last.unwrap_or(self.started));
        if age > self.patience {
            Health::Stale { age }
        } else {
            Health::Ok {
                age: last.map(|_| age),
            }
        }
    }

    /// How long things have been counted.
    pub(super) fn uptime(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.started)
    }
}

impl RunningGame {
    fn new(info: &GameInfo, now: Instant) -> Self {
        Self {
            game: info.game.clone(),
            me: info.me.as_str(),
            opponent: info.players[info.me.opposite()].name.clone(),
            ply: info.initial.ply(),
            is_my_turn: info.initial.side() == info.me,
            position: info.initial.to_string(),
            last_turn: None,
            budget: None,
            since: now,
        }
    }

    fn play(&mut self, played: &PlayedTurn, now: Instant) {
        self.ply = played.position.ply();
        self.is_my_turn = played.position.side().as_str() == self.me;
        self.position = played.position.to_string();
        self.last_turn = Some(played.turn.to_string());
        self.since = now;
    }

    /// What the outcome is for the account, and its reason.
    fn result(&self, outcome: Option<Outcome>) -> (&'static str, &'static str) {
        let Some(outcome) = outcome else {
            return ("unknown", "unknown");
        };
        let result = match outcome.winner.map(Color::as_str) {
            None => "drawn",
            Some(winner) if winner == self.me => "won",
            Some(_) => "lost",
        };
        (result, outcome.reason.as_str())
    }
}

#[cfg(test)]
mod tests;
