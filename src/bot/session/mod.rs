//! The account's state machine: what has happened goes in, what is to be done comes out.
//!
//! It has no sockets, no threads and no clock. Every input comes with its instant, and [`Session::next_wake`] says when
//! an [`Input::Tick`] is wanted at the latest, so that any course of events can be tested exactly.

mod common;
mod game;
mod intro;
mod lobby;
mod news;
mod opening;
mod poll;
mod protocol;
mod recent;
mod resignation;
mod schedule;
mod sending;
mod task;
mod teller;
mod view;

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use protocol::{Answer, Command, Ending, Exit, Input, Request, SessionSettings};

use self::common::Common;
use self::game::{Fate, Game};
use self::intro::Intro;
use self::lobby::{Lobby, Room};
use self::opening::Opening;
use self::poll::Poll;
use self::recent::Recent;
use self::schedule::schedule;
use super::event::Event;
use super::transport::{Remedy, Tagged, TransportError};
use crate::api::{GameId, GameStatus, Pending};

/// One account on one server.
pub struct Session {
    common: Common,
    intro: Intro,
    poll: Poll,
    lobby: Lobby,
    opening: Option<Opening>,
    games: BTreeMap<GameId, Game>,
    /// Whether the server's list of games has been seen.
    has_polled: bool,
    /// Games that are over; a late poll may still list them.
    finished: Recent<GameId>,
    finished_count: u32,
    /// When running games must be left, once a stop was asked for.
    stop_at: Option<Instant>,
    has_left: bool,
}

impl Session {
    /// A session that begins at `now`.
    pub fn new(settings: SessionSettings, now: Instant) -> Self {
        Self {
            intro: Intro::new(now),
            poll: Poll::new(),
            lobby: Lobby::new(),
            opening: settings.opening.clone().map(Opening::new),
            games: BTreeMap::new(),
            has_polled: false,
            finished: Recent::new(),
            finished_count: 0,
            stop_at: None,
            has_left: false,
            common: Common::new(settings),
        }
    }

    /// Takes what has happened, and returns what is to be done now, in order.
    pub fn handle(&mut self, now: Instant, input: Input) -> Vec<Command> {
        if !self.has_left {
            match refused_token(&input) {
                Some(detail) => self.leave(Exit::BadToken { detail }),
                None => self.on_input(now, input),
            }
            self.advance(now);
        }
        mem::take(&mut self.common.out)
    }

    /// When to come back with an [`Input::Tick`] if nothing else happens before.
    pub fn next_wake(&self) -> Option<Instant> {
        if self.has_left {
            return None;
        }
        let parts = [
            self.intro.wake(),
            self.poll.wake(),
            self.lobby.wake(),
            self.opening.as_ref().and_then(Opening::wake),
            self.stop_at,
        ];
        let games = self.games.values().map(Game::wake);
        games.chain(parts).flatten().min()
    }

    fn on_input(&mut self, now: Instant, input: Input) {
        let common = &mut self.common;
        match input {
            Input::Tick => {}
            Input::Stop => self.on_stop(now),
            Input::Configure(settings) => common.configure(*settings),
            Input::Meta(answer) => {
                if let Err(exit) = self.intro.on_meta(common, now, answer) {
                    self.leave(exit);
                }
            }
            Input::Me(answer) => {
                if self.intro.on_me(common, now, answer) {
                    self.poll.begin(now);
                    self.opening.iter_mut().for_each(|o| o.begin(now));
                }
            }
            Input::Polled(answer) => self.on_polled(now, answer),
            Input::Read { game, answer } => {
                common.measure_state(&answer);
                self.on_game(game, |game, common| {
                    game.on_read(common, now, answer.result)
                });
            }
            Input::Watched { game, tag, answer } => {
                self.on_game(game, |game, common| {
                    game.on_watched(common, now, &tag, answer)
                });
            }
            Input::Played { game, ply, answer } => {
                common.measure_state(&answer);
                self.on_game(game, |game, common| {
                    game.on_turn_answer(common, now, ply, answer.result)
                });
            }
            Input::Ended { game, how, answer } => {
                common.measure_state(&answer);
                self.on_game(game, |game, common| {
                    game.on_ended(common, now, how, answer.result)
                });
            }
            Input::Considered { game, ply, so_far } => self.on_game(game, |game, _| {
                game.on_considered(ply, so_far);
                Fate::Keep
            }),
            Input::Thought { game, ply, choice } => self.on_game(game, |game, common| {
                game.on_thought(common, now, ply, choice);
                Fate::Keep
            }),
            Input::Accepted { challenge, answer } => {
                if let Some(game) = self.lobby.on_accepted(common, now, &challenge, answer)
                    && self.is_new(&game)
                {
                    self.adopt(game, false, now);
                }
            }
            Input::Declined { challenge, answer } => {
                self.lobby.on_declined(common, now, &challenge, answer);
            }
            Input::Challenged(answer) => {
                if let Some(opening) = &mut self.opening {
                    opening.on_answer(common, now, answer);
                }
            }
        }
    }

