//! The account's state machine: what has happened goes in, what is to be done comes out.
//!
//! It has no sockets, no threads and no clock. Every input comes with its instant, and [`Session::next_wake`] says when
//! an [`Input::Tick`] is wanted at the latest, so that any course of events can be tested exactly.

mod common;
mod game;
mod games;
mod intro;
mod lobby;
mod matchmaking;
mod news;
mod offers;
mod opening;
mod opponents;
mod pace;
mod poll;
mod protocol;
mod recent;
mod resignation;
mod schedule;
mod sending;
mod stage;
mod task;
mod teller;
mod view;

use std::collections::BTreeMap;
use std::time::Instant;

pub use protocol::{Answer, Command, Ending, Exit, Input, OfferId, Request, SessionSettings};

use self::common::Common;
use self::game::{Fate, Game};
use self::intro::Intro;
use self::lobby::{Lobby, Room};
use self::matchmaking::{Leisure, Matchmaker};
use self::offers::Offers;
use self::opening::Opening;
use self::opponents::Opponents;
use self::poll::Poll;
use self::recent::Recent;
use self::schedule::schedule;
use self::stage::Stage;
use super::transport::{Remedy, TransportError};
use crate::api::GameId;

/// One account on one server.
pub struct Session {
    common: Common,
    intro: Intro,
    poll: Poll,
    lobby: Lobby,
    opening: Option<Opening>,
    matchmaker: Matchmaker,
    offers: Offers,
    opponents: Opponents,
    games: BTreeMap<GameId, Game>,
    /// Whether the server's list of games has been seen.
    has_polled: bool,
    /// Games that are over; a late poll may still list them.
    finished: Recent<GameId>,
    finished_count: u32,
    stage: Stage,
}

impl Session {
    /// A session that begins at `now`.
    pub fn new(settings: SessionSettings, now: Instant) -> Self {
        Self {
            intro: Intro::new(now),
            poll: Poll::new(),
            lobby: Lobby::new(),
            opening: settings.opening.clone().map(Opening::new),
            matchmaker: Matchmaker::new(),
            offers: Offers::default(),
            opponents: Opponents::default(),
            games: BTreeMap::new(),
            has_polled: false,
            finished: Recent::new(),
            finished_count: 0,
            stage: Stage::Running,
            common: Common::new(settings, now),
        }
    }

    /// Takes what has happened, and returns what is to be done now, in order.
    pub fn handle(&mut self, now: Instant, input: Input) -> Vec<Command> {
        if self.stage.has_left() {
            return Vec::new();
        }
        let error = error_of(&input);
        if let Some(answered) = input.answered() {
            let asked = error.and_then(TransportError::asked_wait);
            self.common.pace.note(&answered, asked, now);
        }
        match error.filter(|error| error.remedy() == Remedy::BadToken) {
            Some(error) => {
                let detail = error.to_string();
                self.leave(Exit::BadToken { detail });
            }
            None => self.on_input(now, input),
        }
        self.advance(now);
        self.common.take_out(now)
    }

