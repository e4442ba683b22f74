//! A whole server in a clock that the test turns: games, clocks, long polls, and a way to it that loses, delays, spoils
//! and repeats what is sent. Days pass in a moment, and the same seed gives the same course.

mod answer;
mod server;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use yinsh_bot::api::GameId;
use yinsh_bot::bot::session::{Command, Input, Request};
use yinsh_bot::bot::{Event, Exit, Session, SessionSettings, TransportError, Trip};
use yinsh_bot::game::{Color, Position, Turn, Variant};
use yinsh_bot::player::Choice;
use yinsh_bot::search::Budget;

use self::answer::{failed, received};
use self::server::tag_of;
use crate::rig::page;

/// What happens to a request on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It never arrives; the connection is reset.
    Lost,
    /// It arrives, and its answer is lost.
    AnswerLost,
    /// It arrives, and nothing is heard until the time-out.
    Silent,
    /// It never arrives; something on the way answers with a page of this status.
    Page(u16),
    /// It arrives, and something on the way answers with a page of this status.
    PageInstead(u16),
    /// It never arrives; the server wants rest.
    Limited,
    /// It arrives, and its answer does not read.
    Garbled,
    /// It arrives, and the answer takes so long.
    Slow(Duration),
}

/// Decides what happens to a request sent at an instant; the number is drawn evenly from 0 to 99.
pub type Way = Box<dyn FnMut(&Request, Duration, u32) -> Option<Fault>>;

/// How searches behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinker {
    /// They end at their target.
    Sound,
    /// Every third one panics.
    Panics,
    /// Every third one never ends.
    Hangs,
}

pub struct World {
    pub session: Session,
    pub now: Instant,
    start: Instant,
    way: Way,
    thinker: Thinker,
    /// What a request takes, there and back.
    pub round_trip: Duration,
    /// How long opponents think.
    pub opponent_time: Duration,
    /// How far the server's clock is ahead.
    pub clock_offset_ms: i64,
    pub games: BTreeMap<GameId, ServerGame>,
    list_version: u64,
    coming: BTreeMap<(Instant, u64), Coming>,
    hanging: Vec<(Request, Instant)>,
    counter: u64,
    random: Xoshiro256PlusPlus,
    /// Requests sent, with their instants.
    pub sent: Vec<(Instant, Request)>,
    pub events: Vec<Event>,
    pub exit: Option<Exit>,
    /// Turns put to a ply that holds another turn.
    pub conflicts: usize,
    /// Turns that the rules forbid.
    pub illegal: usize,
}

pub struct ServerGame {
    position: Position,
    pub turns: Vec<String>,
    version: u64,
    left: [Duration; 2],
    increment: Duration,
    turn_since: Instant,
    pub end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Rules,
    Flag(Color),
    Resigned,
    Aborted,
}

enum Coming {
    Arrival {
        request: Request,
        sent: Instant,
        fault: Option<Fault>,
    },
    Answer(Box<Input>),
    OpponentTurn {
        game: GameId,
        ply: u16,
    },
    HangOver {
        number: u64,
        request: Request,
        sent: Instant,
    },
}

impl World {
    pub fn new(settings: SessionSettings, way: Way, thinker: Thinker) -> Self {
        let now = Instant::now();
        Self {
            session: Session::new(settings, now),
            now,
            start: now,
            way,
            thinker,
            round_trip: Duration::from_millis(40),
            opponent_time: Duration::from_millis(300),
            clock_offset_ms: 0,
            games: BTreeMap::new(),
            list_version: 1,
            coming: BTreeMap::new(),
            hanging: Vec::new(),
            counter: 0,
            random: Xoshiro256PlusPlus::seed_from_u64(11),
            sent: Vec::new(),
            events: Vec::new(),
            exit: None,
            conflicts: 0,
            illegal: 0,
        }
    }

