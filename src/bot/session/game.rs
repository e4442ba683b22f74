//! One game of the account: follow it, think when it is the account's turn, and bring the turn to the server.

use std::time::{Duration, Instant};

use super::news::News;
use super::sending::Sending;
use super::teller::Teller;
use super::view::{GameView, outcome};
use super::{Answer, Command, Common};
use crate::api::{GameId, GameState, GameStatus, MyGame, PlayerId};
use crate::bot::backoff::{Backoff, Growth};
use crate::bot::event::Event;
use crate::bot::transport::{Remedy, Tagged, TransportError};
use crate::game::{Position, Turn};
use crate::player::Choice;
use crate::search::Limits;
use crate::search::time::{ClockView, budget};

/// When to look again at a game whose status this program does not know.
const UNKNOWN_STATUS_WAIT: Duration = Duration::from_secs(5);

pub(super) struct Game {
    id: GameId,
    me: PlayerId,
    news: News,
    teller: Teller,
    task: Task,
    /// The waits before a game is read again because the server and this program disagree about it.
    disputes: Backoff,
    /// Turns that the server called illegal at the ply.
    refused: (u16, Vec<Turn>),
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
            news: News::new(now),
            teller: Teller::default(),
            task: Task::Rest,
            disputes: Backoff::new(Growth::URGENT),
            refused: (0, Vec::new()),
        }
    }

    /// The game as a poll lists it.
    pub(super) fn on_listed(&mut self, listed: &MyGame, now: Instant) {
        let is_idle = matches!(self.task, Task::Rest);
        self.news.on_listed(listed, is_idle, now);
    }

    /// A poll does not list the game: it may be over.
    pub(super) fn on_unlisted(&mut self, now: Instant) {
        self.news.want(now);
    }

    /// The answer to a read.
    pub(super) fn on_read(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Result<Tagged<GameState>, TransportError>,
    ) -> Fate {
        match self.news.on_read(common, now, &self.id, answer) {
            Ok(Some(state)) => self.on_state(common, now, &state),
            Ok(None) => Fate::Keep,
            Err(error) => {
                self.rest(common);
                common.trouble(Some(&self.id), format!("given up: {error}"), None);
                Fate::Over
            }
        }
    }

    /// The answer to a watch.
    pub(super) fn on_watched(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Answer<Option<Tagged<GameState>>>,
    ) -> Fate {
        match self.news.on_watched(common, now, &self.id, answer) {
            Some(state) => self.on_state(common, now, &state),
            None => Fate::Keep,
        }
    }

    /// The answer to a turn.
    pub(super) fn on_turn_answer(
        &mut self,
        common: &mut Common,
        now: Instant,
        ply: u16,
        answer: Result<Tagged<GameState>, TransportError>,
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
                    if let Some(report) = choice.report {
                        self.teller.on_report(common, &self.id, ply, report);
                    }
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
                self.news.want(now);
            }
        }
        self.news.advance(common, &self.id, now);
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        let task = match &self.task {
            Task::Rest => None,
            Task::Think(thinking) => Some(thinking.overdue),
            Task::Send(sending) => sending.errand.wake(),
        };
        task.into_iter().chain(self.news.wake()).min()
    }

    /// News of the game, from whatever request.
    fn on_state(&mut self, common: &mut Common, now: Instant, state: &Tagged<GameState>) -> Fate {
        if !self.news.is_current(state) {
            return Fate::Keep;
        }
        let state = &state.value;
        let view = GameView::new(state, &self.me);
        if let Ok(view) = &view {
            self.teller.tell(common, view);
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
            self.news.want(now + UNKNOWN_STATUS_WAIT);
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

    /// Turns to what the state asks for, unless that is being done already.
    fn follow(&mut self, common: &mut Common, now: Instant, state: &GameState, view: GameView) {
        self.news.set_watching(!view.is_my_turn, now);
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
        let latency = common.latency.measured();
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
        self.news.want(now + wait);
        common.trouble(Some(&self.id), what, Some(wait));
    }
}