    /// When to come back with an [`Input::Tick`] if nothing else happens before.
    pub fn next_wake(&self) -> Option<Instant> {
        if self.stage.has_left() {
            return None;
        }
        let parts = [
            self.intro.wake(),
            self.poll.wake(),
            self.lobby.wake(),
            self.opening.as_ref().and_then(Opening::wake),
            self.matchmaker.wake(&self.common, &self.offers),
            self.offers.wake(),
            self.stage.wake(),
            self.common.pace.wake(),
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
                self.on_state_of(game, answer, |game, common, state| {
                    game.on_read(common, now, state)
                })
            }
            Input::Played { game, ply, answer } => {
                self.on_state_of(game, answer, |game, common, state| {
                    game.on_turn_answer(common, now, ply, state)
                });
            }
            Input::Ended { game, how, answer } => {
                self.on_state_of(game, answer, |game, common, state| {
                    game.on_ended(common, now, how, state)
                });
            }
            Input::Watched { game, tag, answer } => self.on_game(game, |game, common| {
                game.on_watched(common, now, &tag, answer)
            }),
            Input::Considered { game, ply, so_far } => self.on_game(game, |game, _| {
                game.on_considered(ply, so_far);
                Fate::Keep
            }),
            Input::Thought { game, ply, choice } => self.on_game(game, |game, common| {
                game.on_thought(common, now, ply, choice);
                Fate::Keep
            }),
            Input::Accepted { challenge, answer } => self.on_accepted(now, &challenge, answer),
            Input::Declined { challenge, answer } => {
                self.lobby.on_declined(common, now, &challenge, answer);
            }
            Input::Challenged(answer) => self.on_challenged(now, answer),
            Input::Cancelled { offer, answer } => {
                self.offers.on_cancelled(common, now, &offer, answer);
            }
            Input::Seeks(answer) => self.on_seeks(now, answer),
            Input::SeekAccepted(answer) => self.on_seek_accepted(now, answer),
            Input::Players(answer) => self.matchmaker.on_players(common, now, answer),
            Input::Sought(answer) => {
                let offers = &mut self.offers;
                self.matchmaker.on_sought(common, offers, now, answer);
            }
        }
    }

    /// Does everything that is due, and leaves when there is nothing more to do.
    fn advance(&mut self, now: Instant) {
        if let Some(exit) = self.out_of_time(now) {
            self.end_games(now, exit);
        }
        self.intro.advance(&mut self.common, now);
        for game in self.games.values_mut() {
            game.advance(&mut self.common, now);
        }
        schedule(&mut self.games, &mut self.common, now);
        let list_as_of = self.poll.known_as_of();
        let room = Room {
            games: self.games.len(),
            opponents: &self.opponents,
            is_stopping: self.stage.is_stopping(),
        };
        self.lobby.advance(&mut self.common, room, now);
        if let Some(opening) = &mut self.opening {
            opening.advance(&mut self.common, &self.offers, list_as_of, now);
        }
        let wants_games = !self.is_busy() && !self.stage.is_stopping();
        if !wants_games {
            self.offers.cancel_all(now);
        }
        let leisure = Leisure {
            is_idle: wants_games && self.has_polled,
            list_as_of,
        };
        let silent = self.offers.advance(&mut self.common, now);
        self.matchmaker.on_silence(&self.common, now, silent);
        let common = &mut self.common;
        self.matchmaker.advance(common, leisure, &self.offers, now);
        self.poll.advance(common, now);
        self.leave_if_done(now);
    }

    /// Whether there is a game, or one may come of what has been accepted.
    fn is_busy(&self) -> bool {
        !self.games.is_empty() || self.lobby.accepting() > 0
    }
}

/// Why a request failed, if the input is such an answer.
fn error_of(input: &Input) -> Option<&TransportError> {
    fn error<T>(answer: &Answer<T>) -> Option<&TransportError> {
        answer.result.as_ref().err()
    }
    match input {
        Input::Meta(answer) => error(answer),
        Input::Me(answer) => error(answer),
        Input::Polled(answer) => error(answer),
        Input::Watched { answer, .. } => error(answer),
        Input::Read { answer, .. } | Input::Played { answer, .. } => error(answer),
        Input::Accepted { answer, .. } => error(answer),
        Input::Declined { answer, .. } => error(answer),
        Input::Challenged(answer) => error(answer),
        Input::Cancelled { answer, .. } => error(answer),
        Input::Seeks(answer) => error(answer),
        Input::SeekAccepted(answer) => error(answer),
        Input::Players(answer) => error(answer),
        Input::Sought(answer) => error(answer),
        Input::Ended { answer, .. } => error(answer),
        Input::Tick
        | Input::Stop
        | Input::Configure(_)
        | Input::Considered { .. }
        | Input::Thought { .. } => None,
    }
}
