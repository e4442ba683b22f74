//! Challenges, and the questions before the first poll.

use std::time::Duration;

use yinsh_bot::api::{
    Challenge, ChallengeStatus, Clock, DeclineReason, GameId, Pending, ProblemCode, VariantWord,
};
use yinsh_bot::bot::session::{Input, Request};
use yinsh_bot::bot::{Event, Exit, TransportError};
use yinsh_bot::game::Variant;

use crate::rig::*;

fn challenges(version: u64, challenges: Vec<Challenge>) -> Pending {
    Pending {
        challenges,
        ..pending(version, Vec::new())
    }
}

fn accepts(rig: &mut Rig) -> usize {
    rig.take(|r| matches!(r, Request::Accept { .. })).len()
}

fn declines(rig: &mut Rig) -> Vec<DeclineReason> {
    let declines = rig.take(|r| matches!(r, Request::Decline { .. }));
    let reason = |request| match request {
        Request::Decline { reason, .. } => Some(reason),
        _ => None,
    };
    declines.into_iter().filter_map(reason).collect()
}

fn accepted(rig: &mut Rig, id: &str, result: Result<GameId, TransportError>) {
    let answer = match result {
        Ok(game) => rig.good(game),
        Err(error) => rig.bad(error),
    };
    rig.input(Input::Accepted {
        challenge: challenge_id(id),
        answer,
    });
}

fn five() -> Vec<Challenge> {
    ["c1", "c2", "c3", "c4", "c5"].map(challenge).to_vec()
}

#[test]
fn five_challenges_and_one_place_make_one_acceptance() {
    let mut rig = Rig::running(settings());
    rig.poll(challenges(1, five()));
    assert_eq!(accepts(&mut rig), 1);
    assert!(declines(&mut rig).is_empty(), "nothing is decided yet");
    rig.poll(challenges(2, five()));
    assert_eq!(accepts(&mut rig), 0);
    accepted(&mut rig, "c1", Ok(game_id()));
    assert_eq!(accepts(&mut rig), 0);
    assert_eq!(declines(&mut rig), [DeclineReason::Busy; 4]);
    assert_eq!(rig.take_reads(), 1, "the game is taken up at once");
}

#[test]
fn a_withdrawn_challenge_gives_its_place_to_the_next() {
    let mut rig = Rig::running(settings());
    rig.poll(challenges(1, five()));
    assert_eq!(accepts(&mut rig), 1);
    accepted(&mut rig, "c1", Err(refused(410, ProblemCode::Expired)));
    assert_eq!(accepts(&mut rig), 1);
    rig.poll(challenges(2, Vec::new()));
    accepted(&mut rig, "c2", Err(refused(404, ProblemCode::NotFound)));
    rig.poll(challenges(3, vec![challenge("c6")]));
    assert_eq!(accepts(&mut rig), 1, "the place is free again");
}

#[test]
fn an_acceptance_without_an_answer_is_repeated_and_not_doubled() {
    let mut rig = Rig::running(settings());
    rig.poll(challenges(1, five()));
    assert_eq!(accepts(&mut rig), 1);
    accepted(&mut rig, "c1", Err(TransportError::Timeout));
    rig.pass(SECOND * 3);
    let again = rig.take(|r| matches!(r, Request::Accept { .. }));
    let challenge = challenge_id("c1");
    assert_eq!(again, [Request::Accept { challenge }]);
}

#[test]
fn what_the_config_forbids_is_declined_with_its_reason() {
    let mut wish = settings();
    wish.challenges.variants = vec![Variant::Standard];
    let mut rig = Rig::running(wish);
    let mut blitz = challenge("c1");
    blitz.variant = VariantWord::Blitz;
    let mut fast = challenge("c2");
    fast.clock = Clock {
        initial_ms: 1_000,
        increment_ms: 0,
    };
    rig.poll(challenges(1, vec![blitz, fast]));
    let reasons = declines(&mut rig);
    assert_eq!(reasons, [DeclineReason::Variant, DeclineReason::TooFast]);
    assert_eq!(accepts(&mut rig), 0);
}

#[test]
fn a_challenge_is_answered_once_though_late_polls_list_it_still() {
    let mut rig = Rig::running(settings());
    let mut rated = challenge("c1");
    rated.clock.initial_ms = 1;
    rig.poll(challenges(1, vec![rated.clone()]));
    assert_eq!(declines(&mut rig).len(), 1);
    let answer = rig.good(());
    rig.input(Input::Declined {
        challenge: challenge_id("c1"),
        answer,
    });
    rig.poll(challenges(2, vec![rated]));
    assert!(declines(&mut rig).is_empty());
}

fn from_bot(id: &str, bot: &str) -> Challenge {
    let mut challenge = challenge(id);
    let bot = serde_json::json!({"id": bot, "name": bot, "kind": "bot"});
    challenge.from = serde_json::from_value(bot).unwrap();
    challenge
}

#[test]
fn some_places_are_kept_for_people() {
    let mut wish = settings_for(2, 1);
    wish.challenges.reserved_for_humans = 1;
    let mut rig = Rig::running(wish);
    let mut news = challenges(1, vec![from_bot("c1", "bot_7"), challenge("c2")]);
    news.games = vec![listed(&["e5"], 1)];
    rig.poll(news);
    assert_eq!(
        declines(&mut rig),
        [DeclineReason::Busy],
        "a bot plays already"
    );
    assert_eq!(accepts(&mut rig), 1, "ada gets the place");
}

