//! The Universal Game Interface: in process, and as the program behind two pipes.

mod dialogue;
#[path = "../common/property.rs"]
mod property;

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use yinsh_bot::game::{Position, Variant};

use dialogue::Dialogue;

/// White to move, ring moves on both sides.
const MIDDLE_GAME: &str = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10";

#[test]
fn introduces_itself() {
    let mut engine = Dialogue::in_process();
    engine.send("ugi");
    let lines = engine.until("ugiok");
    assert_eq!(
        lines[0],
        format!("id name yinsh-bot {}", env!("CARGO_PKG_VERSION"))
    );
    for option in [
        "option name Variant type combo default standard var standard var blitz",
        "option name threads type spin default 1 min 0 max 256",
        "option name memory_mb type spin default 16 min 1 max 32768",
    ] {
        assert!(
            lines.iter().any(|line| line == option),
            "{option}: {lines:#?}"
        );
    }
    assert_eq!(engine.ask("isready"), "readyok");
}

#[test]
fn plays_legal_turns_under_every_limit() {
    let mut engine = Dialogue::in_process();
    let mut position = Position::start(Variant::Standard);
    let mut line = "position startpos moves".to_owned();
    for go in [
        "go nodes 100",
        "go movetime 20",
        "go p1time 1000 p2time 1000 p1inc 10 p2inc 10",
        "go p2time 500",
        "go nodes 1000000 movetime 30",
        "go movetime 0",
        "go nodes 0",
        "go nodes 50 movetime 18446744073709551615",
    ] {
        let turn = engine.best_turn(go);
        position = position.play_turn(&turn).unwrap();
        line += &format!(" {turn}");
        engine.send(&line);
    }
    assert_eq!(engine.ask("query p1turn"), "response true");
}

#[test]
fn the_report_counts_simulations() {
    let mut engine = Dialogue::in_process();
    engine.send(&format!("position fen {MIDDLE_GAME}"));
    engine.send("go nodes 300");
    let lines = engine.until("bestmove ");
    let info = &lines[lines.len() - 2];
    assert!(info.starts_with("info depth "), "{info}");
    assert!(info.contains(" nodes 300 nps "), "{info}");
    assert!(info.contains(" winprob 0."), "{info}");
    let best = lines.last().unwrap().replace("bestmove", " pv");
    assert!(info.contains(&best), "{info} {best}");
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let report = |seed: u32| {
        let mut engine = Dialogue::in_process();
        engine.send(&format!("setoption name seed value {seed}"));
        engine.send(&format!("position fen {MIDDLE_GAME}"));
        engine.send("go nodes 500");
        let lines = engine.until("bestmove ");
        let info = &lines[lines.len() - 2];
        info[info.find("winprob").unwrap()..].to_owned()
    };
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
}

#[test]
fn stop_is_answered_within_milliseconds() {
    let mut engine = Dialogue::in_process();
    engine.send(&format!("position fen {MIDDLE_GAME}"));
    // The machine may be busy with other tests, so the best of some tries counts.
    let fastest = (0..10).map(|_| {
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(20));
        let asked = Instant::now();
        engine.send("stop");
        engine.until("bestmove ");
        asked.elapsed()
    });
    let fastest = fastest.min().unwrap();
    assert!(fastest < Duration::from_millis(10), "{fastest:?}");
}

#[test]
fn a_running_search_lets_nothing_be_changed() {
    let mut engine = Dialogue::in_process();
    engine.send("go infinite");
    for line in [
        "go nodes 1",
        "position startpos moves e5",
        "uginewgame",
        "setoption name seed value 7",
    ] {
        engine.send(line);
        let answer = engine.until("info string").pop().unwrap();
        assert_eq!(
            answer, "info string error: a search is running, send stop first",
            "{line}"
        );
    }
    engine.send("isready");
    engine.until("readyok");
    engine.send("query p1turn");
    assert_eq!(engine.until("response").pop().unwrap(), "response true");
    engine.send("stop");
    engine.until("bestmove ");
    engine.send("stop");
    assert_eq!(
        engine.ask("isready"),
        "readyok",
        "a second stop has no answer"
    );
}

