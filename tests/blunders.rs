//! How often a ten times longer search thinks otherwise, in games of the default search against itself.
//!
//! `YINSH_GAMES` games (4 by default) with `YINSH_SIMULATIONS` for each turn (1 000 by default).

#[path = "common/search.rs"]
mod search;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use search::fresh_search;
use yinsh_bot::game::{Position, Turn, Variant};
use yinsh_bot::search::{below, expected_result, random_stream};

/// Results further apart than this are another opinion.
const FAR: f64 = 0.3;

/// What the turns of some games were like.
#[derive(Default)]
struct Count {
    turns: u32,
    /// The longer search expects another result of the position.
    changes: u32,
    /// It prefers another turn, and expects that much more of it.
    blunders: Vec<String>,
}

/// The turn of a fresh search, and what it expects.
fn search(position: &Position, simulations: u64) -> (Turn, f64) {
    let report = fresh_search(position, 64, simulations);
    (
        report.turn,
        report.win_probability.unwrap_or(expected_result(0.5)),
    )
}

/// What the side to move of `position` can expect after `turn`.
fn worth_of(position: &Position, turn: &Turn, simulations: u64) -> f64 {
    let after = position.play_turn(turn).expect("a legal turn");
    match after.outcome() {
        None => 1.0 - search(&after, simulations).1,
        Some(outcome) => outcome
            .winner
            .map_or(0.5, |winner| f64::from(u8::from(winner == position.side()))),
    }
}

fn play(game: u64, simulations: u64, count: &Mutex<Count>) {
    let mut random = random_stream(7, game);
    let mut position = Position::start(Variant::Standard);
    for _ in 0..10 {
        let actions = position.actions();
        position.play_unchecked(actions[below(&mut random, actions.len() as u32) as usize]);
    }
    while !position.is_over() {
        let (turn, expected) = search(&position, simulations);
        let (better, longer) = search(&position, 10 * simulations);
        let worth = if turn == better {
            longer
        } else {
            worth_of(&position, &turn, 10 * simulations)
        };
        let mut count = count.lock().unwrap();
        count.turns += 1;
        count.changes += u32::from((expected - longer).abs() > FAR);
        if longer - worth > FAR {
            count.blunders.push(format!(
                "{position}: {turn} ({worth:.2}) instead of {better} ({longer:.2})"
            ));
        }
        drop(count);
        position = position.play_turn(&turn).expect("a legal turn");
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a whole number"))
}

#[test]
#[ignore = "a minute of search; run by the gate"]
fn a_longer_search_seldom_thinks_otherwise() {
    let games = setting("YINSH_GAMES", 4);
    let simulations = setting("YINSH_SIMULATIONS", 1_000);
    let (next, count) = (AtomicU64::new(0), Mutex::new(Count::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
                for game in numbers.take_while(|game| *game < games) {
                    play(game, simulations, &count);
                }
            });
        }
    });
    let Count {
        turns,
        changes,
        blunders,
    } = count.into_inner().unwrap();
    let percent = |part: usize| 100.0 * part as f64 / f64::from(turns);
    println!(
        "{turns} turns of {games} games: a ten times longer search expects another result by more than {FAR} in {changes} \
         ({:.2} %), and of another turn that much more in {} ({:.2} %)",
        percent(changes as usize),
        blunders.len(),
        percent(blunders.len()),
    );
    println!("{}", blunders.join("\n"));
    assert!(percent(blunders.len()) < 3.0, "{blunders:#?}");
}
