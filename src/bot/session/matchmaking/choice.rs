//! Whom to play, and what to propose.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::Common;
use crate::api::{
    Clock, ColorChoice, NewChallenge, NewSeek, OpponentKind, Player, PlayerId, PlayerRef, Seek,
};
use crate::bot::config::{MatchmakingConfig, Opponent};
use crate::bot::policy::{Terms, is_kind, is_welcome, objection};

/// How long a seek of the account stays open.
const SEEK_TTL_S: u64 = 60;

/// The oldest seek that both the account's wishes and its rules for challenges allow.
pub(super) fn eligible_seek<'a>(
    common: &Common,
    seeks: &'a [Seek],
    may_ask: impl Fn(&PlayerId) -> bool,
) -> Option<&'a Seek> {
    let settings = &common.settings;
    seeks.iter().find(|seek| {
        let is_for_bots = matches!(seek.opponent_kind, OpponentKind::Any | OpponentKind::Bot);
        let is_mine = Some(&seek.from.id) == common.me.as_ref();
        is_for_bots
            && !is_mine
            && is_kind(&settings.matchmaking.opponents, seek.from.kind)
            && objection(&settings.challenges, &common.playable, &Terms::from(*seek)).is_none()
            && may_ask(&seek.from.id)
    })
}

/// The players of a page who may be challenged.
pub(super) fn eligible_players(
    common: &Common,
    players: Vec<Player>,
    may_ask: impl Fn(&PlayerId) -> bool,
) -> Vec<Player> {
    let config = &common.settings.matchmaking;
    let ratings = config.rating_min..=config.rating_max;
    let is_eligible = |player: &Player| {
        let as_ref = PlayerRef {
            id: player.id.clone(),
            name: player.name.clone(),
            kind: player.kind,
            rating: Some(player.rating),
        };
        player.online_since_at.is_some()
            && Some(&player.id) != common.me.as_ref()
            && is_kind(&config.opponents, player.kind)
            && ratings.contains(&player.rating)
            && is_welcome(&common.settings.challenges, &as_ref)
            && may_ask(&player.id)
    };
    players.into_iter().filter(is_eligible).collect()
}

/// One of the players, each with the same probability.
pub(super) fn any_of(mut players: Vec<Player>, random: &mut Xoshiro256PlusPlus) -> Option<Player> {
    if players.is_empty() {
        return None;
    }
    let index = random.random_range(0..players.len());
    Some(players.swap_remove(index))
}

/// The challenge for `player`.
pub(super) fn new_challenge(config: &MatchmakingConfig, player: &Player) -> NewChallenge {
    NewChallenge {
        to: player.id.clone(),
        variant: config.variant.into(),
        color: ColorChoice::Random,
        rated: config.rated,
        clock: clock(config),
    }
}

/// The seek for whoever comes.
pub(super) fn new_seek(config: &MatchmakingConfig) -> NewSeek {
    let wants = |opponent| config.opponents.contains(&opponent);
    NewSeek {
        variant: config.variant.into(),
        color: ColorChoice::Random,
        rated: config.rated,
        clock: clock(config),
        opponent_kind: match (wants(Opponent::Bot), wants(Opponent::Human)) {
            (true, false) => OpponentKind::Bot,
            (false, true) => OpponentKind::Human,
            (true, true) | (false, false) => OpponentKind::Any,
        },
        ttl_s: SEEK_TTL_S,
    }
}

fn clock(config: &MatchmakingConfig) -> Clock {
    Clock {
        initial_ms: config.initial_s * 1000,
        increment_ms: config.increment_s * 1000,
    }
}
