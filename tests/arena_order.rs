//! Games count in the order of the schedule, whatever the order in which they end.

#[path = "common/property.rs"]
mod property;

use std::time::Duration;

use proptest::prelude::*;

use yinsh_bot::arena::stats::{EloModel, Hypotheses, Sprt, Verdict};
use yinsh_bot::arena::{
    End, GameLine, Ledger, Outlook, Report, Schedule, Shard, SideId, Termination,
};
use yinsh_bot::search::{below, random_stream};

const ROUNDS: u64 = 200;

fn schedule() -> Schedule {
    Schedule::new(2, ROUNDS, Shard::WHOLE)
}

/// The games of a match in which A wins two of three, most wins in long games.
fn games() -> Vec<GameLine> {
    let mut random = random_stream(5, 0);
    let game = |number: u64, won: bool| {
        let scheduled = schedule().game(number);
        GameLine {
            game: number,
            white: scheduled.sides.white,
            black: scheduled.sides.black,
            seed: 0,
            opening: "4/7/8/9/10/9/10/9/8/7/4 w p 0-0 0".to_owned(),
            end: End {
                winner: Some(if won { SideId::A } else { SideId::B }),
                termination: Termination::Rings,
                detail: None,
            },
            white_program: None,
            black_program: None,
            elapsed_ms: if won { 2000 } else { 1000 },
            turns: Vec::new(),
        }
    };
    (0..2 * ROUNDS)
        .map(|number| game(number, below(&mut random, 9) < 6))
        .collect()
}

fn ledger_of(games: impl IntoIterator<Item = GameLine>) -> Ledger {
    let hypotheses = Hypotheses {
        elo0: 0.0,
        elo1: 60.0,
        model: EloModel::Logistic,
    };
    let sprt = Sprt::new(hypotheses, 0.05, 0.05).unwrap();
    let mut ledger = Ledger::new(schedule(), Some(sprt));
    games.into_iter().for_each(|game| ledger.add(&game));
    ledger
}

/// All but what is counted twice or waits behind the end of the test.
fn report_of(ledger: &Ledger) -> Report {
    Report {
        uncounted: 0,
        ..Report::new(ledger)
    }
}

#[test]
fn short_games_first_changes_nothing() {
    let in_order = ledger_of(games());
    let mut by_length = games();
    by_length.sort_by_key(|game| game.elapsed_ms);
    // Counted as they come, the lost games would end the test at once.
    let first: Vec<_> = by_length
        .iter()
        .take(40)
        .map(|game| game.end.winner)
        .collect();
    assert!(first.iter().all(|winner| *winner == Some(SideId::B)));

    let adverse = ledger_of(by_length);
    assert_eq!(in_order.verdict(), Some(Verdict::H1));
    assert_eq!(report_of(&adverse), report_of(&in_order));
    assert!(
        in_order.counted().count() < games().len(),
        "the test ends early"
    );
}

#[test]
fn nothing_counts_behind_a_gap() {
    let without_first = ledger_of(games().into_iter().skip(1));
    assert_eq!(without_first.counted().count(), 0);
    assert_eq!(without_first.uncounted(), games().len() - 1);
    assert_eq!(without_first.verdict(), None);

    let with_gap = ledger_of(games().into_iter().filter(|game| game.game != 21));
    assert_eq!(
        with_gap.counted().map(|game| game.game).collect::<Vec<_>>(),
        (0..20).collect::<Vec<_>>()
    );
}

#[test]
fn a_game_counts_once() {
    let twice = ledger_of(
        games()
            .into_iter()
            .take(20)
            .flat_map(|game| [game.clone(), game]),
    );
    let once = ledger_of(games().into_iter().take(20));
    assert_eq!(Report::new(&twice), Report::new(&once));
}

#[test]
fn the_outlook_comes_from_the_games_played() {
    let outlook = |ledger: &Ledger, played| Outlook::new(ledger, played, Duration::from_secs(60));
    assert_eq!(outlook(&ledger_of([]), 0), None);

    let without_test = |games: usize| {
        let mut ledger = Ledger::new(schedule(), None);
        self::games()
            .into_iter()
            .take(games)
            .for_each(|game| ledger.add(&game));
        outlook(&ledger, games as u64).unwrap()
    };
    let after_30 = without_test(30);
    assert_eq!(
        (after_30.expected_games, after_30.most_games),
        (Some(370), 370)
    );
    assert_eq!(after_30.time(370), Duration::from_secs(740));

    // Ten pairs are the fewest that say anything of a test.
    let first = |number| ledger_of(games().into_iter().take(number));
    assert_eq!(outlook(&first(18), 18).unwrap().expected_games, None);
    let expected = outlook(&first(40), 40).unwrap().expected_games.unwrap();
    assert!((1..360).contains(&expected), "{expected}");
}

proptest! {
    #![proptest_config(property::fixed(30))]

    #[test]
    fn any_order_counts_alike(order in Just((0..games().len()).collect::<Vec<_>>()).prop_shuffle()) {
        let games = games();
        let shuffled = ledger_of(order.into_iter().map(|index| games[index].clone()));
        prop_assert_eq!(report_of(&shuffled), report_of(&ledger_of(games)));
    }
}
