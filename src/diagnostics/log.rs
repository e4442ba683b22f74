//! Log messages go to stderr and, if wanted, into a file; stdout belongs to results.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use super::redact::Redactor;
use super::rotating::RotatingFile;
use super::{LogConfig, LogFormat, LogLevel};

/// A log file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the log file {path} cannot be written: {source}; `file` in [log] names another")]
pub struct LogFileError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Starts logging as the configuration says, `louder` steps louder, to `stderr` and the file; panics are logged too.
///
/// Libraries never say more than warnings: at lower levels they write down whole requests.
///
/// # Errors
/// The log file cannot be opened.
pub fn start(
    config: &LogConfig,
    louder: i16,
    redactor: &Redactor,
    stderr: Box<dyn Write + Send>,
) -> Result<(), LogFileError> {
    let stderr = Arc::new(Mutex::new(stderr));
    let is_terminal = io::stderr().is_terminal();
    let screen = Sink::new(Target::Screen(Arc::clone(&stderr)), redactor);
    let file = match &config.file {
        None => None,
        Some(path) => {
            let bytes_max = u64::from(config.file_max_mb) * 1024 * 1024;
            let file = RotatingFile::open(path, bytes_max, config.files_kept);
            let file = file.map_err(|source| LogFileError {
                path: path.clone(),
                source,
            })?;
            let target = Target::File {
                path: path.clone(),
                file,
                stderr,
                has_failed: false,
            };
            Some(layer(config.format, false, Sink::new(target, redactor)))
        }
    };
    let level = filter(config.level.louder(louder));
    let targets = Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        .with_target(env!("CARGO_CRATE_NAME"), level);
    let both = layer(config.format, is_terminal, screen).and_then(file);
    tracing_subscriber::registry()
        .with(both.with_filter(targets))
        .init();
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

fn layer<S>(format: LogFormat, ansi: bool, sink: Sink) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let layer = fmt::layer()
        .with_ansi(ansi)
        .with_writer(move || sink.clone());
    match format {
        LogFormat::Text => layer.with_target(false).boxed(),
        LogFormat::Json => layer.json().boxed(),
    }
}

fn filter(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}

fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("without a name");
    let place = panic.location().map(tracing::field::display);
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let what = text.unwrap_or("no message");
    let trace = Backtrace::capture();
    let trace =
        (trace.status() == BacktraceStatus::Captured).then(|| tracing::field::display(&trace));
    tracing::error!(thread, place, trace, "panic: {what}");
}

/// Where whole log lines go, without secrets.
#[derive(Clone)]
struct Sink {
    target: Arc<Mutex<Target>>,
    redactor: Redactor,
}

enum Target {
    Screen(Arc<Mutex<Box<dyn Write + Send>>>),
    File {
        path: PathBuf,
        file: RotatingFile,
        stderr: Arc<Mutex<Box<dyn Write + Send>>>,
        /// The last line could not be written, and that was said.
        has_failed: bool,
    },
}

impl Sink {
    fn new(target: Target, redactor: &Redactor) -> Self {
        Self {
            target: Arc::new(Mutex::new(target)),
            redactor: redactor.clone(),
        }
    }
}

/// A log that cannot be written must not stop the program, so no write fails.
impl Write for Sink {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = self.redactor.redact(&String::from_utf8_lossy(line));
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *target {
            Target::Screen(stderr) => say(stderr, &text),
            Target::File {
                path,
                file,
                stderr,
                has_failed,
            } => {
                let result = file.write_line(text.as_bytes());
                if let (Err(error), false) = (&result, *has_failed) {
                    let path = path.display();
                    say(
                        stderr,
                        &format!(
                            "the log file {path} cannot be written, lines are lost: {error}\n"
                        ),
                    );
                }
                *has_failed = result.is_err();
            }
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn say(stderr: &Mutex<Box<dyn Write + Send>>, text: &str) {
    let mut stderr = stderr.lock().unwrap_or_else(PoisonError::into_inner);
    // Nobody is left to be told when even stderr is closed.
    let _ = stderr.write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Bytes that a test can look at while somebody else writes them.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_once_and_nothing_fails() {
        let screen = Shared::default();
        let path = Path::new("/dev/full");
        let target = Target::File {
            path: path.to_owned(),
            file: RotatingFile::open(path, 1_000, 1).unwrap(),
            stderr: Arc::new(Mutex::new(Box::new(screen.clone()))),
            has_failed: false,
        };
        let mut sink = Sink::new(target, &Redactor::default());
        for _ in 0..100 {
            sink.write_all(b"line\n").unwrap();
        }
        let said = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("/dev/full"), "{said}");
    }
}
