//! The account's own turns: when they are searched, how long, and what becomes of those that fail.

use std::time::Duration;

use yinsh_bot::api::{GameId, ProblemCode};
use yinsh_bot::bot::session::{Ending, Input};
use yinsh_bot::bot::{Event, SessionSettings, TransportError};
use yinsh_bot::search::time::Budget;

use crate::rig::*;

fn name(number: usize) -> GameId {
    GameId::from(format!("g{number:02}"))
}

/// Games in which the account is to begin; the clock of the first has the most time left.
fn with_games(settings: SessionSettings, seconds: &[u64]) -> Rig {
    let mut rig = Rig::running(settings);
    let games = (0..seconds.len()).map(|number| listed_as(&name(number), &[], 1));
    rig.poll(pending(1, games.collect()));
    for (number, seconds) in seconds.iter().enumerate() {
        let state = renamed(state(&[], 1), &name(number));
        rig.read(rig.with_time(state, SECOND * *seconds as u32));
    }
    rig
}

fn thinking(rig: &Rig) -> Vec<&str> {
    rig.thinks.iter().map(|think| think.game.as_str()).collect()
}

fn budget(rig: &Rig) -> Budget {
    let think = rig.thinks.last().expect("a search was begun");
    think.limits.time.expect("it has a time limit")
}

#[test]
fn as_many_games_search_as_there_are_threads_and_the_most_urgent_go_first() {
    let mut rig = with_games(settings_for(4, 2), &[400, 300, 200, 100]);
    assert_eq!(thinking(&rig), ["g00", "g01"], "those that came first");
    rig.thought_in(&name(0), 0, "e5");
    assert_eq!(thinking(&rig)[2..], ["g03"], "then by the clock");
    rig.thought_in(&name(3), 0, "e5");
    assert_eq!(thinking(&rig)[3..], ["g02"]);
}

#[test]
fn threads_are_shared_by_the_games_that_think() {
    let mut rig = with_games(settings_for(4, 4), &[300]);
    assert_eq!(rig.thinks[0].threads, 4, "alone");
    rig.poll(pending(
        2,
        vec![listed_as(&name(0), &[], 1), listed_as(&name(1), &[], 1)],
    ));
    rig.read(renamed(state(&[], 1), &name(1)));
    assert_eq!(rig.thinks[1].threads, 2, "half of them");
}

#[test]
fn games_that_wait_shorten_everybodys_turns() {
    let alone = budget(&with_games(settings_for(50, 1), &[300]));
    let mut rig = with_games(settings_for(50, 1), &[300; 50]);
    rig.thought_in(&name(0), 0, "e5");
    let crowded = budget(&rig);
    assert!(
        crowded.target < alone.target / 40,
        "{crowded:?} of {alone:?}"
    );
}

#[test]
fn no_game_waits_for_threads_until_its_flag_falls() {
    let mut rig = with_games(settings_for(2, 1), &[3_600, 8]);
    assert_eq!(thinking(&rig), ["g00"]);
    rig.pass(SECOND * 2);
    assert_eq!(thinking(&rig), ["g00", "g01"], "its time is running out");
    let remaining = Duration::from_secs(6);
    assert!(
        budget(&rig).hard < remaining / 2,
        "what is left is its measure"
    );
}

#[test]
fn a_search_past_its_deadline_is_stopped_and_its_best_turn_so_far_is_played() {
    let mut rig = Rig::playing(&[]);
    rig.considered(0, "c3");
    rig.considered(0, "g7");
    let hard = budget(&rig).hard;
    rig.pass(hard + SECOND);
    assert_eq!((rig.stops, rig.replaced), (1, 0), "it may return by itself");
    assert!(rig.take_plays().is_empty());
    rig.pass(SECOND * 2);
    let plays = rig.take_plays();
    assert_eq!(plays[0].1.turn, "g7");
    let told = |event: &Event| matches!(event, Event::SearchHung { ply: 0, .. });
    assert!(rig.events.iter().any(told));
    assert_eq!(rig.replaced, 1);

    // The next turn is searched again, in a new thread.
    rig.played(0, Ok(state(&["g7"], 2)));
    rig.poll(pending(2, vec![listed(&["g7", "f6"], 3)]));
    rig.read(state(&["g7", "f6"], 3));
    assert_eq!(rig.thinks.len(), 2);
    // The old thread wakes up after all: nobody listens.
    rig.thought(0, "c3");
    rig.thought(2, "c3");
    assert_eq!(rig.take_plays()[0].0, 2);
}

