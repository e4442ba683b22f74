//! Whole games over real HTTP, between bots on a real server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use secrecy::SecretString;
use tempfile::TempDir;
use yinsh_bot::api::{NewChallenge, PlayerId};
use yinsh_bot::bot::{
    AccountConfig, Bot, Event, Exit, HttpTransport, MatchmakingConfig, PlayerFactory, Records,
    ServerConfig, SessionSettings, StopSender, Transport, Way, stop_channel,
};
use yinsh_bot::game::{GameRecord, Outcome, Position};
use yinsh_bot::player::{Choice, Player, PlayerError, PlayerKind, RandomPlayer};
use yinsh_bot::search::{Limits, SearchParams, SearchReport, StopFlag};
use yinsh_bot::server::{ServeConfig, Server};

use crate::flaky::Flaky;
use crate::rig::{settings, settings_for};

/// A whole game must not take longer than this.
const PATIENCE: Duration = Duration::from_secs(60);

struct House {
    server: Server,
    folder: TempDir,
}

impl House {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = ServeConfig {
            address: "127.0.0.1:0".to_owned(),
            store: folder.path().join("store.sqlite").display().to_string(),
            requests_per_minute: 100_000,
            ..ServeConfig::default()
        };
        Self {
            server: Server::start(&config).await.unwrap(),
            folder,
        }
    }

    async fn account(&self, name: &str) -> (PlayerId, HttpTransport) {
        let created = self.server.create_bot(name).await.unwrap();
        let server = ServerConfig {
            url: self.server.url(),
            ..ServerConfig::default()
        };
        let token = SecretString::from(created.token.token);
        let transport = HttpTransport::new(&server, &AccountConfig::default(), &token);
        (created.id, transport.unwrap())
    }
}

fn players(kind: PlayerKind, seed: u64) -> PlayerFactory {
    let params = SearchParams {
        seed,
        ..SearchParams::default()
    };
    Arc::new(move || kind.build(&params))
}

/// A bot that accepts challenges until it is told to stop.
fn host(
    transport: impl Transport,
    games_max: usize,
) -> (StopSender, tokio::task::JoinHandle<Exit>) {
    let (stop, stopped) = stop_channel();
    let settings = settings_for(games_max, games_max);
    let bot = Bot::new(transport, settings, players(PlayerKind::Greedy, 1));
    let run = async move { bot.run(&mut |_: &Event| {}, stopped).await };
    (stop, tokio::spawn(run))
}

/// The settings of a bot that challenges `opponent` to one game.
fn challenger(opponent: &PlayerId) -> SessionSettings {
    let challenge: NewChallenge = serde_json::from_value(serde_json::json!({
        "to": opponent, "variant": "standard", "color": "random", "rated": false,
        "clock": {"initial_ms": 60_000, "increment_ms": 1_000},
    }))
    .unwrap();
    SessionSettings {
        opening: Some(challenge),
        leave_after: Some(1),
        ..settings()
    }
}

/// Runs `bot` to its end and returns what it told.
async fn run(bot: Bot) -> (Exit, Vec<Event>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&events);
    let mut watcher = move |event: &Event| sink.lock().unwrap().push(event.clone());
    let (_stop, stopped) = stop_channel();
    let exit = tokio::time::timeout(PATIENCE, bot.run(&mut watcher, stopped));
    let exit = exit.await;
    let events = events.lock().unwrap().clone();
    let exit = exit.unwrap_or_else(|_| panic!("the game does not end in time: {events:#?}"));
    (exit, events)
}

/// The end of the one game in `events`, which must have been told turn by turn.
fn outcome(events: &[Event]) -> Outcome {
    let mut record: Option<GameRecord> = None;
    let mut end = None;
    for event in events {
        match event {
            Event::GameStarted(info) => record = Some(GameRecord::new(info.variant)),
            Event::TurnPlayed(played) => {
                let record = record.as_mut().expect("the game was told before");
                assert_eq!(usize::from(played.ply), record.turns.len());
                record.turns.push(played.turn.clone());
            }
            Event::GameFinished { outcome, .. } => end = *outcome,
            _ => {}
        }
    }
    let mut record = record.expect("a game was played");
    record.outcome = end;
    let last: Position = record.replay().expect("the game replays");
    assert!(last.is_over(), "it ended by the rules: {end:?}");
    end.expect("the end was told")
}

