//! Which challenges are accepted.

use std::time::Duration;

use super::{ChallengeConfig, Mode, Opponent};
use crate::api::{Challenge, Clock, DeclineReason, PlayerKind, PlayerRef, Seek, VariantWord};
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Places without a game that this opponent may have.
    pub free: usize,
    /// Challenges that are being accepted, and will take one of these places each.
    pub promised: usize,
    /// Games with this opponent, those that are promised included.
    pub with_opponent: usize,
    /// Games with this opponent that began not long ago.
    pub recent_with_opponent: usize,
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
    let recent_max = config.recent_max;
    let is_often = recent_max > 0 && places.recent_with_opponent >= recent_max;
    if places.is_stopping {
        Verdict::Decline(DeclineReason::Later)
    } else if let Some(reason) = objection(config, playable, &Terms::from(challenge)) {
        Verdict::Decline(reason)
    } else if is_often || places.with_opponent >= config.games_per_opponent {
        Verdict::Decline(DeclineReason::Later)
    } else if places.free == 0 {
        Verdict::Decline(DeclineReason::Busy)
    } else if places.promised < places.free {
        Verdict::Accept
    } else {
        Verdict::Hold
    }
}

/// What a challenge or a seek proposes.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Who proposes it.
    pub from: &'a PlayerRef,
    /// Which game.
    pub variant: VariantWord,
    /// Whether it counts.
    pub rated: bool,
    /// The time control.
    pub clock: Clock,
}

impl<'a> From<&'a Challenge> for Terms<'a> {
    fn from(challenge: &'a Challenge) -> Self {
        Self {
            from: &challenge.from,
            variant: challenge.variant,
            rated: challenge.rated,
            clock: challenge.clock,
        }
    }
}

impl<'a> From<&'a Seek> for Terms<'a> {
    fn from(seek: &'a Seek) -> Self {
        Self {
            from: &seek.from,
            variant: seek.variant,
            rated: seek.rated,
            clock: seek.clock,
        }
    }
}

/// Why the config does not accept these terms, whether there is room or not.
pub fn objection(
    config: &ChallengeConfig,
    playable: &[Variant],
    terms: &Terms<'_>,
) -> Option<DeclineReason> {
    objection_to_opponent(config, terms.from)
        .or_else(|| objection_to_game(config, playable, terms))
        .or_else(|| objection_to_clock(config, terms.clock))
}

fn objection_to_opponent(config: &ChallengeConfig, from: &PlayerRef) -> Option<DeclineReason> {
    let ratings = config.rating_min..=config.rating_max;
    if !is_welcome(config, from) {
        Some(DeclineReason::Generic)
    } else if !is_kind(&config.opponents, from.kind) {
        Some(match from.kind {
            PlayerKind::Bot => DeclineReason::NoBots,
            PlayerKind::Human => DeclineReason::OnlyBots,
            PlayerKind::Unknown => DeclineReason::Generic,
        })
    } else if from.rating.is_some_and(|rating| !ratings.contains(&rating)) {
        Some(DeclineReason::Generic)
    } else {
        None
    }
}

fn objection_to_game(
    config: &ChallengeConfig,
    playable: &[Variant],
    terms: &Terms<'_>,
) -> Option<DeclineReason> {
    let variant = Variant::try_from(terms.variant).ok();
    let (mode, reason) = if terms.rated {
        (Mode::Rated, DeclineReason::Rated)
    } else {
        (Mode::Casual, DeclineReason::Casual)
    };
    if !variant.is_some_and(|v| config.variants.contains(&v)) {
        Some(DeclineReason::Variant)
    } else if !variant.is_some_and(|v| playable.contains(&v)) {
        Some(DeclineReason::Rules)
    } else if !config.modes.contains(&mode) {
        Some(reason)
    } else {
        None
    }
}

fn objection_to_clock(config: &ChallengeConfig, clock: Clock) -> Option<DeclineReason> {
    let initial = Duration::from_millis(clock.initial_ms);
    let increment = Duration::from_millis(clock.increment_ms);
    if initial < Duration::from_secs(config.initial_min_s)
        || increment < Duration::from_secs(config.increment_min_s)
    {
        Some(DeclineReason::TooFast)
    } else if initial > Duration::from_secs(config.initial_max_s)
        || increment > Duration::from_secs(config.increment_max_s)
    {
        Some(DeclineReason::TooSlow)
    } else {
        None
    }
}

