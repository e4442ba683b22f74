//! Speed of random games, in CPU time of one thread, with ratios to games played by the plain rules in the same run; and
//! of the search, by the clock. Medians of five. `cargo bench`
//!
//! An argument limits the output to the rows that contain it: `cargo bench -- avx512`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use yinsh_bot::game::Position;
use yinsh_bot::search::{
    Budget, Game, Limits, MAX_AT_ONCE, MAX_GAMES, PlayoutPolicy, Playouts, SearchParams, Searcher,
    StopFlag, TO_THE_END,
};
use yinsh_bot::search::{play_by_rules, random_stream};

/// All rings placed, White to move; random games from here have 58 ring moves.
const FIRST_MOVE: &str = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10";

/// Ring moves of a random game from there, on average.
const RING_MOVES: f64 = 58.2;

/// Half of the markers lie on the board.
const MIDDLE: &str =
    "m3/1m2r2/2M1mM2/3Rm2M1/2M1r2R2/1m1r5/m1MM1mrRmM/3R1mMm1/m2m1M2/2mr1M1/3R b m 0-0 31";

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How often a second the work is done: the median of five runs of `times`.
fn rate(times: u64, mut work: impl FnMut(u64)) -> f64 {
    median((0..5).map(|run| {
        let start = ThreadTime::now();
        (run * times..(run + 1) * times).for_each(&mut work);
        times as f64 / start.elapsed().as_secs_f64()
    }))
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
        for at_once in [1, 2, 4, MAX_AT_ONCE] {
            let name = format!(
                "{}, {}, {at_once} at once",
                policy.word(),
                playouts.simd().word()
            );
            table.row(&name, || {
                let mut games = vec![Game::new(position, 0); MAX_GAMES];
                let rounds = 40_000 / MAX_GAMES as u64;
                let rounds_rate = rate(rounds, |round| {
                    for (number, game) in (0..).zip(&mut games) {
                        game.set_seed(round << 8 | number);
                    }
                    playouts.run(policy, TO_THE_END, at_once, &games);
                });
                rounds_rate * MAX_GAMES as f64
            });
        }
    }
}

/// How many nanoseconds a cache line takes from one core to another, for which two threads on one tree wait; 0 on a single
/// core.
fn hand_over() -> f64 {
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return 0.0;
    }
    const TURNS: u64 = 50_000;
    let turn = AtomicU64::new(0);
    let start = Instant::now();
    let pass_on = |own: u64| {
        for round in 0..TURNS {
            while turn.load(Ordering::Acquire) != 2 * round + own {
                std::hint::spin_loop();
            }
            turn.store(2 * round + own + 1, Ordering::Release);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| pass_on(0));
        pass_on(1);
    });
    start.elapsed().as_secs_f64() * 1e9 / (2 * TURNS) as f64
}

fn for_time(time: Duration) -> Limits {
    Limits::time(Budget::fixed(time))
}

/// Searches of 200 ms and of 5 s with the tree that they need. Two threads are compared with one in the same time, in which
/// their tree becomes twice as large, and with one in twice the time. A host that moves the cores of a virtual machine
/// changes what two threads reach, so each round compares what it has measured itself, and tells how far they were apart.
fn searches(filter: &str) {
    println!(
        "\n{:<34} {:>11} {:>11} {:>10} {:>10} {:>14}",
        "search, tree included",
        "a second",
        "bytes each",
        "2 threads",
        "same tree",
        "cache line, ns"
    );
    let uniform = SearchParams {
        expansion_visits: SearchParams::default().expansion_visits,
        leaves_at_once: SearchParams::default().leaves_at_once,
        ..SearchParams::baseline()
    };
    for (kind, params) in [("uniform", uniform), ("default", SearchParams::default())] {
        for (place, text) in [("first ring move", FIRST_MOVE), ("middle game", MIDDLE)] {
            let name = format!("{kind}, {place}");
            if !name.contains(filter) {
                continue;
            }
            let position: Position = text.parse().expect("a valid position");
            let rounds: [[f64; 4]; 5] = std::array::from_fn(|seed| {
                let search = |threads, ms| {
                    let limits = for_time(Duration::from_millis(ms));
                    search_rate(&position, &params, threads, seed as u64, &limits).0
                };
                let one = search(1, 200);
                let before = hand_over();
                let two = search(2, 200);
                let after = hand_over();
                [one, two / one, two / search(1, 400), before.max(after)]
            });
            let [one, two, same_tree, line] =
                std::array::from_fn(|column| median(rounds.iter().map(|round| round[column])));
            let (_, bytes) =
                search_rate(&position, &params, 1, 0, &for_time(Duration::from_secs(5)));
            println!(
                "{name:<34} {one:>11.0} {bytes:>11.0} {two:>10.2} {same_tree:>10.2} {line:>14.0}"
            );
        }
    }
}

/// Simulations a second of a search, and bytes of its tree for each of them.
fn search_rate(
    position: &Position,
    params: &SearchParams,
    threads: u32,
    seed: u64,
    limits: &Limits,
) -> (f64, f64) {
    let mut searcher = Searcher::new(SearchParams {
        threads,
        seed,
        memory_mb: 2048,
        ..params.clone()
    });
    let report = searcher
        .search(position, limits, &StopFlag::new(), &mut |_| {})
        .expect("the game is not over");
    let simulations = report.simulations as f64;
    (
        simulations / report.elapsed.as_secs_f64(),
        report.memory.used as f64 / simulations,
    )
}

/// How long after its budget the search of a turn ends, with all cores searching.
fn stops(filter: &str) {
    const TURNS: u64 = 1_000;
    let name = "end of a turn beyond its 20 ms";
    if !name.contains(filter) {
        return;
    }
    let position: Position = MIDDLE.parse().expect("a valid position");
    let budget = Duration::from_millis(20);
    let mut searcher = Searcher::new(SearchParams::default());
    let mut late: Vec<Duration> = (0..TURNS)
        .map(|_| {
            searcher.new_game();
            let start = Instant::now();
            searcher
                .search(&position, &for_time(budget), &StopFlag::new(), &mut |_| {})
                .expect("the game is not over");
            start.elapsed().saturating_sub(budget)
        })
        .collect();
    late.sort();
    let at = |share: f64| late[(share * (TURNS - 1) as f64) as usize].as_secs_f64() * 1e3;
    println!(
        "\n{name}: median {:.2} ms, 99 % {:.2} ms, longest {:.2} ms of {TURNS}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
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
    stops(&table.filter);
}
