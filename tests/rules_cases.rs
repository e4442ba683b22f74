//! The clauses of the rules one by one.

use yinsh_bot::game::{
    Color, EndReason, IllegalReason, IllegalTurn, Outcome, Phase, Point, Position, Turn, Variant,
};

fn position(text: &str) -> Position {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn turn(text: &str) -> Turn {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The text of a board with these pieces, such as `Re5 mf2`, and the other four fields.
fn text(pieces: &str, fields: &str) -> String {
    let piece_at = |point: Point| {
        pieces
            .split(' ')
            .find(|piece| piece[1..] == point.to_string())
            .map(|p| &p[..1])
    };
    let column = |index| {
        let mut text = String::new();
        let mut empty = 0;
        for point in Point::in_column(index) {
            match piece_at(point) {
                None => empty += 1,
                Some(piece) => {
                    text += &if empty > 0 {
                        format!("{empty}{piece}")
                    } else {
                        piece.to_owned()
                    };
                    empty = 0;
                }
            }
        }
        if empty > 0 {
            format!("{text}{empty}")
        } else {
            text
        }
    };
    format!(
        "{} {fields}",
        (0..11).map(column).collect::<Vec<_>>().join("/")
    )
}

fn board(pieces: &str, fields: &str) -> Position {
    position(&text(pieces, fields))
}

const BLACK_RINGS: &str = "ra4 ra5 rb1 rb7 rk10";

fn won_by(color: Color, reason: EndReason) -> Option<Outcome> {
    Some(Outcome {
        winner: Some(color),
        reason,
    })
}

fn refusal(position: &Position, text: &str) -> String {
    position.play_turn(&turn(text)).unwrap_err().to_string()
}

/// After the ten placements of the rules' example and `e1-e2`.
const EXAMPLE: &str = "2r1/7/5r2/R2r5/MR1r6/R3r4/R9/R8/8/7/4 b m 0-0 11";

#[test]
fn a_ring_move_leaves_a_marker_and_turns_what_it_jumps() {
    // Black's ring d4 jumps nothing; e4 is stopped behind e2's ring.
    let before = position(EXAMPLE);
    assert_eq!(
        refusal(&before, "e4-e1"),
        "part 1 of the turn: the ring on e2 is in the way"
    );
    assert_eq!(
        refusal(&before, "e4-e2"),
        "part 1 of the turn: e2 is not empty"
    );
    assert_eq!(
        refusal(&before, "e4-f6"),
        "part 1 of the turn: a ring moves along a line to another point"
    );
    assert_eq!(
        refusal(&before, "e2-e3"),
        "part 1 of the turn: no own ring stands on e2"
    );
    assert_eq!(
        refusal(&before, "pass"),
        "part 1 of the turn: a ring can move, so passing is not allowed"
    );
    assert_eq!(
        refusal(&before, "e6"),
        "part 1 of the turn: a ring must be moved now"
    );
    let after = before.play_turn(&turn("e4-e7")).unwrap();
    assert_eq!(
        after.to_string(),
        "2r1/7/5r2/R2r5/MR1m2r3/R3r4/R9/R8/8/7/4 w m 0-0 12"
    );
    assert_eq!(
        refusal(&after, "e2-e6"),
        "part 1 of the turn: the ring must stop right behind the jumped markers, on e5"
    );
    let jumped = after.play_turn(&turn("e2-e5")).unwrap();
    assert_eq!(
        jumped.to_string(),
        "2r1/7/5r2/R2r5/MM1MR1r3/R3r4/R9/R8/8/7/4 b m 0-0 13"
    );
}

#[test]
fn late_rows_are_taken_by_the_mover() {
    let before = board(
        &format!("Re5 Rg2 Rh3 Ri4 Rj5 Me1 Me2 Me3 Me4 {BLACK_RINGS}"),
        "w m 0-0 30",
    );
    assert_eq!(
        refusal(&before, "e5-e6"),
        "part 2 of the turn: the turn is not complete: a row must be taken"
    );
    assert_eq!(
        refusal(&before, "e5-e6;xe2-e6xe6"),
        "part 2 of the turn: those are not five own markers in a row"
    );
    assert_eq!(
        refusal(&before, "e5-e6;xe1-e5xa4"),
        "part 2 of the turn: no own ring stands on a4"
    );
    let after = before.play_turn(&turn("e5-e6;xe5-e1xe6")).unwrap();
    assert_eq!(
        after,
        board(&format!("Rg2 Rh3 Ri4 Rj5 {BLACK_RINGS}"), "b m 1-0 31")
    );
}

#[test]
fn early_rows_are_taken_by_the_opponent_before_he_moves() {
    // White jumps over f5 and turns it black, between f3, f4 and f6, f7.
    let before = board(
        &format!("Re4 Rg2 Rh3 Ri4 Rj5 mf3 mf4 Mf5 mf6 mf7 {BLACK_RINGS}"),
        "w m 0-0 30",
    );
    let jumped = before.play_turn(&turn("e4-g6")).unwrap();
    assert_eq!(
        (jumped.side(), jumped.phase(), jumped.ply()),
        (Color::Black, Phase::EarlyRow, 31)
    );
    let early = board(
        &format!("Re1 Rg2 Rh3 Ri4 Rj5 me2 me3 me4 me5 me6 {BLACK_RINGS}"),
        "b r< 0-0 31",
    );
    assert_eq!(
        refusal(&early, "a4-b5"),
        "part 1 of the turn: a row left by the opponent must be taken first now"
    );
    assert_eq!(
        refusal(&early, "xe2-e6xa4"),
        "part 2 of the turn: the turn is not complete: a ring must be moved"
    );
    let after = early.play_turn(&turn("xe2-e6xa4;a5-b6")).unwrap();
    assert_eq!(
        after,
        board("Re1 Rg2 Rh3 Ri4 Rj5 ma5 rb6 rb1 rb7 rk10", "w m 0-1 32")
    );
}

#[test]
fn legal_turns_go_on_from_a_prefix() {
    let early = board(
        &format!("Re1 Rg2 Rh3 Ri4 Rj5 me2 me3 me4 me5 me6 {BLACK_RINGS}"),
        "b r< 0-0 31",
    );
    let prefix = turn("xe2-e6xa4");
    let turns = early.legal_turns(prefix.actions(), 1_000).unwrap();
    let after = prefix.actions().iter().fold(early, |mut after, action| {
        after.play(*action);
        after
    });
    assert_eq!(turns.len(), after.actions().len());
    for turn in &turns {
        assert!(turn.to_string().starts_with("xe2-e6xa4;"), "{turn}");
        assert!(early.play_turn(turn).is_ok(), "{turn}");
    }
    assert_eq!(early.legal_turns(&[], 3).unwrap().len(), 3);

    let wrong = turn("xe2-e6xa4;e1-e2");
    assert_eq!(
        early.legal_turns(wrong.actions(), 1),
        Err(IllegalTurn {
            at: 1,
            reason: IllegalReason::NotOwnRing("e1".parse().unwrap()),
        })
    );
}

#[test]
fn the_owner_chooses_five_of_a_longer_run_and_between_crossing_rows() {
    let run = board(
        &format!("Re7 Rg2 Rh3 Ri4 Rj5 Me1 Me2 Me3 Me4 Me5 Me6 {BLACK_RINGS}"),
        "w r> 0-0 30",
    );
    let texts = |position: &Position| {
        position
            .actions()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&run), ["xe1-e5", "xe2-e6"]);
    assert!(
        run.play_turn(&turn("xe1-e5xe7")).is_ok(),
        "the sixth marker stays"
    );

    let crossing = format!("Rk7 Rg2 Rh3 Ri4 Rj5 Me1 Me2 Me3 Me4 Me5 Ma3 Mb3 Mc3 Md3 {BLACK_RINGS}");
    let crossing = board(&crossing, "w r> 0-0 30");
    assert_eq!(texts(&crossing), ["xe1-e5", "xa3-e3"]);
    let after = crossing.play_turn(&turn("xa3-e3xk7")).unwrap();
    assert_eq!(
        after.phase(),
        Phase::MoveRing,
        "the other row is broken and stays"
    );
    assert_eq!(after.markers_on_board(), 4);
}

#[test]
fn rows_of_both_colours_are_taken_by_the_mover_first() {
    let both = format!("Rf2 Rg2 Rh3 Ri4 Rj5 Me1 Me2 Me3 Me4 Me5 mg5 mg6 mg7 mg8 mg9 {BLACK_RINGS}");
    let after = board(&both, "w r> 0-0 30")
        .play_turn(&turn("xe1-e5xf2"))
        .unwrap();
    assert_eq!(
        (after.side(), after.phase()),
        (Color::Black, Phase::EarlyRow)
    );
    // The third row of both: the mover wins.
    let both = "Rf2 Rg2 Rh3 Me1 Me2 Me3 Me4 Me5 mg5 mg6 mg7 mg8 mg9 ra4 ra5 rb1";
    let over = board(both, "w r> 2-2 30")
        .play_turn(&turn("xe1-e5xf2"))
        .unwrap();
    assert_eq!(over.outcome(), won_by(Color::White, EndReason::Rings));
}

#[test]
fn the_third_ring_ends_the_game_in_the_middle_of_a_turn() {
    let two_off = board(
        &format!("Rf2 Rg2 Rh3 Me1 Me2 Me3 Me4 Me5 {BLACK_RINGS}"),
        "w r< 2-0 30",
    );
    let over = two_off.play_turn(&turn("xe1-e5xf2")).unwrap();
    assert_eq!(over.outcome(), won_by(Color::White, EndReason::Rings));
    assert_eq!(over, board(&format!("Rg2 Rh3 {BLACK_RINGS}"), "b - 3-0 31"));
    assert_eq!(
        refusal(&two_off, "xe1-e5xf2;g2-g3"),
        "part 2 of the turn: the game is over"
    );
    assert_eq!(
        refusal(&over, "g2-g3"),
        "part 1 of the turn: the game is over"
    );
    assert_eq!(over.actions().len(), 0);
}

/// 50 markers without a row, and room for all rings.
fn fifty_markers() -> String {
    let mut pieces = String::from("Ra2 Rb1 Rc1 Rd1 Rk7 ra3 rb2 rc2 rd2 rk8");
    let free = Point::all()
        .filter(|p| p.to_string() != "d3")
        .filter(|p| !pieces.contains(&p.to_string()));
    let markers: Vec<String> = free
        .take(50)
        .map(|p| {
            let is_white = (p.column_index() / 2 + p.row()).is_multiple_of(2);
            format!("{}{p}", if is_white { "M" } else { "m" })
        })
        .collect();
    pieces += " ";
    pieces + &markers.join(" ")
}

#[test]
fn the_game_ends_when_all_markers_lie_on_the_board() {
    let cases: [(&str, &[&str], Option<Color>); 3] = [
        ("0-0", &[], None),
        ("1-0", &["Rb1 "], Some(Color::White)),
        ("0-2", &["ra3 ", "rb2 "], Some(Color::Black)),
    ];
    for (off, gone, expected) in cases {
        let mut pieces = fifty_markers();
        for ring in gone {
            pieces = pieces.replace(ring, "");
        }
        let before = board(&pieces, &format!("w m {off} 70"));
        assert_eq!(before.markers_on_board(), 50);
        let mut after = before;
        after.play(before.actions()[0]);
        if after.phase() == Phase::Over {
            assert_eq!(
                after.outcome(),
                Some(Outcome {
                    winner: expected,
                    reason: EndReason::MarkersExhausted
                })
            );
        } else {
            panic!("{before} then {after}");
        }
    }
}

#[test]
fn a_player_who_cannot_move_passes_and_two_passes_end_the_game() {
    // The corner a2..a5 is closed: White's rings are walled in by black ones.
    let walled = position("rRRR/2rrrr1/8/9/10/9/10/9/8/7/4 w m 2-0 30");
    assert_eq!(
        refusal(&walled, "a3-a4"),
        "part 1 of the turn: a4 is not empty"
    );
    let passed = walled.play_turn(&turn("pass")).unwrap();
    assert!(passed.last_turn_was_pass() && !passed.is_over());

    let stuck = "MRRR/mMrrrMm/2MmMmM1/2MmMmMm1/2mMmMmMm1/1mMm1mMmM/1MmM2mMmM/MmM3MmM/Mm4Mm/m5m/4";
    let stuck = position(&format!("{stuck} w m 2-2 30"));
    let once = stuck.play_turn(&turn("pass")).unwrap();
    assert!(!once.is_over());
    let twice = once.play_turn(&turn("pass")).unwrap();
    assert_eq!(
        twice.outcome(),
        Some(Outcome {
            winner: None,
            reason: EndReason::NoMoves
        })
    );
}

#[test]
fn blitz_ends_with_the_first_row() {
    let pieces = format!("Re5 Rg2 Rh3 Ri4 Rj5 Me1 Me2 Me3 Me4 {BLACK_RINGS}");
    let before = Position::parse(&text(&pieces, "w m 0-0 30"), Variant::Blitz).unwrap();
    let over = before.play_turn(&turn("e5-e6")).unwrap();
    assert_eq!(over.outcome(), won_by(Color::White, EndReason::Row));
    let read = Position::parse(&over.to_string(), Variant::Blitz).unwrap();
    assert_eq!(read, over);
}
