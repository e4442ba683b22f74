//! The account's own turns: searched, sent, and sent again until the server has them.

use std::time::{Duration, Instant};

use super::{Fate, Game};
use crate::api::{GameState, GameStatus};
use crate::bot::event::{Event, TurnTime};
use crate::bot::session::protocol::Ending;
use crate::bot::session::schedule::Share;
use crate::bot::session::sending::Sending;
use crate::bot::session::task::{Due, Task, Thinking};
use crate::bot::session::{Command, Common};
use crate::bot::transport::{Remedy, Tagged, TransportError};
use crate::game::{Position, Turn};
use crate::player::Choice;
use crate::search::time::{ClockView, budget};
use crate::search::{Limits, SearchReport};

/// After so many searches of a game in a row that failed or hung, its turns are played without any.
const FAILURES_MAX: u32 = 3;
/// After so many turns at one ply that the server calls illegal, the game is ended.
const REFUSALS_MAX: usize = 3;

/// How a game's searches fare.
#[derive(Debug, Default)]
pub(super) struct Searches {
    /// Searches in a row without a result.
    failures: u32,
    /// Whether there has been any, so that there is a tree to ponder with.
    has_searched: bool,
    /// The ply that is being pondered.
    pondered: Option<u16>,
}

impl Game {
    /// Takes up a turn that is due.
    pub(super) fn owe(&mut self, common: &mut Common, due: Due, now: Instant) {
        let ply = due.position.ply();
        let is_refused = self.refused.0 == ply && !self.refused.1.is_empty();
        if is_refused || self.searches.failures >= FAILURES_MAX {
            self.send_any(common, &due, now);
        } else {
            self.task = Task::Wait(due);
        }
    }

    /// The turn whose search waits for threads.
    pub(in crate::bot::session) fn waiting(&self) -> Option<Due> {
        match &self.task {
            Task::Wait(due) => Some(*due),
            _ => None,
        }
    }

    /// Whether a search for a turn runs.
    pub(in crate::bot::session) fn is_thinking(&self) -> bool {
        matches!(self.task, Task::Think(_))
    }

    /// Begins the search that waits.
    pub(in crate::bot::session) fn think(
        &mut self,
        common: &mut Common,
        share: Share,
        now: Instant,
    ) {
        let Some(due) = self.waiting() else {
            return;
        };
        self.stop_pondering(common);
        let clock = ClockView {
            remaining: due.flag.saturating_duration_since(now),
            increment: due.increment,
        };
        let latency = common.latency.measured();
        let params = &self.settings.time;
        let overhead = Duration::from_millis(params.overhead_ms);
        let time = share.of(budget(params, &due.position, clock, latency));
        common.tell(Event::Thinking(TurnTime {
            game: self.id.clone(),
            ply: due.position.ply(),
            clock,
            latency,
            overhead,
            budget: time,
            threads: share.threads,
        }));
        common.send(Command::Think {
            game: self.id.clone(),
            position: Box::new(due.position),
            limits: Limits {
                time: Some(time),
                simulations: self.settings.simulations,
            },
            threads: share.threads,
        });
        self.searches.has_searched = true;
        self.task = Task::Think(Thinking::new(due, time, now));
    }

    /// Whether there is anything to ponder: a position that is the newest for certain, because its change is being
    /// watched for.
    pub(in crate::bot::session) fn can_ponder(&self) -> bool {
        matches!(self.task, Task::Rest)
            && self.opponent_to_move.is_some()
            && self.news.is_watching()
            && self.searches.has_searched
    }

    /// Searches while the opponent is to move.
    pub(in crate::bot::session) fn ponder(&mut self, common: &mut Common, threads: usize) {
        let Some(position) = self.opponent_to_move else {
            return;
        };
        if self.searches.pondered.replace(position.ply()).is_none() {
            common.send(Command::Ponder {
                game: self.id.clone(),
                position: Box::new(position),
                threads,
            });
        }
    }

    /// Ends that.
    pub(in crate::bot::session) fn stop_pondering(&mut self, common: &mut Common) {
        if self.searches.pondered.take().is_some() {
            let game = self.id.clone();
            common.send(Command::StopThinking { game });
        }
    }

    /// What the search thinks so far.
    pub(in crate::bot::session) fn on_considered(&mut self, ply: u16, so_far: Box<SearchReport>) {
        if let Task::Think(thinking) = &mut self.task
            && thinking.due.position.ply() == ply
        {
            thinking.so_far = Some(so_far);
        }
    }

    /// The end of a search, or why it failed.
    pub(in crate::bot::session) fn on_thought(
        &mut self,
        common: &mut Common,
        now: Instant,
        ply: u16,
        choice: Result<Choice, String>,
    ) {
        let Task::Think(thinking) = &mut self.task else {
            return;
        };
        if thinking.due.position.ply() != ply {
            return;
        }
        let due = thinking.due;
        let so_far = thinking.so_far.take();
        match choice {
            Ok(choice) => {
                self.searches.failures = 0;
                self.choose(common, now, &due, choice);
            }
            Err(problem) => {
                self.searches.failures += 1;
                let game = self.id.clone();
                common.tell(Event::SearchFailed { game, ply, problem });
                self.choose_or_any(common, now, &due, so_far);
            }
        }
    }

