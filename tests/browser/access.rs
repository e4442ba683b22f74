//! For everybody: narrow screens, the keyboard alone, and the rules of accessibility.

use serde_json::{Value, json};
use yinsh_bot::game::Point;

use crate::common::{Client, TestServer, begin_game, first_turn};
use crate::driver::Browser;
use crate::person::{assert_shows, play, sign_in};

const HOUR: u64 = 3_600_000;
/// The smallest side of a target for a finger, in CSS pixels (WCAG 2.2, 2.5.8).
const TARGET_MIN: f64 = 24.0;
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";

/// A person with a game against a bot, in which the person is to move.
async fn at_a_game(width: u32, height: u32) -> (TestServer, Browser, Client, String) {
    let server = TestServer::start().await;
    let browser = Browser::open(&server.server.url(), width, height).await;
    let ada = sign_in(&browser, &server, "ada").await;
    let bob = server.bot("a-name-of-20-letters").await;
    let game = begin_game(&ada, &bob, HOUR).await;
    // The page goes there by itself.
    browser
        .until(&format!("location.pathname === '/games/{game}'"))
        .await;
    (server, browser, ada, game)
}

async fn assert_fits(browser: &Browser, width: u64) {
    let wide = browser
        .script("return document.documentElement.scrollWidth")
        .await;
    assert!(wide.as_u64() <= Some(width), "{wide} on {width} pixels");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn the_pages_fit_on_a_telephone() {
    let (server, browser, ada, game) = at_a_game(360, 740).await;
    browser.goto("/").await;
    browser.until_text("#invitations", "it is your turn").await;
    assert_fits(&browser, 360).await;
    browser.goto(&format!("/games/{game}")).await;
    let mut state = ada.game(&game).await;
    play(&browser, &first_turn(&state), 0).await;
    assert_fits(&browser, 360).await;
    let boxes = "return [...document.querySelectorAll('.point .hit')].map((hit) => \
        Math.min(hit.getBoundingClientRect().width, hit.getBoundingClientRect().height))";
    let sizes = browser.script(boxes).await;
    for size in sizes.as_array().expect("sizes") {
        assert!(size.as_f64() >= Some(TARGET_MIN), "{size}");
    }
    state = ada.game(&game).await;
    assert_shows(&browser, &state.replay().expect("the game replays")).await;
    browser.close().await;
    drop(server);
}

/// Presses a key wherever the focus is.
async fn press(browser: &Browser, key: &str) {
    let focused = browser.client.active_element().await.expect("a focus");
    focused.send_keys(key).await.expect("a key");
}

/// Presses Tab until the focus is on an element that fits.
async fn tab_to(browser: &Browser, css: &str) {
    for _ in 0..60 {
        press(browser, TAB).await;
        let fits = format!("return document.activeElement.matches({})", json!(css));
        if browser.script(&fits).await == json!(true) {
            return;
        }
    }
    panic!("Tab never led to {css}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver"]
async fn a_turn_is_played_with_the_keyboard_alone() {
    let (_server, browser, ada, game) = at_a_game(1600, 1000).await;
    browser.goto(&format!("/games/{game}")).await;
    browser
        .until("document.querySelectorAll('.is-target').length === 85")
        .await;
    tab_to(&browser, ".point").await;
    for key in [UP, RIGHT, UP, ENTER] {
        press(&browser, key).await;
    }
    browser.until_text(".draft", "g8").await;
    tab_to(&browser, "#send").await;
    press(&browser, ENTER).await;
    browser.until_text("#status", "White: ring to g8").await;
    let point: Point = "g8".parse().expect("a point");
    let played = ada.game(&game).await;
    assert_eq!(played.turns, [point.to_string()]);
    browser.close().await;
}

/// What axe-core calls serious or critical on the page that is shown.
async fn faults(browser: &Browser) -> Vec<String> {
    let path = std::env::var("AXE_CORE").expect("AXE_CORE names the script axe.min.js of axe-core");
    let axe = std::fs::read_to_string(&path).expect("axe-core");
    browser.script(&axe).await;
    let run = "const done = arguments[0]; axe.run(document).then((found) => done(found.violations), \
        (error) => done([{ id: String(error), impact: 'critical', nodes: [] }]))";
    let found = browser.client.execute_async(run, Vec::new()).await;
    let found = found.expect("axe-core runs");
    let grave = |fault: &&Value| fault["impact"] == "serious" || fault["impact"] == "critical";
    let found = found.as_array().expect("faults").iter().filter(grave);
    found
        .map(|fault| format!("{}: {}", fault["id"], fault["nodes"][0]["html"]))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium, chromedriver and axe-core"]
async fn axe_core_finds_no_serious_fault() {
    let (server, browser, ada, game) = at_a_game(1600, 1000).await;
    let guest = Browser::open(&server.server.url(), 360, 740).await;
    guest.goto("/").await;
    guest.until_text("#active", "ada").await;
    browser.goto("/").await;
    browser.until_text("#invitations", "it is your turn").await;
    assert_eq!(faults(&guest).await, Vec::<String>::new());
    assert_eq!(faults(&browser).await, Vec::<String>::new());

    browser.goto(&format!("/games/{game}")).await;
    play(&browser, &first_turn(&ada.game(&game).await), 0).await;
    assert_eq!(faults(&browser).await, Vec::<String>::new());
    ada.act(&format!("/games/{game}/resign")).await;
    browser.until_text("#analysis-body", "Analyse").await;
    assert_eq!(faults(&browser).await, Vec::<String>::new());
    browser.close().await;
    guest.close().await;
}
