//! Accounts that challenge the bot and play fast, straight to the server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::http::Method;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use yinsh_bot::api::{ChallengeStatus, ColorWord, GameState, GameStatus, Me, Pending, ReasonWord};

use crate::common::Client;
use crate::processes::Site;

/// A game that stands still for longer was abandoned.
const PATIENCE: Duration = Duration::from_secs(240);
/// Between two attempts when the server does not answer.
const PAUSE: Duration = Duration::from_millis(100);

/// What all opponents have in common.
pub struct Fixture {
    /// The bot's account.
    pub bot: String,
    pub variant: &'static str,
    pub initial_ms: u64,
    /// Games still to begin.
    left: AtomicUsize,
}

/// A game that is over, as the server tells.
pub struct Finished {
    pub state: GameState,
    pub bot: ColorWord,
    /// Turns of the opponent that the server acknowledged, by ply.
    pub acknowledged: BTreeMap<u16, String>,
}

impl Finished {
    /// Whether it ended as the rules of the game say, and not by a clock, a forfeit or a word.
    pub fn is_by_rules(&self) -> bool {
        use ReasonWord::{MarkersExhausted, NoMoves, Rings, Row};
        let reason = self.state.result.map(|result| result.reason);
        matches!(reason, Some(Rings | Row | MarkersExhausted | NoMoves))
    }

    /// Why it ended, and for whom: `bot`, `opponent` or nobody.
    pub fn describe(&self) -> String {
        let result = self.state.result.expect("it has ended");
        let winner = match result.winner {
            None => "drawn",
            Some(winner) if winner == self.bot => "won by the bot",
            Some(_) => "lost by the bot",
        };
        format!("{winner}, {}", result.reason.as_str())
    }
}

impl Fixture {
    pub fn new(bot: &str, variant: &'static str, initial_ms: u64, games: usize) -> Arc<Self> {
        Arc::new(Self {
            bot: bot.to_owned(),
            variant,
            initial_ms,
            left: AtomicUsize::new(games),
        })
    }

    fn take(&self) -> bool {
        let take = |left: usize| left.checked_sub(1);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .is_ok()
    }

    /// Begins no more games.
    pub fn stop(&self) {
        self.left.store(0, Ordering::Relaxed);
    }
}

/// Lets `count` accounts play until all games of the fixture are over.
pub fn start(site: &Site, fixture: &Arc<Fixture>, count: usize) -> JoinSet<Vec<Finished>> {
    let mut opponents = JoinSet::new();
    for number in 0..count {
        let token = site.account(&format!("opponent-{number}"));
        let client = Client::at(&site.url, &token);
        let fixture = Arc::clone(fixture);
        opponents.spawn(async move {
            let mut finished = Vec::new();
            while fixture.take() {
                let color = ["white", "black"][finished.len() % 2];
                finished.push(play(&client, &fixture, color).await);
            }
            finished
        });
    }
    opponents
}

/// One game from the challenge to the end.
async fn play(client: &Client, fixture: &Fixture, color: &str) -> Finished {
    let me = ask::<Me>(client, Method::GET, "/me", None).await.id;
    let game = begin(client, fixture, color).await;
    let mut acknowledged = BTreeMap::new();
    let mut known = 0;
    let mut moved = Instant::now();
    let path = format!("/games/{game}");
    loop {
        let state: GameState = ask(client, Method::GET, &format!("{path}?wait=0"), None).await;
        let mine = match state.players.white.id == me {
            true => ColorWord::White,
            false => ColorWord::Black,
        };
        if state.status == GameStatus::Finished {
            let bot = match mine {
                ColorWord::White => ColorWord::Black,
                _ => ColorWord::White,
            };
            return Finished {
                state,
                bot,
                acknowledged,
            };
        }
        if state.ply > known {
            (known, moved) = (state.ply, Instant::now());
        }
        assert!(
            moved.elapsed() < PATIENCE,
            "{game} stands still at ply {known}: {state:?}"
        );
        if state.to_move == Some(mine) {
            let turn = any_turn(&state);
            let body = json!({ "turn": turn });
            let path = format!("{path}/turns/{}", state.ply);
            let after: GameState = ask(client, Method::PUT, &path, Some(body)).await;
            if after.ply > state.ply {
                acknowledged.insert(state.ply, turn);
            }
        } else {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Challenges the bot until a game comes of it. A challenge that got lost runs out.
async fn begin(client: &Client, fixture: &Fixture, color: &str) -> String {
    let start = Instant::now();
    let clock = json!({ "initial_ms": fixture.initial_ms, "increment_ms": 0 });
    let challenge = json!({
        "to": fixture.bot, "variant": fixture.variant, "color": color, "rated": false, "clock": clock,
    });
    loop {
        let pending: Pending = ask(client, Method::GET, "/me/pending", None).await;
        if let Some(game) = pending.games.first() {
            return game.id.to_string();
        }
        assert!(start.elapsed() < PATIENCE, "no game begins");
        if pending
            .sent
            .iter()
            .all(|sent| sent.status != ChallengeStatus::Open)
        {
            let _: Value = ask(client, Method::POST, "/challenges", Some(challenge.clone())).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A legal turn that depends on the position only.
fn any_turn(state: &GameState) -> String {
    let position = state.replay().expect("the game replays");
    let turns = position
        .legal_turns(&[], 200)
        .expect("an empty prefix is legal");
    let number = state.ply as usize * 7919 + turns.len();
    turns[number % turns.len()].to_string()
}

/// The answer to a request, which is sent again as long as the server is away.
async fn ask<T: DeserializeOwned>(
    client: &Client,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> T {
    let start = Instant::now();
    loop {
        let headers = [("content-type", "application/json")];
        let body = body.as_ref().map(|body| body.to_string().into_bytes());
        let answer = client.try_send(method.clone(), path, &headers, body).await;
        match answer {
            Some(answer) if answer.status.is_success() => return answer.json(),
            // Between two looks the flag fell, or the challenge was answered already.
            Some(answer) if answer.status.as_u16() == 409 && method != Method::GET => {
                let path = path.split("/turns/").next().unwrap_or_default();
                return Box::pin(ask(client, Method::GET, path, None)).await;
            }
            Some(answer) => panic!("{method} {path}: {answer:?}"),
            None => tokio::time::sleep(PAUSE).await,
        }
        assert!(start.elapsed() < PATIENCE, "no answer to {method} {path}");
    }
}
