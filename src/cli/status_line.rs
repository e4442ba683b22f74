//! The line at the foot of a terminal that tells how the account is doing.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::words::{grouped, tame};
use crate::bot::Status;

/// One line that stays below everything else that is written. Hidden until it is shown; clones are the same line.
#[derive(Clone, Debug)]
pub(super) struct StatusLine {
    bar: ProgressBar,
}

impl Default for StatusLine {
    fn default() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_msg}");
        bar.set_style(style.expect("the template is well formed"));
        Self { bar }
    }
}

impl StatusLine {
    /// Shows the line if stderr is a terminal, and tells whether it does.
    pub(super) fn show(&self) -> bool {
        let is_terminal = io::stderr().is_terminal();
        if is_terminal {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        is_terminal
    }

    /// Replaces the text.
    pub(super) fn set(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Takes the line away for good.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// A stream whose lines appear above this one.
    pub(super) fn above<W: Write>(&self, inner: W) -> Above<W> {
        Above {
            line: self.clone(),
            inner,
        }
    }
}

/// A stream on the same terminal as a status line.
pub(super) struct Above<W> {
    line: StatusLine,
    inner: W,
}

impl<W: Write> Write for Above<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.bar.suspend(|| {
            self.inner.write_all(bytes)?;
            self.inner.flush()
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The account at a glance, in words.
pub(super) fn describe(status: &Status) -> String {
    let counted = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    };
    let mut parts = vec![counted(status.games, "game")];
    if status.my_turn > 0 {
        parts[0] += &format!(" ({} own turn)", status.my_turn);
    }
    if status.challenges > 0 {
        parts.push(format!(
            "{} waiting",
            counted(status.challenges, "challenge")
        ));
    }
    parts.push(match status.last_good_poll {
        Some(age) => format!("last poll {} s ago", age.as_secs()),
        None => "no poll yet".to_owned(),
    });
    parts.push(format!("{} requests/min", status.requests_per_minute));
    if let Some(rate) = status.simulations_per_second {
        parts.push(format!("{} simulations/s", grouped(rate.round() as u64)));
    }
    let account = status
        .account
        .as_deref()
        .map_or("not connected".to_owned(), tame);
    format!("{account}: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_line_tells_what_there_is() {
        let mut status = Status {
            account: None,
            games: 0,
            my_turn: 0,
            challenges: 0,
            last_good_poll: None,
            requests_per_minute: 2,
            simulations_per_second: None,
        };
        assert_eq!(
            describe(&status),
            "not connected: 0 games, no poll yet, 2 requests/min"
        );
        status = Status {
            account: Some("ringmaster".to_owned()),
            games: 1,
            my_turn: 1,
            challenges: 3,
            last_good_poll: Some(Duration::from_millis(2_900)),
            simulations_per_second: Some(250_000.4),
            ..status
        };
        assert_eq!(
            describe(&status),
            "ringmaster: 1 game (1 own turn), 3 challenges waiting, last poll 2 s ago, 2 requests/min, \
             250,000 simulations/s"
        );
    }
}
