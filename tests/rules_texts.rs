//! Texts that are refused, and what the readers say to them.

use yinsh_bot::game::{Position, Turn};

/// Texts that are no position.
const BROKEN_POSITIONS: &[(&str, &str)] = &[
    (
        "4/7/8/9/10/9/10/9/8/7 w p 0-0 0",
        "board (field 1): needs 11 columns a..k, found 10",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/5 w p 0-0 0",
        "board (field 1): column k has 4 points, the text has more",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/3 w p 0-0 0",
        "board (field 1): column k has 4 points, the text has 3",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/04 w p 0-0 0",
        "board (field 1): column k: `04` is no number of empty points, 1 or more",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/3q w p 0-0 0",
        "board (field 1): column k: `q` is none of `R`, `r`, `M`, `m` or a number of empty points",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/4 x p 0-0 0",
        "side (field 2): must be `w` or `b`, not `x`",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/4 w q 0-0 0",
        "phase (field 3): must be one of `p`, `m`, `r<`, `x<`, `r>`, `x>`, `-`, not `q`",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/4 w p 0-4 0",
        "rings off (field 4): must be white's and black's number, 0 to 3, such as `1-0`, not `0-4`",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/4 w p 0-0 1",
        "ply (field 5): is even on White's turn and odd on Black's",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/4 w p 0-0 007",
        "ply (field 5): must be a number of turns from 0 to 9999, not `007`",
    ),
    (
        "4/7/8/9/10/9/10/9/8/7/4 w p 0-0 0 x",
        "position text: needs five fields with one blank between them, found 6",
    ),
];

/// Texts that read well, but contradict themselves.
const CONTRADICTORY_POSITIONS: &[(&str, &str)] = &[
    (
        "4/7/8/9/4R5/9/10/9/8/7/4 w p 0-0 0",
        "ply (field 5): 0 turns place as many rings, White first; found 1 and 0",
    ),
    (
        "4/7/8/9/4R5/9/R9/R8/R7/R6/4 w m 0-0 30",
        "rings off (field 4): black has 0 rings on the board and 0 off, together they must be 5",
    ),
    (
        "2rr/r5r/8/9/MMMMR5/MMMMM4/R9/R8/R7/R6/3r w m 0-0 30",
        "phase (field 3): `m` with a row on the board",
    ),
    (
        "2rr/r5r/8/9/4R5/9/R9/R8/R7/R6/3r w r< 0-0 30",
        "phase (field 3): no row of the side to decide is on the board",
    ),
    (
        "2rr/r5r/8/9/4R5/9/R9/R8/R7/R6/3r w - 0-0 30",
        "phase (field 3): `-`, but nothing on the board ends the game",
    ),
    (
        "2rr/r5r/8/9/10/9/R9/R8/8/7/3r w m 3-0 30",
        "phase (field 3): the game is over (`-`) when one side has three rings off",
    ),
];

const BROKEN_TURNS: &[(&str, &str)] = &[
    (
        "",
        "part 1 of the turn, ``: nothing stands here; expected a point, a move, a removal or `pass`",
    ),
    (
        "e5-e6;",
        "part 2 of the turn, ``: nothing stands here; expected a point, a move, a removal or `pass`",
    ),
    (
        "e5-z6",
        "part 1 of the turn, `e5-z6`: `z6` is no point of the board; points are a2 to k10, a column letter and a \
             row number",
    ),
    (
        "e5-e5",
        "part 1 of the turn, `e5-e5`: a ring moves to another point",
    ),
    (
        "e5-e6;e6-e7",
        "part 2 of the turn, `e6-e7`: a turn has one move",
    ),
    (
        "e5;xe1-e5xe6",
        "part 2 of the turn, `xe1-e5xe6`: placing a ring is a whole turn",
    ),
    (
        "xe1-e5xe6;e5",
        "part 2 of the turn, `e5`: placing a ring is a whole turn",
    ),
    (
        "pass;xe1-e5xe6",
        "part 2 of the turn, `xe1-e5xe6`: nothing follows a pass",
    ),
    (
        "xe1-e6xe7",
        "part 1 of the turn, `xe1-e6xe7`: e1 and e6 are not the ends of a row of five",
    ),
    (
        "xe1-e5",
        "part 1 of the turn, `xe1-e5`: a removal is `x`, the ends of the row, `x`, the ring",
    ),
];

#[test]
fn positions_are_refused_with_the_field_and_the_reason() {
    for (text, expected) in BROKEN_POSITIONS.iter().chain(CONTRADICTORY_POSITIONS) {
        let error = text.parse::<Position>().unwrap_err();
        assert_eq!(error.to_string(), *expected, "{text}");
    }
}

#[test]
fn turns_are_refused_with_the_part_and_the_reason() {
    for (text, expected) in BROKEN_TURNS {
        let error = text.parse::<Turn>().unwrap_err();
        assert_eq!(error.to_string(), *expected);
    }
    let endless = vec!["xe1-e5xe6"; 50].join(";");
    let error = endless.parse::<Turn>().unwrap_err();
    assert!(error.to_string().contains("no turn takes so many rows"));
}
