//! What every part of the session uses.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::pace::Pace;
use super::{Answer, Command, Request, SessionSettings};
use crate::api::{GameId, GameState, PlayerId};
use crate::bot::event::Event;
use crate::bot::timing::{LatencyMeter, ServerClock, Trip};
use crate::bot::transport::Tagged;
use crate::game::Variant;

/// What is known of the account and its server, and the commands that come out of the session.
pub(super) struct Common {
    /// Those in effect now; a game keeps those that it began with.
    pub settings: Arc<SessionSettings>,
    /// The account, once the server has told.
    pub me: Option<PlayerId>,
    /// Variants that the server plays as this program does.
    pub playable: Vec<Variant>,
    /// How long a poll may hang: what the settings say, or less if the server bears less.
    pub poll_wait_s: u64,
    pub server_clock: ServerClock,
    pub latency: LatencyMeter,
    pub random: Xoshiro256PlusPlus,
    pub pace: Pace,
    pub out: Vec<Command>,
}

impl Common {
    /// Nothing is known yet.
    pub(super) fn new(settings: SessionSettings, now: Instant) -> Self {
        Self {
            random: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            pace: Pace::new(settings.server.requests_per_minute, now),
            poll_wait_s: settings.server.poll_wait_s,
            settings: Arc::new(settings),
            me: None,
            playable: Vec::new(),
            server_clock: ServerClock::default(),
            latency: LatencyMeter::default(),
            out: Vec::new(),
        }
    }

    /// Takes over other settings; what the session was begun for stays.
    pub(super) fn configure(&mut self, settings: SessionSettings) {
        self.settings = Arc::new(SessionSettings {
            opening: self.settings.opening.clone(),
            leave_after: self.settings.leave_after,
            seed: self.settings.seed,
            ..settings
        });
    }

    pub(super) fn send(&mut self, command: Command) {
        self.out.push(command);
    }

    pub(super) fn ask(&mut self, request: Request) {
        self.pace.queue(request);
    }

    /// What has come out, with the requests that may be sent now.
    pub(super) fn take_out(&mut self, now: Instant) -> Vec<Command> {
        let requests = self.pace.release(now).into_iter().map(Command::Send);
        self.out.extend(requests);
        mem::take(&mut self.out)
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.send(Command::Tell(Box::new(event)));
    }

    pub(super) fn trouble(
        &mut self,
        game: Option<&GameId>,
        what: String,
        again_in: Option<Duration>,
    ) {
        self.tell(Event::Trouble {
            game: game.cloned(),
            what,
            again_in,
        });
    }

    /// Learns from a request that was answered at once.
    pub(super) fn measure(&mut self, trip: Trip, server_time: Option<u64>) {
        self.latency.record(trip.duration());
        if let Some(server_time) = server_time {
            self.server_clock.observe(trip, server_time);
        }
    }

    pub(super) fn measure_state(&mut self, answer: &Answer<Tagged<GameState>>) {
        if let Ok(state) = &answer.result {
            self.measure(answer.trip, Some(state.value.server_time));
        }
    }

    /// What a turn loses at the end of its time: the configured overhead and the bad case of the measured latency.
    pub(super) fn kept_back(&self) -> Duration {
        Duration::from_millis(self.settings.time.overhead_ms) + self.latency.measured().p99
    }
}