    /// Ends searches that take too long, and sends the turn that is due.
    pub(super) fn advance_turn(&mut self, common: &mut Common, now: Instant) {
        if let Task::Think(thinking) = &mut self.task {
            if !thinking.is_stopped && thinking.stop_at <= now {
                thinking.is_stopped = true;
                let game = self.id.clone();
                common.send(Command::StopThinking { game });
            }
            if thinking.is_stopped && thinking.overdue <= now {
                let due = thinking.due;
                let so_far = thinking.so_far.take();
                self.replace_search(common, due.position.ply());
                self.choose_or_any(common, now, &due, so_far);
            }
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
    }

    /// The search does not return: nobody waits for it any more.
    fn replace_search(&mut self, common: &mut Common, ply: u16) {
        self.searches.failures += 1;
        let game = self.id.clone();
        common.tell(Event::SearchHung {
            game: game.clone(),
            ply,
        });
        common.send(Command::ReplaceSearch { game });
    }

    fn choose_or_any(
        &mut self,
        common: &mut Common,
        now: Instant,
        due: &Due,
        so_far: Option<Box<SearchReport>>,
    ) {
        match so_far {
            Some(report) => {
                let turn = report.turn.clone();
                let report = Some(*report);
                self.choose(common, now, due, Choice { turn, report });
            }
            None => self.send_any(common, due, now),
        }
    }

    /// Plays what a search has chosen, or gives the game up if the search has seen enough.
    fn choose(&mut self, common: &mut Common, now: Instant, due: &Due, choice: Choice) {
        let ply = due.position.ply();
        if let Err(error) = due.position.play_turn(&choice.turn) {
            let what = format!("the search chose {}: {error}", choice.turn);
            common.trouble(Some(&self.id), what, None);
            return self.send_any(common, due, now);
        }
        let published = choice.report.as_ref();
        let sending = Sending::new(&due.position, choice.turn, due.flag, now)
            .publishing(published.filter(|_| self.settings.play.publish));
        if let Some(report) = choice.report {
            let is_lost = self.resignation.is_due(&self.settings.play, ply, &report);
            self.teller.on_report(common, &self.id, ply, report);
            if is_lost {
                self.task = Task::Rest;
                return self.end_by(common, Ending::Resign, now);
            }
        }
        self.task = Task::Send(sending);
    }

    /// Sends any legal turn that the server has not refused, for there is nothing better at hand; ends the game if the
    /// server has refused enough.
    fn send_any(&mut self, common: &mut Common, due: &Due, now: Instant) {
        let refused: &[Turn] = match &self.refused {
            (ply, turns) if *ply == due.position.ply() => turns,
            _ => &[],
        };
        let turn = (refused.len() < REFUSALS_MAX)
            .then(|| other_turn(&due.position, refused))
            .flatten();
        match turn {
            Some(turn) => {
                self.task = Task::Send(Sending::new(&due.position, turn, due.flag, now));
            }
            None => {
                let what = format!("given up in `{}`: no turn is accepted", due.position);
                common.trouble(Some(&self.id), what, None);
                self.task = Task::Rest;
                self.end(common, now);
            }
        }
    }

    /// The answer to a turn.
    pub(in crate::bot::session) fn on_turn_answer(
        &mut self,
        common: &mut Common,
        now: Instant,
        ply: u16,
        answer: Result<Tagged<GameState>, TransportError>,
    ) -> Fate {
        let state = match answer {
            Ok(state) => state,
            Err(error) => {
                if self.task.ply() == Some(ply) {
                    self.on_turn_failure(common, now, &error);
                }
                return Fate::Keep;
            }
        };
        if let Task::Send(sending) = &mut self.task
            && sending.ply == ply
        {
            if state.value.ply > ply || state.value.status == GameStatus::Finished {
                self.task = Task::Rest;
                self.disputes.reset();
            } else {
                // An answer from before the turn, whoever kept it: only one that knows the turn counts.
                let wait = sending.try_again(common, now, None);
                let what = format!("sending {}: the answer does not know it", sending.turn);
                common.trouble(Some(&self.id), what, Some(wait));
            }
        }
        self.on_state(common, now, &state)
    }

    fn on_turn_failure(&mut self, common: &mut Common, now: Instant, error: &TransportError) {
        let Task::Send(sending) = &mut self.task else {
            return;
        };
        let (ply, turn) = (sending.ply, sending.turn.clone());
        match error.remedy() {
            Remedy::TryAgain { asked } => {
                let wait = sending.try_again(common, now, asked);
                let what = format!("sending {turn}: {error}");
                common.trouble(Some(&self.id), what, Some(wait));
            }
            Remedy::PlayAnother => {
                let what = format!("sending {turn} in `{}`: {error}", sending.before);
                self.dispute(common, now, what);
                if self.refused.0 != ply {
                    self.refused = (ply, Vec::new());
                }
                self.refused.1.push(turn);
            }
            Remedy::ReadAgain | Remedy::Drop | Remedy::BadToken => {
                let what = format!("sending {turn}: {error}");
                self.dispute(common, now, what);
            }
        }
    }
}

/// A legal turn that is not among the refused ones.
fn other_turn(position: &Position, refused: &[Turn]) -> Option<Turn> {
    let legal = position.legal_turns(&[], refused.len() + 1);
    let mut legal = legal.unwrap_or_default().into_iter();
    legal.find(|turn| !refused.contains(turn))
}
