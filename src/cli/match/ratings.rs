//! The table of a round robin as text.

use super::table::{course, join, side_names, signed, turns, uncounted};
use crate::arena::stats::{Interval, Trinomial};
use crate::arena::{SideLine, Standing, Standings};

/// Columns of the chart of ratings.
const CHART: usize = 41;

/// Names longer than this are cut in the table; they stand in full above it.
const NAME: usize = 24;

/// The whole report.
pub(super) fn report(standings: &Standings, sides: &[SideLine]) -> String {
    let names = Names::new(standings, sides);
    let blocks = [
        side_names(sides),
        table(standings, &names),
        chart(standings, &names),
        course(&standings.games) + &uncounted(standings.uncounted),
        turns(&standings.sides),
    ];
    join(&blocks)
}

/// The names of the rows, all of one width.
struct Names(Vec<String>);

impl Names {
    fn new(standings: &Standings, sides: &[SideLine]) -> Self {
        let name = |row: &Standing| cut(&sides[row.side.index()].name, NAME);
        let names: Vec<String> = standings.rows.iter().map(name).collect();
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        Self(names.iter().map(|name| format!("{name:width$}")).collect())
    }

    fn blank(&self) -> String {
        " ".repeat(self.0.first().map_or(0, |name| name.chars().count()))
    }
}

fn table(standings: &Standings, names: &Names) -> String {
    let rows = &standings.rows;
    let letters: String = rows
        .iter()
        .map(|row| format!("{:>7}", row.side.to_string()))
        .collect();
    let mut text = format!(
        "      {}      Elo          games  score%{letters}\n",
        names.blank()
    );
    for (place, (row, name)) in rows.iter().zip(&names.0).enumerate() {
        let rating = row.rating.as_ref().map_or_else(
            || format!("{:>16}", "-"),
            |rating| {
                format!(
                    "{:>8} ± {:<5.1}",
                    signed(rating.value, 1),
                    rating.half_width()
                )
            },
        );
        let place = place + 1;
        let against = row
            .against
            .iter()
            .map(|games| format!("{:>7}", games.map_or("-".to_owned(), |g| score(&g))));
        text += &format!(
            "{place:>2}  {} {name} {rating} {:>6} {:>7}{}\n",
            row.side,
            row.results.total(),
            score(&row.results),
            against.collect::<String>(),
        );
    }
    if standings.with_draws {
        text += "Each two sides were given a drawn game, because some have won or lost all.\n";
    }
    text
}

/// Each rating as a point on a line as long as its error; nothing before all have met.
fn chart(standings: &Standings, names: &Names) -> String {
    let Some(range) = Range::of(&standings.rows) else {
        return String::new();
    };
    let line = |(row, name): (&Standing, &String)| {
        let line = row
            .rating
            .as_ref()
            .map(|rating| range.draw(rating))
            .unwrap_or_default();
        format!("    {} {name} {line}\n", row.side)
    };
    let lines: String = standings.rows.iter().zip(&names.0).map(line).collect();
    lines + &format!("      {} {}\n", names.blank(), range.scale())
}

/// Score in percent, without the sign.
fn score(games: &Trinomial) -> String {
    let [_, draws, wins] = games.cells();
    match games.total() {
        0 => "-".to_owned(),
        total => format!(
            "{:.1}",
            100.0 * (wins as f64 + draws as f64 / 2.0) / total as f64
        ),
    }
}

fn cut(name: &str, width: usize) -> String {
    match name.chars().count() > width {
        true => name.chars().take(width - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

/// What part of the scale the chart shows.
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of(rows: &[Standing]) -> Option<Self> {
        let ratings = || rows.iter().filter_map(|row| row.rating.as_ref());
        let low = ratings().map(|rating| rating.low).min_by(f64::total_cmp)?;
        let high = ratings().map(|rating| rating.high).max_by(f64::total_cmp)?;
        (high > low).then_some(Self { low, high })
    }

    fn column(&self, elo: f64) -> usize {
        ((elo - self.low) / (self.high - self.low) * (CHART - 1) as f64).round() as usize
    }

    /// A rating as a point on a line as long as its error.
    fn draw(&self, rating: &Interval) -> String {
        let (low, value, high) = (
            self.column(rating.low),
            self.column(rating.value),
            self.column(rating.high),
        );
        let sign = |column: usize| match column {
            column if column == value => 'o',
            column if (low..=high).contains(&column) => '-',
            _ => ' ',
        };
        (0..=high).map(sign).collect()
    }

    fn scale(&self) -> String {
        let (low, high) = (format!("{:+.0}", self.low), format!("{:+.0}", self.high));
        let gap = CHART - low.len();
        format!("{low}{high:>gap$}")
    }
}
