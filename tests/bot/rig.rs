//! A session on a bench: the test says what happens and when, and sees what the session wants.

mod samples;

use std::time::{Duration, Instant};

use yinsh_bot::api::{GameId, GameState, Pending, PutTurn};
use yinsh_bot::bot::session::{Answer, Command, Ending, Input, Request};
use yinsh_bot::bot::{Event, Exit, Session, SessionSettings, Tagged, TransportError, Trip};
use yinsh_bot::game::Position;
use yinsh_bot::player::Choice;
use yinsh_bot::search::Limits;

use self::samples::tagged;
pub use self::samples::{
    challenge, challenge_id, finished, from_json, game_id, listed, listed_as, me, meta, page,
    pending, refused, renamed, report, state,
};

/// The server's clock when a test begins.
pub const SERVER_START: u64 = 1_764_441_600_000;
pub const SECOND: Duration = Duration::from_secs(1);
/// Every request takes this long unless a test says otherwise.
pub const ROUND_TRIP: Duration = Duration::from_millis(10);

pub fn settings() -> SessionSettings {
    let mut settings = SessionSettings {
        threads: 1,
        seed: 7,
        ..SessionSettings::default()
    };
    settings.server.requests_per_minute = 100_000;
    settings
}

/// Settings for so many games at once, with so many threads.
pub fn settings_for(games_max: usize, threads: usize) -> SessionSettings {
    let mut settings = settings();
    settings.play.games_max = games_max;
    settings.threads = threads;
    settings
}

/// A search that the session has asked for.
#[derive(Clone, Debug)]
pub struct Think {
    pub game: GameId,
    pub position: Position,
    pub limits: Limits,
    pub threads: usize,
}

pub struct Rig {
    pub session: Session,
    pub now: Instant,
    /// What every request takes.
    pub round_trip: Duration,
    start: Instant,
    /// Requests that nobody has taken yet.
    pub requests: Vec<Request>,
    /// What the last watch asked for changes of.
    pub watch_tag: String,
    pub thinks: Vec<Think>,
    pub ponders: Vec<(GameId, Position)>,
    pub stops: usize,
    pub replaced: usize,
    pub releases: usize,
    pub events: Vec<Event>,
    pub exit: Option<Exit>,
}

impl Rig {
    /// Just started: the session asks for `meta`.
    pub fn new(settings: SessionSettings) -> Self {
        let now = Instant::now();
        let mut rig = Self {
            session: Session::new(settings, now),
            now,
            round_trip: ROUND_TRIP,
            start: now,
            requests: Vec::new(),
            watch_tag: String::new(),
            thinks: Vec::new(),
            ponders: Vec::new(),
            stops: 0,
            replaced: 0,
            releases: 0,
            events: Vec::new(),
            exit: None,
        };
        rig.input(Input::Tick);
        rig
    }

    /// Introduced to the server: the first poll hangs.
    pub fn running(settings: SessionSettings) -> Self {
        let mut rig = Self::new(settings);
        let meta = rig.good(meta());
        rig.input(Input::Meta(meta));
        let me = rig.good(me());
        rig.input(Input::Me(me));
        let polls = rig.take(|r| matches!(r, Request::Poll { .. }));
        assert_eq!(polls.len(), 1);
        rig.requests.clear();
        rig
    }

    /// Running, with the game of `turns` read and the poll hanging again.
    pub fn playing(turns: &[&str]) -> Self {
        Self::playing_with(settings(), turns)
    }

    /// The same, with these settings.
    pub fn playing_with(settings: SessionSettings, turns: &[&str]) -> Self {
        let mut rig = Self::running(settings);
        rig.poll(pending(1, vec![listed(turns, 1)]));
        rig.read(state(turns, 1));
        rig
    }

    pub fn input(&mut self, input: Input) {
        for command in self.session.handle(self.now, input) {
            match command {
                Command::Send(request) => {
                    if let Request::Watch { tag, .. } = &request {
                        self.watch_tag.clone_from(tag);
                    }
                    self.requests.push(request);
                }
                Command::Think {
                    game,
                    position,
                    limits,
                    threads,
                } => self.thinks.push(Think {
                    game,
                    position: *position,
                    limits,
                    threads,
                }),
                Command::Ponder { game, position, .. } => self.ponders.push((game, *position)),
                Command::StopThinking { .. } => self.stops += 1,
                Command::ReplaceSearch { .. } => self.replaced += 1,
                Command::Release { .. } => self.releases += 1,
                Command::Tell(event) => self.events.push(*event),
                Command::Leave(exit) => self.exit = Some(exit),
            }
        }
    }

    /// Lets time pass; the session gets its ticks when it wants them.
    pub fn pass(&mut self, duration: Duration) {
        let end = self.now + duration;
        while let Some(wake) = self.session.next_wake().filter(|wake| *wake <= end) {
            self.now = wake.max(self.now);
            self.input(Input::Tick);
            let next = self.session.next_wake();
            assert!(next.is_none_or(|next| next > self.now), "a busy loop");
        }
        self.now = end;
    }

    /// Takes the only waiting request that matches.
    pub fn take_one(&mut self, matches: impl Fn(&Request) -> bool) -> Request {
        let mut taken = self.take(matches);
        assert_eq!(
            taken.len(),
            1,
            "{taken:?}; others wait: {:?}",
            self.requests
        );
        taken.remove(0)
    }

    /// Takes the waiting requests that match.
    pub fn take(&mut self, matches: impl Fn(&Request) -> bool) -> Vec<Request> {
        let (taken, left) = self.requests.drain(..).partition(|r| matches(r));
        self.requests = left;
        taken
    }

    pub fn take_reads(&mut self) -> usize {
        self.take(|r| matches!(r, Request::Read { .. })).len()
    }

