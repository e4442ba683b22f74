//! The search as a whole: legal whatever happens, reproducible, within its limits, and not blind.

use std::time::{Duration, Instant};

use yinsh_bot::game::{Color, EndReason, Position, Variant};
use yinsh_bot::player::{GreedyPlayer, MctsPlayer, Player, RandomPlayer};
use yinsh_bot::search::{
    Budget, GameOver, Limits, Proof, SearchParams, SearchReport, Searcher, StopFlag, below,
    random_stream,
};

/// White to move; early in the game.
const OPEN: &str = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10";

/// Black to move; in the middle of the game.
const CROWDED: &str =
    "2r1/1R2MR1/2m1m3/1MMm1mR1r/1m3m2M1/3r5/2r1m2mM1/M1m1M1m2/R2m1MMm/2RM3/M2r b m 0-0 31";

fn params(threads: u32) -> SearchParams {
    SearchParams {
        threads,
        memory_mb: 32,
        ..SearchParams::default()
    }
}

fn search(searcher: &mut Searcher, position: &Position, limits: Limits) -> SearchReport {
    searcher
        .search(position, &limits, &StopFlag::new(), &mut |_| {})
        .unwrap()
}

/// What must not depend on the clock.
fn without_times(mut report: SearchReport) -> SearchReport {
    report.elapsed = Duration::ZERO;
    report
}

/// Positions from a random game, one for each turn.
fn random_game(seed: u64, variant: Variant) -> Vec<Position> {
    let mut random = random_stream(seed, 9);
    let mut position = Position::start(variant);
    let mut positions = vec![position];
    while !position.is_over() {
        let actions = position.actions();
        position.play(actions[below(&mut random, actions.len() as u32) as usize]);
        positions.push(position);
    }
    positions
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let position: Position = OPEN.parse().unwrap();
    let run = |seed| {
        let mut searcher = Searcher::new(SearchParams { seed, ..params(1) });
        let first = search(&mut searcher, &position, Limits::simulations(3_000));
        let after = position.play_turn(&first.turn).unwrap();
        let second = search(&mut searcher, &after, Limits::simulations(3_000));
        (without_times(first), without_times(second))
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).0.candidates, run(2).0.candidates);
}

#[test]
fn a_new_game_begins_like_the_first() {
    let position: Position = OPEN.parse().unwrap();
    let mut searcher = Searcher::new(params(1));
    let first = without_times(search(&mut searcher, &position, Limits::simulations(500)));
    searcher.new_game();
    assert_eq!(
        without_times(search(&mut searcher, &position, Limits::simulations(500))),
        first
    );
}

#[test]
fn simulations_are_counted_exactly_with_any_number_of_threads() {
    let position: Position = OPEN.parse().unwrap();
    for threads in [1, 2, 5] {
        for simulations in [0, 1, 7, 1_000] {
            let mut searcher = Searcher::new(params(threads));
            let report = search(&mut searcher, &position, Limits::simulations(simulations));
            assert_eq!(
                (report.simulations, report.root_visits),
                (simulations, simulations)
            );
            let visits: u64 = report
                .candidates
                .iter()
                .map(|candidate| candidate.visits)
                .sum();
            assert_eq!(visits, simulations);
        }
    }
}

/// However little was searched, the turn is whole and legal: in every phase, with one thread and more.
#[test]
fn the_turn_is_legal_whenever_the_search_is_stopped() {
    for (seed, variant) in [
        (1, Variant::Standard),
        (2, Variant::Standard),
        (3, Variant::Blitz),
    ] {
        let mut searcher = Searcher::new(params(1 + seed as u32 % 2));
        for (index, position) in random_game(seed, variant).iter().enumerate() {
            if position.is_over() {
                let over =
                    searcher.search(position, &Limits::default(), &StopFlag::new(), &mut |_| {});
                assert_eq!(over, Err(GameOver));
                continue;
            }
            let report = search(
                &mut searcher,
                position,
                Limits::simulations(index as u64 % 40),
            );
            assert!(
                position.play_turn(&report.turn).is_ok(),
                "{} in {position}",
                report.turn
            );
            let mut course = *position;
            for turn in &report.principal {
                course = course.play_turn(turn).unwrap();
            }
        }
    }
}

#[test]
fn a_stopped_search_ends_at_once_with_a_legal_turn() {
    let position: Position = OPEN.parse().unwrap();
    let stop = StopFlag::new();
    stop.stop();
    let mut searcher = Searcher::new(params(2));
    let report = searcher
        .search(&position, &Limits::default(), &stop, &mut |_| {})
        .unwrap();
    assert!(position.play_turn(&report.turn).is_ok());
    assert_eq!(report.simulations, 0);
}

#[test]
fn an_endless_search_reports_and_can_be_stopped() {
    let position: Position = OPEN.parse().unwrap();
    let stop = StopFlag::new();
    let mut reports = 0;
    let mut searcher = Searcher::new(params(2));
    let report = searcher.search(&position, &Limits::default(), &stop, &mut |report| {
        assert!(position.play_turn(&report.turn).is_ok());
        reports += 1;
        stop.stop();
    });
    assert!(report.is_ok() && reports == 1);
}

#[test]
fn a_turn_without_alternative_is_played_at_once() {
    // White cannot move and must pass.
    let position: Position = "rRRR/2rrrr1/8/9/10/9/10/9/8/7/4 w m 2-0 30"
        .parse()
        .unwrap();
    let start = Instant::now();
    let report = search(
        &mut Searcher::new(params(1)),
        &position,
        Limits::time(Budget::fixed(Duration::from_secs(100))),
    );
    assert_eq!(
        (report.turn.to_string().as_str(), report.simulations),
        ("pass", 0)
    );
    assert_eq!(report.win_probability, None);
    assert!(start.elapsed() < Duration::from_secs(50));
}

