//! From running to having left: requests to stop, the time that games get, and what becomes of those that need more.

use std::time::{Duration, Instant};

use super::{Command, Exit, Session};
use crate::bot::config::Unfinished;
use crate::bot::event::Event;

/// How long the server may take to hear that the games are ended.
const ENDING_PATIENCE: Duration = Duration::from_secs(10);

/// How far a session is on its way out.
#[derive(Debug)]
pub(super) enum Stage {
    /// Not at all.
    Running,
    /// No new games; the running ones may go on.
    Draining {
        /// So long.
        until: Instant,
    },
    /// The running games are being ended.
    Ending {
        /// So long that is waited for.
        until: Instant,
        /// How the session ends then.
        exit: Exit,
    },
    /// It is over.
    Left,
}

impl Stage {
    /// Whether no new games are wanted.
    pub(super) fn is_stopping(&self) -> bool {
        !matches!(self, Self::Running)
    }

    /// Whether nothing is to be done any more.
    pub(super) fn has_left(&self) -> bool {
        matches!(self, Self::Left)
    }

    /// When something is due.
    pub(super) fn wake(&self) -> Option<Instant> {
        match self {
            Self::Draining { until } | Self::Ending { until, .. } => Some(*until),
            Self::Running | Self::Left => None,
        }
    }
}

impl Session {
    /// Somebody wants the bot to stop: the first time games may end, the second time they are ended or left, and the
    /// third time nothing is waited for.
    pub(super) fn on_stop(&mut self, now: Instant) {
        match self.stage {
            Stage::Running => {
                let within = Duration::from_secs(self.common.settings.play.drain_s);
                let until = now + within;
                self.stage = Stage::Draining { until };
                self.opening = None;
                self.common.tell(Event::Stopping { within });
            }
            Stage::Draining { .. } => self.end_games(now, Exit::Aborted),
            Stage::Ending { .. } | Stage::Left => self.leave(Exit::Aborted),
        }
    }

    /// How the session ends if the time for running games is over.
    pub(super) fn out_of_time(&self, now: Instant) -> Option<Exit> {
        match self.stage {
            Stage::Draining { until } if until <= now => Some(Exit::DrainTimeout),
            _ => None,
        }
    }

    /// Leaves if there is nothing more to do.
    pub(super) fn leave_if_done(&mut self, now: Instant) {
        let has_offers = self.offers.is_any_open() || self.matchmaker.is_asking();
        let is_idle = !self.is_busy() && !has_offers;
        let enough = self.common.settings.leave_after;
        if !self.is_busy() && enough.is_some_and(|enough| self.finished_count >= enough) {
            return self.leave(Exit::Done);
        }
        match &self.stage {
            Stage::Draining { .. } if is_idle => self.leave(Exit::Drained),
            Stage::Ending { until, exit } if self.games.is_empty() || *until <= now => {
                let exit = exit.clone();
                self.leave(exit);
            }
            _ => {}
        }
    }

    /// Does what the config says about games that would outlast the session, and ends it with `exit`.
    pub(super) fn end_games(&mut self, now: Instant, exit: Exit) {
        match self.common.settings.play.unfinished {
            Unfinished::Leave => self.leave(exit),
            Unfinished::Resign => {
                for game in self.games.values_mut() {
                    game.end(&mut self.common, now);
                }
                let until = now + ENDING_PATIENCE;
                self.stage = Stage::Ending { until, exit };
            }
        }
    }

    /// Ends the session.
    pub(super) fn leave(&mut self, exit: Exit) {
        if !self.stage.has_left() {
            self.stage = Stage::Left;
            self.common.send(Command::Leave(exit));
        }
    }
}
