//! A bot that looks for games by itself: when, whom, how often, and what it does when too many come of it.

use std::time::Duration;

use serde_json::json;
use yinsh_bot::api::{
    Challenge, ChallengeStatus, DeclineReason, Pending, PlayersPage, ProblemCode, SeeksPage,
};
use yinsh_bot::bot::session::{Ending, Input, OfferId, Request};
use yinsh_bot::bot::{Exit, SessionSettings, TransportError, Way};

use crate::rig::*;

const MINUTE: Duration = Duration::from_secs(60);

fn seeking(ways: &[Way]) -> SessionSettings {
    let mut settings = settings();
    settings.matchmaking.enabled = true;
    settings.matchmaking.ways = ways.to_vec();
    settings
}

/// A session that has just been idle for long enough, with its poll answered.
fn idle(settings: SessionSettings) -> Rig {
    let mut rig = Rig::running(settings);
    rig.poll(pending(1, Vec::new()));
    rig.pass(MINUTE + SECOND);
    rig
}

fn players(names: &[&str]) -> PlayersPage {
    let players: Vec<_> = names
        .iter()
        .map(|name| {
            json!({"id": name, "name": name, "kind": "bot", "rating": 1500, "online_since_at": SERVER_START})
        })
        .collect();
    serde_json::from_value(json!({"players": players})).unwrap()
}

fn seeks(from: &[&str]) -> SeeksPage {
    let seeks: Vec<_> = from
        .iter()
        .map(|name| {
            json!({
                "id": format!("s_{name}"), "from": {"id": name, "name": name, "kind": "bot"},
                "variant": "standard", "color": "random", "rated": false, "opponent_kind": "any",
                "clock": {"initial_ms": 300_000, "increment_ms": 3_000}, "expires_at": SERVER_START + 600_000,
            })
        })
        .collect();
    serde_json::from_value(json!({"seeks": seeks})).unwrap()
}

/// Answers the question for players, and returns who is challenged.
fn offer_players(rig: &mut Rig, names: &[&str]) -> Option<String> {
    rig.take_one(|r| matches!(r, Request::Players { cursor: None }));
    let answer = rig.good(players(names));
    rig.input(Input::Players(answer));
    let challenge = rig.take(|r| matches!(r, Request::Challenge(_))).pop()?;
    match challenge {
        Request::Challenge(challenge) => Some(challenge.to.to_string()),
        _ => None,
    }
}

fn challenged(rig: &mut Rig, id: &str) {
    let created = json!({"id": id, "expires_at": rig.server_now() + 60_000});
    let answer = rig.good(serde_json::from_value(created).unwrap());
    rig.input(Input::Challenged(answer));
}

fn challenge_fails(rig: &mut Rig, error: TransportError) {
    let answer = rig.bad(error);
    rig.input(Input::Challenged(answer));
}

/// The account's challenge to `to`, as a poll lists it.
fn sent(id: &str, to: &str, status: ChallengeStatus) -> Challenge {
    let mut sent = challenge(id);
    sent.from.id = "bot_me".into();
    sent.to = Some(serde_json::from_value(json!({"id": to, "name": to, "kind": "bot"})).unwrap());
    sent.status = status;
    sent.expires_at = SERVER_START + 3_600_000;
    sent.decline_reason = (status == ChallengeStatus::Declined).then_some(DeclineReason::NoBots);
    sent
}

fn with_sent(version: u64, sent: Vec<Challenge>) -> Pending {
    Pending {
        sent,
        ..pending(version, Vec::new())
    }
}

fn cancelled(rig: &mut Rig) -> Vec<OfferId> {
    let cancels = rig.take(|r| matches!(r, Request::Cancel(_)));
    let offer = |request| match request {
        Request::Cancel(offer) => Some(offer),
        _ => None,
    };
    cancels.into_iter().filter_map(offer).collect()
}

fn is_looking(request: &Request) -> bool {
    matches!(
        request,
        Request::Seeks | Request::Players { .. } | Request::Challenge(_) | Request::Seek(_)
    )
}

#[test]
fn nothing_is_looked_for_unless_asked_and_only_when_idle() {
    let mut rig = idle(settings());
    rig.pass(MINUTE * 60);
    assert!(rig.take(is_looking).is_empty(), "off by default");

    let mut rig = Rig::playing_with(seeking(&[Way::Challenge]), &["e5"]);
    rig.pass(MINUTE * 2);
    assert!(rig.take(is_looking).is_empty(), "there is a game");
    rig.poll(pending(2, Vec::new()));
    rig.read(finished(state(&["e5"], 2)));
    rig.pass(MINUTE - SECOND);
    assert!(rig.take(is_looking).is_empty(), "not yet");
    rig.pass(SECOND * 3);
    assert_eq!(rig.take(is_looking).len(), 1);
}

