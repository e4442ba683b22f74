//! Notices when the account is out of touch with its server, and when it is in touch again.

use std::time::Duration;

/// Whether polls succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// The last one that did is recent, or the account has not been at it for long.
    Ok {
        /// How long ago it was; `None` before the first.
        age: Option<Duration>,
    },
    /// None has succeeded for too long.
    Stale {
        /// How long, counted from the start if there was none at all.
        age: Duration,
    },
}

impl Health {
    /// One line about it.
    pub fn describe(&self) -> String {
        match self {
            Self::Ok { age: Some(age) } => {
                format!("ok: last successful poll {} s ago", age.as_secs())
            }
            Self::Ok { age: None } => "ok: starting, no successful poll yet".to_owned(),
            Self::Stale { age } => format!("stale: no successful poll for {} s", age.as_secs()),
        }
    }
}

/// Turns what is the case into what has changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watchdog {
    is_stale: bool,
}

impl Watchdog {
    /// The health if it has changed from good to bad or back since the last time.
    pub fn change(&mut self, health: Health) -> Option<Health> {
        let is_stale = matches!(health, Health::Stale { .. });
        let has_changed = is_stale != self.is_stale;
        self.is_stale = is_stale;
        has_changed.then_some(health)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_are_told() {
        let age = Duration::from_secs(130);
        let (good, bad) = (Health::Ok { age: None }, Health::Stale { age });
        let mut watchdog = Watchdog::default();
        let told: Vec<_> = [good, bad, bad, good, good, bad]
            .into_iter()
            .map(|health| watchdog.change(health))
            .collect();
        let expected = [None, Some(bad), None, Some(good), None, Some(bad)];
        assert_eq!(told, expected);
    }
}