    fn on_polled(&mut self, now: Instant, answer: Answer<Option<Tagged<Pending>>>) {
        let is_playing = !self.games.is_empty();
        let pending = self
            .poll
            .on_answer(&mut self.common, now, answer, is_playing);
        if let Some(pending) = pending {
            self.on_pending(now, pending);
        }
    }

    /// Everything is taken from the full state, so a poll that was lost costs nothing.
    fn on_pending(&mut self, now: Instant, pending: Pending) {
        let mut known = 0;
        for (id, game) in &mut self.games {
            if pending.games.iter().any(|listed| listed.id == *id) {
                known += 1;
            } else {
                game.on_unlisted(now);
            }
        }
        for listed in &pending.games {
            if listed.status != GameStatus::Finished && self.is_new(&listed.id) {
                // What ran before this session began is owed, however much it is.
                let is_surplus = self.has_polled && known >= self.common.settings.play.games_max;
                self.adopt(listed.id.clone(), is_surplus, now);
                known += 1;
            }
            if let Some(game) = self.games.get_mut(&listed.id) {
                game.on_listed(listed, now);
            }
        }
        if let Some(opening) = &mut self.opening {
            opening.on_sent(&mut self.common, now, &pending.sent);
        }
        let challenges = pending.challenges.len();
        self.common.tell(Event::Listed { challenges });
        self.lobby.on_listed(pending.challenges);
        self.has_polled = true;
    }

    fn is_new(&self, id: &GameId) -> bool {
        !self.finished.contains(id) && !self.games.contains_key(id)
    }

    /// Takes up a game.
    fn adopt(&mut self, id: GameId, is_surplus: bool, now: Instant) {
        let Some(me) = self.common.me.clone() else {
            return;
        };
        // The challenge has done its work.
        self.opening = None;
        let settings = Arc::clone(&self.common.settings);
        let game = Game::new(id.clone(), me, settings, is_surplus, now);
        self.games.insert(id, game);
    }

    fn on_game(&mut self, id: GameId, act: impl FnOnce(&mut Game, &mut Common) -> Fate) {
        let Some(game) = self.games.get_mut(&id) else {
            return;
        };
        if act(game, &mut self.common) == Fate::Over {
            self.games.remove(&id);
            self.finished.insert(id.clone());
            self.finished_count += 1;
            self.common.send(Command::Release { game: id });
        }
    }

    fn on_stop(&mut self, now: Instant) {
        if self.stop_at.is_some() {
            return self.leave(Exit::Aborted);
        }
        let within = Duration::from_secs(self.common.settings.play.drain_s);
        self.stop_at = Some(now + within);
        self.opening = None;
        self.common.tell(Event::Stopping { within });
    }

    /// Does everything that is due, and leaves when there is nothing more to do.
    fn advance(&mut self, now: Instant) {
        self.intro.advance(&mut self.common, now);
        for game in self.games.values_mut() {
            game.advance(&mut self.common, now);
        }
        schedule(&mut self.games, &mut self.common, now);
        let room = Room {
            games: self.games.len(),
            is_stopping: self.stop_at.is_some(),
        };
        self.lobby.advance(&mut self.common, room, now);
        if let Some(opening) = &mut self.opening {
            opening.advance(&mut self.common, now);
        }
        self.poll.advance(&mut self.common, now);
        let is_idle = self.games.is_empty() && self.lobby.accepting() == 0;
        let enough = self.common.settings.leave_after;
        if is_idle && enough.is_some_and(|enough| self.finished_count >= enough) {
            self.leave(Exit::Done);
        } else if let Some(stop_at) = self.stop_at {
            if is_idle {
                self.leave(Exit::Drained);
            } else if stop_at <= now {
                self.leave(Exit::DrainTimeout);
            }
        }
    }

    fn leave(&mut self, exit: Exit) {
        if !self.has_left {
            self.has_left = true;
            self.common.send(Command::Leave(exit));
        }
    }
}

/// Why the token was refused, if that is what the input says.
fn refused_token(input: &Input) -> Option<String> {
    fn error<T>(answer: &Answer<T>) -> Option<&TransportError> {
        answer.result.as_ref().err()
    }
    let error = match input {
        Input::Meta(answer) => error(answer),
        Input::Me(answer) => error(answer),
        Input::Polled(answer) => error(answer),
        Input::Watched { answer, .. } => error(answer),
        Input::Read { answer, .. } | Input::Played { answer, .. } => error(answer),
        Input::Accepted { answer, .. } => error(answer),
        Input::Declined { answer, .. } => error(answer),
        Input::Challenged(answer) => error(answer),
        Input::Ended { answer, .. } => error(answer),
        Input::Tick
        | Input::Stop
        | Input::Configure(_)
        | Input::Considered { .. }
        | Input::Thought { .. } => None,
    }?;
    (error.remedy() == Remedy::BadToken).then(|| error.to_string())
}
