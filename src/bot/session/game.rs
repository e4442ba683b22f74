//! One game of the account: follow it, think when it is the account's turn, and bring the turn to the server.

use std::time::{Duration, Instant};

use super::sending::Sending;
use super::view::{GameView, outcome};
use super::{Command, Common, Request};
use crate::api::{GameId, GameState, GameStatus, MyGame, PlayerId};
use crate::bot::backoff::{Backoff, Growth};
use crate::bot::errand::Errand;
use crate::bot::event::{Event, PlayedTurn};
use crate::bot::transport::{Remedy, TransportError};
use crate::game::{Position, Turn};
use crate::player::Choice;
use crate::search::time::{ClockView, Latency, budget};
use crate::search::{Limits, SearchReport};

/// When to look again at a game whose status this program does not know.
const UNKNOWN_STATUS_WAIT: Duration = Duration::from_secs(5);

pub(super) struct Game {
    id: GameId,
    me: PlayerId,
    /// Version of the newest state seen; older ones that arrive late are ignored.
    version: Option<u64>,
    /// How many turns the watchers know; `None` until they know of the game.
    told: Option<usize>,
    read: Errand,
    task: Task,
    /// The waits before a game is read again because the server and this program disagree about it.
    disputes: Backoff,
    /// Turns that the server called illegal at the ply.
    refused: (u16, Vec<Turn>),
    /// What the last search found, and at which ply.
    report: Option<(u16, SearchReport)>,
}

enum Task {
    /// Nothing to do as far as is known.
    Rest,
    Think(Thinking),
    Send(Sending),
}

struct Thinking {
    position: Position,
    /// When the flag falls.
    flag: Instant,
    /// When any legal turn is better than waiting longer for the search.
    overdue: Instant,
}

/// What becomes of a game after news of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It goes on.
    Keep,
    /// There is nothing left to do for it.
    Over,
}

impl Game {
    /// A game of `me` that has to be read first.
    pub(super) fn new(id: GameId, me: PlayerId, now: Instant) -> Self {
        Self {
            id,
            me,
            version: None,
            told: None,
            read: Errand::due(Growth::URGENT, now),
            task: Task::Rest,
            disputes: Backoff::new(Growth::URGENT),
            refused: (0, Vec::new()),
            report: None,
        }
    }

    /// The game as a poll lists it.
    pub(super) fn on_listed(&mut self, listed: &MyGame, now: Instant) {
        let is_newer = self.version.is_none_or(|known| listed.version > known);
        let is_answer_coming =
            matches!(&self.task, Task::Send(sending) if sending.errand.is_sent());
        let is_resting = matches!(self.task, Task::Rest) && self.read.wake().is_none();
        let is_forgotten = self.version == Some(listed.version) && listed.my_turn && is_resting;
        if (is_newer && !is_answer_coming) || is_forgotten {
            self.read.want(now);
        }
    }

    /// A poll does not list the game: it may be over.
    pub(super) fn on_unlisted(&mut self, now: Instant) {
        self.read.want(now);
    }

    /// The answer to a read.
    pub(super) fn on_read(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Result<GameState, TransportError>,
    ) -> Fate {
        let error = match answer {
            Ok(state) => {
                self.read.done();
                return self.on_state(common, now, &state);
            }
            Err(error) => error,
        };
        match error.remedy() {
            Remedy::TryAgain { asked } => {
                let wait = self.read.fail(now, asked, &mut common.random);
                common.trouble(Some(&self.id), format!("reading it: {error}"), Some(wait));
                Fate::Keep
            }
            Remedy::Drop | Remedy::ReadAgain | Remedy::PlayAnother | Remedy::BadToken => {
                self.rest(common);
                common.trouble(Some(&self.id), format!("given up: {error}"), None);
                Fate::Over
            }
        }
    }