#[test]
fn after_three_lost_searches_in_a_row_the_game_is_played_without() {
    let mut rig = Rig::playing(&[]);
    let mut turns: Vec<String> = Vec::new();
    for ply in [0u16, 2, 4, 6] {
        let searches = usize::from(ply / 2 + 1).min(3);
        assert_eq!(rig.thinks.len(), searches, "at ply {ply}");
        fail_search(&mut rig, ply);
        let plays = rig.take_plays();
        assert_eq!(plays.len(), 1, "at ply {ply} a legal turn goes out");
        turns.push(plays[0].1.turn.clone());
        let answer = ["k10", "j10", "k9", "j9"][usize::from(ply / 2)];
        turns.push(answer.to_owned());
        let all: Vec<_> = turns.iter().map(String::as_str).collect();
        let version = u64::from(ply) + 2;
        rig.played(ply, Ok(state(&all[..all.len() - 1], version)));
        rig.watched(Some(state(&all, version + 1)));
        rig.take_watches();
    }
}

fn fail_search(rig: &mut Rig, ply: u16) {
    let choice = Err("it panicked".to_owned());
    let game = game_id();
    rig.input(Input::Thought { game, ply, choice });
}

/// With less on the clock than the way to the server takes, a turn still goes out at once.
#[test]
fn without_time_a_turn_goes_out_at_once_and_nothing_is_given_up() {
    let mut rig = Rig::running(settings());
    rig.poll(pending(1, vec![listed(&[], 1)]));
    rig.read(rig.with_time(state(&[], 1), Duration::from_millis(40)));
    assert_eq!(budget(&rig), Budget::fixed(Duration::ZERO));
    rig.pass(Duration::from_millis(20));
    assert_eq!(rig.take_plays().len(), 1, "the search has not answered");
    assert!(rig.take_endings().is_empty());
}

#[test]
fn a_slower_way_to_the_server_shortens_the_next_turns() {
    let mut wish = settings();
    wish.time.overhead_ms = 0;
    let mut rig = Rig::playing_with(wish, &[]);
    rig.round_trip = Duration::from_millis(50);
    let mut hard = Vec::new();
    let mut turns = Vec::new();
    for (own, other) in [("c3", "k10"), ("c4", "k9"), ("c5", "k8"), ("c6", "k7")] {
        let ply = turns.len() as u16;
        let version = u64::from(ply) + 2;
        rig.thought(ply, own);
        rig.take_plays();
        turns.extend([own, other]);
        rig.played(ply, Ok(state(&turns[..turns.len() - 1], version)));
        rig.watched(Some(rig.with_time(state(&turns, version + 1), SECOND * 6)));
        hard.push(budget(&rig).hard);
        rig.round_trip = SECOND * 2;
    }
    assert!(hard[1] < hard[0] * 3 / 4, "{hard:?}");
    let mut times = rig.events.iter().filter_map(|event| match event {
        Event::Thinking(time) => Some((time.latency.p99, time.kept_back())),
        _ => None,
    });
    assert_eq!(times.next_back(), Some((SECOND * 2, SECOND * 2)));
}

#[test]
fn the_one_overhead_knob_counts_in_full() {
    let kept_back = |overhead_ms| {
        let mut wish = settings();
        wish.time.overhead_ms = overhead_ms;
        let rig = Rig::playing_with(wish, &[]);
        rig.events.iter().find_map(|event| match event {
            Event::Thinking(time) => Some(time.kept_back()),
            _ => None,
        })
    };
    let more = kept_back(900).unwrap() - kept_back(100).unwrap();
    assert_eq!(more, Duration::from_millis(800));
}

fn resigning() -> SessionSettings {
    let mut settings = settings();
    settings.play.resign_below = 0.05;
    settings.play.resign_turns = 2;
    settings.play.resign_from_ply = 3;
    settings
}

