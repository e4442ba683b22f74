//! The games on the server: what requests do to them, and how they are told.

use std::time::Instant;

use yinsh_bot::api::{GameId, GameState, MyGame, ProblemCode, PutTurn};
use yinsh_bot::bot::session::{Answer, Ending, Input, Request};
use yinsh_bot::bot::{Tagged, TransportError, Trip};
use yinsh_bot::game::{Color, Turn};

use super::{Coming, End, ServerGame, World};
use crate::rig::{
    SERVER_START, finished, from_json, listed_as, me, meta, pending, refused, renamed, state,
};

impl World {
    pub(super) fn carry_out(
        &mut self,
        request: &Request,
        sent: Instant,
        is_unchanged: bool,
    ) -> Input {
        let trip = Trip {
            sent,
            received: sent,
        };
        match request.clone() {
            Request::Meta => {
                let mut meta = meta();
                meta.server_time = self.server_now();
                Input::Meta(Answer {
                    trip,
                    result: Ok(meta),
                })
            }
            Request::Me => Input::Me(Answer {
                trip,
                result: Ok(me()),
            }),
            Request::Poll { .. } => {
                let value = pending(self.list_version, self.list());
                let tag = Some(self.list_tag());
                let list = (!is_unchanged).then_some(Tagged { value, tag });
                Input::Polled(Answer {
                    trip,
                    result: Ok(list),
                })
            }
            Request::Read { game, .. } => {
                let result = Ok(self.tagged(&game));
                Input::Read {
                    game,
                    answer: Answer { trip, result },
                }
            }
            Request::Watch { game, tag, .. } => {
                let result = Ok((!is_unchanged).then(|| self.tagged(&game)));
                Input::Watched {
                    game,
                    tag,
                    answer: Answer { trip, result },
                }
            }
            Request::Play {
                game, ply, turn, ..
            } => {
                let result = self.put(&game, ply, &turn);
                Input::Played {
                    game,
                    ply,
                    answer: Answer { trip, result },
                }
            }
            Request::End { game, how } => {
                let end = match how {
                    Ending::Abort => End::Aborted,
                    Ending::Resign => End::Resigned,
                };
                self.end(&game, end);
                let result = Ok(self.tagged(&game));
                Input::Ended {
                    game,
                    how,
                    answer: Answer { trip, result },
                }
            }
            other => panic!("nobody offers games here: {other:?}"),
        }
    }

    fn put(
        &mut self,
        id: &GameId,
        ply: u16,
        put: &PutTurn,
    ) -> Result<Tagged<GameState>, TransportError> {
        let game = self.games.get_mut(id).expect("the game exists");
        if let Some(recorded) = game.turns.get(usize::from(ply)) {
            if *recorded == put.turn {
                return Ok(self.tagged(id));
            }
            self.conflicts += 1;
            return Err(refused(409, ProblemCode::PlyConflict));
        }
        if game.end.is_some() {
            return Err(refused(409, ProblemCode::GameOver));
        }
        let turn: Turn = put.turn.parse().expect("a turn");
        if game.position.side() != Color::White || game.position.ply() != ply {
            return Err(refused(403, ProblemCode::NotYourTurn));
        }
        if game.position.play_turn(&turn).is_err() {
            self.illegal += 1;
            return Err(refused(422, ProblemCode::IllegalTurn));
        }
        self.play(id, &turn);
        Ok(self.tagged(id))
    }

    fn play(&mut self, id: &GameId, turn: &Turn) {
        let now = self.now;
        let game = self.games.get_mut(id).expect("the game exists");
        let side = game.position.side() as usize;
        game.left[side] = game.left[side].saturating_sub(now - game.turn_since) + game.increment;
        game.turn_since = now;
        game.position = game.position.play_turn(turn).expect("a legal turn");
        game.turns.push(turn.to_string());
        game.version += 1;
        let (ply, is_over) = (game.position.ply(), game.position.is_over());
        let is_opponents = game.position.side() == Color::Black;
        self.list_version += 1;
        if is_over {
            self.end(id, End::Rules);
        } else if is_opponents {
            let game = id.clone();
            self.schedule(now + self.opponent_time, Coming::OpponentTurn { game, ply });
        }
        self.wake_hanging();
    }