/// Whether a player of `kind` is one of `opponents`.
pub fn is_kind(opponents: &[Opponent], kind: PlayerKind) -> bool {
    let opponent = match kind {
        PlayerKind::Bot => Opponent::Bot,
        PlayerKind::Human => Opponent::Human,
        PlayerKind::Unknown => return false,
    };
    opponents.contains(&opponent)
}

/// Whether `list` has the player's identifier, or the name in any case of letters.
fn is_in(list: &[String], player: &PlayerRef) -> bool {
    list.iter()
        .any(|entry| entry == player.id.as_str() || entry.eq_ignore_ascii_case(&player.name))
}

/// Whether the account may play `player` at all, as far as the lists of names say.
pub fn is_welcome(config: &ChallengeConfig, player: &PlayerRef) -> bool {
    (config.allow.is_empty() || is_in(&config.allow, player)) && !is_in(&config.block, player)
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

    fn player(id: &str, name: &str, rating: u32) -> serde_json::Value {
        json!({"from": {"id": id, "name": name, "kind": "human", "rating": rating}})
    }

    #[test]
    fn a_list_of_those_allowed_excludes_all_others() {
        let config = ChallengeConfig {
            allow: vec!["ADA".to_owned()],
            ..ChallengeConfig::default()
        };
        let found = |changes| {
            let challenge = challenge(changes);
            objection(&config, &PLAYABLE, &Terms::from(&challenge))
        };
        assert_eq!(found(json!({})), None);
        let other = player("u_7", "eve", 1_500);
        assert_eq!(found(other), Some(DeclineReason::Generic));
    }

    #[test]
    fn one_opponent_does_not_get_every_game() {
        let config = ChallengeConfig {
            games_per_opponent: 2,
            recent_max: 5,
            ..ChallengeConfig::default()
        };
        let verdict = |with_opponent, recent_with_opponent| {
            let places = Places {
                free: 8,
                with_opponent,
                recent_with_opponent,
                ..Places::default()
            };
            judge(&config, &PLAYABLE, places, &challenge(json!({})))
        };
        assert_eq!(verdict(1, 4), Verdict::Accept);
        assert_eq!(verdict(2, 2), Verdict::Decline(DeclineReason::Later));
        assert_eq!(verdict(0, 5), Verdict::Decline(DeclineReason::Later));
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
            let challenge = challenge(changes);
            assert_eq!(
                objection(&config, &PLAYABLE, &Terms::from(&challenge)),
                None
            );
        }
    }

    #[test]
    fn each_filter_has_its_reason() {
        let config = ChallengeConfig {
            opponents: vec![Opponent::Human],
            variants: vec![Variant::Standard],
            modes: vec![Mode::Casual],
            rating_max: 1_900,
            increment_min_s: 1,
            block: vec!["Nemesis".to_owned(), "u_666".to_owned()],
            ..ChallengeConfig::default()
        };
        let clock = |initial, increment| json!({"clock": {"initial_ms": initial, "increment_ms": increment}});
        for (changes, reason) in [
            (json!({"from": bot()}), DeclineReason::NoBots),
            (json!({"variant": "blitz"}), DeclineReason::Variant),
            (json!({"variant": "three_player"}), DeclineReason::Variant),
            (json!({"rated": true}), DeclineReason::Rated),
            (player("u_9", "nemesis", 1_500), DeclineReason::Generic),
            (player("u_666", "beast", 1_500), DeclineReason::Generic),
            (player("u_9", "ada", 1_901), DeclineReason::Generic),
            (clock(1_000, 1_000), DeclineReason::TooFast),
            (clock(300_000, 900), DeclineReason::TooFast),
            (clock(90_000_000, 1_000), DeclineReason::TooSlow),
            (clock(300_000, 90_000), DeclineReason::TooSlow),
        ] {
            let challenge = challenge(changes);
            let found = objection(&config, &PLAYABLE, &Terms::from(&challenge));
            assert_eq!(found, Some(reason), "{challenge:?}");
        }
    }

    #[test]
    fn one_place_is_promised_once() {
        let verdict = |free, promised, is_stopping| {
            let places = Places {
                free,
                promised,
                is_stopping,
                ..Places::default()
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
            &Terms::from(&challenge(json!({}))),
        );
        assert_eq!(found, Some(DeclineReason::Rules));
    }
}
