//! What a game has to do at the moment.

use std::time::{Duration, Instant};

use super::protocol::{Ending, Request};
use super::sending::Sending;
use crate::api::GameId;
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::game::Position;
use crate::search::SearchReport;
use crate::search::time::Budget;

/// A search that has been told to stop may take this long to return.
const STOP_GRACE: Duration = Duration::from_secs(2);
/// A search may end so much after its target before it is told to stop.
const TARGET_SLACK: Duration = Duration::from_millis(100);

/// One thing at a time.
pub(super) enum Task {
    /// Nothing to do as far as is known.
    Rest,
    /// A turn is due; its search waits for threads.
    Wait(Due),
    /// A turn is being searched for.
    Think(Thinking),
    /// A turn is on its way.
    Send(Sending),
    /// The game is being ended.
    End(EndErrand),
}

/// A turn that the account owes.
#[derive(Clone, Copy)]
pub(super) struct Due {
    /// Where it is to be played.
    pub position: Position,
    /// When the flag falls.
    pub flag: Instant,
    /// What the clock gets back for it.
    pub increment: Duration,
    /// When its search has to begin, threads or no threads.
    pub start_by: Instant,
}

impl Due {
    /// Due since `now`; `kept_back` of the clock is no time to think.
    pub(super) fn new(
        position: Position,
        flag: Instant,
        increment: Duration,
        kept_back: Duration,
        now: Instant,
    ) -> Self {
        let usable = flag.saturating_duration_since(now + kept_back);
        Self {
            position,
            flag,
            increment,
            start_by: now + usable / 4,
        }
    }
}

/// A running search.
pub(super) struct Thinking {
    /// What it is for.
    pub due: Due,
    /// When it is told to stop, unless it has ended by itself.
    pub stop_at: Instant,
    /// Whether it has been told.
    pub is_stopped: bool,
    /// When it is not waited for any longer.
    pub overdue: Instant,
    /// What the search thinks so far, if it has told.
    pub so_far: Option<Box<SearchReport>>,
}

impl Thinking {
    /// Begins at `now`.
    pub(super) fn new(due: Due, time: Budget, now: Instant) -> Self {
        let left = due.flag.saturating_duration_since(now + time.hard);
        let stop_after = time.hard.max(time.target + TARGET_SLACK.min(left / 8));
        Self {
            stop_at: now + stop_after,
            is_stopped: false,
            overdue: now + stop_after + STOP_GRACE.min(left / 4),
            due,
            so_far: None,
        }
    }

    /// When something is to be done about it.
    pub(super) fn wake(&self) -> Instant {
        if self.is_stopped {
            self.overdue
        } else {
            self.stop_at
        }
    }
}

/// The end of a game, asked for until the server answers.
pub(super) struct EndErrand {
    /// How the game is to end.
    pub how: Ending,
    /// When that is asked for.
    pub errand: Errand,
}

impl EndErrand {
    /// Asks from `now` on.
    pub(super) fn new(how: Ending, now: Instant) -> Self {
        Self {
            how,
            errand: Errand::due(Growth::URGENT, now),
        }
    }

    /// What is asked.
    pub(super) fn request(&self, game: GameId) -> Request {
        Request::End {
            game,
            how: self.how,
        }
    }
}

impl Task {
    /// When something is due.
    pub(super) fn wake(&self) -> Option<Instant> {
        match self {
            Self::Rest => None,
            Self::Wait(due) => Some(due.start_by),
            Self::Think(thinking) => Some(thinking.wake()),
            Self::Send(sending) => sending.errand.wake(),
            Self::End(end) => end.errand.wake(),
        }
    }

    /// The ply of the turn that it is about.
    pub(super) fn ply(&self) -> Option<u16> {
        match self {
            Self::Rest | Self::End(_) => None,
            Self::Wait(due) => Some(due.position.ply()),
            Self::Think(thinking) => Some(thinking.due.position.ply()),
            Self::Send(sending) => Some(sending.ply),
        }
    }
}