#[test]
fn memory_stays_below_its_limit_and_a_full_tree_goes_on() {
    let position: Position = OPEN.parse().unwrap();
    let mut searcher = Searcher::new(SearchParams {
        memory_mb: 1,
        expansion_visits: 1,
        ..params(2)
    });
    let report = search(&mut searcher, &position, Limits::simulations(20_000));
    assert_eq!(report.memory.limit, 1 << 20);
    assert!(
        report.memory.used <= report.memory.limit && report.memory.used > report.memory.limit / 2
    );
    assert_eq!(report.simulations, 20_000);
    // The next turn frees what the last one no longer needs.
    let after = position.play_turn(&report.turn).unwrap();
    let next = search(&mut searcher, &after, Limits::simulations(1));
    assert!(next.memory.used < report.memory.used);
}

#[test]
fn the_tree_is_kept_from_turn_to_turn() {
    let position: Position = OPEN.parse().unwrap();
    let mut searcher = Searcher::new(params(1));
    let report = search(&mut searcher, &position, Limits::simulations(30_000));
    let answered = position
        .play_turn(&report.turn)
        .unwrap()
        .play_turn(&report.principal[1])
        .unwrap();
    let next = search(&mut searcher, &answered, Limits::simulations(100));
    assert!(next.root_visits > 150, "{} visits", next.root_visits);
    // A position from elsewhere begins anew.
    let elsewhere: Position = CROWDED.parse().unwrap();
    assert_eq!(
        search(&mut searcher, &elsewhere, Limits::simulations(100)).root_visits,
        100
    );
}

#[test]
fn a_win_that_is_there_is_taken() {
    // Two rings are off already, and any move of the ring on e5 makes a row.
    let position: Position = "4/r6/r7/r8/MMMMR5/3R5/r5R3/9/8/r6/4 w m 2-0 30"
        .parse()
        .unwrap_or_else(|error| panic!("{error}"));
    for threads in [1, 2] {
        let report = search(
            &mut Searcher::new(params(threads)),
            &position,
            Limits::simulations(3_000),
        );
        let after = position.play_turn(&report.turn).unwrap();
        let outcome = after
            .outcome()
            .unwrap_or_else(|| panic!("{} does not win", report.turn));
        assert_eq!(
            (outcome.winner, outcome.reason),
            (Some(Color::White), EndReason::Rings)
        );
        assert_eq!(
            (report.win_probability, report.proof),
            (Some(1.0), Some(Proof::Win))
        );
    }
}

#[test]
fn values_belong_to_the_side_that_decides() {
    // The same position with colours swapped has the same prospects for the side to decide.
    let position: Position = CROWDED.parse().unwrap();
    let prospects = |position: &Position| {
        let report = search(
            &mut Searcher::new(params(1)),
            position,
            Limits::simulations(20_000),
        );
        report.win_probability.unwrap()
    };
    let (own, swapped) = (
        prospects(&position),
        prospects(&position.with_colors_swapped()),
    );
    assert!((own - swapped).abs() < 0.05, "{own} {swapped}");
}

/// Plays a game and tells who won.
fn play(white: &mut dyn Player, black: &mut dyn Player, limits: &Limits) -> Option<Color> {
    let mut position = Position::start(Variant::Standard);
    white.new_game();
    black.new_game();
    while !position.is_over() {
        let player: &mut dyn Player = if position.side() == Color::White {
            white
        } else {
            black
        };
        let choice = player
            .choose_turn(&position, limits, &StopFlag::new(), &mut |_| {})
            .unwrap();
        position = position.play_turn(&choice.turn).unwrap();
    }
    position.outcome().unwrap().winner
}

/// Games won by the search against another player, colours taking turns.
fn wins(games: u64, limits: Limits, opponent: impl Fn(u64) -> Box<dyn Player> + Sync) -> u64 {
    let play_share = |share: u64| {
        let mut mcts = MctsPlayer::new(params(1));
        let won = (share..games).step_by(2).filter(|game| {
            let mut other = opponent(*game);
            if game / 2 % 2 == 0 {
                play(&mut mcts, other.as_mut(), &limits) == Some(Color::White)
            } else {
                play(other.as_mut(), &mut mcts, &limits) == Some(Color::Black)
            }
        });
        won.count() as u64
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| play_share(1));
        play_share(0) + other.join().unwrap()
    })
}

#[test]
fn few_simulations_beat_the_random_player() {
    assert_eq!(
        wins(10, Limits::simulations(1_000), |seed| Box::new(
            RandomPlayer::new(seed)
        )),
        10
    );
}

/// About what 100 ms give on a slow core.
const STRONG: Limits = Limits::simulations(5_000);

#[test]
#[ignore = "minutes of games; run by the gate"]
fn the_search_beats_the_random_player_200_to_0() {
    assert_eq!(
        wins(200, STRONG, |seed| Box::new(RandomPlayer::new(seed))),
        200
    );
}

#[test]
#[ignore = "minutes of games; run by the gate"]
fn the_search_beats_the_greedy_player_in_95_of_100_games() {
    let won = wins(100, STRONG, |seed| Box::new(GreedyPlayer::new(seed)));
    assert!(won >= 95, "{won} of 100");
}