    /// The turns that wait to be sent, with their ply.
    pub fn take_plays(&mut self) -> Vec<(u16, PutTurn)> {
        let plays = self.take(|r| matches!(r, Request::Play { .. }));
        plays
            .into_iter()
            .map(|request| match request {
                Request::Play { ply, turn, .. } => (ply, turn),
                _ => unreachable!("only plays were taken"),
            })
            .collect()
    }

    fn trip(&mut self) -> Trip {
        let sent = self.now;
        self.now += self.round_trip;
        Trip {
            sent,
            received: self.now,
        }
    }

    pub fn good<T>(&mut self, value: T) -> Answer<T> {
        Answer {
            trip: self.trip(),
            result: Ok(value),
        }
    }

    pub fn bad<T>(&mut self, error: TransportError) -> Answer<T> {
        Answer {
            trip: self.trip(),
            result: Err(error),
        }
    }

    /// Answers the hanging poll, and lets the session react.
    pub fn poll(&mut self, pending: Pending) {
        self.poll_tells(pending);
        self.pass(SECOND);
    }

    pub fn poll_tells(&mut self, pending: Pending) {
        let tag = Some(format!("\"p-{}\"", pending.version));
        self.requests.retain(|r| !matches!(r, Request::Poll { .. }));
        let answer = self.good(Some(Tagged {
            value: pending,
            tag,
        }));
        self.input(Input::Polled(answer));
    }

    pub fn poll_fails(&mut self, error: TransportError) {
        self.requests.retain(|r| !matches!(r, Request::Poll { .. }));
        let answer = self.bad(error);
        self.input(Input::Polled(answer));
    }

    /// Answers the one read that waits for this game.
    pub fn read(&mut self, state: GameState) {
        let game = state.id.clone();
        let reads = self.take(|r| matches!(r, Request::Read { game: g, .. } if *g == game));
        assert_eq!(reads.len(), 1, "one read waits for {game}");
        let answer = self.good(tagged(state));
        self.input(Input::Read { game, answer });
    }

    pub fn read_fails(&mut self, error: TransportError) {
        assert_eq!(self.take_reads(), 1, "one read waits");
        let answer = self.bad(error);
        self.input(Input::Read {
            game: game_id(),
            answer,
        });
    }

    /// The tags of the watches that wait.
    pub fn take_watches(&mut self) -> Vec<String> {
        let watches = self.take(|r| matches!(r, Request::Watch { .. }));
        watches
            .into_iter()
            .map(|request| match request {
                Request::Watch { tag, .. } => tag,
                _ => unreachable!("only watches were taken"),
            })
            .collect()
    }

    /// Answers the watch that hangs.
    pub fn watched(&mut self, state: Option<GameState>) {
        let answer = self.good(state.map(tagged));
        self.input(Input::Watched {
            game: game_id(),
            tag: self.watch_tag.clone(),
            answer,
        });
    }

    /// Ends the search with `turn`.
    pub fn thought(&mut self, ply: u16, turn: &str) {
        self.thought_in(&game_id(), ply, turn);
    }

    pub fn thought_in(&mut self, game: &GameId, ply: u16, turn: &str) {
        let choice = Ok(Choice {
            turn: turn.parse().unwrap(),
            report: None,
        });
        let game = game.clone();
        self.input(Input::Thought { game, ply, choice });
    }

    /// Ends the search with `turn`, which wins with this probability as far as the search knows.
    pub fn thought_with(&mut self, ply: u16, turn: &str, win_probability: f64) {
        let report = report(turn, win_probability);
        let choice = Ok(Choice {
            turn: report.turn.clone(),
            report: Some(report),
        });
        let game = game_id();
        self.input(Input::Thought { game, ply, choice });
    }

    /// Lets the search tell what it thinks so far.
    pub fn considered(&mut self, ply: u16, turn: &str) {
        self.input(Input::Considered {
            game: game_id(),
            ply,
            so_far: Box::new(report(turn, 0.5)),
        });
    }

    /// The endings that wait to be asked for.
    pub fn take_endings(&mut self) -> Vec<(GameId, Ending)> {
        let endings = self.take(|r| matches!(r, Request::End { .. }));
        endings
            .into_iter()
            .map(|request| match request {
                Request::End { game, how } => (game, how),
                _ => unreachable!("only endings were taken"),
            })
            .collect()
    }

    pub fn ended(&mut self, how: Ending, result: Result<GameState, TransportError>) {
        let answer = match result {
            Ok(state) => self.good(tagged(state)),
            Err(error) => self.bad(error),
        };
        let game = game_id();
        self.input(Input::Ended { game, how, answer });
    }

    pub fn played(&mut self, ply: u16, result: Result<GameState, TransportError>) {
        let answer = match result {
            Ok(state) => self.good(tagged(state)),
            Err(error) => self.bad(error),
        };
        self.input(Input::Played {
            game: game_id(),
            ply,
            answer,
        });
    }

    /// The server's clock now.
    pub fn server_now(&self) -> u64 {
        SERVER_START + (self.now - self.start).as_millis() as u64
    }

    /// The game with so much time left on the running clock, told now.
    pub fn with_time(&self, mut state: GameState, left: Duration) -> GameState {
        state.server_time = self.server_now();
        state.clock.deadline_at = Some(state.server_time + left.as_millis() as u64);
        state
    }

    pub fn turns_told(&self) -> Vec<String> {
        let turn = |event: &Event| match event {
            Event::TurnPlayed(played) => Some(played.turn.to_string()),
            _ => None,
        };
        self.events.iter().filter_map(turn).collect()
    }

    pub fn games_finished(&self) -> usize {
        let is_end = |event: &&Event| matches!(event, Event::GameFinished { .. });
        self.events.iter().filter(is_end).count()
    }
}