#[tokio::test(flavor = "multi_thread")]
async fn two_bots_play_a_whole_game_and_keep_its_record() {
    let house = House::open().await;
    let (host_id, host_transport) = house.account("host").await;
    let (stop, host_run) = host(host_transport, 1);
    let (_, transport) = house.account("guest").await;
    let dir = house.folder.path().join("records");
    let bot = Bot::new(
        transport,
        challenger(&host_id),
        players(PlayerKind::Random, 2),
    )
    .with_records(Records::new(dir, "test"));
    let (exit, events) = run(bot).await;
    assert_eq!(exit, Exit::Done);
    let outcome = outcome(&events);
    let recorded = events.iter().find_map(|event| match event {
        Event::Recorded { path, .. } => Some(path),
        _ => None,
    });
    let text = std::fs::read_to_string(recorded.unwrap()).unwrap();
    let end = format!("\"reason\":\"{}\"", outcome.reason);
    assert!(text.lines().last().unwrap().contains(&end), "{text}");
    stop.request();
    assert_eq!(host_run.await.unwrap(), Exit::Drained);
    house.server.shutdown().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_requests_and_lost_answers_do_not_stop_play() {
    let house = House::open().await;
    let (host_id, host_transport) = house.account("host").await;
    let (stop, host_run) = host(host_transport, 1);
    let (_, transport) = house.account("guest").await;
    let flaky = Flaky::new(transport, 0);
    let bot = Bot::new(flaky, challenger(&host_id), players(PlayerKind::Greedy, 3));
    let (exit, events) = run(bot).await;
    assert_eq!(exit, Exit::Done);
    outcome(&events);
    let is_trouble = |event: &&Event| matches!(event, Event::Trouble { .. });
    assert!(events.iter().filter(is_trouble).count() > 10);
    stop.request();
    host_run.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_panics_costs_no_game() {
    let house = House::open().await;
    let (host_id, host_transport) = house.account("host").await;
    let (stop, host_run) = host(host_transport, 1);
    let (_, transport) = house.account("guest").await;
    let searches = Arc::new(AtomicUsize::new(0));
    let players: PlayerFactory = Arc::new(move || {
        Box::new(Nervous {
            inner: RandomPlayer::new(4),
            searches: Arc::clone(&searches),
        })
    });
    let bot = Bot::new(transport, challenger(&host_id), players);
    let (exit, events) = run(bot).await;
    assert_eq!(exit, Exit::Done);
    outcome(&events);
    let is_panic = |event: &&Event| match event {
        Event::SearchFailed { problem, .. } => problem.contains("panicked: no nerves left"),
        _ => false,
    };
    assert!(events.iter().filter(is_panic).count() > 3);
    stop.request();
    host_run.await.unwrap();
}

/// Panics in every fourth search.
struct Nervous {
    inner: RandomPlayer,
    searches: Arc<AtomicUsize>,
}

impl Player for Nervous {
    fn name(&self) -> &str {
        "nervous"
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn choose_turn(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Choice, PlayerError> {
        let number = self.searches.fetch_add(1, Ordering::Relaxed);
        assert!(number % 4 != 3, "no nerves left");
        self.inner.choose_turn(position, limits, stop, watch)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_games_at_once_up_to_the_limit() {
    let house = House::open().await;
    let (host_id, host_transport) = house.account("host").await;
    let (stop, host_run) = host(host_transport, 2);
    let mut guests = Vec::new();
    for seed in 0..4 {
        let (_, transport) = house.account(&format!("guest-{seed}")).await;
        let bot = Bot::new(
            transport,
            challenger(&host_id),
            players(PlayerKind::Random, seed),
        );
        guests.push(tokio::spawn(run(bot)));
    }
    for guest in guests {
        let (exit, events) = guest.await.unwrap();
        assert_eq!(exit, Exit::Done);
        outcome(&events);
    }
    stop.request();
    assert_eq!(host_run.await.unwrap(), Exit::Drained);
}

/// Two bots that look for games, and nobody else: one seeks, the other accepts.
#[tokio::test(flavor = "multi_thread")]
async fn two_idle_bots_find_each_other() {
    let house = House::open().await;
    let mut runs = Vec::new();
    for (seed, way) in [(0, Way::Accept), (1, Way::Seek)] {
        let (_, transport) = house.account(&format!("seeker-{seed}")).await;
        let mut wish = SessionSettings {
            leave_after: Some(1),
            ..settings()
        };
        wish.matchmaking = MatchmakingConfig {
            enabled: true,
            ways: vec![way],
            idle_s: 1 - seed,
            ..MatchmakingConfig::default()
        };
        let bot = Bot::new(transport, wish, players(PlayerKind::Random, seed));
        runs.push(tokio::spawn(run(bot)));
    }
    for run in runs {
        let (exit, events) = run.await.unwrap();
        assert_eq!(exit, Exit::Done);
        outcome(&events);
    }
}

/// A session that waits for an answer that can never come would hang for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_panics_ends_the_bot_loudly() {
    let house = House::open().await;
    let (_, transport) = house.account("clumsy").await;
    let flaky = Flaky::new(transport, usize::MAX);
    let bot = Bot::new(flaky, settings(), players(PlayerKind::Random, 5));
    let run = tokio::spawn(run(bot));
    assert!(run.await.unwrap_err().is_panic());
}
