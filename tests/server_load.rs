//! Many at once: 200 people who only watch, and 50 bots that play each other, on the real program.

#[path = "common/server.rs"]
mod common;
#[path = "common/process.rs"]
mod server_process;

use std::collections::HashMap;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tempfile::TempDir;
use yinsh_bot::api::{ColorWord, GameState, GameStatus};

use common::{Client, begin_game, first_turn};
use server_process::ServerProcess;

const GAMES: usize = 25;
const WATCHERS: usize = 200;
const DURATION: Duration = Duration::from_secs(10);
/// What a bot thinks about a turn.
const THINKING: Duration = Duration::from_millis(200);
const WAKE_UP_MAX: Duration = Duration::from_millis(50);
const HOUR: u64 = 3_600_000;

/// When each turn was sent, by game and the ply that it leads to.
type Sent = Arc<Mutex<HashMap<(String, u16), Instant>>>;

/// The server under load.
struct Server {
    process: ServerProcess,
    _folder: TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
        command
            .arg("serve")
            .args(["--set", "serve.address=127.0.0.1:0"])
            .args(["--set", "serve.open_registration=true"])
            .args(["--set", "serve.requests_per_minute=100000"])
            .current_dir(folder.path());
        Self {
            process: ServerProcess::start(&mut command),
            _folder: folder,
        }
    }

    /// The most memory that it has had, in MiB.
    fn memory_mb(&self) -> u64 {
        let path = format!("/proc/{}/status", self.process.child.id());
        let status = std::fs::read_to_string(path).expect("its status");
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
        kilobytes
            .and_then(|text| text.parse::<u64>().ok())
            .expect("a number")
            / 1024
    }

    async fn bot(&self, name: &str) -> Client {
        let body = serde_json::json!({ "name": name });
        let created = guest(&self.process.url).post("/bots", body).await;
        let mut bot = Client::at(&self.process.url, &created.text("token"));
        bot.id = created.text("id");
        bot
    }
}

/// Somebody without a token.
fn guest(url: &str) -> Client {
    let mut guest = Client::at(url, "");
    guest.token = None;
    guest
}

/// Plays one side by long polls until the time is over; returns how many turns it played.
async fn play(bot: Client, game: String, color: ColorWord, sent: Sent, until: Instant) -> usize {
    let path = format!("/games/{game}?wait=5");
    let mut answer = bot.get(&format!("/games/{game}")).await;
    let mut turns = 0;
    while Instant::now() < until {
        if answer.status == StatusCode::OK {
            let state: GameState = answer.json();
            if state.status == GameStatus::Finished {
                break;
            }
            if state.to_move == Some(color) {
                tokio::time::sleep(THINKING).await;
                let turn = first_turn(&state).to_string();
                let key = (game.clone(), state.ply + 1);
                sent.lock().expect("the table").insert(key, Instant::now());
                bot.play(&game, state.ply, &turn).await;
                turns += 1;
            }
        } else {
            assert_eq!(answer.status, StatusCode::NOT_MODIFIED, "{answer:?}");
        }
        let etag = answer.etag();
        answer = bot.get_known(&path, &etag).await;
    }
    turns
}

/// Watches a game until the time is over; returns how long after each turn was sent it was seen.
async fn watch(guest: Client, game: String, sent: Sent, until: Instant) -> Vec<Duration> {
    let path = format!("/games/{game}?wait=5");
    let mut answer = guest.get(&format!("/games/{game}")).await;
    let mut delays = Vec::new();
    while Instant::now() < until {
        let etag = answer.etag();
        answer = guest.get_known(&path, &etag).await;
        let seen = Instant::now();
        if answer.status != StatusCode::OK {
            assert_eq!(answer.status, StatusCode::NOT_MODIFIED, "{answer:?}");
            continue;
        }
        let state: GameState = answer.json();
        let key = (game.clone(), state.ply);
        let at = sent.lock().expect("the table").get(&key).copied();
        delays.extend(at.map(|at| seen - at));
        if state.status == GameStatus::Finished {
            break;
        }
    }
    delays
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "keeps the machine busy for ten seconds, and measures"]
async fn watchers_are_woken_soon_while_many_play() {
    let server = Server::start();
    let sent = Sent::default();
    let mut games = Vec::new();
    for number in 0..GAMES {
        let white = server.bot(&format!("white-{number}")).await;
        let black = server.bot(&format!("black-{number}")).await;
        let game = begin_game(&white, &black, HOUR).await;
        games.push((white, black, game));
    }
    let guest = guest(&server.process.url);
    let until = Instant::now() + DURATION;
    let watchers: Vec<_> = (0..WATCHERS)
        .map(|number| {
            let game = games[number % GAMES].2.clone();
            tokio::spawn(watch(guest.clone(), game, Arc::clone(&sent), until))
        })
        .collect();
    let players: Vec<_> = games
        .into_iter()
        .flat_map(|(white, black, game)| {
            [(white, ColorWord::White), (black, ColorWord::Black)].map(|(bot, color)| {
                tokio::spawn(play(bot, game.clone(), color, Arc::clone(&sent), until))
            })
        })
        .collect();
    let mut turns = 0;
    for player in players {
        turns += player.await.expect("a player without an error");
    }
    let mut delays = Vec::new();
    for watcher in watchers {
        delays.extend(watcher.await.expect("a watcher without an error"));
    }
    delays.sort_unstable();
    let median = delays[delays.len() / 2];
    println!(
        "{turns} turns, {} wake-ups: median {median:.1?}, 99 % within {:.1?}, longest {:.1?}; the server had {} MiB",
        delays.len(),
        delays[delays.len() * 99 / 100],
        delays[delays.len() - 1],
        server.memory_mb()
    );
    assert!(turns > 500, "only {turns} turns were played");
    assert!(median < WAKE_UP_MAX, "the median wake-up took {median:?}");
}
