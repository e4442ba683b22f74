//! Draws a position for people: the hexagon with its coordinates, readable without colour.

use std::ops::RangeInclusive;

use super::style::{Look, Style, escape};
use crate::game::{Action, Cell, Color, Point, Position, Turn};

/// Characters from one column of points to the next. One line down is half a row, so the hexagon looks regular where
/// a character is twice as high as wide.
const COLUMN_WIDTH: i32 = 4;
/// Room for the row numbers.
const MARGIN: i32 = 4;
/// From the lowest line with a point to the line above the topmost one, where the number of row 11 stands.
const HEIGHTS: RangeInclusive<i32> = -2..=17;
/// Every line of a drawing has this width.
pub(super) const WIDTH: usize = (MARGIN + 10 * COLUMN_WIDTH + 3) as usize;

/// A character and how it is shown.
#[derive(Clone, Copy)]
struct Glyph {
    character: char,
    look: Look,
}

const BLANK: Glyph = Glyph {
    character: ' ',
    look: Look::Plain,
};

/// The lines of the board in `position`, all [`WIDTH`] wide. The ring that `last` placed or moved stands in square
/// brackets.
pub(super) fn draw(position: &Position, last: Option<&Turn>, style: Style) -> Vec<String> {
    let moved = last.and_then(moved_to);
    let heights = HEIGHTS.rev();
    heights
        .map(|height| board_line(position, moved, height, style))
        .chain([letters()])
        .map(|line| render(&line, style))
        .collect()
}

/// What the signs mean, in one line.
pub(super) fn legend(style: Style) -> String {
    let sign = |cell| render(&cell_glyphs(cell, false, style), style);
    let pair = |color| {
        let (ring, marker) = (sign(Cell::Ring(color)), sign(Cell::Marker(color)));
        format!("ring {ring} marker{marker}")
    };
    format!(
        "White: {}  Black: {}  moved last: [ ]",
        pair(Color::White),
        pair(Color::Black)
    )
}

fn moved_to(turn: &Turn) -> Option<Point> {
    turn.actions().iter().find_map(|action| match action {
        Action::PlaceRing(point) | Action::MoveRing { to: point, .. } => Some(*point),
        Action::TakeRow(_) | Action::TakeRing(_) | Action::Pass => None,
    })
}

/// Where a point stands: the middle of its three characters, and its height in half rows.
fn place(column: i32, row: i32) -> (i32, i32) {
    (MARGIN + 1 + column * COLUMN_WIDTH, 2 * row - column)
}

fn board_line(position: &Position, moved: Option<Point>, height: i32, style: Style) -> Vec<Glyph> {
    let mut line = vec![BLANK; WIDTH];
    for point in Point::all() {
        let (x, its_height) = place(point.column_index().into(), point.row().into());
        if its_height == height {
            let glyphs = cell_glyphs(position.cell(point), moved == Some(point), style);
            let start = x as usize - 1;
            line[start..start + 3].copy_from_slice(&glyphs);
        }
    }
    for row in 1..=11 {
        // The number stands where the point before the row's first one would be.
        let first = (0..11).find(|column| Point::new(*column, row).is_some());
        if let Some(column) = first {
            let (x, its_height) = place(i32::from(column) - 1, row.into());
            if its_height == height {
                write_at(&mut line, x, &row.to_string());
            }
        }
    }
    line
}

fn letters() -> Vec<Glyph> {
    let mut line = vec![BLANK; WIDTH];
    for (column, letter) in (0..).zip('a'..='k') {
        write_at(&mut line, place(column, 0).0, &letter.to_string());
    }
    line
}

/// Writes a coordinate that ends at `x`.
fn write_at(line: &mut [Glyph], x: i32, text: &str) {
    for (back, character) in text.chars().rev().enumerate() {
        line[x as usize - back] = Glyph {
            character,
            look: Look::Faint,
        };
    }
}

