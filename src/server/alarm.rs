//! What happens without a request: flags fall, challenges expire, old things are forgotten.

use std::time::Duration;

use tokio::sync::watch;

use crate::api::GameId;

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
            tx.forget_tokens(now.saturating_sub(REMEMBER_TOKENS))
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
    tx.save_game(&before, &game)
}
