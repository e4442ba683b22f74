//! The real program, killed in the middle of play and started again: what was acknowledged is there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use yinsh_bot::api::{ColorWord, GameState, GameStatus, Me};

use crate::common::{Client, begin_game, first_turn};
use crate::server_process::ServerProcess;

const KILLS: u64 = 6;
const GAMES: usize = 3;
const HOUR: u64 = 3_600_000;

fn command(store: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
    command
        .arg("serve")
        .args(["--set", "serve.address=127.0.0.1:0"])
        .args(["--set", "serve.requests_per_minute=1000000"])
        .arg("--set")
        .arg(format!("serve.store={}", store.display()))
        .current_dir(store.parent().expect("a folder"));
    command
}

fn create_bot(store: &Path, name: &str) -> String {
    let output = command(store)
        .args(["--create-bot", name])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let token = String::from_utf8(output.stdout).expect("a token");
    token.trim().to_owned()
}

async fn client(url: &str, token: &str) -> Client {
    let mut client = Client::at(url, token);
    let me: Me = client.get("/me").await.json();
    client.id = me.id.to_string();
    client
}

/// A game as its players know it from the answers they got.
#[derive(Clone)]
struct Known {
    game: String,
    state: GameState,
}

/// Plays both sides of a game until the server is gone, and returns the last state it acknowledged.
fn play_until_killed(white: Client, black: Client, mut known: Known) -> JoinHandle<Known> {
    tokio::spawn(async move {
        while known.state.status == GameStatus::Active {
            let player = match known.state.to_move {
                Some(ColorWord::White) => &white,
                _ => &black,
            };
            let turn = first_turn(&known.state).to_string();
            let path = format!("/games/{}/turns/{}", known.game, known.state.ply);
            let headers = [("content-type", "application/json")];
            let body = json!({ "turn": turn }).to_string().into_bytes();
            let answer = player
                .try_send(Method::PUT, &path, &headers, Some(body))
                .await;
            match answer {
                // 200 when the turn was recorded, but the server was killed before it could say so.
                Some(answer) if answer.status.is_success() => known.state = answer.json(),
                Some(answer) => panic!("{answer:?}"),
                None => break,
            }
        }
        known
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let folder = TempDir::new().expect("a folder");
    let store: PathBuf = folder.path().join("store.sqlite");
    let tokens = (create_bot(&store, "white"), create_bot(&store, "black"));
    let mut games: Vec<Known> = Vec::new();
    let mut turns_played = 0;
    for round in 0..KILLS {
        let mut server = ServerProcess::start(&mut command(&store));
        let white = client(&server.url, &tokens.0).await;
        let black = client(&server.url, &tokens.1).await;
        for known in &games {
            assert_is_still_there(&white, known).await;
        }
        games.retain(|known| known.state.status == GameStatus::Active);
        while games.len() < GAMES {
            let game = begin_game(&white, &black, HOUR).await;
            let state = white.game(&game).await;
            games.push(Known { game, state });
        }
        let before: usize = games.iter().map(|known| known.state.turns.len()).sum();
        let playing: Vec<_> = games
            .drain(..)
            .map(|known| play_until_killed(white.clone(), black.clone(), known))
            .collect();
        tokio::time::sleep(Duration::from_millis(40 + 35 * round)).await;
        server.kill().expect("killed");
        for game in playing {
            games.push(game.await.expect("a player"));
        }
        let after: usize = games.iter().map(|known| known.state.turns.len()).sum();
        turns_played += after - before;
    }
    assert!(turns_played > 20, "only {turns_played} turns were played");
}

/// The turn that was on its way when the server was killed may be there or not; all before it are.
async fn assert_is_still_there(client: &Client, known: &Known) {
    let now = client.game(&known.game).await;
    let acknowledged = &known.state.turns;
    assert!(
        now.turns.starts_with(acknowledged),
        "{acknowledged:?} became {:?}",
        now.turns
    );
    assert!(now.turns.len() <= acknowledged.len() + 1);
    assert!(now.version >= known.state.version);
    now.replay().expect("the game replays");
    if now.turns.len() == acknowledged.len() {
        assert_eq!(
            (now.status, now.result),
            (known.state.status, known.state.result)
        );
        // Nobody pays for the time during which the server was dead, but for the time before.
        for (now_ms, known_ms) in [
            (now.clock.white_ms, known.state.clock.white_ms),
            (now.clock.black_ms, known.state.clock.black_ms),
        ] {
            assert!(
                now_ms <= known_ms && known_ms - now_ms < 5_000,
                "{known_ms} became {now_ms}"
            );
        }
    }
}

#[test]
fn an_account_is_created_once() {
    let folder = TempDir::new().expect("a folder");
    let store = folder.path().join("store.sqlite");
    assert!(create_bot(&store, "ada").starts_with("ynb_"));
    let again = command(&store)
        .args(["--create-bot", "Ada"])
        .output()
        .expect("the program runs");
    assert!(!again.status.success());
    let message = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(
        message.contains("another account has this name"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_same_store_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let store = folder.path().join("store.sqlite");
    let server = ServerProcess::start(&mut command(&store));
    let second = command(&store).output().expect("the program runs");
    assert!(!second.status.success());
    let message = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        message.contains("another server uses the store"),
        "{message}"
    );
    // The first one is none the worse for it.
    let meta = Client::at(&server.url, "").get("/meta").await;
    assert_eq!(meta.status, StatusCode::OK);
}
