//! Answers that are late, lost, or not the game server's: nothing is doubled, nothing is fatal.

use std::time::Duration;

use yinsh_bot::api::ProblemCode;
use yinsh_bot::bot::session::{Input, Request};
use yinsh_bot::bot::{Event, Tagged, TransportError};

use crate::rig::*;

/// A session that has just sent `e5`.
fn sent() -> Rig {
    let mut rig = Rig::playing(&[]);
    rig.thought(0, "e5");
    assert_eq!(rig.take_plays().len(), 1);
    rig
}

fn ambiguous() -> Vec<TransportError> {
    let mut errors: Vec<_> = [400, 401, 403, 404, 409, 422, 500, 502, 503, 504]
        .map(|status| page(status, None))
        .to_vec();
    errors.push(TransportError::Timeout);
    errors.push(TransportError::Network {
        detail: "connection reset".to_owned(),
    });
    errors.push(TransportError::TooLarge { limit: 1 });
    errors.push(TransportError::Unreadable {
        status: 201,
        detail: "expected value".to_owned(),
        body: "<html>".to_owned(),
    });
    errors.push(refused(500, ProblemCode::Internal));
    errors.push(refused(503, ProblemCode::Unavailable));
    errors
}

#[test]
fn after_an_ambiguous_answer_the_same_turn_is_sent_again() {
    for error in ambiguous() {
        let mut rig = sent();
        let what = error.to_string();
        rig.played(0, Err(error));
        assert!(rig.take_plays().is_empty(), "{what}: not at once");
        rig.pass(SECOND);
        let plays = rig.take_plays();
        assert_eq!(plays.len(), 1, "{what}");
        assert_eq!((plays[0].0, plays[0].1.turn.as_str()), (0, "e5"), "{what}");
        rig.played(0, Ok(state(&["e5"], 2)));
        rig.pass(SECOND * 20);
        assert!(rig.take_plays().is_empty(), "{what}: it has arrived");
        assert_eq!(rig.turns_told(), ["e5"], "{what}");
    }
}

#[test]
fn while_a_turn_is_on_its_way_it_is_not_sent_a_second_time() {
    let mut rig = sent();
    rig.poll(pending(2, vec![listed(&["e5"], 2)]));
    rig.poll(pending(3, vec![listed(&[], 1)]));
    rig.pass(SECOND * 9);
    assert!(rig.take_plays().is_empty());
}

#[test]
fn a_conflict_is_settled_by_reading_the_game() {
    for code in [
        ProblemCode::PlyConflict,
        ProblemCode::PositionMismatch,
        ProblemCode::NotYourTurn,
    ] {
        // The turn has arrived: the opponent is to move.
        let mut rig = sent();
        rig.played(0, Err(page(504, None)));
        rig.pass(SECOND);
        rig.take_plays();
        rig.played(0, Err(refused(409, code)));
        rig.pass(SECOND);
        rig.read(state(&["e5"], 2));
        rig.pass(SECOND * 20);
        assert!(rig.take_plays().is_empty(), "{code}");
        assert_eq!(rig.turns_told(), ["e5"], "{code}");

        // It has not: the position is searched again, and the turn sent once more.
        let mut rig = sent();
        rig.played(0, Err(refused(409, code)));
        rig.pass(SECOND);
        rig.read(state(&[], 1));
        rig.thought(0, "e5");
        assert_eq!(rig.take_plays().len(), 1, "{code}");
    }
}

#[test]
fn after_an_illegal_turn_another_legal_one_is_sent() {
    let mut rig = sent();
    rig.played(0, Err(refused(422, ProblemCode::IllegalTurn)));
    rig.pass(SECOND);
    rig.read(state(&[], 1));
    let plays = rig.take_plays();
    assert_eq!(plays.len(), 1);
    assert_ne!(plays[0].1.turn, "e5");
}

#[test]
fn too_many_requests_wait_as_long_as_asked_and_the_game_is_kept() {
    let asked = Duration::from_secs(7);
    let mut rig = sent();
    rig.played(0, Err(page(429, Some(asked))));
    rig.pass(asked - Duration::from_millis(1));
    assert!(rig.take_plays().is_empty(), "sooner than asked");
    rig.pass(SECOND);
    assert_eq!(rig.take_plays().len(), 1);

    let mut rig = sent();
    rig.played(0, Err(page(429, None)));
    rig.pass(SECOND);
    assert_eq!(rig.take_plays().len(), 1, "a wait of its own choice");
}

/// Waiting longer than the clock lasts would lose for certain.
#[test]
fn a_turn_gets_a_last_chance_before_the_flag_falls() {
    let mut rig = sent();
    rig.played(0, Err(page(429, Some(Duration::from_secs(3_600)))));
    rig.pass(Duration::from_secs(300));
    let plays = rig.take_plays();
    assert_eq!(plays.len(), 1);
    // The flag has fallen without an answer: the server is asked what came of it, and nothing more is sent.
    rig.played(0, Err(TransportError::Timeout));
    rig.pass(Duration::from_secs(30));
    assert!(rig.take_plays().is_empty());
    rig.read(finished(state(&[], 5)));
    assert_eq!(rig.games_finished(), 1);
}