    /// The answer to a turn.
    pub(super) fn on_turn_answer(
        &mut self,
        common: &mut Common,
        now: Instant,
        ply: u16,
        answer: Result<GameState, TransportError>,
    ) -> Fate {
        let error = match answer {
            Ok(state) => {
                if matches!(&self.task, Task::Send(sending) if sending.ply == ply) {
                    self.task = Task::Rest;
                    self.disputes.reset();
                }
                return self.on_state(common, now, &state);
            }
            Err(error) => error,
        };
        let Task::Send(sending) = &mut self.task else {
            return Fate::Keep;
        };
        if sending.ply != ply {
            return Fate::Keep;
        }
        match error.remedy() {
            Remedy::TryAgain { asked } => {
                let wait = sending.try_again(common, now, asked);
                let what = format!("sending {}: {error}", sending.turn);
                common.trouble(Some(&self.id), what, Some(wait));
            }
            Remedy::PlayAnother => {
                let turn = sending.turn.clone();
                let what = format!("sending {turn} in `{}`: {error}", sending.before);
                self.dispute(common, now, what);
                if self.refused.0 != ply {
                    self.refused = (ply, Vec::new());
                }
                self.refused.1.push(turn);
            }
            Remedy::ReadAgain | Remedy::Drop | Remedy::BadToken => {
                let what = format!("sending {}: {error}", sending.turn);
                self.dispute(common, now, what);
            }
        }
        Fate::Keep
    }

    /// The end of a search, or why it failed.
    pub(super) fn on_thought(
        &mut self,
        common: &mut Common,
        now: Instant,
        ply: u16,
        choice: Result<Choice, String>,
    ) {
        let Task::Think(thinking) = &self.task else {
            return;
        };
        if thinking.position.ply() != ply {
            return;
        }
        let (position, flag) = (thinking.position, thinking.flag);
        let problem = match choice {
            Ok(choice) => match position.play_turn(&choice.turn) {
                Ok(_) => {
                    self.report = choice.report.map(|report| (ply, report));
                    self.task = Task::Send(Sending::new(&position, choice.turn, flag, now));
                    return;
                }
                Err(error) => format!("the search chose {}: {error}", choice.turn),
            },
            Err(problem) => format!("the search failed: {problem}"),
        };
        common.trouble(Some(&self.id), problem, None);
        self.send_any(&position, flag, now);
    }

    /// Does what is due.
    pub(super) fn advance(&mut self, common: &mut Common, now: Instant) {
        if let Task::Think(thinking) = &self.task
            && thinking.overdue <= now
        {
            let (position, flag) = (thinking.position, thinking.flag);
            let what = "the search overran its time".to_owned();
            common.trouble(Some(&self.id), what, None);
            self.rest(common);
            self.send_any(&position, flag, now);
        }
        if let Task::Send(sending) = &mut self.task
            && sending.errand.start(now)
        {
            if sending.flag > now {
                let request = sending.request(self.id.clone(), common, now);
                common.ask(request);
            } else {
                // The flag has fallen; only the server can tell what came of it.
                self.task = Task::Rest;
                self.read.want(now);
            }
        }
        if self.read.start(now) {
            let game = self.id.clone();
            common.ask(Request::Read { game });
        }
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        let task = match &self.task {
            Task::Rest => None,
            Task::Think(thinking) => Some(thinking.overdue),
            Task::Send(sending) => sending.errand.wake(),
        };
        task.into_iter().chain(self.read.wake()).min()
    }

    /// News of the game from a read or from the answer to a turn.
    fn on_state(&mut self, common: &mut Common, now: Instant, state: &GameState) -> Fate {
        if self.version.is_some_and(|known| state.version < known) {
            return Fate::Keep;
        }
        self.version = Some(state.version);
        let view = GameView::new(state, &self.me);
        if let Ok(view) = &view {
            self.tell(common, view);
        }
        if state.status == GameStatus::Finished {
            self.rest(common);
            common.tell(Event::GameFinished {
                game: self.id.clone(),
                outcome: outcome(state),
            });
            return Fate::Over;
        }
        if state.status == GameStatus::Unknown {
            self.read.want(now + UNKNOWN_STATUS_WAIT);
        }
        match view {
            Ok(view) => self.follow(common, now, state, view),
            Err(error) => {
                let what = format!("not played on, its state does not hold: {error}");
                self.dispute(common, now, what);
            }
        }
        Fate::Keep
    }

