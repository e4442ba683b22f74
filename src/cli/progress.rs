//! Progress bars on stderr for whatever takes longer than a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears when its work has taken a while, and never when stderr is no terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// A bar over `total` of what `noun` names in the plural.
    pub fn new(total: u64, noun: &'static str) -> Self {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left")
            .expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        bar.set_style(style);
        bar.set_message(noun);
        Self {
            bar,
            started: Instant::now(),
        }
    }

    /// The same with words before it.
    pub fn behind(self, words: &str) -> Self {
        let style = ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} {msg}, {eta} left")
            .expect("the template is well formed");
        self.bar.set_style(style);
        self.bar.set_prefix(words.to_owned());
        self
    }

    /// One more is done.
    pub fn step(&self) {
        self.set(self.bar.position() + 1);
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// How long the work has taken.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
