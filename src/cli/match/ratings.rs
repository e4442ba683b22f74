//! The table of a round robin as text.

use super::table::{course, join, side_names, turns, uncounted};
use crate::arena::stats::{Interval, Trinomial};
use crate::arena::{SideLine, Standing, Standings};

/// Columns of the chart of ratings.
const CHART: usize = 41;

/// Names longer than this are cut in the table; they stand in full above it.
const NAME: usize = 24;

/// The whole report.
pub(super) fn report(standings: &Standings, sides: &[SideLine]) -> String {
    let blocks = [
        side_names(sides),
        table(standings, sides),
        course(&standings.games) + &uncounted(standings.uncounted),
        turns(&standings.sides),
    ];
    join(&blocks)
}

fn table(standings: &Standings, sides: &[SideLine]) -> String {
    let rows = &standings.rows;
    let name = |row: &Standing| cut(&sides[row.side.index()].name, NAME);
    let width = rows
        .iter()
        .map(|row| name(row).chars().count())
        .max()
        .unwrap_or(0);
    let range = Range::of(rows);
    let letters: String = rows
        .iter()
        .map(|row| format!("{:>8}", row.side.to_string()))
        .collect();
    let head = format!(
        "      {:width$}      Elo          games   score{letters}",
        ""
    );
    let mut text = head.trim_end().to_owned() + "\n";
    for (place, row) in rows.iter().enumerate() {
        let rating = row.rating.as_ref().map_or_else(
            || format!("{:>16}", "-"),
            |rating| format!("{:>+8.1} ± {:<5.1}", rating.value, rating.half_width()),
        );
        let against = row
            .against
            .iter()
            .map(|games| format!("{:>8}", games.map_or("-".to_owned(), |g| score(&g))));
        let place = place + 1;
        text += &format!(
            "{place:>2}  {} {:width$} {rating} {:>6}  {:>6}{}\n",
            row.side,
            name(row),
            row.results.total(),
            score(&row.results),
            against.collect::<String>(),
        );
    }
    let Some(range) = range else {
        return text;
    };
    text += "\n";
    for row in rows.iter() {
        let chart = row
            .rating
            .as_ref()
            .map(|rating| range.draw(rating))
            .unwrap_or_default();
        text += &format!("    {} {:width$} {chart}\n", row.side, name(row));
    }
    text + &format!("      {:width$} {}\n", "", range.scale())
}

/// Score in percent.
fn score(games: &Trinomial) -> String {
    let [_, draws, wins] = games.cells();
    match games.total() {
        0 => "-".to_owned(),
        total => format!(
            "{:.1} %",
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
