//! The set of the account's games, as the server tells it.

use std::sync::Arc;
use std::time::Instant;

use super::game::{Fate, Game};
use super::poll::Tempo;
use super::{Answer, Command, Common, Session};
use crate::api::{
    ChallengeCreated, ChallengeId, GameId, GameState, GameStatus, Pending, PlayerRef, SeeksPage,
};
use crate::bot::event::Event;
use crate::bot::transport::{Tagged, TransportError};

impl Session {
    pub(super) fn on_polled(&mut self, now: Instant, answer: Answer<Option<Tagged<Pending>>>) {
        let as_of = answer.trip.sent;
        let tempo = if self.games.is_empty() {
            Tempo::Idle
        } else if self.games.values().all(Game::is_watched_well) {
            Tempo::Watched
        } else {
            Tempo::Unwatched
        };
        let pending = self.poll.on_answer(&mut self.common, now, answer, tempo);
        if let Some(pending) = pending {
            self.on_pending(now, as_of, pending);
        }
    }

    /// Everything is taken from the full state, so a poll that was lost costs nothing.
    fn on_pending(&mut self, now: Instant, as_of: Instant, pending: Pending) {
        let mut known = 0;
        for (id, game) in &mut self.games {
            if pending.games.iter().any(|listed| listed.id == *id) {
                known += 1;
            } else {
                game.on_unlisted(now);
            }
        }
        for listed in &pending.games {
            if listed.status != GameStatus::Finished && self.is_new(&listed.id) {
                // What ran before this session began is owed, however much it is.
                let is_surplus = self.has_polled && known >= self.common.settings.play.games_max;
                self.adopt(listed.id.clone(), listed.opponent.clone(), is_surplus, now);
                known += 1;
            }
            if let Some(game) = self.games.get_mut(&listed.id) {
                game.on_listed(listed, now);
            }
        }
        self.offers.on_sent(&self.common, &pending.sent, as_of, now);
        match &mut self.opening {
            Some(opening) => opening.on_sent(&mut self.common, now, &pending.sent),
            None => self
                .matchmaker
                .on_sent(&mut self.common, now, &pending.sent),
        }
        let challenges = pending.challenges.len();
        self.common.tell(Event::Listed { challenges });
        self.lobby.on_listed(pending.challenges);
        self.has_polled = true;
    }

    fn is_new(&self, id: &GameId) -> bool {
        !self.finished.contains(id) && !self.games.contains_key(id)
    }

    /// The answer to the acceptance of a challenge.
    pub(super) fn on_accepted(
        &mut self,
        now: Instant,
        challenge: &ChallengeId,
        answer: Answer<GameId>,
    ) {
        let game = self
            .lobby
            .on_accepted(&mut self.common, now, challenge, answer);
        self.adopt_accepted(game, now);
    }

    /// The answer to the acceptance of a seek.
    pub(super) fn on_seek_accepted(&mut self, now: Instant, answer: Answer<GameId>) {
        let game = self
            .matchmaker
            .on_seek_accepted(&mut self.common, now, answer);
        self.adopt_accepted(game, now);
    }

    /// The answer to a challenge that the account has made.
    pub(super) fn on_challenged(&mut self, now: Instant, answer: Answer<ChallengeCreated>) {
        let (common, offers) = (&mut self.common, &mut self.offers);
        match &mut self.opening {
            Some(opening) => opening.on_answer(common, offers, now, answer),
            None => self.matchmaker.on_challenged(common, offers, now, answer),
        }
    }

    /// The open seeks, the account's own among them.
    pub(super) fn on_seeks(&mut self, now: Instant, answer: Answer<SeeksPage>) {
        let common = &mut self.common;
        if let Ok(page) = &answer.result {
            self.offers.on_seeks(common, &page.seeks, now);
        }
        self.matchmaker.on_seeks(common, &self.offers, now, answer);
    }

    /// Takes up the game that came of something accepted. There was room for it.
    fn adopt_accepted(&mut self, game: Option<(GameId, PlayerRef)>, now: Instant) {
        if let Some((game, opponent)) = game
            && self.is_new(&game)
        {
            self.adopt(game, opponent, false, now);
        }
    }

    /// Takes up a game.
    fn adopt(&mut self, id: GameId, opponent: PlayerRef, is_surplus: bool, now: Instant) {
        let Some(me) = self.common.me.clone() else {
            return;
        };
        // The challenge has done its work.
        self.opening = None;
        self.opponents.begin(id.clone(), opponent, now);
        let settings = Arc::clone(&self.common.settings);
        let game = Game::new(id.clone(), me, settings, is_surplus, now);
        self.games.insert(id, game);
    }

    /// An answer that holds the state of a game.
    pub(super) fn on_state_of(
        &mut self,
        id: GameId,
        answer: Answer<Tagged<GameState>>,
        act: impl FnOnce(&mut Game, &mut Common, Result<Tagged<GameState>, TransportError>) -> Fate,
    ) {
        self.common.measure_state(&answer);
        self.on_game(id, |game, common| act(game, common, answer.result));
    }

    pub(super) fn on_game(&mut self, id: GameId, act: impl FnOnce(&mut Game, &mut Common) -> Fate) {
        let Some(game) = self.games.get_mut(&id) else {
            return;
        };
        if act(game, &mut self.common) == Fate::Over {
            self.games.remove(&id);
            self.opponents.end(&id);
            self.finished.insert(id.clone());
            self.finished_count += 1;
            self.common.send(Command::Release { game: id });
        }
    }
}