#[test]
fn the_ways_are_tried_one_after_the_other() {
    let mut rig = idle(seeking(&[Way::Accept, Way::Challenge, Way::Seek]));
    rig.take_one(|r| *r == Request::Seeks);
    let answer = rig.good(seeks(&[]));
    rig.input(Input::Seeks(answer));
    assert_eq!(offer_players(&mut rig, &[]), None);
    let seek = rig.take_one(is_looking);
    assert!(matches!(seek, Request::Seek(_)), "{seek:?}");
}

#[test]
fn a_seek_that_the_rules_for_challenges_allow_is_accepted() {
    let mut wish = seeking(&[Way::Accept]);
    wish.challenges.block = vec!["nemesis".to_owned()];
    let mut rig = idle(wish);
    rig.take_one(|r| *r == Request::Seeks);
    let mut page = seeks(&["nemesis", "ada", "friend"]);
    page.seeks[1].clock.initial_ms = 1;
    let answer = rig.good(page);
    rig.input(Input::Seeks(answer));
    let accept = rig.take_one(|r| matches!(r, Request::AcceptSeek { .. }));
    assert_eq!(
        accept,
        Request::AcceptSeek {
            seek: "s_friend".into()
        }
    );
    let answer = rig.good(game_id());
    rig.input(Input::SeekAccepted(answer));
    rig.read(state(&[], 1));
    assert_eq!(rig.thinks.len(), 1, "the game is played");
}

#[test]
fn only_those_are_challenged_who_are_here_and_wanted() {
    let mut wish = seeking(&[Way::Challenge]);
    wish.matchmaking.rating_max = 1600;
    wish.challenges.block = vec!["nemesis".to_owned()];
    let mut rig = idle(wish);
    rig.take_one(|r| matches!(r, Request::Players { .. }));
    let mut page = players(&["bot_me", "nemesis", "away", "strong", "human", "friend"]);
    page.players[2].online_since_at = None;
    page.players[3].rating = 1601;
    page.players[4].kind = yinsh_bot::api::PlayerKind::Human;
    let answer = rig.good(page);
    rig.input(Input::Players(answer));
    match rig.take_one(is_looking) {
        Request::Challenge(challenge) => assert_eq!(challenge.to.as_str(), "friend"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn attempts_keep_their_interval_and_their_daily_budget() {
    let mut wish = seeking(&[Way::Challenge]);
    wish.matchmaking.daily_max = 5;
    let mut rig = idle(wish);
    let mut at = Vec::new();
    let end = rig.now + MINUTE * 60 * 24;
    while rig.now < end {
        if !rig
            .take(|r| matches!(r, Request::Players { .. }))
            .is_empty()
        {
            at.push(rig.now);
            let answer = rig.good(players(&[]));
            rig.input(Input::Players(answer));
        }
        rig.pass(SECOND);
    }
    assert_eq!(at.len(), 6, "five, and the first of the next day");
    let gaps = at.windows(2).map(|pair| pair[1] - pair[0]);
    let gaps: Vec<_> = gaps.collect();
    let interval = MINUTE * 2 - SECOND * 3;
    assert!(gaps.iter().all(|gap| *gap >= interval), "{gaps:?}");
    assert!(gaps[4] > MINUTE * 60 * 23, "{gaps:?}");
}

#[test]
fn whoever_declines_or_does_not_answer_is_left_alone() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    assert_eq!(offer_players(&mut rig, &["ada"]).as_deref(), Some("ada"));
    challenged(&mut rig, "c1");
    rig.poll(with_sent(2, vec![sent("c1", "ada", ChallengeStatus::Open)]));
    rig.poll(with_sent(
        3,
        vec![sent("c1", "ada", ChallengeStatus::Declined)],
    ));
    rig.pass(MINUTE * 3);
    let second = offer_players(&mut rig, &["ada", "bob"]);
    assert_eq!(second.as_deref(), Some("bob"));
    challenged(&mut rig, "c2");
    rig.pass(MINUTE * 3);
    assert_eq!(offer_players(&mut rig, &["ada", "bob"]), None);
    rig.pass(MINUTE * 60);
    let after_an_hour = offer_players(&mut rig, &["ada", "bob"]);
    assert_eq!(after_an_hour.as_deref(), Some("bob"), "only ada said no");
}

#[test]
fn while_an_offer_is_open_no_other_is_made() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    offer_players(&mut rig, &["ada"]);
    challenged(&mut rig, "c1");
    rig.pass(MINUTE);
    assert!(rig.take(is_looking).is_empty());
}

#[test]
fn becoming_busy_takes_open_offers_back() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    offer_players(&mut rig, &["ada"]);
    challenged(&mut rig, "c1");
    let mut news = with_sent(2, vec![sent("c1", "ada", ChallengeStatus::Open)]);
    news.games = vec![listed(&["e5"], 1)];
    rig.poll(news);
    let mine = OfferId::Challenge("c1".into());
    assert_eq!(cancelled(&mut rig), std::slice::from_ref(&mine));
    let answer = rig.bad(page(502, None));
    let offer = mine.clone();
    rig.input(Input::Cancelled { offer, answer });
    rig.pass(SECOND * 2);
    assert_eq!(cancelled(&mut rig), std::slice::from_ref(&mine), "again");
    let answer = rig.good(());
    let offer = mine;
    rig.input(Input::Cancelled { offer, answer });
    rig.pass(MINUTE);
    assert!(cancelled(&mut rig).is_empty());
}

