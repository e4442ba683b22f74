use axum::http::StatusCode;
use yinsh_bot::api::{
    GameState, GameStatus, GamesPage, LegalTurns, Pending, ProblemCode, ReasonWord,
};
use yinsh_bot::game::{EndReason, GameRecord};

use crate::common::{Client, InProcess, begin_game, first_turn};

const HOUR: u64 = 3_600_000;

async fn started() -> (InProcess, Client, Client, String) {
    let server = InProcess::start().await;
    let (white, black) = (server.bot("white").await, server.bot("black").await);
    let game = begin_game(&white, &black, HOUR).await;
    (server, white, black, game)
}

async fn play_some(white: &Client, black: &Client, game: &str, plies: u16) -> GameState {
    let mut state = white.game(game).await;
    while state.ply < plies {
        let player = if state.ply.is_multiple_of(2) {
            white
        } else {
            black
        };
        state = player
            .play(game, state.ply, &first_turn(&state).to_string())
            .await;
    }
    state
}

#[tokio::test]
async fn a_known_state_is_not_sent_again() {
    let (_server, white, black, game) = started().await;
    let path = format!("/games/{game}");
    let first = black.get(&path).await;
    assert_eq!(first.etag(), format!("\"{game}-1\""));
    let known = black.get_known(&path, &first.etag()).await;
    assert_eq!(
        (known.status, known.body.len()),
        (StatusCode::NOT_MODIFIED, 0)
    );
    assert_eq!(known.etag(), first.etag());
    for etags in ["*".to_owned(), format!("\"x\", W/{}", first.etag())] {
        assert_eq!(
            black.get_known(&path, &etags).await.status,
            StatusCode::NOT_MODIFIED
        );
    }
    white.play(&game, 0, "e5").await;
    assert_eq!(
        black.get_known(&path, &first.etag()).await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn turns_can_be_shortened() {
    let (_server, white, black, game) = started().await;
    let all = play_some(&white, &black, &game, 12).await;
    for (since, from) in [(0, 0), (10, 10), (12, 12), (999, 12)] {
        let path = format!("/games/{game}?since_ply={since}");
        let state: GameState = white.get(&path).await.json();
        assert_eq!((state.ply, state.turns_from), (12, from));
        assert_eq!(state.turns, all.turns[usize::from(from)..]);
    }
    let bad = white.get(&format!("/games/{game}?since_ply=x")).await;
    bad.problem(400, ProblemCode::Malformed);
}

#[tokio::test]
async fn anybody_may_watch_and_nobody_else_may_end_it() {
    let (server, _white, _black, game) = started().await;
    let stranger = server.bot("stranger").await;
    assert_eq!(stranger.game(&game).await.ply, 0);
    let path = format!("/games/{game}");
    assert_eq!(server.guest().game(&game).await.ply, 0);
    let answer = server.guest().act(&format!("{path}/resign")).await;
    answer.problem(401, ProblemCode::Unauthorized);
    let mut mistaken = server.guest();
    mistaken.token = Some("ynb_none".to_owned());
    let answer = mistaken.get(&path).await;
    answer.problem(401, ProblemCode::Unauthorized);
    stranger
        .act(&format!("{path}/resign"))
        .await
        .problem(403, ProblemCode::Forbidden);
    stranger
        .act(&format!("{path}/abort"))
        .await
        .problem(403, ProblemCode::Forbidden);
    stranger
        .get("/games/g_none")
        .await
        .problem(404, ProblemCode::NotFound);
}

#[tokio::test]
async fn resigning_is_idempotent_and_final() {
    let (_server, white, black, game) = started().await;
    play_some(&white, &black, &game, 4).await;
    let resign = format!("/games/{game}/resign");
    let mut versions = Vec::new();
    for _ in 0..2 {
        let answer = white.act(&resign).await;
        assert_eq!(answer.status, StatusCode::OK);
        let over: GameState = answer.json();
        let result = over.result.expect("a result");
        assert_eq!(
            (result.reason, result.winner),
            (ReasonWord::Resign, Some(yinsh_bot::api::ColorWord::Black))
        );
        versions.push(over.version);
    }
    assert_eq!(versions[0], versions[1]);
    black.act(&resign).await.problem(409, ProblemCode::GameOver);
    black
        .act(&format!("/games/{game}/abort"))
        .await
        .problem(409, ProblemCode::GameOver);
    let pending: Pending = black.get("/me/pending").await.json();
    assert!(pending.games.is_empty());
}

#[tokio::test]
async fn a_game_is_called_off_only_before_both_have_played() {
    let (_server, white, black, game) = started().await;
    white.play(&game, 0, "e5").await;
    let abort = format!("/games/{game}/abort");
    for player in [&black, &black, &white] {
        let answer = player.act(&abort).await;
        assert_eq!(answer.status, StatusCode::OK);
        let result = answer.json::<GameState>().result.expect("a result");
        assert_eq!((result.reason, result.winner), (ReasonWord::Abort, None));
    }
    let game = begin_game(&white, &black, HOUR).await;
    play_some(&white, &black, &game, 2).await;
    let refused = white.act(&format!("/games/{game}/abort")).await;
    assert_eq!(
        refused.problem(409, ProblemCode::PlyConflict).current_ply,
        Some(2)
    );
}

#[tokio::test]
async fn legal_turns_are_listed_and_walked_part_by_part() {
    let (_server, white, black, game) = started().await;
    let path = format!("/games/{game}/legal-turns");
    let all: LegalTurns = black.get(&path).await.json();
    assert_eq!((all.ply, all.turns.len(), all.truncated), (0, 85, false));
    assert_eq!(all.turns, all.next_parts);

    play_some(&white, &black, &game, 10).await;
    let moves: LegalTurns = white.get(&path).await.json();
    let first = moves.turns.first().expect("a legal turn");
    let one: LegalTurns = white.get(&format!("{path}?prefix={first}")).await.json();
    assert_eq!(
        (one.prefix.as_str(), one.turns.len(), one.next_parts.len()),
        (first.as_str(), 1, 0)
    );

    white
        .get(&format!("{path}?prefix=z9"))
        .await
        .problem(400, ProblemCode::Malformed);
    let illegal = white.get(&format!("{path}?prefix=e5")).await;
    illegal.problem(422, ProblemCode::IllegalTurn);

    white.act(&format!("/games/{game}/resign")).await;
    let over: LegalTurns = white.get(&path).await.json();
    assert!(over.turns.is_empty() && over.next_parts.is_empty());
}

#[tokio::test]
async fn a_turn_that_takes_a_row_is_walked_to_its_end() {
    let (_server, white, black, game) = started().await;
    let mut state = white.game(&game).await;
    loop {
        let player = if state.ply.is_multiple_of(2) {
            &white
        } else {
            &black
        };
        let path = format!("/games/{game}/legal-turns");
        let legal: LegalTurns = player.get(&path).await.json();
        let with_row = legal.turns.iter().find(|turn| turn.contains(";x"));
        if let Some(turn) = with_row {
            let (first, rest) = turn.split_once(';').expect("two parts");
            let walk: LegalTurns = player.get(&format!("{path}?prefix={first}")).await.json();
            assert!(
                walk.next_parts.iter().any(|part| rest.starts_with(part)),
                "{walk:?}"
            );
            assert!(walk.turns.contains(turn));
            player.play(&game, state.ply, turn).await;
            return;
        }
        assert_eq!(state.status, GameStatus::Active, "no row in this game");
        // Lay rings and markers close together, so that a row comes about.
        let turn = legal
            .turns
            .iter()
            .min_by_key(|turn| turn.len())
            .expect("a turn");
        state = player.play(&game, state.ply, turn).await;
    }
}

#[tokio::test]
async fn the_record_replays() {
    let (_server, white, black, game) = started().await;
    play_some(&white, &black, &game, 14).await;
    let path = format!("/games/{game}/record");
    let answer = white.get(&path).await;
    assert!(answer.header("content-type").starts_with("text/plain"));
    let record: GameRecord = String::from_utf8_lossy(&answer.body)
        .parse()
        .expect("a record");
    assert_eq!((record.turns.len(), record.outcome), (14, None));
    assert!(
        record
            .tags
            .contains(&("White".to_owned(), "white".to_owned()))
    );

    black.act(&format!("/games/{game}/resign")).await;
    let answer = white.get(&path).await;
    let record: GameRecord = String::from_utf8_lossy(&answer.body)
        .parse()
        .expect("a record");
    assert_eq!(record.outcome.expect("a result").reason, EndReason::Resign);
    assert_eq!(record.replay().expect("replays").ply(), 14);
    white
        .get("/games/g_none/record")
        .await
        .problem(404, ProblemCode::NotFound);
}

#[tokio::test]
async fn my_games_come_page_by_page_the_newest_first() {
    let server = InProcess::start_with(|config| config.games_max = 1000).await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let mut ids = Vec::new();
    for number in 0..60 {
        let game = begin_game(&ada, &bob, HOUR).await;
        if number % 3 == 0 {
            ada.act(&format!("/games/{game}/abort")).await;
        }
        ids.push(game);
    }
    ids.reverse();
    let first: GamesPage = ada.get("/me/games").await.json();
    let cursor = first.next_cursor.expect("there is more");
    let second: GamesPage = ada.get(&format!("/me/games?cursor={cursor}")).await.json();
    assert_eq!((first.games.len(), second.next_cursor), (50, None));
    let listed: Vec<_> = first.games.iter().chain(&second.games).collect();
    assert!(
        listed
            .iter()
            .map(|game| game.id.as_str())
            .eq(ids.iter().map(String::as_str))
    );

    for (status, count) in [("active", 40), ("finished", 20)] {
        let page: GamesPage = ada.get(&format!("/me/games?status={status}")).await.json();
        assert_eq!(page.games.len(), count);
        assert!(page.games.iter().all(|game| game.status.as_str() == status));
    }
    ada.get("/me/games?status=sleeping")
        .await
        .problem(400, ProblemCode::Malformed);
    ada.get("/me/games?cursor=x")
        .await
        .problem(400, ProblemCode::Malformed);
}

#[tokio::test]
async fn pending_games_come_by_urgency() {
    let server = InProcess::start().await;
    let (ada, bob) = (server.bot("ada").await, server.bot("bob").await);
    let slow = begin_game(&ada, &bob, 2 * HOUR).await;
    let fast = begin_game(&ada, &bob, HOUR).await;
    let waiting = begin_game(&bob, &ada, HOUR / 2).await;
    let pending: Pending = ada.get("/me/pending").await.json();
    let order: Vec<_> = pending
        .games
        .iter()
        .map(|game| game.id.to_string())
        .collect();
    assert_eq!(order, [fast, slow, waiting]);
    assert_eq!(pending.games.iter().filter(|game| game.my_turn).count(), 2);
}
