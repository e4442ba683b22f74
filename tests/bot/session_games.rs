//! The course of a game: when the session thinks, what it sends, and what it tells.

use std::time::Duration;

use yinsh_bot::bot::session::{Ending, Input, Request};
use yinsh_bot::bot::{Event, Exit, Unfinished};

use crate::rig::*;

#[test]
fn it_thinks_when_it_is_its_turn_and_sends_what_it_found() {
    let mut rig = Rig::playing(&[]);
    assert_eq!(rig.thinks.len(), 1);
    rig.thought(0, "e5");
    let plays = rig.take_plays();
    assert_eq!(plays.len(), 1);
    let (ply, put) = &plays[0];
    assert_eq!((*ply, put.turn.as_str()), (0, "e5"));
    let before = put.position_before.as_deref();
    assert_eq!(before, Some("4/7/8/9/10/9/10/9/8/7/4 w p 0-0 0"));

    rig.played(0, Ok(state(&["e5"], 2)));
    assert_eq!(rig.turns_told(), ["e5"]);
    rig.poll(pending(2, vec![listed(&["e5", "f6"], 3)]));
    rig.read(state(&["e5", "f6"], 3));
    assert_eq!(rig.turns_told(), ["e5", "f6"]);
    assert_eq!(rig.thinks.len(), 2);
    assert_eq!(rig.thinks[1].position.ply(), 2);
}

#[test]
fn when_the_opponent_is_to_move_nothing_is_thought_or_sent() {
    let mut rig = Rig::playing(&["e5"]);
    rig.pass(SECOND * 20);
    assert!(rig.thinks.is_empty());
    assert!(rig.take_plays().is_empty());
}

/// A state that says "your turn" in one place and not in another is not believed.
#[test]
fn a_turn_is_sent_only_if_everything_in_the_state_asks_for_it() {
    let mut rig = Rig::running(settings());
    rig.poll(pending(1, vec![listed(&[], 1)]));
    let mut odd = state(&[], 1);
    odd.to_move = None;
    rig.read(odd);
    assert!(rig.thinks.is_empty());
}

#[test]
fn a_finished_game_is_not_searched_and_gets_no_turn() {
    let mut rig = Rig::running(settings());
    rig.poll(pending(1, vec![listed(&[], 1)]));
    rig.read(finished(state(&[], 2)));
    rig.pass(SECOND * 60);
    assert!(rig.thinks.is_empty() && rig.take_plays().is_empty());
    assert_eq!((rig.games_finished(), rig.releases), (1, 1));
}

#[test]
fn a_game_that_ends_during_the_search_gets_no_turn() {
    let mut rig = Rig::playing(&[]);
    rig.poll(pending(2, Vec::new()));
    rig.read(finished(state(&[], 2)));
    assert_eq!(rig.stops, 1);
    rig.thought(0, "e5");
    rig.pass(SECOND * 60);
    assert!(rig.take_plays().is_empty());
}

#[test]
fn one_game_listed_a_hundred_times_has_one_worker() {
    let mut rig = Rig::running(settings());
    rig.poll(pending(1, vec![listed(&[], 1); 100]));
    rig.read(state(&[], 1));
    for version in 2..50 {
        rig.poll(pending(version, vec![listed(&[], 1); 100]));
    }
    assert_eq!(rig.thinks.len(), 1);
    let starts = rig.events.iter();
    let starts = starts.filter(|event| matches!(event, Event::GameStarted(_)));
    assert_eq!(starts.count(), 1);
}

#[test]
fn a_lost_poll_is_made_good_from_the_full_state() {
    let mut rig = Rig::playing(&["e5"]);
    // The poll that listed plies 2 and 3 was lost; another client of the account played ply 2.
    rig.poll_fails(page(502, None));
    rig.pass(SECOND);
    rig.poll(pending(9, vec![listed(&["e5", "f6", "g7", "c3"], 4)]));
    rig.read(state(&["e5", "f6", "g7", "c3"], 4));
    assert_eq!(rig.turns_told(), ["e5", "f6", "g7", "c3"]);
    assert_eq!(rig.thinks.len(), 1);
    assert_eq!(rig.thinks[0].position.ply(), 4);
}

#[test]
fn a_late_old_state_changes_nothing() {
    let mut rig = Rig::playing(&["e5", "f6"]);
    rig.poll(pending(2, vec![listed(&["e5", "f6"], 7)]));
    rig.read(state(&["e5"], 0));
    assert_eq!(rig.stops, 0, "the search goes on");
    rig.thought(2, "g7");
    assert_eq!(rig.take_plays().len(), 1);
}

