//! A person at the page: takes a name, begins games, and plays by clicking.

use serde_json::json;
use yinsh_bot::api::GameState;
use yinsh_bot::game::{Action, Cell, Point, Position, Turn};

use crate::common::{Client, TestServer};
use crate::driver::Browser;

/// Takes a name on the first page, and returns a client that speaks for the same account.
pub async fn sign_in(browser: &Browser, server: &TestServer, name: &str) -> Client {
    browser.goto("/").await;
    browser.keys("#name", name).await;
    browser.click("#play button.primary").await;
    browser.until_text("#person", name).await;
    browser.find("#opponent").await;
    let cookie = browser.client.get_named_cookie("yinsh_session").await;
    let cookie = cookie.expect("the session's cookie");
    assert_eq!(cookie.http_only(), Some(true));
    let mut client = server.guest();
    client.token = Some(cookie.value().to_owned());
    client.id = client.get("/me").await.text("id");
    client
}

/// Puts a turn together by clicking, without sending it.
pub async fn click_turn(browser: &Browser, turn: &Turn) {
    let mut done = Vec::new();
    for action in turn.actions() {
        match *action {
            Action::PlaceRing(point) | Action::TakeRing(point) => click_point(browser, point).await,
            Action::MoveRing { from, to } => {
                click_point(browser, from).await;
                click_point(browser, to).await;
            }
            Action::TakeRow(row) => choose_row(browser, &row.to_string()).await,
            Action::Pass => browser.click("#pass").await,
        }
        done.push(*action);
        // A row is only half of its part.
        if !matches!(action, Action::TakeRow(_)) {
            let text = Turn::new(&done).expect("a turn").to_string();
            let draft = json!(text);
            browser
                .until(&format!(
                    "document.querySelector('.draft').textContent === {draft}"
                ))
                .await;
        }
    }
}

/// Plays a turn by clicking, and waits until it stands in the list.
pub async fn play(browser: &Browser, turn: &Turn, ply: u16) {
    browser
        .until(&format!(
            "document.querySelectorAll('#turns li').length === {ply}"
        ))
        .await;
    browser.until("document.querySelectorAll('.is-target').length > 0 || !document.querySelector('#pass').hidden").await;
    click_turn(browser, turn).await;
    browser.click("#send:not(:disabled)").await;
    browser
        .until(&format!(
            "document.querySelectorAll('#turns li').length > {ply}"
        ))
        .await;
}

/// A click on a point of the board.
pub async fn click_point(browser: &Browser, point: Point) {
    browser
        .click(&format!("[data-point={point}].is-target"))
        .await;
}

/// Chooses a row by its name, unless there is only one, which needs no choice.
async fn choose_row(browser: &Browser, row: &str) {
    browser.until("document.querySelectorAll('#own .choices button').length > 0 || document.querySelectorAll('.is-chosen').length === 5").await;
    let name = row.trim_start_matches('x').replace('-', " to ");
    let script = format!(
        "const button = [...document.querySelectorAll('#own .choices button')].find((button) => \
         button.textContent === 'Row ' + {}); button?.click()",
        json!(name)
    );
    browser.script(&script).await;
    browser
        .until("document.querySelectorAll('.is-chosen').length === 5")
        .await;
}

/// Asserts that the board shows a position, as those hear it who cannot see it.
pub async fn assert_shows(browser: &Browser, position: &Position) {
    for point in Point::all() {
        let said = match position.cell(point) {
            Cell::Empty => format!("{point}, empty"),
            Cell::Ring(color) => format!("{point}, {color} ring"),
            Cell::Marker(color) => format!("{point}, {color} marker"),
        };
        let condition = format!(
            "document.querySelector('[data-point={point}]').getAttribute('aria-label').startsWith({})",
            json!(said)
        );
        browser.until(&condition).await;
    }
}

/// The game whose page the browser shows, once it shows one.
pub async fn game_shown(browser: &Browser, client: &Client) -> GameState {
    browser
        .until("location.pathname.startsWith('/games/')")
        .await;
    let path = browser.script("return location.pathname").await;
    let id = path.as_str().and_then(|path| path.rsplit('/').next());
    client.game(id.expect("a game")).await
}
