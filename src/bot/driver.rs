//! Joins a session with its transport, the clock, the searches and the records.

use std::convert::Infallible;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::ask::ask;
use super::engine::{Job, PlayerFactory};
use super::engines::Engines;
use super::event::{Event, Watcher};
use super::lock::{AccountLock, LockPlace};
use super::record::Records;
use super::session::{Command, Exit, Input, Request, Session, SessionSettings};
use super::stop::StopReceiver;
use super::transport::Transport;

/// A bot account that is ready to run.
pub struct Bot {
    transport: Arc<dyn Transport>,
    settings: SessionSettings,
    players: PlayerFactory,
    records: Option<Records>,
    lock_place: Option<LockPlace>,
    setups: Option<UnboundedReceiver<Setup>>,
}

/// What may change while a bot runs.
pub struct Setup {
    /// For decisions, games and challenges to come.
    pub settings: SessionSettings,
    /// For games to come.
    pub players: PlayerFactory,
}

impl Bot {
    /// A bot that plays through `transport`, with a player of its own for each game.
    pub fn new(
        transport: impl Transport,
        settings: SessionSettings,
        players: PlayerFactory,
    ) -> Self {
        Self {
            transport: Arc::new(transport),
            settings,
            players,
            records: None,
            lock_place: None,
            setups: None,
        }
    }

    /// Lets the bot keep records.
    #[must_use]
    pub fn with_records(mut self, records: Records) -> Self {
        self.records = Some(records);
        self
    }

    /// Lets the bot play only what no other process plays. Before the server has told the account, nothing is locked.
    #[must_use]
    pub fn with_lock(mut self, place: LockPlace) -> Self {
        self.lock_place = Some(place);
        self
    }

    /// Lets the bot take over what comes from `setups` while it runs.
    #[must_use]
    pub fn with_setups(mut self, setups: UnboundedReceiver<Setup>) -> Self {
        self.setups = Some(setups);
        self
    }

    /// Plays until there is a reason to leave. Only requests to stop, a refused token, foreign
    /// rules and an account that another process plays are one.
    pub async fn run(mut self, watcher: &mut dyn Watcher, mut stop: StopReceiver) -> Exit {
        let (inputs, mut queue) = unbounded_channel();
        let trees_max = self.settings.play.games_max;
        let mut session = Session::new(self.settings, Instant::now());
        let mut hands = Hands {
            transport: self.transport,
            engines: Engines::new(self.players, trees_max, inputs.clone()),
            records: self.records,
            lock_place: self.lock_place,
            lock: None,
            inputs,
            requests: JoinSet::new(),
            watcher,
        };
        let mut input = Input::Tick;
        loop {
            for command in session.handle(Instant::now(), input) {
                if let Some(exit) = hands.execute(command) {
                    return exit;
                }
            }
            input = tokio::select! {
                input = next_input(&mut queue, &mut stop, session.next_wake()) => input,
                never = lost_request(&mut hands.requests) => match never {},
                setup = next_setup(&mut self.setups) => {
                    let games_max = setup.settings.play.games_max;
                    hands.engines.change(setup.players, games_max);
                    Input::Configure(Box::new(setup.settings))
                }
            };
            if let Some(answered) = input.answered() {
                hands.watcher.see_answer(&answered);
            }
        }
    }
}

async fn next_input(
    queue: &mut UnboundedReceiver<Input>,
    stop: &mut StopReceiver,
    wake: Option<Instant>,
) -> Input {
    let tick = async {
        match wake {
            Some(at) => tokio::time::sleep_until(at.into()).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        Some(input) = queue.recv() => input,
        () = stop.next() => Input::Stop,
        () = tick => Input::Tick,
    }
}

/// Never ends, unless a request has panicked: then so does the bot, because its session would wait for ever. Started
/// again, it finds everything on the server.
async fn lost_request(requests: &mut JoinSet<()>) -> Infallible {
    loop {
        match requests.join_next().await {
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            Some(_) => {}
            None => std::future::pending().await,
        }
    }
}

/// Never ends when no more can come.
async fn next_setup(setups: &mut Option<UnboundedReceiver<Setup>>) -> Setup {
    if let Some(receiver) = setups {
        match receiver.recv().await {
            Some(setup) => return setup,
            None => *setups = None,
        }
    }
    std::future::pending().await
}

/// Does what a session commands. Dropped, it ends every request and every search.
struct Hands<'a> {
    transport: Arc<dyn Transport>,
    engines: Engines,
    records: Option<Records>,
    lock_place: Option<LockPlace>,
    lock: Option<AccountLock>,
    inputs: UnboundedSender<Input>,
    requests: JoinSet<()>,
    watcher: &'a mut dyn Watcher,
}

impl Hands<'_> {
    fn execute(&mut self, command: Command) -> Option<Exit> {
        match command {
            Command::Think {
                game,
                position,
                limits,
                threads,
            } => self
                .engines
                .run(&game, Job::turn(*position, limits, threads)),
            Command::Ponder {
                game,
                position,
                threads,
            } => self.engines.run(&game, Job::ponder(*position, threads)),
            Command::StopThinking { game } => self.engines.stop(&game),
            Command::ReplaceSearch { game } | Command::Release { game } => {
                self.engines.remove(&game);
            }
            Command::Tell(event) => {
                if let Event::Connected { account } = event.as_ref() {
                    let refused = self.take_lock(account);
                    if refused.is_some() {
                        return refused;
                    }
                }
                self.tell(&event);
            }
            Command::Leave(exit) => return Some(exit),
            Command::Send(request) => self.send(request),
        }
        None
    }

    /// Makes sure that nobody else plays the account; it comes before the first request that could disturb them.
    fn take_lock(&mut self, account: &str) -> Option<Exit> {
        match self.lock_place.as_ref()?.take(account) {
            Ok(lock) => {
                self.lock = Some(lock);
                None
            }
            Err(error) => Some(Exit::Locked {
                detail: error.to_string(),
            }),
        }
    }

    fn tell(&mut self, event: &Event) {
        self.watcher.see(event);
        let Some(records) = &mut self.records else {
            return;
        };
        match records.see(event) {
            Ok(None) => {}
            Ok(Some((game, path))) => self.watcher.see(&Event::Recorded { game, path }),
            Err(error) => self.watcher.see(&Event::Trouble {
                game: None,
                what: error.to_string(),
                again_in: None,
            }),
        }
    }

    fn send(&mut self, request: Request) {
        let transport = Arc::clone(&self.transport);
        let inputs = self.inputs.clone();
        self.requests.spawn(async move {
            let input = ask(transport.as_ref(), request).await;
            // Nobody listens any more once the session has left.
            let _ = inputs.send(input);
        });
    }
}