#[test]
fn the_end_of_a_game_frees_its_place_whichever_news_comes_first() {
    // The list without the game first, then its last state.
    let mut rig = Rig::playing(&["e5"]);
    rig.poll(pending(2, Vec::new()));
    rig.read(finished(state(&["e5"], 2)));
    assert_eq!((rig.games_finished(), rig.releases), (1, 1));

    // The answer to the own last turn first, then a late list that still has the game.
    let mut rig = Rig::playing(&[]);
    rig.thought(0, "e5");
    rig.take_plays();
    rig.played(0, Ok(finished(state(&["e5"], 3))));
    rig.poll(pending(2, vec![listed(&[], 1)]));
    rig.pass(SECOND * 60);
    assert_eq!((rig.games_finished(), rig.releases), (1, 1));
    assert_eq!(rig.take_reads(), 0);
}

#[test]
fn a_state_whose_turns_lead_elsewhere_is_not_played_on() {
    let mut rig = Rig::running(settings());
    rig.poll(pending(1, vec![listed(&[], 1)]));
    let mut wrong = state(&["e5", "f6"], 1);
    wrong.position = state(&["e5", "f7"], 1).position;
    rig.read(wrong);
    assert!(rig.thinks.is_empty());
    let told = rig.events.iter().any(|event| match event {
        Event::Trouble { what, .. } => what.contains("its state does not hold"),
        _ => false,
    });
    assert!(told, "{:?}", rig.events);
    // It is read again, and played on once it holds.
    rig.pass(SECOND);
    rig.read(state(&["e5", "f6"], 1));
    assert_eq!(rig.thinks.len(), 1);
}

/// Whatever a later version of the API calls it: what is not known is not played, and asked for again.
#[test]
fn a_state_of_a_kind_that_is_not_known_is_asked_for_again() {
    let mut rig = Rig::running(settings());
    rig.poll(pending(1, vec![listed(&[], 1)]));
    let mut odd = state(&[], 1);
    odd.status = serde_json::from_value(serde_json::json!("adjourned")).unwrap();
    rig.read(odd);
    rig.pass(SECOND * 6);
    assert!(rig.thinks.is_empty() && rig.take_plays().is_empty());
    rig.read(state(&[], 2));
    assert_eq!(rig.thinks.len(), 1, "it goes on");
}

#[test]
fn the_servers_clock_may_be_an_hour_off() {
    let limits = |offset: i64| {
        let shift = |at: u64| at.checked_add_signed(offset).unwrap();
        let mut rig = Rig::new(settings());
        let mut meta = meta();
        meta.server_time = shift(meta.server_time);
        let answer = rig.good(meta);
        rig.input(Input::Meta(answer));
        let answer = rig.good(me());
        rig.input(Input::Me(answer));
        rig.poll(pending(1, vec![listed(&[], 1)]));
        let mut state = state(&[], 1);
        state.server_time = shift(rig.server_now());
        state.clock.deadline_at = state.clock.deadline_at.map(shift);
        rig.read(state);
        rig.thinks[0].limits
    };
    let hour_ms = 3_600_000;
    assert_eq!(limits(0), limits(hour_ms));
    assert_eq!(limits(0), limits(-hour_ms));
}

#[test]
fn a_search_that_overruns_or_fails_still_gives_a_legal_turn() {
    let mut rig = Rig::playing(&[]);
    rig.pass(SECOND * 290);
    let plays = rig.take_plays();
    assert_eq!(plays.len(), 1, "the search never ended");
    assert_eq!(rig.stops, 1);

    let mut rig = Rig::playing(&[]);
    rig.input(Input::Thought {
        game: game_id(),
        ply: 0,
        choice: Err("it panicked".to_owned()),
    });
    assert_eq!(rig.take_plays().len(), 1);

    let mut rig = Rig::playing(&["e5", "f6"]);
    rig.thought(2, "f6");
    let plays = rig.take_plays();
    assert_eq!(plays.len(), 1);
    assert_ne!(plays[0].1.turn, "f6", "that point is taken");
}

#[test]
fn the_first_stop_lets_games_end_and_the_second_leaves() {
    let mut rig = Rig::playing(&[]);
    rig.input(Input::Stop);
    assert_eq!(rig.exit, None);
    rig.thought(0, "e5");
    assert_eq!(rig.take_plays().len(), 1, "an owed turn is still sent");
    rig.played(0, Ok(finished(state(&["e5"], 2))));
    assert_eq!(rig.exit, Some(Exit::Drained));

    let mut rig = Rig::playing(&[]);
    rig.input(Input::Stop);
    rig.input(Input::Stop);
    assert_eq!(rig.exit, Some(Exit::Aborted));

    let mut rig = Rig::playing(&["e5"]);
    rig.input(Input::Stop);
    rig.pass(Duration::from_secs(601));
    assert_eq!(rig.exit, Some(Exit::DrainTimeout));
}

