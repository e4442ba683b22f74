//! Lines over games as a picture that fits any width: the lines are an SVG that stretches, the words around it are not.

use std::fmt::Write;

use crate::arena::tune::{Scale, rounded};

/// Extent of the picture in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 300.0;

/// Room below and above the lines, as a part of their height.
const MARGIN: f64 = 0.06;

/// What is drawn.
pub(super) struct Chart {
    /// What it shows, for those who cannot see it.
    pub label: String,
    /// What the numbers below it count.
    pub unit: &'static str,
    /// Greatest number below it.
    pub end: f64,
    /// How values go up.
    pub scale: Scale,
    /// Lines through points of a number and a value.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// A band between two values.
    pub band: Option<(f64, f64)>,
    /// Level lines, each with the name of its look.
    pub levels: Vec<(f64, &'static str)>,
}

impl Chart {
    /// The picture as HTML.
    pub fn draw(&self) -> String {
        let Some(range) = Range::of(self) else {
            return "<p>There is nothing to draw yet.</p>\n".to_owned();
        };
        let x = |number: f64| number / self.end.max(1.0) * WIDTH;
        let y = |value: f64| (1.0 - range.part(value)) * HEIGHT;
        let mut inside = String::new();
        let mut ticks = String::new();
        for (place, text) in range.ticks() {
            let at = (1.0 - range.part(place)) * 100.0;
            add(
                &mut ticks,
                &format!("<span style=\"top:{at:.1}%\">{text}</span>"),
            );
            add(&mut inside, &level(y(place), "grid"));
        }
        if let Some((low, high)) = self.band {
            let (top, height) = (y(high), y(low) - y(high));
            add(
                &mut inside,
                &format!(
                    "<rect class=\"band\" x=\"0\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{height:.1}\"/>"
                ),
            );
        }
        for line in &self.lines {
            let points: Vec<String> = line
                .iter()
                .map(|(number, value)| format!("{:.1},{:.1}", x(*number), y(*value)))
                .collect();
            add(
                &mut inside,
                &format!(
                    "<polyline class=\"chain\" points=\"{}\"/>",
                    points.join(" ")
                ),
            );
        }
        for (value, look) in &self.levels {
            add(&mut inside, &level(y(*value), look));
        }
        let (label, unit, end) = (escaped(&self.label), self.unit, self.end);
        format!(
            "<figure class=\"chart\"><div class=\"ticks\" aria-hidden=\"true\">\n{ticks}</div>\n\
             <svg role=\"img\" aria-label=\"{label}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\">\n\
             {inside}</svg>\n<div class=\"ends\"><span>0</span><span>{end:.0} {unit}</span></div></figure>\n"
        )
    }
}

fn level(y: f64, look: &str) -> String {
    format!("<line class=\"{look}\" x1=\"0\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\"/>")
}

fn add(text: &mut String, element: &str) {
    writeln!(text, "{element}").expect("writing to a string succeeds");
}

/// A text in HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The values that are seen, on their scale.
struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Range {
    /// Around everything that is drawn; `None` when that is nothing.
    fn of(chart: &Chart) -> Option<Self> {
        let lines = chart.lines.iter().flatten().map(|(_, value)| *value);
        let levels = chart.levels.iter().map(|(value, _)| *value);
        let band = chart.band.into_iter().flat_map(|(low, high)| [low, high]);
        let places = lines
            .chain(levels)
            .chain(band)
            .map(|value| chart.scale.place(value));
        let places: Vec<f64> = places.filter(|place| place.is_finite()).collect();
        let low = places.iter().copied().min_by(f64::total_cmp)?;
        let high = places.iter().copied().max_by(f64::total_cmp)?;
        let room = match high > low {
            true => MARGIN * (high - low),
            false => 1.0,
        };
        Some(Self {
            scale: chart.scale,
            low: low - room,
            high: high + room,
        })
    }

    /// The height of a value, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (self.scale.place(value) - self.low) / (self.high - self.low)
    }

    /// Round values with their texts, from 3 to about 8.
    fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = (self.scale.value(self.low), self.scale.value(self.high));
        let values = match self.scale {
            Scale::Logarithmic if high / low > 3.0 => ratios(low, high),
            Scale::Linear | Scale::Logarithmic => steps(low, high),
        };
        values
            .into_iter()
            .map(|value| (value, format!("{}", rounded(value))))
            .collect()
    }
}

/// 1, 2 and 5 times the powers of ten, or just these when there are many.
fn ratios(low: f64, high: f64) -> Vec<f64> {
    let decades = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let digits: &[f64] = match high / low > 300.0 {
        true => &[1.0],
        false => &[1.0, 2.0, 5.0],
    };
    let values =
        decades.flat_map(|decade| digits.iter().map(move |digit| digit * 10_f64.powi(decade)));
    values
        .filter(|value| (low..=high).contains(value))
        .collect()
}

/// Values at equal distances of 1, 2 or 5 times a power of ten.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|digit| digit * power >= rough);
    let step = digit.unwrap_or(10.0) * power;
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|count| count as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ratios(0.15, 3.0), [0.2, 0.5, 1.0, 2.0]);
        assert_eq!(ratios(0.01, 10.0), [0.01, 0.1, 1.0, 10.0]);
        assert_eq!(steps(-2.95, 2.95), [-2.0, 0.0, 2.0]);
        assert_eq!(steps(0.4, 0.61).len(), 3);
    }

    #[test]
    fn what_is_drawn_fits() {
        let chart = Chart {
            label: "a < b".to_owned(),
            unit: "games",
            end: 100.0,
            scale: Scale::Logarithmic,
            lines: vec![vec![(0.0, 5.0), (100.0, 0.5)]],
            band: Some((0.4, 0.6)),
            levels: vec![(5.0, "present")],
        };
        let html = chart.draw();
        assert!(html.contains("aria-label=\"a &lt; b\""), "{html}");
        assert!(html.contains("points=\"0.0,16.1 1000.0,"), "{html}");
        let empty = Chart {
            lines: Vec::new(),
            band: None,
            levels: Vec::new(),
            ..chart
        };
        assert!(empty.draw().contains("nothing to draw"));
    }
}
