//! The `[log]` section.

use std::path::PathBuf;

use crate::setting::Kind;

/// How much is logged, and in which form.
#[derive(Clone, Debug, PartialEq)]
pub struct LogConfig {
    /// The least important messages that are still shown.
    pub level: LogLevel,
    /// The form of a line.
    pub format: LogFormat,
    /// A file that gets the same lines as stderr.
    pub file: Option<PathBuf>,
    /// Its largest size in MiB.
    pub file_max_mb: u32,
    /// Older files that are kept beside it.
    pub files_kept: u32,
}

impl Default for LogConfig {
    fn default() -> Self {
        Self {
            level: LogLevel::default(),
            format: LogFormat::default(),
            file: None,
            file_max_mb: 10,
            files_kept: 4,
        }
    }
}

crate::settings!(LogConfig {
    level: Kind::Choice(LogLevel::WORDS),
        "The least important messages that are still shown. `-v` and `-q` move it one step for one run.";
    format: Kind::Choice(LogFormat::WORDS),
        "`text` for people, `json` (one object per line) for programs.";
    file: Kind::Text,
        "A file that gets the same lines of `play` as stderr. Empty: none.";
    file_max_mb: Kind::Int { min: 1, max: 10_000 },
        "MiB that the file grows to; then it is renamed to NAME.1, and a new one begun.";
    files_kept: Kind::Int { min: 0, max: 1_000 },
        "Older files that are kept: NAME.1, NAME.2 and so on. So much and no more is ever on the disk: (files_kept + 1) * file_max_mb.";
});

/// Importance of a log message, from none to everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogLevel {
    /// Nothing at all.
    Off,
    /// Something failed for good.
    Error,
    /// Something failed and is made good, or will fail soon.
    Warn,
    /// What happens: games, challenges, results.
    #[default]
    Info,
    /// Each request and each decision.
    Debug,
    /// Everything there is.
    Trace,
}

crate::choices!(LogLevel {
    Off => "off", Error => "error", Warn => "warn", Info => "info", Debug => "debug", Trace => "trace",
});

impl LogLevel {
    const ALL: [Self; 6] = [
        Self::Off,
        Self::Error,
        Self::Warn,
        Self::Info,
        Self::Debug,
        Self::Trace,
    ];

    /// The level so many steps louder, or quieter if negative; it stops at both ends.
    pub fn louder(self, steps: i16) -> Self {
        let last = Self::ALL.len() as i16 - 1;
        Self::ALL[(self as i16 + steps).clamp(0, last) as usize]
    }
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

crate::choices!(LogFormat { Text => "text", Json => "json" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stop_at_both_ends() {
        assert_eq!(LogLevel::Info.louder(1), LogLevel::Debug);
        assert_eq!(LogLevel::Info.louder(-1), LogLevel::Warn);
        assert_eq!(LogLevel::Info.louder(9), LogLevel::Trace);
        assert_eq!(LogLevel::Info.louder(-9), LogLevel::Off);
    }
}