fn resigning_at_the_end() -> Rig {
    let mut wish = settings();
    wish.play.unfinished = Unfinished::Resign;
    Rig::playing_with(wish, &["e5", "f6"])
}

#[test]
fn by_config_the_second_stop_gives_running_games_up_and_the_third_does_not_wait() {
    let mut rig = resigning_at_the_end();
    rig.input(Input::Stop);
    rig.input(Input::Stop);
    rig.pass(SECOND);
    assert_eq!(rig.take_endings(), [(game_id(), Ending::Resign)]);
    assert_eq!(rig.exit, None);
    rig.ended(Ending::Resign, Ok(finished(state(&["e5", "f6"], 2))));
    assert_eq!(rig.exit, Some(Exit::Aborted));

    let mut rig = resigning_at_the_end();
    for _ in 0..3 {
        rig.input(Input::Stop);
    }
    assert_eq!(rig.exit, Some(Exit::Aborted));

    // A server that does not answer is not waited for for ever.
    let mut rig = resigning_at_the_end();
    rig.input(Input::Stop);
    rig.pass(SECOND * 612);
    assert_eq!(rig.exit, Some(Exit::DrainTimeout));
}

#[test]
fn it_leaves_after_as_many_games_as_asked_for() {
    let mut wish = settings();
    wish.leave_after = Some(1);
    let mut rig = Rig::running(wish);
    rig.poll(pending(1, vec![listed(&["e5"], 1)]));
    rig.read(finished(state(&["e5"], 2)));
    assert_eq!(rig.exit, Some(Exit::Done));
    assert_eq!(rig.session.handle(rig.now, Input::Tick).len(), 0);
}

#[test]
fn a_read_is_not_repeated_for_news_that_is_known() {
    let mut rig = Rig::playing(&["e5"]);
    rig.poll(pending(2, vec![listed(&["e5"], 1)]));
    rig.pass(SECOND * 5);
    let reads = rig.take(|request| matches!(request, Request::Read { .. }));
    assert!(reads.is_empty());
}

#[test]
fn the_opponents_turn_is_watched_for_and_heard_of_once() {
    let mut rig = Rig::playing(&["e5"]);
    assert_eq!(rig.take_watches(), ["\"g1-1\""]);
    // The poll is the first to tell, the watch brings the state a moment later.
    rig.poll_tells(pending(2, vec![listed(&["e5", "f6"], 2)]));
    rig.watched(Some(state(&["e5", "f6"], 2)));
    rig.pass(SECOND);
    assert_eq!(rig.take_reads(), 0);
    assert_eq!(rig.thinks.len(), 1);
    assert!(rig.take_watches().is_empty(), "it is the account's turn");
}

#[test]
fn a_watch_that_brings_nothing_is_repeated_without_haste() {
    let mut rig = Rig::playing(&["e5"]);
    for _ in 0..5 {
        assert_eq!(rig.take_watches().len(), 1);
        rig.watched(None);
        assert!(rig.take_watches().is_empty(), "that was no long poll");
        rig.pass(SECOND);
    }
}

#[test]
fn a_lost_watch_is_made_good_by_the_poll() {
    let mut rig = Rig::playing(&["e5"]);
    rig.poll(pending(2, vec![listed(&["e5", "f6"], 2)]));
    rig.read(state(&["e5", "f6"], 2));
    assert_eq!(rig.thinks.len(), 1);
}

#[test]
fn a_watch_that_is_lost_for_long_is_given_up_for_another() {
    let mut rig = Rig::playing(&["e5"]);
    assert_eq!(rig.take_watches(), ["\"g1-1\""]);
    rig.poll(pending(2, vec![listed(&["e5", "f6"], 2)]));
    rig.read(state(&["e5", "f6"], 2));
    rig.thought(2, "g7");
    rig.played(2, Ok(state(&["e5", "f6", "g7"], 3)));
    assert_eq!(rig.take_watches(), ["\"g1-3\""]);

    // What comes of the lost one in the end changes nothing.
    let late = rig.bad(yinsh_bot::bot::TransportError::Timeout);
    rig.input(Input::Watched {
        game: game_id(),
        tag: "\"g1-1\"".to_owned(),
        answer: late,
    });
    rig.pass(SECOND * 10);
    assert!(rig.take_watches().is_empty(), "the new one still hangs");
    rig.watched(Some(state(&["e5", "f6", "g7", "h8"], 4)));
    assert_eq!(rig.thinks.len(), 2);
}