    pub(super) fn opponent_turn(&mut self, id: &GameId, ply: u16) {
        let game = &self.games[id];
        if game.end.is_none() && game.position.ply() == ply {
            let position = game.position;
            let turn = self.any_turn(&position);
            self.play(id, &turn);
        }
    }

    pub(super) fn end(&mut self, id: &GameId, end: End) {
        let game = self.games.get_mut(id).expect("the game exists");
        if game.end.is_none() {
            game.end = Some(end);
            game.version += 1;
            self.list_version += 1;
            self.wake_hanging();
        }
    }

    pub(super) fn flag_of(game: &ServerGame) -> Instant {
        game.turn_since + game.left[game.position.side() as usize]
    }

    pub(super) fn next_flag(&self) -> Option<Instant> {
        let running = self.games.values().filter(|game| game.end.is_none());
        running.map(Self::flag_of).min()
    }

    pub(super) fn drop_flags(&mut self) {
        let fallen = |(id, game): (&GameId, &ServerGame)| {
            let has_fallen = game.end.is_none() && Self::flag_of(game) <= self.now;
            has_fallen.then(|| (id.clone(), game.position.side()))
        };
        let fallen: Vec<_> = self.games.iter().filter_map(fallen).collect();
        for (id, side) in fallen {
            self.end(&id, End::Flag(side));
        }
    }

    fn server_now(&self) -> u64 {
        self.server_time(self.now)
    }

    fn server_time(&self, at: Instant) -> u64 {
        let elapsed = (at - self.start).as_millis() as u64;
        (SERVER_START + elapsed)
            .checked_add_signed(self.clock_offset_ms)
            .unwrap()
    }

    fn list(&self) -> Vec<MyGame> {
        let running = self.games.iter().filter(|(_, game)| game.end.is_none());
        let listed = running.map(|(id, game)| {
            let turns: Vec<_> = game.turns.iter().map(String::as_str).collect();
            listed_as(id, &turns, game.version)
        });
        listed.collect()
    }

    fn tagged(&self, id: &GameId) -> Tagged<GameState> {
        let game = &self.games[id];
        let turns: Vec<_> = game.turns.iter().map(String::as_str).collect();
        let mut state = renamed(state(&turns, game.version), id);
        state.server_time = self.server_now();
        let clock = &mut state.clock;
        clock.increment_ms = game.increment.as_millis() as u64;
        clock.white_ms = game.left[0].as_millis() as u64;
        clock.black_ms = game.left[1].as_millis() as u64;
        clock.deadline_at = Some(self.server_time(Self::flag_of(game)));
        if game.end.is_some() {
            state = finished(state);
            state.result = Some(from_json(result_of(game)));
        }
        Tagged {
            tag: Some(tag_of(game, id)),
            value: state,
        }
    }
}

pub(super) fn tag_of(game: &ServerGame, id: &GameId) -> String {
    format!("\"{id}-{}\"", game.version)
}

fn result_of(game: &ServerGame) -> serde_json::Value {
    let (winner, reason) = match game.end {
        Some(End::Flag(Color::White)) => (Some("black"), "timeout"),
        Some(End::Flag(Color::Black)) => (Some("white"), "timeout"),
        Some(End::Resigned) => (Some("black"), "resign"),
        Some(End::Aborted) => (None, "abort"),
        Some(End::Rules) | None => match game.position.outcome() {
            Some(outcome) => (
                outcome.winner.map(|color| color.as_str()),
                outcome.reason.as_str(),
            ),
            None => (None, "abort"),
        },
    };
    serde_json::json!({"winner": winner, "reason": reason, "score": [0, 0]})
}
