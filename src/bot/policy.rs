//! Which challenges are accepted.

use std::time::Duration;

use super::{ChallengeConfig, Mode, Opponent};
use crate::api::{Challenge, DeclineReason, PlayerKind};
use crate::game::Variant;

/// What to do with a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Play it.
    Accept,
    /// Decline it.
    Decline(DeclineReason),
    /// Leave it open: another challenge has the last place, and may turn out to be withdrawn.
    Hold,
}

/// How much room there is for another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Places without a game.
    pub free: usize,
    /// Challenges that are being accepted, and will take one of these places each.
    pub promised: usize,
    /// Whether no new games are wanted at all.
    pub is_stopping: bool,
}

/// Decides about `challenge`.
pub fn judge(
    config: &ChallengeConfig,
    playable: &[Variant],
    places: Places,
    challenge: &Challenge,
) -> Verdict {
    if places.is_stopping {
        Verdict::Decline(DeclineReason::Later)
    } else if let Some(reason) = objection(config, playable, challenge) {
        Verdict::Decline(reason)
    } else if places.free == 0 {
        Verdict::Decline(DeclineReason::Busy)
    } else if places.promised < places.free {
        Verdict::Accept
    } else {
        Verdict::Hold
    }
}

/// Why the config declines `challenge`, whether there is room or not.
fn objection(
    config: &ChallengeConfig,
    playable: &[Variant],
    challenge: &Challenge,
) -> Option<DeclineReason> {
    let opponent = match challenge.from.kind {
        PlayerKind::Bot => Some(Opponent::Bot),
        PlayerKind::Human => Some(Opponent::Human),
        PlayerKind::Unknown => None,
    };
    let variant = Variant::try_from(challenge.variant).ok();
    let mode = if challenge.rated {
        Mode::Rated
    } else {
        Mode::Casual
    };
    let initial = Duration::from_millis(challenge.clock.initial_ms);
    let increment = Duration::from_millis(challenge.clock.increment_ms);

    if !opponent.is_some_and(|o| config.opponents.contains(&o)) {
        Some(match challenge.from.kind {
            PlayerKind::Bot => DeclineReason::NoBots,
            PlayerKind::Human => DeclineReason::OnlyBots,
            PlayerKind::Unknown => DeclineReason::Generic,
        })
    } else if !variant.is_some_and(|v| config.variants.contains(&v)) {
        Some(DeclineReason::Variant)
    } else if !variant.is_some_and(|v| playable.contains(&v)) {
        Some(DeclineReason::Rules)
    } else if !config.modes.contains(&mode) {
        Some(if challenge.rated {
            DeclineReason::Rated
        } else {
            DeclineReason::Casual
        })
    } else if initial < Duration::from_secs(config.initial_min_s) {
        Some(DeclineReason::TooFast)
    } else if initial > Duration::from_secs(config.initial_max_s)
        || increment > Duration::from_secs(config.increment_max_s)
    {
        Some(DeclineReason::TooSlow)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PLAYABLE: [Variant; 2] = [Variant::Standard, Variant::Blitz];

    /// A challenge that the defaults accept, with `changes` made to it.
    fn challenge(changes: serde_json::Value) -> Challenge {
        let mut value = json!({
            "id": "c_1", "from": {"id": "u_9", "name": "ada", "kind": "human"}, "variant": "standard",
            "rated": false, "color": "random", "clock": {"initial_ms": 300_000, "increment_ms": 3_000},
            "expires_at": 1,
        });
        for (key, change) in changes.as_object().unwrap() {
            value[key] = change.clone();
        }
        serde_json::from_value(value).unwrap()
    }

    fn bot() -> serde_json::Value {
        json!({"id": "bot_9", "name": "engine", "kind": "bot"})
    }

    #[test]
    fn the_defaults_play_everybody() {
        let config = ChallengeConfig::default();
        for changes in [
            json!({}),
            json!({"from": bot()}),
            json!({"variant": "blitz"}),
            json!({"rated": true}),
        ] {
            assert_eq!(objection(&config, &PLAYABLE, &challenge(changes)), None);
        }
    }

    #[test]
    fn each_filter_has_its_reason() {
        let config = ChallengeConfig {
            opponents: vec![Opponent::Human],
            variants: vec![Variant::Standard],
            modes: vec![Mode::Casual],
            ..ChallengeConfig::default()
        };
        let clock = |initial, increment| json!({"clock": {"initial_ms": initial, "increment_ms": increment}});
        for (changes, reason) in [
            (json!({"from": bot()}), DeclineReason::NoBots),
            (json!({"variant": "blitz"}), DeclineReason::Variant),
            (json!({"variant": "three_player"}), DeclineReason::Variant),
            (json!({"rated": true}), DeclineReason::Rated),
            (clock(1_000, 0), DeclineReason::TooFast),
            (clock(90_000_000, 0), DeclineReason::TooSlow),
            (clock(300_000, 90_000), DeclineReason::TooSlow),
        ] {
            let challenge = challenge(changes);
            assert_eq!(objection(&config, &PLAYABLE, &challenge), Some(reason));
        }
    }

    #[test]
    fn one_place_is_promised_once() {
        let verdict = |free, promised, is_stopping| {
            let places = Places {
                free,
                promised,
                is_stopping,
            };
            judge(
                &ChallengeConfig::default(),
                &PLAYABLE,
                places,
                &challenge(json!({})),
            )
        };
        assert_eq!(verdict(1, 0, false), Verdict::Accept);
        assert_eq!(verdict(1, 1, false), Verdict::Hold);
        assert_eq!(verdict(0, 0, false), Verdict::Decline(DeclineReason::Busy));
        assert_eq!(verdict(1, 0, true), Verdict::Decline(DeclineReason::Later));
    }

    #[test]
    fn a_variant_with_other_rules_is_declined_as_such() {
        let found = objection(
            &ChallengeConfig::default(),
            &[Variant::Blitz],
            &challenge(json!({})),
        );
        assert_eq!(found, Some(DeclineReason::Rules));
    }
}
