//! Whole games on a bad way to the server, in a clock that the test turns: whatever is lost, late, spoilt or repeated, no
//! game is lost by the bot's own fault and no turn is doubled.

use std::time::Duration;

use yinsh_bot::bot::session::{Input, Request};
use yinsh_bot::bot::{Event, Exit, SessionSettings};

use crate::rig::{SECOND, settings_for};
use crate::world::{End, Fault, Thinker, Way, World};

const MINUTE: Duration = Duration::from_secs(60);

fn good_way() -> Way {
    Box::new(|_, _, _| None)
}

/// Spoils about one of ten requests in this way; rest is asked for less often, for it concerns all requests.
fn spoilt(fault: Fault) -> Way {
    let percent = if fault == Fault::Limited { 3 } else { 10 };
    Box::new(move |_, _, number| (number < percent).then_some(fault))
}

/// Plays `count` games out and checks that all of them ended by the rules, with nothing doubled.
fn play_well(mut world: World, count: usize, what: &str) -> World {
    world.begin_games(count, MINUTE, SECOND);
    assert!(
        world.play_out(MINUTE * 60),
        "{what}: not over after an hour"
    );
    assert_eq!(world.ends(), vec![End::Rules; count], "{what}");
    assert_eq!((world.conflicts, world.illegal), (0, 0), "{what}");
    world
}

fn settings() -> SessionSettings {
    settings_for(4, 2)
}

#[test]
fn every_kind_of_disturbance_is_survived_in_whole_games() {
    let mut faults = vec![
        Fault::Lost,
        Fault::AnswerLost,
        Fault::Silent,
        Fault::Limited,
        Fault::Garbled,
        Fault::Slow(SECOND * 2),
    ];
    for status in [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504] {
        faults.extend([Fault::Page(status), Fault::PageInstead(status)]);
    }
    for fault in faults {
        let world = World::new(settings(), spoilt(fault), Thinker::Sound);
        play_well(world, 4, &format!("{fault:?}"));
    }
}

#[test]
fn eight_games_on_a_way_with_every_disturbance_at_once() {
    let way: Way = Box::new(|_, _, number| match number {
        0 | 1 => Some(Fault::Lost),
        2 | 3 => Some(Fault::AnswerLost),
        4 => Some(Fault::Silent),
        5 => Some(Fault::PageInstead(504)),
        6 => Some(Fault::Limited),
        7 => Some(Fault::Garbled),
        8 => Some(Fault::Slow(SECOND)),
        _ => None,
    });
    play_well(
        World::new(settings_for(8, 2), way, Thinker::Sound),
        8,
        "everything",
    );
}

#[test]
fn searches_that_panic_or_hang_cost_no_game() {
    for thinker in [Thinker::Panics, Thinker::Hangs] {
        let world = World::new(settings(), good_way(), thinker);
        let world = play_well(world, 4, &format!("{thinker:?}"));
        let is_loss =
            |event: &&Event| matches!(event, Event::SearchHung { .. } | Event::SearchFailed { .. });
        assert!(world.events.iter().filter(is_loss).count() > 10);
    }
}

/// The server is away for 40 s in the middle of the games, as when it is restarted.
#[test]
fn a_server_that_is_away_for_a_while_is_found_again() {
    let way: Way = Box::new(|_, age, _| (20..60).contains(&age.as_secs()).then_some(Fault::Lost));
    let mut world = World::new(settings(), way, Thinker::Sound);
    world.begin_games(4, MINUTE * 3, SECOND);
    assert!(world.play_out(MINUTE * 60));
    assert_eq!(world.ends(), [End::Rules; 4]);
    assert_eq!(world.conflicts, 0);
}

/// Polls never come back, as through a proxy that keeps a dead connection open: the games are heard of all the same.
#[test]
fn polls_that_vanish_do_not_stop_running_games() {
    let way: Way = Box::new(|request, age, _| {
        let is_poll = matches!(request, Request::Poll { .. });
        (is_poll && age > SECOND).then_some(Fault::Silent)
    });
    play_well(World::new(settings(), way, Thinker::Sound), 4, "polls");
}

/// The same for watches: then the polls tell.
#[test]
fn watches_that_vanish_do_not_stop_running_games() {
    let way: Way =
        Box::new(|request, _, _| matches!(request, Request::Watch { .. }).then_some(Fault::Silent));
    let mut world = World::new(settings(), way, Thinker::Sound);
    world.begin_games(4, MINUTE, SECOND * 2);
    assert!(world.play_out(MINUTE * 60));
    assert_eq!(world.ends(), [End::Rules; 4]);
}

