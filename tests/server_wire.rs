//! The examples of the API's description read as the wire types, and what they tell replays.

use yinsh_bot::api::{
    ChallengeStatus, GameState, Meta, Pending, Problem, ProblemCode, ReasonWord, Rules, VariantWord,
};
use yinsh_bot::game::Color;

const META: &str = r#"{"api":"1.0","server_time":1764441600123,"game":"yinsh",
 "rules":{"variants":["standard","blitz"],"rings":5,"markers":51,"row":5,"win":{"standard":"three_rings_off","blitz":"first_row"},
   "opponent_rows":"taken_at_start_of_turn","no_legal_move":"pass","markers_exhausted":"more_rings_off_wins_else_draw","pending_rows_when_exhausted":"taken_first"},
 "limits":{"wait_max_s":30,"body_max_bytes":4096,"games_max":16,"requests_per_minute":120},
 "time_controls":[{"initial_ms":60000,"increment_ms":1000},{"initial_ms":300000,"increment_ms":3000}]}"#;

const PENDING: &str = r#"{"server_time":1764441605400,"version":882,
 "challenges":[{"id":"c_51","from":{"id":"u_9","name":"ada","kind":"human","rating":1510},"variant":"standard","rated":false,"color":"random",
   "clock":{"initial_ms":300000,"increment_ms":3000},"expires_at":1764441660000}],
 "games":[{"id":"g7f3","my_turn":true,"color":"white","ply":22,"version":31,"deadline_at":1764441890000,"opponent":{"id":"bot_2","name":"sparring","kind":"bot"},"status":"active"}]}"#;

const GAME: &str = r#"{"id":"g7f3","version":31,"server_time":1764441605410,"status":"active","variant":"standard","rated":false,
 "players":{"white":{"id":"bot_7Q2","name":"ringmaster","kind":"bot","rating":1500},"black":{"id":"bot_2","name":"sparring","kind":"bot","rating":1480}},
 "ply":11,"to_move":"black","initial_position":"4/7/8/9/10/9/10/9/8/7/4 w p 0-0 0",
 "position":"2r1/7/5r2/R2r5/MR1r6/R3r4/R9/R8/8/7/4 b m 0-0 11",
 "turns":["g2","c6","f2","d4","e1","e4","h3","a4","d1","f6","e1-e2"],
 "clock":{"initial_ms":300000,"increment_ms":3000,"white_ms":291400,"black_ms":288050,"running":"black","as_of":1764441605410,"deadline_at":1764441893460},
 "result":null}"#;

const PROBLEM: &str = r#"{"type":"about:blank","title":"Illegal turn","status":422,"code":"illegal-turn","detail":"the ring must stop right behind the jumped markers","at":0,"reason":"jump_too_far","current_ply":11,"request_id":"01JE"}"#;

fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).expect("the example reads")
}

#[test]
fn the_examples_read() {
    assert_eq!(read::<Meta>(META).rules, Rules::ours());

    let pending: Pending = read(PENDING);
    assert_eq!(pending.challenges[0].status, ChallengeStatus::Open);
    assert_eq!(pending.games[0].opponent.rating, None);
    assert!(pending.sent.is_empty());

    let problem: Problem = read(PROBLEM);
    assert_eq!(
        (problem.code, problem.at),
        (ProblemCode::IllegalTurn, Some(0))
    );
}

#[test]
fn the_example_game_replays() {
    let game: GameState = read(GAME);
    let position = game.replay().expect("the turns lead to the position");
    assert_eq!((position.side(), position.ply()), (Color::Black, 11));

    let mut other = game.clone();
    other.position = game.initial_position.clone();
    assert!(other.replay().unwrap_err().to_string().contains("lead to"));
    other.turns[2] = "g2".to_owned();
    assert!(other.replay().unwrap_err().to_string().contains("ply 2"));
    other.turns[1] = "z9".to_owned();
    assert!(other.replay().unwrap_err().to_string().contains("ply 1"));
    other.turns_from = 3;
    assert!(other.replay().is_err());
}

#[test]
fn a_newer_server_is_understood_as_far_as_it_can_be() {
    let newer = GAME
        .replace(
            r#""result":null"#,
            r#""result":{"winner":null,"reason":"agreement","score":[0,0],"by":"both"}"#,
        )
        .replace(
            r#""variant":"standard""#,
            r#""variant":"hexagonal","weather":"fine""#,
        );
    let game: GameState = read(&newer);
    assert_eq!(game.result.expect("a result").reason, ReasonWord::Unknown);
    assert_eq!(game.variant, VariantWord::Unknown);
    let error = game.replay().unwrap_err();
    assert!(error.to_string().contains("variant"), "{error}");
}
