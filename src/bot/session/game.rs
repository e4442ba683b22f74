//! One game of the account: what the server says of it, and what that asks for.

mod turn;

use std::sync::Arc;
use std::time::{Duration, Instant};

use self::turn::Searches;
use super::news::News;
use super::protocol::Ending;
use super::resignation::Resignation;
use super::task::{Due, EndErrand, Task};
use super::teller::Teller;
use super::view::{GameView, outcome};
use super::{Answer, Command, Common, SessionSettings};
use crate::api::{GameId, GameState, GameStatus, MyGame, PlayerId};
use crate::bot::backoff::{Backoff, Growth};
use crate::bot::event::Event;
use crate::bot::transport::{Remedy, Tagged, TransportError};
use crate::game::{Position, Turn};

/// When to look again at a game whose status this program does not know.
const UNKNOWN_STATUS_WAIT: Duration = Duration::from_secs(5);
/// A game can be called off as long as fewer turns have been played.
const ABORTABLE_BEFORE_PLY: u16 = 2;

pub(super) struct Game {
    id: GameId,
    me: PlayerId,
    /// Those in effect when the game began.
    settings: Arc<SessionSettings>,
    news: News,
    teller: Teller,
    task: Task,
    searches: Searches,
    resignation: Resignation,
    /// Where the opponent is to move, as far as is known.
    opponent_to_move: Option<Position>,
    /// When an opponent who has never moved is waited for no longer.
    no_show_at: Option<Instant>,
    /// Whether it came beyond the account's places, to be called off if that is still possible.
    is_surplus: bool,
    /// The waits before a game is read again because the server and this program disagree about it.
    disputes: Backoff,
    /// Turns that the server called illegal at the ply.
    refused: (u16, Vec<Turn>),
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
    /// A game of `me` that has to be read first. `is_surplus`: there is no place for it.
    pub(super) fn new(
        id: GameId,
        me: PlayerId,
        settings: Arc<SessionSettings>,
        is_surplus: bool,
        now: Instant,
    ) -> Self {
        Self {
            id,
            me,
            settings,
            news: News::new(now),
            teller: Teller::default(),
            task: Task::Rest,
            searches: Searches::default(),
            resignation: Resignation::default(),
            opponent_to_move: None,
            no_show_at: None,
            is_surplus,
            disputes: Backoff::new(Growth::URGENT),
            refused: (0, Vec::new()),
        }
    }

    /// Whether its news comes at once, without polls.
    pub(super) fn is_watched_well(&self) -> bool {
        self.news.is_reliable()
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
        tag: &str,
        answer: Answer<Option<Tagged<GameState>>>,
    ) -> Fate {
        if !self.news.is_watching_from(tag) {
            return match answer.result {
                Ok(Some(state)) => self.on_state(common, now, &state),
                _ => Fate::Keep,
            };
        }
        match self.news.on_watched(common, now, &self.id, answer) {
            Some(state) => self.on_state(common, now, &state),
            None => Fate::Keep,
        }
    }

    /// The answer to the wish to end the game.
    pub(super) fn on_ended(
        &mut self,
        common: &mut Common,
        now: Instant,
        how: Ending,
        answer: Result<Tagged<GameState>, TransportError>,
    ) -> Fate {
        let error = match answer {
            Ok(state) => return self.on_state(common, now, &state),
            Err(error) => error,
        };
        let Task::End(end) = &mut self.task else {
            return Fate::Keep;
        };
        let what = match how {
            Ending::Abort => format!("calling it off: {error}"),
            Ending::Resign => format!("resigning: {error}"),
        };
        if let Remedy::TryAgain { asked } = error.remedy() {
            let wait = end.errand.fail(now, asked, &mut common.random);
            common.trouble(Some(&self.id), what, Some(wait));
        } else {
            // Too late for it: the game is played on.
            self.is_surplus = false;
            self.dispute(common, now, what);
        }
        Fate::Keep
    }

    /// Ends the game instead of playing it out: called off if that is possible, else given up.
    pub(super) fn end(&mut self, common: &mut Common, now: Instant) {
        let how = match self.teller.turns_told() {
            Some(turns) if turns < usize::from(ABORTABLE_BEFORE_PLY) => Ending::Abort,
            _ => Ending::Resign,
        };
        self.end_by(common, how, now);
    }

    fn end_by(&mut self, common: &mut Common, how: Ending, now: Instant) {
        self.rest(common);
        self.no_show_at = None;
        self.task = Task::End(EndErrand::new(how, now));
    }

    /// Does what is due.
    pub(super) fn advance(&mut self, common: &mut Common, now: Instant) {
        if self.no_show_at.is_some_and(|at| at <= now) {
            let what = "called off: the opponent does not begin".to_owned();
            common.trouble(Some(&self.id), what, None);
            self.end_by(common, Ending::Abort, now);
        }
        self.advance_turn(common, now);
        if let Task::End(end) = &mut self.task
            && end.errand.start(now)
        {
            let request = end.request(self.id.clone());
            common.ask(request);
        }
        self.news.advance(common, &self.id, now);
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        let parts = [self.task.wake(), self.news.wake(), self.no_show_at];
        parts.into_iter().flatten().min()
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
        let is_abortable = ply < ABORTABLE_BEFORE_PLY;
        match &self.task {
            Task::End(end) if end.how == Ending::Resign || is_abortable => return,
            task if view.is_my_turn && task.ply() == Some(ply) => return,
            _ => {}
        }
        if std::mem::take(&mut self.is_surplus) && is_abortable {
            return self.end_by(common, Ending::Abort, now);
        }
        self.rest(common);
        let is_active = state.status == GameStatus::Active;
        self.opponent_to_move = (is_active && !view.is_my_turn).then_some(view.position);
        if self.opponent_to_move.is_some() {
            self.news.set_clock(view.clocks[view.info.me], now);
        }
        self.await_first_turn(now, is_abortable && self.opponent_to_move.is_some());
        if view.is_my_turn {
            let remaining = state
                .clock
                .deadline_at
                .and_then(|at| common.server_clock.until(at, now))
                .unwrap_or(view.clocks[view.info.me]);
            let increment = Duration::from_millis(state.clock.increment_ms);
            let flag = now + remaining;
            let due = Due::new(view.position, flag, increment, common.kept_back(), now);
            self.owe(common, due, now);
        }
    }

    fn await_first_turn(&mut self, now: Instant, is_awaited: bool) {
        let patience = Duration::from_secs(self.settings.play.first_turn_s);
        self.no_show_at = match self.no_show_at {
            _ if !is_awaited => None,
            None => Some(now + patience),
            known => known,
        };
    }

    /// Gives up what is being done.
    fn rest(&mut self, common: &mut Common) {
        if matches!(self.task, Task::Think(_)) {
            let game = self.id.clone();
            common.send(Command::StopThinking { game });
        }
        self.task = Task::Rest;
        self.stop_pondering(common);
    }

    /// The server and this program disagree: stop, and read the game again.
    fn dispute(&mut self, common: &mut Common, now: Instant, what: String) {
        self.rest(common);
        self.opponent_to_move = None;
        let wait = self.disputes.next_wait(None, &mut common.random);
        self.news.want(now + wait);
        common.trouble(Some(&self.id), what, Some(wait));
    }
}
