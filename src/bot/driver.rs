//! Joins a session with its transport, the clock, the searches and the records.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::engine::{Job, PlayerFactory};
use super::engines::Engines;
use super::event::{Event, Watcher};
use super::record::Records;
use super::session::{Answer, Command, Ending, Exit, Input, Request, Session, SessionSettings};
use super::stop::StopReceiver;
use super::timing::Trip;
use super::transport::{Transport, TransportError};

/// A bot account that is ready to run.
pub struct Bot {
    transport: Arc<dyn Transport>,
    settings: SessionSettings,
    players: PlayerFactory,
    records: Option<Records>,
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
        }
    }

    /// Lets the bot keep records.
    #[must_use]
    pub fn with_records(mut self, records: Records) -> Self {
        self.records = Some(records);
        self
    }

    /// Plays until there is a reason to leave. Only requests to stop, a refused token and foreign rules are one.
    pub async fn run(self, watcher: &mut dyn Watcher, mut stop: StopReceiver) -> Exit {
        let (inputs, mut queue) = unbounded_channel();
        let trees_max = self.settings.play.games_max;
        let mut session = Session::new(self.settings, Instant::now());
        let mut hands = Hands {
            transport: self.transport,
            engines: Engines::new(self.players, trees_max, inputs.clone()),
            records: self.records,
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
            input = next_input(&mut queue, &mut stop, session.next_wake()).await;
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

/// Does what a session commands. Dropped, it ends every request and every search.
struct Hands<'a> {
    transport: Arc<dyn Transport>,
    engines: Engines,
    records: Option<Records>,
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
            Command::Tell(event) => self.tell(&event),
            Command::Leave(exit) => return Some(exit),
            Command::Send(request) => self.send(request),
        }
        None
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
        while self.requests.try_join_next().is_some() {}
        self.requests.spawn(async move {
            let input = ask(transport.as_ref(), request).await;
            // Nobody listens any more once the session has left.
            let _ = inputs.send(input);
        });
    }
}

async fn ask(transport: &dyn Transport, request: Request) -> Input {
    match request {
        Request::Meta => Input::Meta(timed(transport.meta()).await),
        Request::Me => Input::Me(timed(transport.me()).await),
        Request::Poll { wait_s, tag } => {
            Input::Polled(timed(transport.pending(wait_s, tag.as_deref())).await)
        }
        Request::Read { game } => Input::Read {
            answer: timed(transport.game(&game)).await,
            game,
        },
        Request::Watch { game, wait_s, tag } => Input::Watched {
            answer: timed(transport.game_change(&game, wait_s, &tag)).await,
            game,
        },
        Request::Play {
            game,
            ply,
            turn,
            timeout,
        } => Input::Played {
            answer: timed(transport.play(&game, ply, &turn, timeout)).await,
            game,
            ply,
        },
        Request::End { game, how } => {
            let ended = async {
                match how {
                    Ending::Abort => transport.abort(&game).await,
                    Ending::Resign => transport.resign(&game).await,
                }
            };
            Input::Ended {
                answer: timed(ended).await,
                game,
                how,
            }
        }
        Request::Accept { challenge } => Input::Accepted {
            answer: timed(transport.accept(&challenge)).await,
            challenge,
        },
        Request::Decline { challenge, reason } => Input::Declined {
            answer: timed(transport.decline(&challenge, reason)).await,
            challenge,
        },
        Request::Challenge(challenge) => {
            Input::Challenged(timed(transport.challenge(&challenge)).await)
        }
    }
}

async fn timed<T>(request: impl Future<Output = Result<T, TransportError>>) -> Answer<T> {
    let sent = Instant::now();
    let result = request.await;
    let received = Instant::now();
    Answer {
        trip: Trip { sent, received },
        result,
    }
}
