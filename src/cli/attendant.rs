//! Looks after a running bot once a second, on a thread of its own: so it also notices when the bot stands still.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::ExitCode;
use super::status_line::{StatusLine, describe};
use crate::bot::{Health, Monitor, MonitorConfig, Status, Watchdog};

/// How often it looks.
const PERIOD: Duration = Duration::from_secs(1);

/// The running thread. It ends when this is dropped.
pub(super) struct Attendant {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Rounds {
    monitor: Monitor,
    line: StatusLine,
    /// Between two lines in the log; `None` for none.
    log_every: Option<Duration>,
    logged: Instant,
    watchdog: Watchdog,
    exit_when_stale: bool,
}

impl Attendant {
    /// Starts to look after the bot whose figures `monitor` holds.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn start(
        monitor: Monitor,
        config: &MonitorConfig,
        line: StatusLine,
    ) -> std::io::Result<Self> {
        let is_shown = line.show();
        let mut rounds = Rounds {
            monitor,
            line,
            log_every: (!is_shown && config.status_s > 0)
                .then(|| Duration::from_secs(config.status_s)),
            logged: Instant::now(),
            watchdog: Watchdog::default(),
            exit_when_stale: config.exit_when_stale,
        };
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new().name("attendant".to_owned());
        let thread = thread.spawn(move || {
            while stopped.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                rounds.look();
            }
            rounds.line.clear();
        })?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for Attendant {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // If it has panicked, that was logged.
            let _ = thread.join();
        }
    }
}

impl Rounds {
    fn look(&mut self) {
        let status = self.monitor.status();
        self.line.set(describe(&status));
        if self
            .log_every
            .is_some_and(|every| self.logged.elapsed() >= every)
        {
            self.logged = Instant::now();
            log(&status);
        }
        match self.watchdog.change(self.monitor.health()) {
            None => {}
            Some(health @ Health::Ok { .. }) => {
                tracing::info!("in touch again: {}", health.describe())
            }
            Some(health @ Health::Stale { .. }) => {
                tracing::error!("out of touch with the server: {}", health.describe());
                if self.exit_when_stale {
                    tracing::error!("leaving, as `exit_when_stale` in [monitor] asks");
                    // Not by way of the bot: it may be what stands still.
                    std::process::exit(ExitCode::Stale as i32);
                }
            }
        }
    }
}

fn log(status: &Status) {
    tracing::info!(
        account = status.account,
        games = status.games,
        own_turn = status.my_turn,
        challenges = status.challenges,
        last_poll_s = status.last_good_poll.map(|age| age.as_secs()),
        requests_per_minute = status.requests_per_minute,
        simulations_per_second = status
            .simulations_per_second
            .map(|rate| rate.round() as u64),
        "status"
    );
}