/// A ring stands around a sign of its colour, a marker is the sign alone.
fn cell_glyphs(cell: Cell, is_moved: bool, style: Style) -> [Glyph; 3] {
    let (characters, look) = match cell {
        Cell::Empty => {
            let dot = if style.unicode { '·' } else { '.' };
            ([' ', dot, ' '], Look::Faint)
        }
        Cell::Marker(color) => ([' ', style.sign(color), ' '], Look::Of(color)),
        Cell::Ring(color) => {
            let sign = match (style.unicode, color) {
                (true, _) => style.sign(color),
                (false, Color::White) => 'R',
                (false, Color::Black) => 'r',
            };
            let (left, right) = if is_moved { ('[', ']') } else { ('(', ')') };
            ([left, sign, right], Look::Of(color))
        }
    };
    characters.map(|character| Glyph { character, look })
}

/// The characters, with an escape only where the look changes.
fn render(glyphs: &[Glyph], style: Style) -> String {
    let mut text = String::with_capacity(2 * glyphs.len());
    let mut look = Look::Plain;
    let end = Glyph {
        character: '\n',
        look: Look::Plain,
    };
    for glyph in glyphs.iter().chain([&end]) {
        let wanted = match glyph.character {
            ' ' => Look::Plain,
            _ => glyph.look,
        };
        if style.color && wanted != look {
            text.push_str(escape(wanted));
            look = wanted;
        }
        text.push(glyph.character);
    }
    text.truncate(text.len() - 1);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    const STYLES: [Style; 4] = {
        const fn style(unicode: bool, color: bool) -> Style {
            Style { unicode, color }
        }
        [
            style(false, false),
            style(true, false),
            style(false, true),
            style(true, true),
        ]
    };

    fn middle_game() -> Position {
        "2r1/7/5r2/R2r5/MR1r6/R3r4/R2m6/R8/8/7/4 b m 0-0 13"
            .parse()
            .unwrap()
    }

    fn without_escapes(line: &str) -> String {
        let mut parts = line.split('\x1b');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            text + part.split_once('m').map_or("", |(_, rest)| rest)
        })
    }

    #[test]
    fn the_board_looks_like_the_real_one() {
        let turn: Turn = "e1-e2".parse().unwrap();
        let drawn = draw(&middle_game(), Some(&turn), STYLES[0]);
        let drawn: String = drawn
            .iter()
            .map(|line| format!("\n{}", line.trim_end()))
            .collect();
        let expected = "
                10      11
             9       .       .
         8       .       .       .
     7       .       .       .       .
         .       .       .       .       .
     6       .       .       .       .
 5       .       .       .       .       .
     .      (r)      .       .       .       .
 4       .       .       .       .       .
    (r)      .       .       .       .       .
 3       .       .      (r)      .       .
     .       .       .       .       .       .
 2       .      (r)      .       .       .
     .       .      (r)      m       .       .
         .       .       .       .       .
     1       .       .       .       .
         .       .       .       .       .
             .      [R]      .       .
                (R)     (R)     (R)
                     M      (R)
     a   b   c   d   e   f   g   h   i   j   k";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn every_style_draws_the_same_shape() {
        for style in STYLES {
            for position in [middle_game(), Position::start(Variant::Standard)] {
                for line in draw(&position, None, style) {
                    let plain = without_escapes(&line);
                    assert_eq!(plain.chars().count(), WIDTH, "{plain:?}");
                    assert_eq!(line.contains('\x1b'), style.color, "{line:?}");
                }
            }
        }
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        for unicode in [false, true] {
            let style = |color| Style { unicode, color };
            let plain = draw(&middle_game(), None, style(false));
            let colored = draw(&middle_game(), None, style(true));
            let stripped: Vec<_> = colored.iter().map(|line| without_escapes(line)).collect();
            assert_eq!(stripped, plain);
        }
    }

    /// Both sides' rings and markers are told apart by their characters alone.
    #[test]
    fn no_two_pieces_look_alike() {
        for style in STYLES {
            let cells = [
                Cell::Empty,
                Cell::Ring(Color::White),
                Cell::Ring(Color::Black),
                Cell::Marker(Color::White),
                Cell::Marker(Color::Black),
            ];
            let signs = cells.map(|cell| cell_glyphs(cell, false, style).map(|g| g.character));
            for (index, sign) in signs.iter().enumerate() {
                assert!(!signs[..index].contains(sign), "{sign:?}");
            }
        }
    }
}
