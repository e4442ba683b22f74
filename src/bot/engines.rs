//! The searches of all games: a thread and a tree for each, but no more trees than there is memory for.

use std::collections::HashMap;

use tokio::sync::mpsc::UnboundedSender;

use super::engine::{Engine, Job, PlayerFactory};
use super::session::Input;
use super::shelf::Shelf;
use crate::api::GameId;

/// Dropped, it stops every search.
pub(super) struct Engines {
    shelf: Shelf,
    /// Most engines at once.
    limit: usize,
    inputs: UnboundedSender<Input>,
    running: HashMap<GameId, Held>,
    /// Counts the searches.
    searches: u64,
}

struct Held {
    engine: Engine,
    /// The number of its last search.
    last_search: u64,
}

impl Engines {
    /// None yet; at most `limit` at once. What they find goes to `inputs`.
    pub(super) fn new(
        players: PlayerFactory,
        limit: usize,
        inputs: UnboundedSender<Input>,
    ) -> Self {
        Self {
            shelf: Shelf::new(players, limit),
            limit,
            inputs,
            running: HashMap::new(),
            searches: 0,
        }
    }

    /// Lets games that begin to search later have other players, at most `limit` at once.
    pub(super) fn change(&mut self, players: PlayerFactory, limit: usize) {
        self.shelf = Shelf::new(players, limit);
        self.limit = limit;
    }

    /// Does `job` for `game`, with the game's own tree if it is still there.
    pub(super) fn run(&mut self, game: &GameId, job: Job) {
        self.searches += 1;
        if !self.running.contains_key(game) {
            self.make_room();
            match Engine::start(game.clone(), self.shelf.clone(), self.inputs.clone()) {
                Ok(engine) => {
                    let held = Held {
                        engine,
                        last_search: 0,
                    };
                    self.running.insert(game.clone(), held);
                }
                Err(error) => return self.refuse(game, &job, &error),
            }
        }
        if let Some(held) = self.running.get_mut(game) {
            held.last_search = self.searches;
            held.engine.run(job);
        }
    }

    /// Ends the search of `game` with what it has found.
    pub(super) fn stop(&self, game: &GameId) {
        if let Some(held) = self.running.get(game) {
            held.engine.stop();
        }
    }

    /// Gives up the thread and the tree of `game`.
    pub(super) fn remove(&mut self, game: &GameId) {
        self.running.remove(game);
    }

    /// Lets the engine go that has been idle for longest, if there are as many as allowed.
    fn make_room(&mut self) {
        while self.running.len() >= self.limit.max(1) {
            let oldest = self.running.iter().min_by_key(|(_, held)| held.last_search);
            let Some(game) = oldest.map(|(game, _)| game.clone()) else {
                return;
            };
            self.running.remove(&game);
        }
    }

    fn refuse(&self, game: &GameId, job: &Job, error: &std::io::Error) {
        let thought = Input::Thought {
            game: game.clone(),
            ply: job.ply(),
            choice: Err(format!("no thread for it: {error}")),
        };
        // The queue's other end lives as long as the bot.
        let _ = self.inputs.send(thought);
    }
}