/// What an earlier process has offered is taken back just so.
#[test]
fn offers_of_an_earlier_process_are_known_from_the_server() {
    let mut rig = Rig::running(seeking(&[Way::Challenge]));
    rig.poll(with_sent(1, vec![sent("c9", "ada", ChallengeStatus::Open)]));
    rig.pass(MINUTE);
    assert!(rig.take(is_looking).is_empty(), "it may still be accepted");
    rig.input(Input::Stop);
    assert_eq!(cancelled(&mut rig), [OfferId::Challenge("c9".into())]);
}

#[test]
fn a_late_acceptance_beyond_the_places_is_called_off() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    offer_players(&mut rig, &["ada"]);
    challenged(&mut rig, "c1");
    let mut news = pending(2, vec![listed(&["e5"], 1)]);
    rig.poll(news.clone());
    rig.read(state(&["e5"], 1));
    let late = "g_late".into();
    news.version = 3;
    news.games.push(listed_as(&late, &[], 1));
    rig.poll(news);
    rig.read(renamed(state(&[], 1), &late));
    assert_eq!(rig.take_endings(), [(late, Ending::Abort)]);
}

#[test]
fn a_challenge_whose_answer_is_lost_is_found_again_and_not_doubled() {
    for error in [TransportError::Timeout, page(504, None)] {
        let mut rig = idle(seeking(&[Way::Challenge]));
        offer_players(&mut rig, &["ada"]);
        challenge_fails(&mut rig, error);
        // The poll that hangs was sent before: it proves nothing.
        rig.pass(MINUTE * 10);
        assert!(rig.take(is_looking).is_empty(), "no list has come yet");
        // It was made: the list shows it.
        rig.poll(with_sent(2, vec![sent("c1", "ada", ChallengeStatus::Open)]));
        rig.poll(with_sent(3, vec![sent("c1", "ada", ChallengeStatus::Open)]));
        rig.pass(SECOND * 30);
        assert!(rig.take(is_looking).is_empty());
        rig.input(Input::Stop);
        assert_eq!(cancelled(&mut rig), [OfferId::Challenge("c1".into())]);
    }
}

#[test]
fn a_challenge_that_never_arrived_is_made_anew() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    offer_players(&mut rig, &["ada"]);
    challenge_fails(&mut rig, TransportError::Timeout);
    rig.poll(with_sent(2, Vec::new()));
    rig.poll(with_sent(3, Vec::new()));
    rig.pass(MINUTE * 3);
    assert_eq!(offer_players(&mut rig, &["ada"]).as_deref(), Some("ada"));
}

#[test]
fn a_server_that_wants_fewer_challenges_is_heard_there_and_nowhere_else() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    offer_players(&mut rig, &["ada"]);
    challenge_fails(&mut rig, page(429, Some(MINUTE * 30)));
    // Everything else goes on at its pace.
    rig.poll(Pending {
        challenges: vec![challenge("c7")],
        ..pending(2, Vec::new())
    });
    rig.take_one(|r| matches!(r, Request::Accept { .. }));
    let answer = rig.bad(refused(410, ProblemCode::Expired));
    rig.input(Input::Accepted {
        challenge: challenge_id("c7"),
        answer,
    });
    rig.poll(pending(3, Vec::new()));
    rig.pass(MINUTE * 28);
    assert!(rig.take(is_looking).is_empty());
    rig.pass(MINUTE * 4);
    assert_eq!(rig.take(is_looking).len(), 1);
}

#[test]
fn an_own_seek_is_taken_back_when_the_bot_stops() {
    let mut rig = idle(seeking(&[Way::Seek]));
    rig.take_one(|r| *r == Request::Seeks);
    let answer = rig.good(seeks(&[]));
    rig.input(Input::Seeks(answer));
    rig.take_one(|r| matches!(r, Request::Seek(_)));
    // The stop comes while the answer is on its way.
    rig.input(Input::Stop);
    assert_eq!(rig.exit, None);
    let created = json!({"id": "s1", "expires_at": rig.server_now() + 60_000});
    let answer = rig.good(serde_json::from_value(created).unwrap());
    rig.input(Input::Sought(answer));
    let offer = OfferId::Seek("s1".into());
    assert_eq!(cancelled(&mut rig), std::slice::from_ref(&offer));
    let answer = rig.good(());
    rig.input(Input::Cancelled { offer, answer });
    assert_eq!(rig.exit, Some(Exit::Drained));
}

#[test]
fn a_bot_that_cannot_take_its_offers_back_leaves_when_they_have_expired() {
    let mut rig = idle(seeking(&[Way::Challenge]));
    offer_players(&mut rig, &["ada"]);
    challenged(&mut rig, "c1");
    rig.input(Input::Stop);
    rig.pass(MINUTE * 2);
    assert_eq!(rig.exit, Some(Exit::Drained));
}