/// Plays on with these win probabilities, and returns the endings asked for.
fn play_lost(rig: &mut Rig, probabilities: &[f64]) -> Vec<(GameId, Ending)> {
    let own = ["c3", "c4", "c5", "c6"];
    let other = ["k10", "k9", "k8", "k7"];
    let mut turns = Vec::new();
    for (index, probability) in probabilities.iter().enumerate() {
        let ply = turns.len() as u16;
        rig.thought_with(ply, own[index], *probability);
        if rig.take_plays().is_empty() {
            break;
        }
        turns.extend([own[index], other[index]]);
        let version = u64::from(ply) + 2;
        rig.played(ply, Ok(state(&turns[..turns.len() - 1], version)));
        rig.watched(Some(state(&turns, version + 1)));
    }
    rig.take_endings()
}

#[test]
fn a_game_that_looks_lost_for_long_enough_is_given_up() {
    let resigned = vec![(game_id(), Ending::Resign)];
    let mut rig = Rig::playing_with(resigning(), &[]);
    assert_eq!(play_lost(&mut rig, &[0.5, 0.04, 0.04]), resigned);
    rig.ended(Ending::Resign, Err(page(502, None)));
    rig.pass(SECOND);
    assert_eq!(rig.take_endings(), resigned, "asked again");
    rig.ended(Ending::Resign, Ok(finished(state(&[], 9))));
    assert_eq!(rig.games_finished(), 1);
}

#[test]
fn nothing_is_given_up_too_soon() {
    for probabilities in [[0.04, 0.5, 0.04], [0.04, 0.06, 0.04]] {
        let mut rig = Rig::playing_with(resigning(), &[]);
        let endings = play_lost(&mut rig, &probabilities);
        assert_eq!(endings, [], "not twice in a row: {probabilities:?}");
    }
    let mut rig = Rig::playing_with(resigning(), &[]);
    assert_eq!(play_lost(&mut rig, &[0.0, 0.0]), [], "before ply 3");
    let mut rig = Rig::playing(&[]);
    assert_eq!(play_lost(&mut rig, &[0.0; 4]), [], "off by default");
}

#[test]
fn the_win_probability_is_published_only_when_that_is_wanted() {
    for (publish, expected) in [(true, Some(637)), (false, None)] {
        let mut settings = settings();
        settings.play.publish = publish;
        let mut rig = Rig::playing_with(settings, &[]);
        rig.thought_with(0, "e5", 0.6374);
        let plays = rig.take_plays();
        assert_eq!(plays[0].1.win_permille, expected);
    }
}

fn pondering() -> Rig {
    let mut settings = settings_for(2, 1);
    settings.play.ponder = true;
    let mut rig = Rig::playing_with(settings, &[]);
    rig.thought(0, "e5");
    rig.take_plays();
    rig.played(0, Ok(state(&["e5"], 2)));
    rig
}

#[test]
fn it_ponders_only_where_the_opponent_is_to_move_and_only_the_newest_position() {
    let mut rig = pondering();
    assert_eq!(rig.ponders.len(), 1);
    assert_eq!(rig.ponders[0].1.ply(), 1);
    rig.watched(Some(state(&["e5", "f6"], 3)));
    assert_eq!(rig.stops, 1, "stopped before the turn is thought about");
    assert_eq!(rig.thinks.len(), 2);
    rig.pass(SECOND);
    assert_eq!(rig.ponders.len(), 1);

    // Nothing is heard of the game: the position may be old.
    let mut rig = pondering();
    let error = rig.bad(page(502, None));
    rig.input(Input::Watched {
        game: game_id(),
        tag: rig.watch_tag.clone(),
        answer: error,
    });
    assert_eq!(rig.stops, 1);
    rig.pass(SECOND);
    assert_eq!(rig.ponders.len(), 2, "it is watched again");
    rig.poll(pending(3, Vec::new()));
    rig.read(finished(state(&["e5"], 4)));
    rig.pass(SECOND * 60);
    assert_eq!((rig.stops, rig.ponders.len()), (2, 2), "the game is over");
}

#[test]
fn no_game_ponders_while_another_has_a_turn_to_find() {
    let mut rig = pondering();
    let other = name(2);
    let both = vec![listed(&["e5"], 2), listed_as(&other, &[], 1)];
    rig.poll(pending(2, both));
    rig.read(renamed(state(&[], 1), &other));
    assert_eq!((rig.stops, rig.thinks.len()), (1, 2));
    rig.thought_in(&other, 0, "e5");
    assert_eq!(rig.ponders.len(), 2, "then it goes on");
    let mut rig = Rig::playing(&["e5"]);
    rig.pass(SECOND * 60);
    assert!(rig.ponders.is_empty(), "off by default");
}

