//! How the account is doing: figures for the status line, for Prometheus and for whoever has to act when it is silent.

mod config;
mod figures;
mod histogram;
mod port;
mod process;
mod prometheus;
mod recent;
mod watchdog;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub use config::MonitorConfig;
pub use figures::Status;
pub use port::{MonitorPort, PortError, ask_monitor};
pub use watchdog::{Health, Watchdog};

use self::figures::Figures;
use super::answered::Answered;
use super::event::{Event, Watcher};

/// The figures of one account. Clones share them; every method may be called from any thread.
#[derive(Clone, Debug)]
pub struct Monitor {
    figures: Arc<Mutex<Figures>>,
}

impl Monitor {
    /// Figures that begin now, for an account whose polls hang up to `poll_wait_s`.
    pub fn new(config: &MonitorConfig, poll_wait_s: u64) -> Self {
        let figures = Figures::new(Instant::now(), config.patience(poll_wait_s));
        Self {
            figures: Arc::new(Mutex::new(figures)),
        }
    }

    /// A watcher that keeps the figures, and then shows `inner` what it saw.
    pub fn watching(&self, inner: Box<dyn Watcher>) -> Box<dyn Watcher> {
        Box::new(Monitored {
            monitor: self.clone(),
            inner,
        })
    }

    /// Counts an attempt to read the configuration anew.
    pub fn count_reload(&self, is_taken: bool) {
        self.lock().count_reload(is_taken);
    }

    /// The account at a glance.
    pub fn status(&self) -> Status {
        self.lock().status(Instant::now())
    }

    /// Whether the account is in touch with its server.
    pub fn health(&self) -> Health {
        self.lock().health(Instant::now())
    }

    /// All figures in Prometheus' text format.
    pub fn to_prometheus(&self) -> String {
        prometheus::write(&self.lock(), Instant::now())
    }

    /// The games that go on, as a JSON list: position, last turn, and for how long nothing has happened.
    pub fn games_as_json(&self) -> String {
        let figures = self.lock();
        let games = figures.running(Instant::now()).map(|(game, idle)| {
            let mut object = serde_json::json!(game);
            object["idle_s"] = idle.as_secs().into();
            object
        });
        format!("{:#}\n", serde_json::Value::Array(games.collect()))
    }

    /// A thread that panicked while it held the figures has at worst counted something twice or not at all.
    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Monitored {
    monitor: Monitor,
    inner: Box<dyn Watcher>,
}

impl Watcher for Monitored {
    fn see(&mut self, event: &Event) {
        self.monitor.lock().see(event, Instant::now());
        self.inner.see(event);
    }

    fn see_answer(&mut self, answered: &Answered) {
        self.monitor.lock().see_answer(answered);
        self.inner.see_answer(answered);
    }
}
