//! One game's search, on a thread of its own.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use super::session::Input;
use super::shelf::Shelf;
use crate::api::GameId;
use crate::game::Position;
use crate::player::{Choice, Player, PlayerKind};
use crate::search::{Limits, SearchParams, SearchReport, StopFlag};

/// Makes the player for a new game.
pub type PlayerFactory = Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>;

/// Players of `kind` for up to `games_max` games at once, which share the memory evenly. How many threads each may use
/// is told before every search.
pub fn player_factory(kind: PlayerKind, params: &SearchParams, games_max: usize) -> PlayerFactory {
    let games_max = u32::try_from(games_max.max(1)).unwrap_or(u32::MAX);
    let share = SearchParams {
        memory_mb: (params.memory_mb / games_max).max(1),
        ..params.clone()
    };
    Arc::new(move || kind.build(&share))
}

/// The thread of one game. When it is dropped, the running search is stopped and the thread ends.
pub(super) struct Engine {
    jobs: mpsc::Sender<Job>,
    stop: StopFlag,
}

/// A position to search.
pub(super) struct Job {
    position: Position,
    limits: Limits,
    threads: usize,
    /// Whether what is found is only for the tree.
    is_pondering: bool,
    stop: StopFlag,
}

impl Job {
    /// For a turn.
    pub(super) fn turn(position: Position, limits: Limits, threads: usize) -> Self {
        Self {
            position,
            limits,
            threads,
            is_pondering: false,
            stop: StopFlag::new(),
        }
    }

    /// The ply of the position.
    pub(super) fn ply(&self) -> u16 {
        self.position.ply()
    }

    /// To know the tree better, until stopped.
    pub(super) fn ponder(position: Position, threads: usize) -> Self {
        Self {
            is_pondering: true,
            ..Self::turn(position, Limits::default(), threads)
        }
    }
}

impl Engine {
    /// Starts the thread; what it finds goes to `inputs`.
    pub(super) fn start(
        game: GameId,
        shelf: Shelf,
        inputs: UnboundedSender<Input>,
    ) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        thread::Builder::new()
            .name(format!("game {game}"))
            .spawn(move || run(&game, &shelf, &queue, &inputs))?;
        Ok(Self {
            jobs,
            stop: StopFlag::new(),
        })
    }

    /// Begins a search; one that still runs is stopped.
    pub(super) fn run(&mut self, job: Job) {
        self.stop.stop();
        self.stop = job.stop.clone();
        // The thread ends only with this value, so somebody listens.
        let _ = self.jobs.send(job);
    }

    /// Stops the running search, if any.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn run(game: &GameId, shelf: &Shelf, queue: &mpsc::Receiver<Job>, inputs: &UnboundedSender<Input>) {
    let mut player = None;
    for job in queue {
        let ply = job.position.ply();
        let found = catch_unwind(AssertUnwindSafe(|| {
            let player = player.get_or_insert_with(|| shelf.take());
            choose(player.as_mut(), &job, &mut |so_far| {
                let so_far = Box::new(so_far.clone());
                let game = game.clone();
                // Nobody listens any more once the session has left.
                let _ = inputs.send(Input::Considered { game, ply, so_far });
            })
        }));
        let choice = found.unwrap_or_else(|panic| {
            // Its state is not to be trusted any more: the next search gets another one.
            if player.take().is_some() {
                shelf.write_off();
            }
            Err(format!("it panicked: {}", message(panic.as_ref())))
        });
        let game = game.clone();
        if !job.is_pondering && inputs.send(Input::Thought { game, ply, choice }).is_err() {
            break;
        }
    }
    if let Some(player) = player {
        shelf.give_back(player);
    }
}

fn choose(
    player: &mut dyn Player,
    job: &Job,
    watch: &mut dyn FnMut(&SearchReport),
) -> Result<Choice, String> {
    player.set_threads(job.threads);
    player
        .choose_turn(&job.position, &job.limits, &job.stop, watch)
        .map_err(|error| error.to_string())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