#[test]
fn turns_that_the_server_calls_illegal_end_the_game_at_the_third() {
    let mut rig = Rig::playing(&["e5", "f6"]);
    rig.thought(2, "g7");
    let mut sent = Vec::new();
    for refusal in 1..=3 {
        let plays = rig.take_plays();
        assert_eq!(plays.len(), 1, "attempt {refusal}");
        sent.push(plays[0].1.turn.clone());
        rig.played(2, Err(refused(422, ProblemCode::IllegalTurn)));
        rig.pass(SECOND * 5);
        rig.read(state(&["e5", "f6"], 1));
    }
    sent.sort();
    sent.dedup();
    assert_eq!(sent.len(), 3, "each time another turn");
    assert_eq!(rig.take_endings(), [(game_id(), Ending::Resign)]);
}

#[test]
fn an_opponent_who_never_begins_is_not_waited_for() {
    let mut rig = Rig::playing(&["e5"]);
    rig.pass(Duration::from_secs(settings().play.first_turn_s - 3));
    assert!(rig.take_endings().is_empty());
    rig.pass(SECOND * 3);
    assert_eq!(rig.take_endings(), [(game_id(), Ending::Abort)]);
    rig.ended(Ending::Abort, Ok(finished(state(&["e5"], 2))));
    assert_eq!((rig.games_finished(), rig.releases), (1, 1));

    // One who has begun may take the whole clock.
    let mut rig = Rig::playing(&["e5", "f6", "g7"]);
    rig.pass(Duration::from_secs(280));
    assert!(rig.take_endings().is_empty());
}

#[test]
fn an_opponent_who_begins_at_the_last_moment_is_played() {
    let mut rig = Rig::playing(&["e5"]);
    rig.pass(Duration::from_secs(180));
    rig.take_endings();
    rig.ended(Ending::Abort, Err(refused(409, ProblemCode::PlyConflict)));
    rig.pass(SECOND);
    rig.read(state(&["e5", "f6"], 2));
    assert_eq!(rig.thinks.len(), 1);
}

#[test]
fn a_game_beyond_the_places_is_called_off_or_played_but_never_left() {
    let other = name(2);
    let both = |turns: &[&str]| vec![listed(&["e5"], 1), listed_as(&other, turns, 1)];
    let mut rig = Rig::playing(&["e5"]);
    rig.poll(pending(2, both(&[])));
    rig.read(renamed(state(&[], 1), &other));
    assert_eq!(rig.take_endings(), [(other.clone(), Ending::Abort)]);
    assert!(rig.thinks.is_empty());

    let turns = ["c3", "c4", "c5", "c6"];
    let mut rig = Rig::playing(&["e5"]);
    rig.poll(pending(2, both(&turns)));
    rig.read(renamed(state(&turns, 1), &other));
    assert!(rig.take_endings().is_empty());
    assert_eq!(thinking(&rig), ["g02"]);
}

/// All games that ran before the bot started are owed, whatever the config says now.
#[test]
fn after_a_restart_every_running_game_is_played_the_lowest_clock_first() {
    let seconds: Vec<u64> = (1..=12).rev().map(|number| number * 30).collect();
    let mut rig = with_games(settings(), &seconds);
    assert!(rig.take_endings().is_empty());
    let mut order = Vec::new();
    for _ in 0..12 {
        let game = rig.thinks.last().unwrap().game.clone();
        rig.thought_in(&game, 0, "e5");
        order.push(game);
    }
    assert_eq!(order[0], name(0), "the first to be read");
    let by_clock: Vec<_> = (1..12).rev().map(name).collect();
    assert_eq!(order[1..], by_clock);
    assert_eq!(rig.take_plays().len(), 12);
}

#[test]
fn a_lost_answer_to_an_ending_is_asked_for_again_until_the_game_is_over() {
    let mut rig = Rig::playing(&["e5"]);
    rig.pass(Duration::from_secs(180));
    for _ in 0..5 {
        assert_eq!(rig.take_endings().len(), 1);
        rig.ended(Ending::Abort, Err(TransportError::Timeout));
        rig.pass(SECOND * 6);
    }
    // What a poll tells is as good as an answer.
    rig.poll(pending(9, Vec::new()));
    rig.read(finished(state(&["e5"], 2)));
    rig.pass(SECOND * 60);
    rig.take_endings();
    assert_eq!(rig.games_finished(), 1);
}