#[test]
fn ten_minutes_of_failing_polls_are_survived_with_waits_that_are_told_as_they_are() {
    let mut rig = Rig::running(settings());
    let mut polls = 0;
    let end = rig.now + Duration::from_secs(600);
    while rig.now < end {
        rig.poll_fails(page(502, None));
        let Some(Event::Trouble {
            again_in: Some(wait),
            ..
        }) = rig.events.last()
        else {
            panic!("no word of it: {:?}", rig.events);
        };
        let wait = *wait;
        assert!(wait <= Duration::from_secs(60));
        rig.pass(wait - Duration::from_millis(1));
        assert!(
            !rig.requests
                .iter()
                .any(|r| matches!(r, Request::Poll { .. }))
        );
        rig.pass(Duration::from_millis(1));
        assert!(
            rig.requests
                .iter()
                .any(|r| matches!(r, Request::Poll { .. }))
        );
        polls += 1;
    }
    assert!((10..30).contains(&polls), "{polls} polls");
    assert_eq!(rig.exit, None);
    rig.poll(pending(1, vec![listed(&[], 1)]));
    rig.read(state(&[], 1));
    assert_eq!(rig.thinks.len(), 1);
}

#[test]
fn a_page_in_answer_to_anything_is_no_reason_to_drop_a_game() {
    for status in [400, 401, 403, 404, 410, 422, 429, 500, 502, 503, 504] {
        let mut rig = Rig::running(settings());
        rig.poll(pending(1, vec![listed(&[], 1)]));
        rig.read_fails(page(status, None));
        rig.pass(SECOND);
        rig.read(state(&[], 1));
        assert_eq!(rig.thinks.len(), 1, "{status}");
    }
}

#[test]
fn every_minute_the_whole_list_is_compared_whatever_the_tags_say() {
    let mut rig = Rig::playing(&["e5"]);
    let mut whole = 0;
    for _ in 0..10 {
        rig.pass(SECOND * 25);
        let polls = rig.take(|r| matches!(r, Request::Poll { .. }));
        whole += polls
            .iter()
            .filter(|poll| matches!(poll, Request::Poll { tag: None, .. }))
            .count();
        let is_whole = matches!(polls[0], Request::Poll { tag: None, .. });
        let list = Tagged {
            value: pending(1, vec![listed(&["e5"], 1)]),
            tag: Some("\"p-1\"".to_owned()),
        };
        let answer = rig.good(is_whole.then_some(list));
        rig.input(Input::Polled(answer));
    }
    assert!((2..=4).contains(&whole), "{whole} in 250 s");
}

/// A server that was set back to an older state is right: it holds the truth. An old answer from a cache is not.
#[test]
fn an_older_state_is_believed_when_every_read_confirms_it() {
    let mut rig = sent();
    rig.played(0, Ok(state(&["e5"], 7)));
    rig.poll(pending(2, vec![listed(&[], 3)]));
    for read in 1..=3 {
        assert_eq!(rig.thinks.len(), 1, "after {} reads", read - 1);
        rig.pass(SECOND * 3);
        rig.read(state(&[], 3));
    }
    assert_eq!(rig.thinks.len(), 2, "the lost turn is played again");

    let mut rig = sent();
    rig.played(0, Ok(state(&["e5"], 7)));
    rig.poll(pending(2, vec![listed(&[], 3)]));
    rig.pass(SECOND * 3);
    rig.read(state(&[], 3));
    rig.pass(SECOND * 3);
    rig.read(state(&["e5"], 7));
    rig.pass(SECOND * 20);
    assert_eq!((rig.thinks.len(), rig.take_reads()), (1, 0));
}

#[test]
fn a_server_without_long_polls_is_not_asked_in_a_tight_loop() {
    let mut rig = Rig::running(settings());
    let mut polls = 0;
    let end = rig.now + Duration::from_secs(60);
    while rig.now < end {
        rig.requests.clear();
        let answer = rig.good(None);
        rig.input(Input::Polled(answer));
        while !rig
            .requests
            .iter()
            .any(|r| matches!(r, Request::Poll { .. }))
        {
            rig.pass(Duration::from_millis(100));
        }
        polls += 1;
    }
    assert!(polls <= 60, "{polls} polls in a minute");
}

#[test]
fn a_good_answer_that_does_not_know_the_turn_is_none() {
    let mut rig = sent();
    rig.played(0, Ok(state(&[], 1)));
    rig.pass(SECOND);
    let plays = rig.take_plays();
    assert_eq!(plays.len(), 1);
    assert_eq!((plays[0].0, plays[0].1.turn.as_str()), (0, "e5"));
    assert_eq!(rig.thinks.len(), 1, "nothing else is thought of");
    rig.played(0, Ok(state(&["e5"], 2)));
    rig.pass(SECOND * 20);
    assert!(rig.take_plays().is_empty());
}
