//! The status block of a running search for better values on stderr.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::words::{range, value};
use crate::arena::tune::{Domain, Estimate, Parameter, Progress, Tuning};
use crate::cli::r#match::live::clock;
use crate::cli::style::Style;

/// Time between two looks at the run.
const INTERVAL: Duration = Duration::from_millis(250);

/// Columns of the path of a parameter.
const PATH: usize = 16;

/// A block that is rewritten in place. When stderr is no terminal, a few lines in the log instead.
pub(super) struct Live {
    bar: ProgressBar,
    started: Instant,
    shown: Option<Instant>,
    /// Games that were there before.
    known: u64,
    /// Tenths of the games that the log knows of.
    tenths: u64,
    style: Style,
}

impl Live {
    pub fn new(tuning: &Tuning) -> Self {
        let style = ProgressStyle::with_template("{bar:24} {pos} of {len} games, {msg}")
            .expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(tuning.games()), ProgressDrawTarget::stderr());
        bar.set_style(style);
        Self {
            bar,
            started: Instant::now(),
            shown: None,
            known: tuning.done(),
            tenths: 10 * tuning.done() / tuning.games().max(1),
            style: Style::of_stdout(false),
        }
    }

    /// Shows where the run stands, if it is time to; `running` games are finished beyond those that count.
    pub fn show(&mut self, tuning: &Tuning, running: u64) {
        if self.bar.is_hidden() {
            self.log(tuning);
            return;
        }
        if self.shown.is_some_and(|shown| shown.elapsed() < INTERVAL) {
            return;
        }
        self.shown = Some(Instant::now());
        let games = tuning.done() + running;
        let elapsed = self.started.elapsed();
        let mut lines = vec![time_line(
            elapsed,
            games - self.known,
            tuning.games() - games,
        )];
        lines.extend(self.parameters(tuning));
        self.bar.set_message(lines.join("\n"));
        self.bar.set_position(games);
    }

    fn log(&mut self, tuning: &Tuning) {
        let tenths = 10 * tuning.done() / tuning.games().max(1);
        if tenths > self.tenths {
            self.tenths = tenths;
            let (done, games) = (tuning.done(), tuning.games());
            tracing::info!(
                "{done} of {games} games: {}",
                self.parameters(tuning).join(", ")
            );
        }
    }

    /// A line for each parameter: its path and its estimate.
    fn parameters(&self, tuning: &Tuning) -> Vec<String> {
        let mut axis = 0;
        let parameters = tuning.design().parameters.iter().zip(tuning.estimates());
        let line = |(parameter, estimate): (&Parameter, Estimate)| {
            let path = match parameter.domain {
                Domain::Number(_) => {
                    axis += 1;
                    self.draw(&tuning.path(axis - 1, PATH))
                }
                Domain::Words { .. } => String::new(),
            };
            let (from, to) = (value(&parameter.current()), value(&estimate.value));
            let range = range(parameter, &estimate);
            let settled = match estimate.progress() {
                Progress::Settled => ", settled",
                Progress::Narrowing(_) | Progress::AtEnd | Progress::Unknown => "",
            };
            format!("{} {from} {path} {to} ({range}){settled}", parameter.name)
        };
        parameters.map(line).collect()
    }

    /// Numbers as a row of bars, or an arrow where only ASCII can be shown.
    fn draw(&self, path: &[f64]) -> String {
        const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        if !self.style.unicode || path.is_empty() {
            return "->".to_owned();
        }
        let low = path.iter().copied().fold(f64::INFINITY, f64::min);
        let high = path.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let height = (high - low).max(f64::MIN_POSITIVE);
        let bar = |place: &f64| BARS[((place - low) / height * 7.0).round() as usize];
        path.iter().map(bar).collect()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn time_line(elapsed: Duration, played: u64, to_go: u64) -> String {
    if played == 0 {
        return format!("{} so far", clock(elapsed));
    }
    let per_game = elapsed.as_secs_f64() / played as f64;
    let left = Duration::from_secs_f64(per_game * to_go as f64);
    let rate = 60.0 / per_game.max(1e-9);
    format!(
        "{} so far, {rate:.0} a minute, about {} to go",
        clock(elapsed),
        clock(left)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_soon_as_they_are_known() {
        let second = Duration::from_secs(1);
        assert_eq!(time_line(second, 0, 10), "0:01 so far");
        assert_eq!(
            time_line(10 * second, 5, 30),
            "0:10 so far, 30 a minute, about 1:00 to go"
        );
    }
}