    /// Tells the watchers what they do not know yet.
    fn tell(&mut self, common: &mut Common, view: &GameView) {
        let told = self.told.unwrap_or_else(|| {
            common.tell(Event::GameStarted(view.info.clone()));
            0
        });
        let mut before = view.info.initial;
        for (index, (turn, position)) in view.turns.iter().enumerate() {
            if index >= told {
                let ply = before.ply();
                let report = self
                    .report
                    .take_if(|(at, report)| *at == ply && report.turn == *turn);
                common.tell(Event::TurnPlayed(PlayedTurn {
                    game: self.id.clone(),
                    ply,
                    by: before.side(),
                    turn: turn.clone(),
                    position: *position,
                    report: report.map(|(_, report)| report),
                    clocks: view.clocks,
                }));
            }
            before = *position;
        }
        self.told = Some(view.turns.len());
    }

    /// Turns to what the state asks for, unless that is being done already.
    fn follow(&mut self, common: &mut Common, now: Instant, state: &GameState, view: GameView) {
        let ply = view.position.ply();
        let is_at_it = match &self.task {
            Task::Rest => false,
            Task::Think(thinking) => thinking.position.ply() == ply,
            Task::Send(sending) => sending.ply == ply,
        };
        if view.is_my_turn && is_at_it {
            return;
        }
        self.rest(common);
        if !view.is_my_turn {
            return;
        }
        let remaining = state
            .clock
            .deadline_at
            .and_then(|at| common.server_clock.until(at, now))
            .unwrap_or(view.clocks[view.info.me]);
        if self.refused.0 == ply && !self.refused.1.is_empty() {
            self.send_any(&view.position, now + remaining, now);
        } else {
            let clock = ClockView {
                remaining,
                increment: Duration::from_millis(state.clock.increment_ms),
            };
            self.think(common, now, view.position, clock);
        }
    }

    fn think(&mut self, common: &mut Common, now: Instant, position: Position, clock: ClockView) {
        let latency = Latency {
            median: common.latency.median(),
            p99: common.latency.p99(),
        };
        let time = budget(&common.settings.time, &position, clock, latency);
        common.send(Command::Think {
            game: self.id.clone(),
            position: Box::new(position),
            limits: Limits {
                time: Some(time),
                simulations: common.settings.simulations,
            },
        });
        // Half of what the search leaves of the clock is for a search that is late.
        let late = clock.remaining.saturating_sub(time.hard) / 2;
        self.task = Task::Think(Thinking {
            position,
            flag: now + clock.remaining,
            overdue: now + time.hard + late,
        });
    }

    /// Sends any legal turn that the server has not refused: there is nothing better at hand.
    fn send_any(&mut self, position: &Position, flag: Instant, now: Instant) {
        let refused: &[Turn] = match &self.refused {
            (ply, turns) if *ply == position.ply() => turns,
            _ => &[],
        };
        let legal = position.legal_turns(&[], refused.len() + 1);
        let turn = legal
            .unwrap_or_default()
            .into_iter()
            .find(|turn| !refused.contains(turn));
        self.task = match turn {
            Some(turn) => Task::Send(Sending::new(position, turn, flag, now)),
            None => Task::Rest,
        };
    }

    /// Gives up what is being done.
    fn rest(&mut self, common: &mut Common) {
        if matches!(self.task, Task::Think(_)) {
            let game = self.id.clone();
            common.send(Command::StopThinking { game });
        }
        self.task = Task::Rest;
    }

    /// The server and this program disagree: stop, and read the game again.
    fn dispute(&mut self, common: &mut Common, now: Instant, what: String) {
        self.rest(common);
        let wait = self.disputes.next_wait(None, &mut common.random);
        self.read.want(now + wait);
        common.trouble(Some(&self.id), what, Some(wait));
    }
}
