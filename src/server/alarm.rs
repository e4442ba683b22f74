//! What happens without a request: flags fall, challenges expire, old things are forgotten.

use std::time::Duration;

use tokio::sync::watch;

use crate::api::GameId;

use super::ratings;
use super::state::AppState;
use super::store::{Snapshot, StoreError, Tx};
use super::time::Millis;

/// A flag is looked at a little after it fell, so that a turn which arrived in time, and is on its way to the store,
/// gets there first.
const GRACE: Millis = 25;
/// While games run, the store learns this often that the server is alive: what a crash can credit too much.
const HEARTBEAT: Millis = 1_000;
/// How often old things are forgotten.
const HOUSEKEEPING: Millis = 60_000;
/// How long to wait after the store has failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);
/// So long after their end, seeks and challenges are still known as expired.
const REMEMBER_OFFERS: Millis = 10 * 60 * 1000;
/// So long a person keeps a name without ever playing.
const KEEP_UNUSED_NAMES: Millis = 7 * 24 * 60 * 60 * 1000;
/// So long after their end, tokens are still known as expired.
const REMEMBER_TOKENS: Millis = 30 * 24 * 60 * 60 * 1000;

/// What is due next.
struct Agenda {
    /// The nearest deadline of a running game.
    deadline: Option<Millis>,
    /// The nearest end of a challenge.
    expiry: Option<Millis>,
}