#[test]
fn a_wrong_clock_on_either_side_changes_no_turn() {
    let turns = |offset| {
        let mut world = World::new(settings(), good_way(), Thinker::Sound);
        world.clock_offset_ms = offset;
        let world = play_well(world, 2, "an hour off");
        let times = world.events.into_iter().filter_map(|event| match event {
            Event::Thinking(time) => Some((time.ply, time.budget)),
            _ => None,
        });
        times.collect::<Vec<_>>()
    };
    let right = turns(0);
    assert!(right.len() > 50);
    assert_eq!(right, turns(3_600_000));
    assert_eq!(right, turns(-3_600_000));
}

/// A fast way becomes slow in mid game: turns get shorter, and no flag falls.
#[test]
fn a_way_that_becomes_slow_loses_no_game() {
    let way: Way = Box::new(|request, age, _| {
        let is_turn = matches!(request, Request::Play { .. });
        (is_turn && age > SECOND * 30).then_some(Fault::Slow(Duration::from_millis(900)))
    });
    play_well(World::new(settings(), way, Thinker::Sound), 4, "slow");
}

/// Fifty games, of which one at a time can be searched, with clocks between one and ten minutes.
#[test]
fn fifty_games_with_one_thread_are_all_played_in_time() {
    let mut world = World::new(settings_for(50, 1), good_way(), Thinker::Sound);
    world.opponent_time = SECOND * 8;
    world.begin_games(50, MINUTE * 5, SECOND * 10);
    assert!(world.play_out(MINUTE * 600));
    assert_eq!(world.ends(), [End::Rules; 50]);
}

/// No more requests in any minute than allowed, turns not counted, with eight fast games, and hardly any while the
/// server is down.
#[test]
fn the_number_of_requests_stays_within_its_limit_and_falls_under_errors() {
    let mut wish = settings_for(8, 2);
    wish.server.requests_per_minute = 120;
    let way: Way = Box::new(|_, age, _| {
        (60..120)
            .contains(&age.as_secs())
            .then_some(Fault::Page(502))
    });
    let mut world = World::new(wish, way, Thinker::Sound);
    world.begin_games(8, MINUTE * 3, SECOND * 2);
    assert!(world.play_out(MINUTE * 60));
    assert_eq!(world.ends(), [End::Rules; 8]);
    let start = world.sent[0].0;
    let counted = world
        .sent
        .iter()
        .filter(|(_, request)| !matches!(request, Request::Play { .. }));
    let at: Vec<_> = counted
        .map(|(at, _)| (*at - start).as_millis() as u64)
        .collect();
    let within = |from: u64, to: u64| at.iter().filter(|at| (from..to).contains(*at)).count();
    for from in (0..at[at.len() - 1]).step_by(5_000) {
        let count = within(from, from + 60_000);
        assert!(
            count <= 120,
            "{count} requests in the minute from {from} ms on"
        );
    }
    let (before, failing) = (within(30_000, 60_000), within(90_000, 120_000));
    assert!(
        failing * 2 < before,
        "{failing} of {before} requests while it fails"
    );
}

#[test]
fn a_stop_in_the_middle_lets_all_games_end() {
    let mut world = World::new(settings(), spoilt(Fault::AnswerLost), Thinker::Sound);
    world.begin_games(3, MINUTE, SECOND);
    world.pass(SECOND * 20);
    world.hand(Input::Stop);
    assert!(world.play_out(MINUTE * 60));
    assert_eq!(world.ends(), [End::Rules; 3]);
    assert_eq!(world.exit, Some(Exit::Drained));
}

/// Days of games leave nothing behind.
#[test]
fn a_thousand_finished_games_leave_nothing_to_do() {
    let mut world = World::new(settings_for(8, 2), good_way(), Thinker::Sound);
    world.begin_games(1_000, SECOND * 20, Duration::ZERO);
    for game in world.games.values_mut().skip(8) {
        game.end = Some(End::Rules);
    }
    world.pass(MINUTE * 10);
    assert_eq!(world.told_ends(), 8);
    let before = world.sent.len();
    world.pass(MINUTE * 10);
    assert!(world.sent.len() - before < 60, "only polls go on");
}
