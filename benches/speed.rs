//! Speed of random games and of the search, in CPU time of one thread: medians of five, and ratios to games played by
//! the plain rules in the same run. `cargo bench`
//!
//! An argument limits the output to the rows that contain it: `cargo bench -- avx512`.

use cpu_time::ThreadTime;
use yinsh_bot::game::Position;
use yinsh_bot::search::{
    Game, Limits, MAX_GAMES, PlayoutPolicy, Playouts, SearchParams, Searcher, StopFlag,
};
use yinsh_bot::search::{play_by_rules, random_stream};

/// All rings placed, White to move; random games from here have 58 ring moves.
const FIRST_MOVE: &str = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10";

/// Ring moves of a random game from there, on average.
const RING_MOVES: f64 = 58.2;

/// Half of the markers lie on the board.
const MIDDLE: &str =
    "m3/1m2r2/2M1mM2/3Rm2M1/2M1r2R2/1m1r5/m1MM1mrRmM/3R1mMm1/m2m1M2/2mr1M1/3R b m 0-0 31";

/// How often a second the work is done: the median of five runs of `times`.
fn rate(times: u64, mut work: impl FnMut(u64)) -> f64 {
    let mut rates: Vec<f64> = (0..5)
        .map(|run| {
            let start = ThreadTime::now();
            (run * times..(run + 1) * times).for_each(&mut work);
            times as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[2]
}

/// Prints the rows that the user asked for.
struct Table {
    filter: String,
    plain: f64,
}

impl Table {
    fn row(&self, name: &str, measure: impl FnOnce() -> f64) {
        if name.contains(&self.filter) {
            let rate = measure();
            let per_move = 1e9 / rate / RING_MOVES;
            println!(
                "{name:<34} {rate:>11.0} {per_move:>12.1} {:>9.1}",
                rate / self.plain
            );
        }
    }
}

fn playouts(table: &Table, policy: PlayoutPolicy, position: &Position) {
    for playouts in Playouts::all() {
        for at_once in [1, 2, 4, MAX_GAMES] {
            let name = format!(
                "{}, {}, {at_once} at once",
                policy.word(),
                playouts.simd().word()
            );
            table.row(&name, || {
                let mut games: Vec<Game> = Vec::with_capacity(at_once);
                let start = Game::new(position, 0);
                let rounds = 40_000 / at_once as u64;
                let rounds_rate = rate(rounds, |round| {
                    games.clear();
                    games.extend((0..at_once as u64).map(|i| start.with_seed(round << 4 | i)));
                    playouts.run(policy, &games);
                });
                rounds_rate * at_once as f64
            });
        }
    }
}

fn searches(filter: &str) {
    println!(
        "\n{:<34} {:>11} {:>12}",
        "search, tree included", "a second", "bytes each"
    );
    for (name, text) in [("first ring move", FIRST_MOVE), ("middle game", MIDDLE)] {
        if !name.contains(filter) {
            continue;
        }
        let position: Position = text.parse().expect("a valid position");
        let params = SearchParams {
            threads: 1,
            ..SearchParams::default()
        };
        let mut bytes = 0.0;
        let simulations = 150_000;
        let searches = rate(1, |seed| {
            let mut searcher = Searcher::new(SearchParams {
                seed,
                ..params.clone()
            });
            let limits = Limits::simulations(simulations);
            let report = searcher
                .search(&position, &limits, &StopFlag::new(), &mut |_| {})
                .expect("the game is not over");
            bytes = report.memory.used as f64 / report.simulations as f64;
        });
        println!(
            "{name:<34} {:>11.0} {bytes:>12.0}",
            searches * simulations as f64
        );
    }
}

fn main() {
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'))
        .unwrap_or_default();
    let position: Position = FIRST_MOVE.parse().expect("a valid position");
    let mut random = random_stream(1, 0);
    let plain = rate(2_000, |_| {
        play_by_rules(&position, &mut random);
    });
    println!(
        "{:<34} {:>11} {:>12} {:>9}",
        "random games after placement", "a second", "ns per move", "ratio"
    );
    let table = Table { filter, plain };
    table.row("by the plain rules", || plain);
    playouts(&table, PlayoutPolicy::Uniform, &position);
    playouts(&table, PlayoutPolicy::TakeFive, &position);
    searches(&table.filter);
}
