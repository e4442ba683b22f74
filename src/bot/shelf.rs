//! Players between two games: a tree is made once and used by one game after the other, so that memory stays as it is.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::engine::PlayerFactory;
use crate::player::Player;

/// Lends players out. Clones share them.
#[derive(Clone)]
pub(super) struct Shelf {
    factory: PlayerFactory,
    /// So many players are kept.
    limit: usize,
    stock: Arc<Mutex<Stock>>,
}

#[derive(Default)]
struct Stock {
    idle: Vec<Box<dyn Player>>,
    /// How many there are, those lent out included.
    count: usize,
}

impl Shelf {
    /// None yet; `factory` makes those that are missing.
    pub(super) fn new(factory: PlayerFactory, limit: usize) -> Self {
        Self {
            factory,
            limit,
            stock: Arc::default(),
        }
    }

    /// A player for a new game.
    pub(super) fn take(&self) -> Box<dyn Player> {
        let idle = self.lock().idle.pop();
        let mut player = idle.unwrap_or_else(|| {
            let player = (self.factory)();
            self.lock().count += 1;
            player
        });
        player.new_game();
        player
    }

    /// Keeps a player whose game is over, unless there are more than enough.
    pub(super) fn give_back(&self, player: Box<dyn Player>) {
        let mut stock = self.lock();
        if stock.count > self.limit {
            stock.count -= 1;
        } else {
            stock.idle.push(player);
        }
    }

    /// Forgets a player that was lent out and does not come back.
    pub(super) fn write_off(&self) {
        self.lock().count -= 1;
    }

    /// Nothing under the lock leaves the stock half changed.
    fn lock(&self) -> MutexGuard<'_, Stock> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::player::RandomPlayer;

    #[test]
    fn players_are_used_again_and_no_more_than_allowed_are_kept() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&made);
        let factory: PlayerFactory = Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Box::new(RandomPlayer::new(1))
        });
        let shelf = Shelf::new(factory, 2);
        for _ in 0..5 {
            let player = shelf.take();
            shelf.give_back(player);
        }
        assert_eq!(made.load(Ordering::Relaxed), 1);
        let players: Vec<_> = (0..3).map(|_| shelf.take()).collect();
        assert_eq!(made.load(Ordering::Relaxed), 3);
        players
            .into_iter()
            .for_each(|player| shelf.give_back(player));
        let stock = shelf.lock();
        assert_eq!((stock.idle.len(), stock.count), (2, 2));
    }
}
