//! Bot and server, killed with SIGKILL and started again in the middle of play.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::amount;
use crate::faults::me;
use crate::opponents::{self, Finished, Fixture};
use crate::processes::Site;
use crate::proxy::{Proxy, Traffic};

const AT_ONCE: usize = 4;
const CLOCK_MS: u64 = 120_000;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes half a minute, and as long as YINSH_SOAK_KILLS asks for"]
async fn killed_again_and_again_no_turn_is_lost() {
    let kills = amount("YINSH_SOAK_KILLS", 6);
    let site = Site::new();
    let token = site.account("ringmaster");
    // It spoils nothing, but sees which turns were acknowledged.
    let proxy = Proxy::start(&site.url, 0, 1).await;
    site.configure(&proxy.url(), &token);
    let mut server = site.serve();
    let account = me(&site, &token).await;
    let mut bot = site.play();
    let fixture = Fixture::new(&account, "standard", CLOCK_MS, usize::MAX);
    let mut running = opponents::start(&site, &fixture, AT_ONCE);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut pause = move || Duration::from_millis(random.random_range(200..2_500));
    let start = Instant::now();
    for _ in 0..kills {
        tokio::time::sleep(pause()).await;
        bot.kill();
        bot = site.play();
        tokio::time::sleep(pause()).await;
        server.kill();
        server = site.serve();
    }
    fixture.stop();
    let mut finished: Vec<Finished> = Vec::new();
    while let Some(games) = running.join_next().await {
        finished.extend(games.expect("no opponent fails"));
    }
    println!(
        "{kills} kills each, {} games in {} s",
        finished.len(),
        start.elapsed().as_secs()
    );
    let traffic = proxy.traffic();
    check(&site, &finished, &traffic);
    assert_eq!(bot.end(), Some(0), "{}", site.warnings(10));
}

fn check(site: &Site, finished: &[Finished], traffic: &Traffic) {
    let mut by_bot = 0;
    let mut by_opponent = 0;
    for game in finished {
        let id = game.state.id.to_string();
        assert!(
            game.is_by_rules(),
            "{id} {}:\n{}",
            game.describe(),
            site.warnings(20)
        );
        for (ply, turn) in game.state.turns.iter().enumerate() {
            let ply = ply as u16;
            if let Some(acknowledged) = traffic.acknowledged.get(&(id.clone(), ply)) {
                assert_eq!(acknowledged, turn, "{id} at {ply}");
                by_bot += 1;
            }
            if let Some(acknowledged) = game.acknowledged.get(&ply) {
                assert_eq!(acknowledged, turn, "{id} at {ply}");
                by_opponent += 1;
            }
        }
        let recorded = site.recorded_turns(&id);
        // What was played while the bot was dead, and the game over before it was back, it never heard of.
        assert!(
            game.state.turns.starts_with(&recorded),
            "the record of {id}"
        );
    }
    let all: usize = finished.iter().map(|game| game.acknowledged.len()).sum();
    println!("acknowledged turns found again: {by_bot} of the bot, {by_opponent} of its opponents");
    assert_eq!(by_opponent, all);
    let of_these =
        |(game, _): &&(String, u16)| finished.iter().any(|f| f.state.id.as_str() == *game);
    assert_eq!(by_bot, traffic.acknowledged.keys().filter(of_these).count());
}