#[test]
fn one_opponent_gets_so_many_games_at_once_and_so_many_a_day() {
    let mut wish = settings_for(4, 1);
    wish.challenges.games_per_opponent = 1;
    wish.challenges.recent_max = 2;
    let mut rig = Rig::running(wish);
    for round in 1..=3 {
        let both = vec![from_bot("c1", "bot_7"), from_bot("c2", "bot_7")]
            .into_iter()
            .map(|mut challenge| {
                challenge.id = format!("{}-{round}", challenge.id).as_str().into();
                challenge
            });
        rig.poll(challenges(round, both.collect()));
        let later = declines(&mut rig);
        if round == 3 {
            assert_eq!(later, [DeclineReason::Later; 2], "two games today");
            return;
        }
        assert_eq!(later, [DeclineReason::Later], "one at once");
        assert_eq!(accepts(&mut rig), 1);
        let game = GameId::from(format!("g{round}").as_str());
        accepted(&mut rig, &format!("c1-{round}"), Ok(game.clone()));
        rig.read(renamed(finished(state(&["e5"], 2)), &game));
    }
}

#[test]
fn a_bot_that_is_stopping_accepts_nothing() {
    let mut rig = Rig::playing(&["e5"]);
    rig.input(Input::Stop);
    let mut news = challenges(2, five());
    news.games = vec![listed(&["e5"], 1)];
    rig.poll(news);
    assert_eq!(accepts(&mut rig), 0);
    assert_eq!(declines(&mut rig), [DeclineReason::Later; 5]);
}

#[test]
fn foreign_rules_and_a_refused_token_are_reasons_to_leave() {
    let mut rig = Rig::new(settings());
    let mut foreign = meta();
    foreign.rules.rings = 6;
    let answer = rig.good(foreign);
    rig.input(Input::Meta(answer));
    assert!(
        matches!(&rig.exit, Some(Exit::RulesUnsupported { detail }) if detail.contains("rings"))
    );

    let mut rig = Rig::new(settings());
    let answer = rig.good(meta());
    rig.input(Input::Meta(answer));
    let answer = rig.bad(refused(401, ProblemCode::Unauthorized));
    rig.input(Input::Me(answer));
    assert!(matches!(rig.exit, Some(Exit::BadToken { .. })));
}

#[test]
fn an_unreachable_server_is_waited_for() {
    let mut rig = Rig::new(settings());
    for _ in 0..20 {
        let asked = rig.take(|r| matches!(r, Request::Meta));
        assert_eq!(asked.len(), 1);
        let detail = "connection refused".to_owned();
        let answer = rig.bad(TransportError::Network { detail });
        rig.input(Input::Meta(answer));
        rig.pass(SECOND * 60);
    }
    assert_eq!(rig.exit, None);
    let answer = rig.good(meta());
    rig.input(Input::Meta(answer));
    assert_eq!(rig.take(|r| matches!(r, Request::Me)).len(), 1);
}

#[test]
fn the_opening_challenge_is_made_again_after_a_refusal() {
    let mut wish = settings();
    wish.opening = Some(
        serde_json::from_value(serde_json::json!({
            "to": "bot_2", "variant": "standard", "color": "random", "rated": false,
            "clock": {"initial_ms": 30_000, "increment_ms": 500},
        }))
        .unwrap(),
    );
    let mut rig = Rig::new(wish);
    let answer = rig.good(meta());
    rig.input(Input::Meta(answer));
    let answer = rig.good(me());
    rig.input(Input::Me(answer));
    let asked = |rig: &mut Rig| rig.take(|r| matches!(r, Request::Challenge(_))).len();
    assert_eq!(asked(&mut rig), 1);
    let mut waits = Vec::new();
    for round in 0..8 {
        waits.push(decline_opening(&mut rig, round));
        assert_eq!(asked(&mut rig), 0, "not at once");
        rig.pass(SECOND * 60);
        assert_eq!(asked(&mut rig), 1);
    }
    let cancels = rig.take(|r| matches!(r, Request::Cancel(_)));
    assert!(cancels.is_empty(), "it is wanted");
    assert!(waits[0] <= SECOND, "{waits:?}");
    assert!(waits[7] >= SECOND * 30, "they grow: {waits:?}");
}

/// Lets the opening challenge reach the server and be declined; the wait until it is made again.
fn decline_opening(rig: &mut Rig, round: u64) -> Duration {
    let id = format!("c_{round}");
    let created = serde_json::json!({"id": id, "expires_at": rig.server_now() + 60_000});
    let answer = rig.good(serde_json::from_value(created).unwrap());
    rig.input(Input::Challenged(answer));
    let mut declined = challenge(&id);
    declined.status = ChallengeStatus::Declined;
    declined.decline_reason = Some(DeclineReason::Later);
    let news = Pending {
        sent: vec![declined],
        ..pending(round + 1, Vec::new())
    };
    rig.poll_tells(news);
    let again_in = |event: &Event| match event {
        Event::ChallengeDeclined { again_in, .. } => Some(*again_in),
        _ => None,
    };
    let told = rig.events.iter().rev().find_map(again_in);
    told.unwrap_or_else(|| panic!("no word of it: {:?}", rig.events))
}