/// Runs until told to stop. One task serves all clocks: it sleeps until the nearest deadline, and looks again whenever
/// a change has been committed.
pub async fn run(state: AppState, mut stop: watch::Receiver<bool>) {
    let mut alarm = Alarm {
        state,
        announced_until: 0,
        beat_at: 0,
        cleaned_at: 0,
    };
    loop {
        let sleep = alarm.work().await.unwrap_or_else(|error| {
            tracing::error!(%error, "the alarm's work failed");
            PAUSE_AFTER_FAILURE
        });
        tokio::select! {
            () = tokio::time::sleep(sleep) => {}
            () = alarm.state.bell.notified() => {}
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

struct Alarm {
    state: AppState,
    /// Challenges that expired up to this instant have been announced.
    announced_until: Millis,
    beat_at: Millis,
    cleaned_at: Millis,
}

impl Alarm {
    /// Does what is due and tells how long there will be nothing to do.
    async fn work(&mut self) -> Result<Duration, StoreError> {
        let now = self.state.time.now();
        let agenda = self.agenda().await?;
        if agenda.deadline.is_some() && self.beat_at + HEARTBEAT <= now {
            // Every transaction leaves a sign of life, an empty one too.
            self.state.store.write::<_, StoreError>(|_| Ok(())).await?;
            self.beat_at = now;
        }
        if agenda.expiry.is_some_and(|expiry| expiry <= now) {
            let after = self.announced_until;
            let announce = move |tx: &mut Tx| tx.announce_expired(after, now);
            self.state.store.write(announce).await?;
            self.announced_until = now;
        }
        if self.cleaned_at + HOUSEKEEPING <= now {
            self.clean(now).await?;
            self.cleaned_at = now;
        }
        if agenda
            .deadline
            .is_some_and(|deadline| deadline + GRACE < now)
        {
            self.settle_flags(now - GRACE).await?;
        }
        Ok(self.sleep(&self.agenda().await?))
    }

    async fn agenda(&self) -> Result<Agenda, StoreError> {
        let after = self.announced_until;
        let look = move |snapshot: &Snapshot| {
            Ok(Agenda {
                deadline: snapshot.next_deadline()?,
                expiry: snapshot.next_expiry(after)?,
            })
        };
        self.state.store.read(look).await
    }

    fn sleep(&self, agenda: &Agenda) -> Duration {
        let longest = match agenda.deadline {
            Some(_) => HEARTBEAT,
            None => HOUSEKEEPING,
        };
        let flag = agenda.deadline.map(|deadline| deadline + GRACE + 1);
        let due = flag.into_iter().chain(agenda.expiry).min();
        let until_due = due.map(|due| self.state.time.until(due));
        Duration::from_millis(longest).min(until_due.unwrap_or(Duration::MAX))
    }

    /// Ends the games whose flags fell before `instant`. The instant is fixed before the job is queued: a turn that
    /// arrived in time and waits behind it in the queue is not overtaken.
    async fn settle_flags(&self, instant: Millis) -> Result<(), StoreError> {
        let look = move |snapshot: &Snapshot| snapshot.games_fallen(instant);
        let fallen: Vec<GameId> = self.state.store.read(look).await?;
        let mut outcome = Ok(());
        for id in fallen {
            let settle = move |tx: &mut Tx| settle_flag(tx, &id, instant);
            // A game that cannot be settled must not keep the others from it.
            outcome = self.state.store.write(settle).await.and(outcome);
        }
        outcome
    }

    async fn clean(&self, now: Millis) -> Result<(), StoreError> {
        self.state.limits.sweep(now);
        self.state.presence.sweep(now);
        let forget = move |tx: &mut Tx| {
            tx.forget_offers(now.saturating_sub(REMEMBER_OFFERS))?;
            tx.forget_tokens(now.saturating_sub(REMEMBER_TOKENS))?;
            tx.forget_unused_people(now.saturating_sub(KEEP_UNUSED_NAMES))
        };
        self.state.store.write(forget).await
    }
}

fn settle_flag(tx: &mut Tx, id: &GameId, instant: Millis) -> Result<(), StoreError> {
    let Some(before) = tx.game(id)? else {
        return Ok(());
    };
    let mut game = before.clone();
    game.settle_flag(instant);
    ratings::save_game(tx, &before, &game)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use tokio::task::JoinHandle;

    use super::*;
    use crate::api::{ChallengeStatus, Clock, ColorChoice, NewBot, PlayerId};
    use crate::game::{EndReason, Variant};
    use crate::server::config::ServeConfig;
    use crate::server::game::Terms;
    use crate::server::hub::{Topic, Wake};
    use crate::server::store::{Account, Offer, StoredChallenge};
    use crate::server::{lobby, registration};

    const SOON: Duration = Duration::from_secs(5);

    struct Bench {
        state: AppState,
        alarm: JoinHandle<()>,
        players: Vec<Account>,
        _stop: watch::Sender<bool>,
        _folder: TempDir,
    }

    impl Bench {
        async fn new() -> Self {
            let folder = TempDir::new().unwrap();
            let config = ServeConfig {
                store: folder.path().join("store.sqlite").display().to_string(),
                ..ServeConfig::default()
            };
            let state = AppState::open(&config).await.unwrap();
            let mut players = Vec::new();
            for name in ["ada", "bob"] {
                let new = NewBot {
                    name: name.to_owned(),
                    token_ttl_s: None,
                };
                let create = move |tx: &mut Tx| {
                    registration::create_bot(tx, &new)?;
                    Ok::<_, crate::server::error::ApiError>(tx.account_looking_like(&new.name)?)
                };
                players.extend(state.store.write(create).await.unwrap());
            }
            let (stop, stopped) = watch::channel(false);
            let alarm = tokio::spawn(run(state.clone(), stopped));
            Self {
                state,
                alarm,
                players,
                _stop: stop,
                _folder: folder,
            }
        }

        fn offer(&self, initial_ms: u64) -> Offer {
            Offer {
                maker: self.players[0].id.clone(),
                terms: Terms {
                    variant: Variant::Standard,
                    rated: false,
                    clock: Clock {
                        initial_ms,
                        increment_ms: 0,
                    },
                },
                color: ColorChoice::White,
            }
        }

        async fn begin_game(&self, initial_ms: u64) -> GameId {
            let (offer, acceptor) = (self.offer(initial_ms), self.players[1].clone());
            let begin = move |tx: &mut Tx| lobby::begin_game(tx, &offer, &acceptor, 100);
            self.state.store.write(begin).await.unwrap().id
        }

        async fn wait_for(&self, player: &PlayerId) {
            let topic = Topic::Pending(player.clone());
            let mut waiter = self.state.hub.join(topic, Some("t".into()));
            let woken = tokio::time::timeout(SOON, waiter.wake()).await;
            assert_eq!(woken, Ok(Wake::Changed));
        }
    }

    #[tokio::test]
    async fn an_expired_challenge_is_announced_to_both() {
        let bench = Bench::new().await;
        let expires_at = bench.state.time.now() + 200;
        let challenge = StoredChallenge {
            id: "c".into(),
            offer: bench.offer(60_000),
            target: bench.players[1].id.clone(),
            expires_at,
            status: ChallengeStatus::Open,
            decline_reason: None,
            game: None,
        };
        let insert = move |tx: &mut Tx| tx.insert_challenge(&challenge);
        bench.state.store.write(insert).await.unwrap();
        let (maker, target) = (&bench.players[0].id, &bench.players[1].id);
        tokio::join!(bench.wait_for(maker), bench.wait_for(target));
        assert!(bench.state.time.now() >= expires_at);
    }

    #[tokio::test]
    async fn a_broken_game_does_not_keep_other_flags_from_falling() {
        let bench = Bench::new().await;
        let broken = bench.begin_game(150).await;
        let sound = bench.begin_game(300).await;
        let sql = "INSERT INTO turns (game, ply, turn, recorded_at) VALUES (?1, 0, 'nonsense', 0)";
        let beside = rusqlite::Connection::open(&bench.state.config.store).unwrap();
        beside.execute(sql, [broken.as_str()]).unwrap();

        bench.wait_for(&bench.players[0].id).await;
        let read = move |snapshot: &Snapshot| snapshot.game(&sound);
        let game = bench.state.store.read(read).await.unwrap().unwrap();
        assert_eq!(game.outcome.unwrap().reason, EndReason::Timeout);
        assert!(!bench.alarm.is_finished());
    }
}
