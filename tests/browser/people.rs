//! People who play: a whole game against the bot, every kind of turn, against each other, and through a restart.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use yinsh_bot::api::{GameStatus, ReasonWord};
use yinsh_bot::game::Position;
use yinsh_bot::player::{GreedyPlayer, Player};
use yinsh_bot::search::{Limits, StopFlag};

use crate::common::{Client, TestServer, begin_game, first_turn};
use crate::driver::Browser;
use crate::person::{assert_shows, click_turn, game_shown, play, sign_in};
use crate::prepared::{Prepared, Wanted, find};

const HOUR: u64 = 3_600_000;
const WIDE: (u32, u32) = (1600, 1000);

/// The real bot as a process of its own.
struct Bot {
    child: Child,
    _folder: TempDir,
}

impl Bot {
    fn start(server: &TestServer, token: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let url = format!("server.url={}", server.server.url());
        let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
        // It plays fast, so that the test does not take long.
        for setting in [
            url.as_str(),
            "search.threads=1",
            "search.memory_mb=16",
            "time.max_share=0.01",
        ] {
            command.args(["--set", setting]);
        }
        let child = command
            .arg("play")
            .env("YINSH_BOT_TOKEN", token)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the bot starts");
        Self {
            child,
            _folder: folder,
        }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn a_person_plays_a_whole_game_against_the_bot_by_clicking() {
    let server = TestServer::start().await;
    let account = server.bot("ringmaster").await;
    let _bot = Bot::start(&server, account.token.as_deref().expect("a token"));
    let browser = Browser::open(&server.server.url(), WIDE.0, WIDE.1).await;
    let ada = sign_in(&browser, &server, "ada").await;
    browser.until_text("#opponent", "ringmaster (bot)").await;
    browser.click("#color option[value=white]").await;
    // One minute and a second a turn.
    browser.click("#clock option:nth-child(2)").await;
    browser.click("#play button.primary").await;

    let mut game = game_shown(&browser, &ada).await;
    let mut player = GreedyPlayer::new(1);
    while game.status == GameStatus::Active {
        let position = game.replay().expect("the game replays");
        let choice = player
            .choose_turn(&position, &Limits::default(), &StopFlag::new(), &mut |_| ())
            .expect("a turn");
        play(&browser, &choice.turn, game.ply).await;
        game = wait_for_turn(&ada, game.id.as_str(), game.ply + 2).await;
    }
    browser.until("document.querySelector('#own').hidden").await;
    let ending = browser.text("#status").await;
    assert!(
        ending.contains("wins: ") || ending.contains("A draw"),
        "{ending}"
    );
    assert!(game.ply > 20, "the game was over after {} turns", game.ply);
    assert_shows(&browser, &game.replay().expect("the game replays")).await;
    browser.close().await;
}

/// Waits until a game has come to this ply, or is over.
async fn wait_for_turn(client: &Client, game: &str, ply: u16) -> yinsh_bot::api::GameState {
    loop {
        let state = client.game(game).await;
        if state.ply >= ply || state.status == GameStatus::Finished {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// A person's game that stands where the wanted turn can be played, with the turns up to there played over HTTP.
async fn prepare(
    server: &TestServer,
    browser: &Browser,
    wanted: Wanted,
) -> (Client, String, Prepared) {
    let (ada, bob) = (
        sign_in(browser, server, "ada").await,
        server.bot("bob").await,
    );
    let prepared = find(wanted);
    let is_white = prepared.before.len().is_multiple_of(2);
    let (white, black) = if is_white { (&ada, &bob) } else { (&bob, &ada) };
    let game = begin_game(white, black, HOUR).await;
    for (ply, turn) in (0u16..).zip(&prepared.before) {
        let player = if ply.is_multiple_of(2) { white } else { black };
        player.play(&game, ply, &turn.to_string()).await;
    }
    (ada, game, prepared)
}

async fn plays_by_hand(wanted: Wanted) {
    let server = TestServer::start().await;
    let browser = Browser::open(&server.server.url(), WIDE.0, WIDE.1).await;
    let (ada, game, prepared) = prepare(&server, &browser, wanted).await;
    browser.goto(&format!("/games/{game}")).await;
    let before = ada.game(&game).await.replay().expect("the game replays");

    // Taken back part by part, it is as if nothing had been chosen.
    click_turn(&browser, &prepared.turn).await;
    for _ in 0..20 {
        let undo = "#undo";
        let is_enabled = browser.find(undo).await.is_enabled().await;
        if !is_enabled.expect("the button") {
            break;
        }
        browser.click(undo).await;
        browser
            .until("document.querySelector('#hint').textContent !== ''")
            .await;
    }
    browser
        .until("document.querySelector('.draft').textContent === ''")
        .await;
    assert_shows(&browser, &before).await;
    assert_eq!(ada.game(&game).await.ply, before.ply());

    play(&browser, &prepared.turn, before.ply()).await;
    let state = ada.game(&game).await;
    assert_eq!(state.turns.last(), Some(&prepared.turn.to_string()));
    assert_shows(&browser, &state.replay().expect("the game replays")).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn an_early_row_is_taken_by_clicking() {
    plays_by_hand(Wanted::EarlyRow).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn a_late_row_is_taken_by_clicking() {
    plays_by_hand(Wanted::LateRow).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn five_of_a_run_of_six_are_chosen_by_clicking() {
    plays_by_hand(Wanted::RunOfSix).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn one_of_two_crossing_rows_is_chosen_by_clicking() {
    plays_by_hand(Wanted::CrossingPair).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn two_people_meet_by_a_seek_and_play_each_other() {
    let server = TestServer::start().await;
    let url = server.server.url();
    let (one, other) = (
        Browser::open(&url, WIDE.0, WIDE.1).await,
        Browser::open(&url, WIDE.0, WIDE.1).await,
    );
    let ada = sign_in(&one, &server, "ada").await;
    let bob = sign_in(&other, &server, "bob").await;
    one.click("#opponent option[value=anybody]").await;
    one.click("#color option[value=white]").await;
    one.click("#play button.primary").await;
    other.click("[aria-label='Accept the seek of ada']").await;
    let game = game_shown(&one, &ada).await;
    assert_eq!(game_shown(&other, &bob).await.id, game.id);
    let mut state = game;
    for ply in 0..14u16 {
        let browser = if ply.is_multiple_of(2) { &one } else { &other };
        play(browser, &first_turn(&state), ply).await;
        state = ada.game(state.id.as_str()).await;
    }
    other.click("#resign").await;
    other.client.accept_alert().await.expect("the question");
    for browser in [&one, &other] {
        browser
            .until_text("#status", "ada (White) wins: bob has resigned")
            .await;
        assert_shows(browser, &state.replay().expect("the game replays")).await;
    }
    let result = ada.game(state.id.as_str()).await.result.expect("a result");
    assert_eq!(result.reason, ReasonWord::Resign);
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn a_game_goes_on_after_the_server_was_away() {
    let mut server = TestServer::start().await;
    let browser = Browser::open(&server.server.url(), WIDE.0, WIDE.1).await;
    let ada = sign_in(&browser, &server, "ada").await;
    let bob = server.bot("bob").await;
    let game = begin_game(&ada, &bob, HOUR).await;
    browser.goto(&format!("/games/{game}")).await;
    let mut state = ada.game(&game).await;
    play(&browser, &first_turn(&state), 0).await;
    browser.script("window.isTheSamePage = true").await;

    server.config.address = server.server.local_addr().to_string();
    let restarted = server.restart_after(Duration::from_secs(2)).await;
    let (ada, bob) = (restarted.again(&ada), restarted.again(&bob));
    state = ada.game(&game).await;
    bob.play(&game, 1, &first_turn(&state).to_string()).await;
    state = ada.game(&game).await;
    play(&browser, &first_turn(&state), 2).await;
    browser
        .until("document.querySelector('#trouble').hidden")
        .await;
    let position: Position = ada.game(&game).await.replay().expect("the game replays");
    assert_shows(&browser, &position).await;
    assert_eq!(browser.script("return window.isTheSamePage").await, true);
    browser.close_after_errors().await;
}
