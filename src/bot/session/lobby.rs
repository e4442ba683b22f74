//! Challenges: which ones to accept while there is room, and the answers on their way.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::opponents::Opponents;
use super::recent::Recent;
use super::{Answer, Common, Request};
use crate::api::{
    Challenge, ChallengeId, ChallengeStatus, DeclineReason, GameId, PlayerKind, PlayerRef,
};
use crate::bot::backoff::Growth;
use crate::bot::errand::Errand;
use crate::bot::event::Event;
use crate::bot::policy::{Places, Verdict, judge};
use crate::bot::transport::{Remedy, TransportError};

/// How busy the account is.
#[derive(Clone, Copy)]
pub(super) struct Room<'a> {
    /// Games that are being played.
    pub games: usize,
    /// With whom.
    pub opponents: &'a Opponents,
    /// Whether no new games are wanted at all.
    pub is_stopping: bool,
}

pub(super) struct Lobby {
    /// Challenges of the last poll.
    listed: Vec<Challenge>,
    /// What is being told to the server.
    replies: BTreeMap<ChallengeId, Reply>,
    /// Challenges that are done with; a late poll may still list them.
    answered: Recent<ChallengeId>,
}

struct Reply {
    from: PlayerRef,
    /// `None`: it is accepted.
    declined: Option<DeclineReason>,
    errand: Errand,
}

impl Lobby {
    pub(super) fn new() -> Self {
        Self {
            listed: Vec::new(),
            replies: BTreeMap::new(),
            answered: Recent::new(),
        }
    }

    /// Takes over what a poll lists. A challenge that is listed no longer needs no answer.
    pub(super) fn on_listed(&mut self, listed: Vec<Challenge>) {
        self.listed = listed;
        let is_listed = |id: &ChallengeId| self.listed.iter().any(|c| c.id == *id);
        self.replies
            .retain(|id, reply| reply.errand.is_sent() || is_listed(id));
    }

    /// How many games may come of challenges that are being accepted.
    pub(super) fn accepting(&self) -> usize {
        let replies = self.replies.values();
        replies.filter(|reply| reply.declined.is_none()).count()
    }

    /// Decides what can be decided, and sends what is due.
    pub(super) fn advance(&mut self, common: &mut Common, room: Room<'_>, now: Instant) {
        for challenge in &self.listed {
            let is_new =
                !self.replies.contains_key(&challenge.id) && !self.answered.contains(&challenge.id);
            let is_open = challenge.status == ChallengeStatus::Open;
            let is_mine = Some(&challenge.from.id) == common.me.as_ref();
            if !is_new || !is_open || is_mine {
                continue;
            }
            let places = self.places(common, &room, &challenge.from, now);
            let config = &common.settings.challenges;
            let declined = match judge(config, &common.playable, places, challenge) {
                Verdict::Accept => None,
                Verdict::Decline(reason) => Some(reason),
                Verdict::Hold => continue,
            };
            let reply = Reply {
                from: challenge.from.clone(),
                declined,
                errand: Errand::due(Growth::CALM, now),
            };
            self.replies.insert(challenge.id.clone(), reply);
        }
        for (id, reply) in &mut self.replies {
            if reply.errand.start(now) {
                let challenge = id.clone();
                common.ask(match reply.declined {
                    None => Request::Accept { challenge },
                    Some(reason) => Request::Decline { challenge, reason },
                });
            }
        }
    }

    /// What room there is for a game with `player`.
    fn places(&self, common: &Common, room: &Room<'_>, player: &PlayerRef, now: Instant) -> Places {
        let (play, config) = (&common.settings.play, &common.settings.challenges);
        let for_bots = play.games_max.saturating_sub(config.reserved_for_humans);
        let free = play.games_max.saturating_sub(room.games);
        let promised_to = self.replies.values();
        let promised_to =
            promised_to.filter(|reply| reply.declined.is_none() && reply.from.id == player.id);
        let recent = Duration::from_secs(config.recent_h * 3600);
        Places {
            free: match player.kind {
                PlayerKind::Bot => {
                    free.min(for_bots.saturating_sub(room.opponents.games_with_bots()))
                }
                PlayerKind::Human | PlayerKind::Unknown => free,
            },
            promised: self.accepting(),
            with_opponent: room.opponents.games_with(&player.id) + promised_to.count(),
            recent_with_opponent: room.opponents.recent_games_with(&player.id, recent, now),
            is_stopping: room.is_stopping,
        }
    }

    /// The answer to an acceptance; the game that came of it, if any.
    pub(super) fn on_accepted(
        &mut self,
        common: &mut Common,
        now: Instant,
        id: &ChallengeId,
        answer: Answer<GameId>,
    ) -> Option<(GameId, PlayerRef)> {
        let from = self.replies.get(id)?.from.clone();
        match answer.result {
            Ok(game) => {
                common.measure(answer.trip, None);
                self.settle(common, id, true);
                Some((game, from))
            }
            Err(error) => {
                let game = error.problem().and_then(|problem| problem.game_id.clone());
                self.on_failure(common, now, id, &error);
                game.map(|game| (game, from))
            }
        }
    }

    /// The answer to a refusal.
    pub(super) fn on_declined(
        &mut self,
        common: &mut Common,
        now: Instant,
        id: &ChallengeId,
        answer: Answer<()>,
    ) {
        match answer.result {
            Ok(()) => {
                common.measure(answer.trip, None);
                self.settle(common, id, true);
            }
            Err(error) => self.on_failure(common, now, id, &error),
        }
    }

    fn on_failure(
        &mut self,
        common: &mut Common,
        now: Instant,
        id: &ChallengeId,
        error: &TransportError,
    ) {
        let Some(reply) = self.replies.get_mut(id) else {
            return;
        };
        let what = format!("answering the challenge of {}: {error}", reply.from.name);
        let is_listed = self.listed.iter().any(|challenge| challenge.id == *id);
        match error.remedy() {
            Remedy::TryAgain { asked } if is_listed => {
                let wait = reply.errand.fail(now, asked, &mut common.random);
                common.trouble(None, what, Some(wait));
            }
            _ => {
                common.trouble(None, what, None);
                self.settle(common, id, false);
            }
        }
    }

    fn settle(&mut self, common: &mut Common, id: &ChallengeId, is_done: bool) {
        self.answered.insert(id.clone());
        if let Some(reply) = self.replies.remove(id)
            && is_done
        {
            common.tell(Event::ChallengeAnswered {
                from: reply.from.name,
                declined: reply.declined,
            });
        }
    }

    /// When something is due next.
    pub(super) fn wake(&self) -> Option<Instant> {
        let replies = self.replies.values();
        replies.filter_map(|reply| reply.errand.wake()).min()
    }
}
