//! The ratings of a round robin as a picture.

use std::fmt::Write;

use super::table::signed;
use crate::arena::stats::Interval;
use crate::arena::{SideLine, Standings};

const WIDTH: f64 = 860.0;
const ROW: f64 = 30.0;
/// Where the scale begins and ends.
const LEFT: f64 = 300.0;
const RIGHT: f64 = 740.0;
const TOP: f64 = 60.0;

/// The picture: a point for each rating on a line as long as its error, the strongest side on top.
pub(super) fn draw(standings: &Standings, sides: &[SideLine]) -> String {
    let rated: Vec<(usize, &Interval)> = {
        let rows = standings.rows.iter();
        rows.filter_map(|row| Some((row.side.index(), row.rating.as_ref()?)))
            .collect()
    };
    let scale = Scale::of(rated.iter().map(|(_, rating)| *rating));
    let bottom = TOP + ROW * rated.len() as f64;
    let height = bottom + 40.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"20\" y=\"30\" font-size=\"17\" fill=\"#111111\">Elo, relative to the mean, with 95 % errors</text>\n"
    );
    for tick in scale.ticks() {
        let x = scale.x(tick);
        add(
            &mut svg,
            &format!(
                "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#dddddd\"/>",
                TOP - 10.0
            ),
        );
        let y = bottom + 22.0;
        add(
            &mut svg,
            &format!(
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#555555\">{}</text>",
                signed(tick, 0)
            ),
        );
    }
    for (row, (side, rating)) in rated.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        draw_row(&mut svg, y, &sides[*side].name, rating, &scale);
    }
    svg + "</svg>\n"
}

fn draw_row(svg: &mut String, y: f64, name: &str, rating: &Interval, scale: &Scale) {
    let text_y = y + 5.0;
    let (low, value, high) = (
        scale.x(rating.low),
        scale.x(rating.value),
        scale.x(rating.high),
    );
    let name: String = name.chars().take(36).collect();
    add(
        svg,
        &format!(
            "<text x=\"20\" y=\"{text_y}\" fill=\"#111111\">{}</text>",
            escaped(&name)
        ),
    );
    add(
        svg,
        &format!(
            "<line x1=\"{low:.1}\" y1=\"{y}\" x2=\"{high:.1}\" y2=\"{y}\" stroke=\"#1f6feb\" stroke-width=\"2\"/>"
        ),
    );
    add(
        svg,
        &format!("<circle cx=\"{value:.1}\" cy=\"{y}\" r=\"5\" fill=\"#1f6feb\"/>"),
    );
    add(
        svg,
        &format!(
            "<text x=\"{}\" y=\"{text_y}\" fill=\"#111111\">{:+.0} ± {:.0}</text>",
            RIGHT + 20.0,
            rating.value,
            rating.half_width()
        ),
    );
}

fn add(svg: &mut String, element: &str) {
    writeln!(svg, "{element}").expect("writing to a string succeeds");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// From Elo to the width of the picture.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    /// A scale with round ends around all ratings and their errors.
    fn of<'a>(ratings: impl Iterator<Item = &'a Interval> + Clone) -> Self {
        let low = ratings
            .clone()
            .map(|rating| rating.low)
            .fold(f64::INFINITY, f64::min);
        let high = ratings
            .map(|rating| rating.high)
            .fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low < high {
            (low, high)
        } else {
            (-50.0, 50.0)
        };
        let steps = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
        let step = steps
            .into_iter()
            .find(|step| (high - low) / step <= 8.0)
            .unwrap_or(1000.0);
        Self {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
        }
    }

    fn x(&self, elo: f64) -> f64 {
        LEFT + (elo - self.low) / (self.high - self.low) * (RIGHT - LEFT)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        let (low, step) = (self.low, self.step);
        (0..=count).map(move |tick| low + f64::from(tick) * step)
    }
}
