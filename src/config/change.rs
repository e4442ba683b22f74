//! Goes over from one configuration to another while the program runs.

use super::Config;

/// What a new configuration changes, each as `section.key`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What was taken over.
    pub taken: Vec<String>,
    /// What differs, but cannot change now.
    pub kept: Vec<String>,
}

impl Config {
    /// Takes over from `new` the values of all keys that `may_change`, by section and key.
    pub fn change_to(&mut self, new: &Self, may_change: impl Fn(&str, &str) -> bool) -> Changes {
        let mut changes = Changes::default();
        let mut wishes = Vec::new();
        for ((section, _, old), (_, _, new)) in self.sections().into_iter().zip(new.sections()) {
            for (old, new) in old.entries().into_iter().zip(new.entries()) {
                if old.value == new.value {
                    continue;
                }
                let place = format!("{section}.{}", old.name);
                if may_change(section, old.name) {
                    changes.taken.push(place);
                    wishes.push((section, new));
                } else {
                    changes.kept.push(place);
                }
            }
        }
        for (section, entry) in wishes {
            let section = self.section_mut(section);
            let set = section.map(|section| section.set(entry.name, entry.value));
            debug_assert!(
                matches!(set, Some(Ok(()))),
                "a value of one config fits the other"
            );
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_change_is_taken_over() {
        let mut config = Config::default();
        let mut new = Config::default();
        new.search.exploration = 0.9;
        new.play.games_max = 3;
        new.server.url = "https://elsewhere.example.org".to_owned();
        let changes = config.change_to(&new, |section, _| section != "server");
        assert_eq!(changes.taken, ["play.games_max", "search.exploration"]);
        assert_eq!(changes.kept, ["server.url"]);
        assert_eq!((config.search.exploration, config.play.games_max), (0.9, 3));
        assert_eq!(config.server.url, Config::default().server.url);
        assert_eq!(
            config
                .change_to(&new, |section, _| section != "server")
                .taken,
            [""; 0]
        );
    }
}
