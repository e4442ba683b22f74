//! SIGHUP reads the configuration anew, for games and challenges to come.

use std::io::{IsTerminal, stderr};

use tokio::sync::mpsc::UnboundedSender;

use super::GlobalArgs;
use super::play::setup;
use crate::bot::{Monitor, Setup, StopSender};
use crate::config::Config;

/// What it needs to read the configuration anew.
pub(super) struct Reload {
    /// Where the settings come from.
    pub global: GlobalArgs,
    /// The settings in effect.
    pub config: Config,
    /// Where new ones go.
    pub setups: UnboundedSender<Setup>,
    /// Counts them.
    pub monitor: Monitor,
    /// Told when a SIGHUP means that the terminal is gone.
    pub stop: StopSender,
}

/// Sections that concern a running account, and of those the keys that can change only with a restart.
fn needs_restart(section: &str, key: &str) -> bool {
    match section {
        "challenges" | "matchmaking" | "time" | "search" => false,
        "play" => key == "records_dir" || key.starts_with("house_"),
        _ => true,
    }
}

/// Sections of other commands.
fn is_foreign(place: &str) -> bool {
    let section = place.split('.').next();
    matches!(section, Some("serve" | "match" | "tune"))
}

impl Reload {
    /// Listens to SIGHUP from now on.
    ///
    /// # Errors
    /// The system does not let the process listen to its signals.
    #[cfg(unix)]
    pub(super) fn listen(mut self) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut hangups = signal(SignalKind::hangup())?;
        let had_terminal = stderr().is_terminal();
        tokio::spawn(async move {
            while hangups.recv().await.is_some() {
                if had_terminal && !stderr().is_terminal() {
                    tracing::warn!("the terminal is gone");
                    self.stop.request();
                } else {
                    self.reload();
                }
            }
        });
        Ok(())
    }

    /// There is no such signal here.
    #[cfg(not(unix))]
    pub(super) fn listen(self) -> std::io::Result<()> {
        Ok(())
    }

    fn reload(&mut self) {
        let loaded = self.global.load();
        self.monitor.count_reload(loaded.is_ok());
        let new = match loaded {
            Ok(loaded) => loaded.config,
            Err(error) => {
                tracing::error!("the settings stay as they are: {error}");
                return;
            }
        };
        let changes = self
            .config
            .change_to(&new, |section, key| !needs_restart(section, key));
        for place in changes.kept.iter().filter(|place| !is_foreign(place)) {
            tracing::warn!("{place} changes only with a restart");
        }
        if changes.taken.is_empty() {
            tracing::info!("settings read anew: nothing has changed");
            return;
        }
        let changed = changes.taken.join(" ");
        tracing::info!(
            changed,
            "settings read anew, for games and challenges to come"
        );
        // Nobody listens any more once the bot has left.
        let _ = self.setups.send(setup(&self.config, &self.config.server));
    }
}