#[test]
fn bad_lines_are_named_and_change_nothing() {
    let mut engine = Dialogue::in_process();
    engine.send("position startpos moves e5");
    for (line, complaint) in [
        ("castle", "unknown command `castle`, the commands are ugi "),
        ("position", "write position startpos|fen P [moves T...]"),
        ("position fen 4/7/8 w p 0-0 0", "board (field 1): "),
        ("position fen nonsense", "position text: needs five fields"),
        (
            "position startpos moves e5 e5",
            "move 2, `e5`: part 1 of the turn: ",
        ),
        (
            "position startpos moves e5 f6 z9",
            "move 3, `z9`: part 1 of the turn, `z9`: ",
        ),
        ("go nodes many", "`nodes` needs a whole number, not `many`"),
        (
            "go p1time 1000",
            "`p2time` is missing, the clock of the side to decide",
        ),
        ("go depth 5", "a depth limit has no meaning for this search"),
        (
            "setoption name threads value 1000",
            "`threads` must be a whole number from 0 to 256, not 1000",
        ),
        (
            "setoption name thread value 1",
            "unknown key `thread`, did you mean `threads`?",
        ),
        (
            "setoption name Variant value chess",
            "the variant `chess` is not `standard` or `blitz`",
        ),
        ("query weather", "write query gameover|p1turn|result"),
        ("\u{0}\u{fffd}", "unknown command `"),
    ] {
        let answer = engine.ask(line);
        let expected = format!("info string error: {complaint}");
        assert!(answer.starts_with(&expected), "{line}: {answer}");
        assert_eq!(engine.ask("query p1turn"), "response false", "{line}");
    }
    let turn = engine.best_turn("go nodes 50");
    let after_e5 = Position::start(Variant::Standard).play_turn(&"e5".parse().unwrap());
    assert!(after_e5.unwrap().play_turn(&turn).is_ok());
}

#[test]
fn a_finished_game_has_a_result_and_no_turn() {
    let mut engine = Dialogue::in_process();
    engine.send("position fen 4/7/8/9/R4r4/R3r4/3r6/3r5/8/7/4 b - 3-1 61");
    assert_eq!(engine.ask("query gameover"), "response true");
    assert_eq!(engine.ask("query result"), "response p1win");
    assert_eq!(
        engine.ask("go nodes 5"),
        "info string the game is over, white has won (rings)"
    );
    assert_eq!(engine.next(), "bestmove none");
    engine.send("uginewgame");
    assert_eq!(engine.ask("query gameover"), "response false");
    assert_eq!(engine.ask("query result"), "response none");
}

#[test]
fn the_variant_is_an_option() {
    let mut engine = Dialogue::in_process();
    let row = "position fen RRRR/rrrrr2/8/9/3RMMMM2/9/10/9/8/7/4 w m 0-0 30 moves e4-f4";
    let answer = engine.ask(row);
    assert!(
        answer.starts_with("info string error: move 1, `e4-f4`: "),
        "{answer}"
    );

    engine.send("setoption name variant value blitz");
    engine.send(row);
    assert_eq!(engine.ask("query result"), "response p1win");
    engine.send("setoption name variant value standard");
    assert_eq!(engine.ask("query result"), "response none");
}

#[test]
fn the_program_ends_with_its_input_and_answers_before() {
    let (mut engine, mut child) = Dialogue::program();
    engine.send("position startpos");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(50));
    let lines = engine.hang_up();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_program_quits_during_a_search() {
    let (mut engine, mut child) = Dialogue::program();
    engine.send("go infinite");
    engine.send("quit");
    engine.until("bestmove ");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_program_survives_garbage() {
    let (mut engine, mut child) = Dialogue::program();
    let garbage = [
        b"\xff\xfe\x00 go\r\n\r\n\n".as_slice(),
        &[b'x'; 100_000],
        b"\nisready\r\n",
    ]
    .concat();
    engine.to.as_mut().unwrap().write_all(&garbage).unwrap();
    let lines = engine.until("readyok");
    assert!(lines[0].starts_with("info string error: unknown command"));
    assert!(lines.iter().all(|line| line.len() < 1000));
    assert_eq!(engine.ask("query gameover"), "response false");
    engine.hang_up();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A line of up to eight words that could have a meaning.
fn soup() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "ugi",
        "isready",
        "uginewgame",
        "setoption",
        "position",
        "go",
        "stop",
        "query",
        "name",
        "value",
        "variant",
        "seed",
        "blitz",
        "startpos",
        "fen",
        "moves",
        "e5",
        "f6",
        "e5-e6",
        "nodes",
        "movetime",
        "infinite",
        "p1time",
        "p2inc",
        "5",
        "-1",
        "gameover",
        "result",
        "w",
        "4/7/8/9/10/9/10/9/8/7/4",
        "p",
        "0-0",
        "0",
    ];
    let line = vec(select(WORDS), 0..8);
    line.prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(property::fixed(40))]

    /// Whatever is sent, every `isready` is answered, every started search gives one turn, and nothing panics.
    #[test]
    fn any_conversation_ends_well(lines in vec(soup(), 0..60)) {
        let mut engine = Dialogue::in_process();
        let mut asked = 0;
        for line in &lines {
            asked += usize::from(line.split(' ').next() == Some("isready"));
            engine.send(line);
        }
        engine.send("stop");
        engine.send("go nodes 1");
        let said = engine.hang_up();
        let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
        prop_assert_eq!(count("readyok"), asked);
        prop_assert!(count("bestmove ") >= 1, "{:?}", said);
        prop_assert!(said.last().unwrap().starts_with("bestmove "), "{:?}", said);
    }
}
