//! Somebody who watches: the first page, a live game, stepping through it, and its analysis.

use serde_json::json;

use crate::common::{TestServer, begin_game, first_turn};
use crate::driver::Browser;
use crate::person::assert_shows;

const HOUR: u64 = 3_600_000;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn a_guest_watches_a_live_game_to_its_analysis() {
    let server = TestServer::start_with(|config| config.analysis_ms = 20).await;
    let (white, black) = (server.bot("white-bot").await, server.bot("black-bot").await);
    let browser = Browser::open(&server.server.url(), 1600, 1000).await;
    browser.goto("/").await;
    browser.until_text("#active", "Nobody plays").await;
    let game = begin_game(&white, &black, HOUR).await;
    browser
        .until_text("#featured-title", "white-bot – black-bot")
        .await;
    browser.until_text("#active", "white-bot").await;
    browser.click("#featured-link").await;
    browser.until_text("#title", "white-bot").await;
    browser.script("window.isTheSamePage = true").await;

    let mut states = vec![white.game(&game).await];
    for ply in 0..24u16 {
        let (mover, chance) = if ply % 2 == 0 {
            (&white, 600)
        } else {
            (&black, 450)
        };
        let turn = first_turn(&states[usize::from(ply)]).to_string();
        let body = json!({ "turn": turn, "win_permille": chance });
        mover.put(&format!("/games/{game}/turns/{ply}"), body).await;
        states.push(white.game(&game).await);
    }
    browser
        .until("document.querySelectorAll('#turns li').length === 24")
        .await;
    let position = |ply: usize| states[ply].replay().expect("the game replays");
    assert_shows(&browser, &position(24)).await;
    browser
        .until("document.querySelectorAll('#published-graph path').length === 2")
        .await;

    browser.click("#step-back").await;
    assert_shows(&browser, &position(23)).await;
    browser.click("#turns li:nth-child(12) button").await;
    assert_shows(&browser, &position(12)).await;
    browser.click("#step-first").await;
    assert_shows(&browser, &position(0)).await;
    browser.click("#step-last").await;
    assert_shows(&browser, &position(24)).await;

    black.act(&format!("/games/{game}/resign")).await;
    browser
        .until_text("#status", "white-bot (White) wins: black-bot has resigned")
        .await;
    browser.click("#analysis-body button").await;
    browser
        .until("document.querySelector('#analysis-body path')")
        .await;
    assert_eq!(browser.script("return window.isTheSamePage").await, true);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn what_players_write_is_never_read_as_markup() {
    let server = TestServer::start().await;
    let browser = Browser::open(&server.server.url(), 1600, 1000).await;
    browser.goto("/").await;
    browser.find("#name").await;
    // The server allows no such name; the page must not depend on that.
    let script = "const { html } = await import('/web/dom.js'); \
        document.body.append(html('p', { id: 'probe' }, '<img src=x onerror=alert(1)>')); \
        arguments[0](document.querySelectorAll('#probe *').length)";
    let wrapped = format!("(async (...arguments) => {{ {script} }})(...arguments)");
    let inside = browser.client.execute_async(&wrapped, Vec::new()).await;
    assert_eq!(inside.expect("an answer"), json!(0));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn a_game_that_is_not_there_says_so() {
    let server = TestServer::start().await;
    let browser = Browser::open(&server.server.url(), 1600, 1000).await;
    browser.goto("/games/g_none").await;
    browser
        .until_text("#trouble", "There is no such game here")
        .await;
    browser.close_after_errors().await;
}
