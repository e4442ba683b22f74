//! Many fast games over a way on which one request in ten is spoiled.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use yinsh_bot::api::{Me, ReasonWord};

use crate::amount;
use crate::common::Client;
use crate::opponents::{self, Finished, Fixture};
use crate::processes::{Site, Usage};
use crate::proxy::{Proxy, Traffic};

const AT_ONCE: usize = 8;
const PERCENT: u32 = 10;
const CLOCK_MS: u64 = 30_000;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute, and as long as YINSH_SOAK_GAMES asks for"]
async fn no_game_is_lost_and_nothing_leaks() {
    let games = amount("YINSH_SOAK_GAMES", 16);
    let site = Site::new();
    let token = site.account("ringmaster");
    let proxy = Proxy::start(&site.url, PERCENT, 1).await;
    site.configure(&proxy.url(), &token);
    let _server = site.serve();
    let account = me(&site, &token).await;
    let mut bot = site.play();
    let fixture = Fixture::new(&account, "standard", CLOCK_MS, games);
    let start = Instant::now();
    let mut running = opponents::start(&site, &fixture, AT_ONCE);
    let mut finished = Vec::new();
    let mut samples = Vec::new();
    while !running.is_empty() {
        tokio::select! {
            Some(games) = running.join_next() => finished.extend(games.expect("no opponent fails")),
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
        }
        assert!(
            bot.is_alive(),
            "the bot has ended:\n{}",
            site.read("bot.stderr")
        );
        samples.push(bot.usage());
    }
    let traffic = proxy.traffic();
    println!("{games} games in {} s", start.elapsed().as_secs());
    println!(
        "{} requests, spoiled {:?}",
        traffic.requests, traffic.faults
    );
    assert_eq!(bot.end(), Some(0), "{}", site.warnings(10));
    check_games(&site, &finished, &traffic);
    check_usage(&samples, games);
    assert_eq!(finished.len(), games);
}

/// The account's identifier, as soon as the server is up.
pub async fn me(site: &Site, token: &str) -> String {
    let client = Client::at(&site.url, token);
    for _ in 0..500 {
        let answer = client
            .try_send(axum::http::Method::GET, "/me", &[], None)
            .await;
        if let Some(answer) = answer {
            return answer.json::<Me>().id.to_string();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server does not start:\n{}", site.read("server.stderr"));
}

fn check_games(site: &Site, finished: &[Finished], traffic: &Traffic) {
    let mut ends = BTreeMap::new();
    for game in finished {
        *ends.entry(game.describe()).or_insert(0) += 1;
    }
    println!("ends: {ends:?}");
    let mut faults = Vec::new();
    for game in finished {
        let result = game.state.result.expect("it has ended");
        let is_lost = result.winner.is_some_and(|winner| winner != game.bot);
        if !game.is_by_rules() && (is_lost || result.reason == ReasonWord::Abort) {
            faults.push(format!("{} {}", game.state.id, game.describe()));
        }
        faults.extend(two_turns_at_once(game, traffic));
        let recorded = site.recorded_turns(game.state.id.as_str());
        assert_eq!(
            recorded, game.state.turns,
            "the record of {}",
            game.state.id
        );
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A turn was sent as often as it had to be, but never two different ones.
fn two_turns_at_once(game: &Finished, traffic: &Traffic) -> Vec<String> {
    let mut faults = Vec::new();
    for ply in 0..game.state.ply {
        let played = (game.state.id.to_string(), ply);
        if let Some(sent) = traffic.sent.get(&played).filter(|sent| sent.len() > 1) {
            faults.push(format!("{played:?} was sent as {sent:?}"));
        }
    }
    faults
}

/// Compares the most that the first half of the run held with the most that the second half held. In a short run the
/// trees of the first games are still being filled.
fn check_usage(samples: &[Usage], games: usize) {
    let margin_kib = if games < 100 { 64 * 1024 } else { 16 * 1024 };
    let most = |samples: &[Usage]| samples.iter().copied().fold(Usage::default(), Usage::max);
    let (first, second) = samples.split_at(samples.len() / 2);
    let (first, second) = (most(first), most(second));
    println!("first half {first:?}\nsecond half {second:?}");
    assert!(second.memory_kib <= first.memory_kib + margin_kib, "memory");
    assert!(second.files <= first.files + 12, "files and sockets");
    assert!(second.threads <= first.threads + 8, "threads");
}