    /// Begins games in which the account plays white, with this clock.
    pub fn begin_games(&mut self, count: usize, time: Duration, increment: Duration) {
        for number in 0..count {
            let game = ServerGame {
                position: Position::start(Variant::Standard),
                turns: Vec::new(),
                version: 1,
                left: [time; 2],
                increment,
                turn_since: self.now,
                end: None,
            };
            self.games
                .insert(GameId::from(format!("g{number:02}")), game);
        }
    }

    /// Lets everything happen until all games are over and the session knows, or `most` has passed. Returns whether they
    /// are.
    pub fn play_out(&mut self, most: Duration) -> bool {
        let until = self.now + most;
        self.hand(Input::Tick);
        while self.now < until && self.exit.is_none() {
            if self.games.values().all(|game| game.end.is_some())
                && self.told_ends() == self.games.len()
            {
                return true;
            }
            self.step(until);
        }
        self.exit.is_some()
    }

    /// Lets everything happen for so long.
    pub fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        self.hand(Input::Tick);
        while self.now < until {
            self.step(until);
        }
    }

    fn step(&mut self, until: Instant) {
        let wake = self.session.next_wake();
        let flag = self.next_flag();
        let coming = self.coming.keys().next().map(|(at, _)| *at);
        let next = [wake, flag, coming].into_iter().flatten().min();
        let next = next.unwrap_or(until).min(until);
        self.now = next.max(self.now);
        self.drop_flags();
        if let Some(entry) = self.coming.first_entry()
            && entry.key().0 <= self.now
        {
            let coming = entry.remove();
            self.happen(coming);
        } else if wake.is_some_and(|wake| wake <= self.now) {
            self.hand(Input::Tick);
        }
    }

    pub fn told_ends(&self) -> usize {
        let is_end = |event: &&Event| matches!(event, Event::GameFinished { .. });
        self.events.iter().filter(is_end).count()
    }

    pub fn ends(&self) -> Vec<End> {
        self.games.values().filter_map(|game| game.end).collect()
    }

    pub fn hand(&mut self, input: Input) {
        for command in self.session.handle(self.now, input) {
            match command {
                Command::Send(request) => self.send(request),
                Command::Think {
                    game,
                    position,
                    limits,
                    ..
                } => self.think(game, *position, limits.time),
                Command::Tell(event) => self.events.push(*event),
                Command::Leave(exit) => self.exit = Some(exit),
                Command::Ponder { .. }
                | Command::StopThinking { .. }
                | Command::ReplaceSearch { .. }
                | Command::Release { .. } => {}
            }
        }
    }

    fn schedule(&mut self, at: Instant, coming: Coming) {
        self.counter += 1;
        self.coming.insert((at, self.counter), coming);
    }

    fn think(&mut self, game: GameId, position: Position, time: Option<Budget>) {
        let time = time.expect("every turn has a time").target;
        let ply = position.ply();
        let number = self.random.random_range(0..3);
        let choice = match self.thinker {
            Thinker::Hangs if number == 0 => return,
            Thinker::Panics if number == 0 => Err("it panicked".to_owned()),
            _ => Ok(Choice {
                turn: self.any_turn(&position),
                report: None,
            }),
        };
        self.schedule(
            self.now + time,
            Coming::Answer(Box::new(Input::Thought { game, ply, choice })),
        );
    }

    fn any_turn(&mut self, position: &Position) -> Turn {
        let mut here = *position;
        let mut actions = Vec::new();
        while here.ply() == position.ply() && !here.is_over() {
            let legal = here.actions();
            let action = legal[self.random.random_range(0..legal.len())];
            here.play(action);
            actions.push(action);
        }
        Turn::new(&actions).expect("a whole turn")
    }

    fn send(&mut self, request: Request) {
        self.sent.push((self.now, request.clone()));
        let number = self.random.random_range(0..100);
        let fault = (self.way)(&request, self.now - self.start, number);
        let sent = self.now;
        let half = self.round_trip / 2;
        let error = match fault {
            Some(Fault::Lost) => Some(TransportError::Network {
                detail: "reset".to_owned(),
            }),
            Some(Fault::Page(status)) => Some(page(status, None)),
            Some(Fault::Limited) => Some(page(429, Some(Duration::from_secs(2)))),
            _ => None,
        };
        if let Some(error) = error {
            let input = failed(
                request,
                Trip {
                    sent,
                    received: sent + half * 2,
                },
                error,
            );
            return self.schedule(sent + half * 2, Coming::Answer(Box::new(input)));
        }
        self.schedule(
            sent + half,
            Coming::Arrival {
                request,
                sent,
                fault,
            },
        );
    }

    fn happen(&mut self, coming: Coming) {
        match coming {
            Coming::Arrival {
                request,
                sent,
                fault,
            } => match fault {
                None => self.arrive(request, sent),
                Some(fault) => self.arrive_badly(request, sent, fault),
            },
            Coming::Answer(input) => self.hand(*input),
            Coming::OpponentTurn { game, ply } => self.opponent_turn(&game, ply),
            Coming::HangOver {
                number,
                request,
                sent,
            } => {
                let before = self.hanging.len();
                self.hanging
                    .retain(|(waiting, at)| (waiting, *at) != (&request, sent));
                if self.hanging.len() < before || number == 0 {
                    self.answer(request, sent, true);
                }
            }
        }
    }

    fn arrive(&mut self, request: Request, sent: Instant) {
        if self.is_news(&request) {
            return self.answer(request, sent, false);
        }
        let wait_s = match &request {
            Request::Poll { wait_s, .. } | Request::Watch { wait_s, .. } => *wait_s,
            _ => 0,
        };
        self.hanging.push((request.clone(), sent));
        let over = Coming::HangOver {
            number: 1,
            request,
            sent,
        };
        self.schedule(self.now + Duration::from_secs(wait_s), over);
    }

    fn arrive_badly(&mut self, request: Request, sent: Instant, fault: Fault) {
        let answer = self.carry_out(&request, sent, false);
        let timeout = match &request {
            Request::Play { timeout, .. } | Request::Read { timeout, .. } => *timeout,
            Request::Poll { wait_s, .. } | Request::Watch { wait_s, .. } => {
                Duration::from_secs(wait_s + 10)
            }
            _ => Duration::from_secs(10),
        };
        let (error, after) = match fault {
            Fault::Slow(time) if time < timeout => {
                return self.schedule(
                    sent + time,
                    Coming::Answer(Box::new(received(answer, sent + time))),
                );
            }
            Fault::Slow(_) | Fault::Silent => (TransportError::Timeout, timeout),
            Fault::PageInstead(status) => (page(status, None), self.round_trip),
            Fault::Garbled => {
                let body = "{\"id\":".to_owned();
                let detail = "EOF while parsing".to_owned();
                (
                    TransportError::Unreadable {
                        status: 200,
                        detail,
                        body,
                    },
                    self.round_trip,
                )
            }
            _ => (
                TransportError::Network {
                    detail: "reset".to_owned(),
                },
                self.round_trip,
            ),
        };
        let input = failed(
            request,
            Trip {
                sent,
                received: sent + after,
            },
            error,
        );
        self.schedule(sent + after, Coming::Answer(Box::new(input)));
    }

    /// Whether the request is answered at once.
    fn is_news(&self, request: &Request) -> bool {
        match request {
            Request::Poll { tag, .. } => tag.as_deref() != Some(&self.list_tag()),
            Request::Watch { game, tag, .. } => *tag != tag_of(&self.games[game], game),
            _ => true,
        }
    }

    fn list_tag(&self) -> String {
        format!("\"p-{}\"", self.list_version)
    }

    fn answer(&mut self, request: Request, sent: Instant, is_unchanged: bool) {
        let input = self.carry_out(&request, sent, is_unchanged);
        let at = self.now + self.round_trip / 2;
        self.schedule(at, Coming::Answer(Box::new(received(input, at))));
    }

    /// Something has changed: whoever waits for it is answered.
    fn wake_hanging(&mut self) {
        let hanging = std::mem::take(&mut self.hanging);
        for (request, sent) in hanging {
            if self.is_news(&request) {
                self.answer(request, sent, false);
            } else {
                self.hanging.push((request, sent));
            }
        }
    }
}
