//! The bot's events as log messages, beside whatever shows them.

use std::time::Duration;

use crate::bot::{Answered, Event, TurnTime, Watcher};

/// Logs every event before the watcher inside sees it. The turns of games go to the debug level.
pub(super) struct Logged<W>(pub W);

impl<W: Watcher> Watcher for Logged<W> {
    fn see(&mut self, event: &Event) {
        log(event);
        self.0.see(event);
    }

    fn see_answer(&mut self, answered: &Answered) {
        let game = answered.game.as_ref().map(tracing::field::display);
        let (request, result) = (answered.request.word(), answered.class.word());
        let ms = answered.trip.duration().as_millis() as u64;
        tracing::debug!(game, request, result, ms, "answered");
        self.0.see_answer(answered);
    }
}

fn log(event: &Event) {
    match event {
        Event::Connected { account } => tracing::info!(account, "connected"),
        Event::Listed { challenges } => tracing::trace!(challenges, "listed"),
        Event::ChallengeAnswered { from, declined } => match declined {
            None => tracing::info!(from, "challenge accepted"),
            Some(reason) => tracing::info!(from, %reason, "challenge declined"),
        },
        Event::GameSought { way, opponent } => {
            tracing::info!(way = way.word(), opponent, "looking for a game");
        }
        Event::ChallengeDeclined { reason, again_in } => {
            let reason = reason.map_or("none given", |reason| reason.as_str());
            let again_in_s = rounded_s(*again_in);
            tracing::info!(reason, again_in_s, "the opponent declined");
        }
        Event::GameStarted(info) => {
            let opponent = &info.players[info.me.opposite()].name;
            tracing::info!(game = %info.game, me = %info.me, opponent, "game started");
        }
        Event::Thinking(time) => thinking(time),
        Event::SearchFailed { game, ply, problem } => {
            tracing::warn!(%game, ply, "the search failed: {problem}");
        }
        Event::SearchHung { game, ply } => {
            tracing::warn!(%game, ply, "the search did not end in time; it is left, and the best turn known is played");
        }
        Event::Searched { game, ply, report } => {
            let simulations = report.simulations;
            tracing::debug!(%game, ply, turn = %report.turn, simulations, elapsed = ?report.elapsed, "searched");
        }
        Event::TurnPlayed(played) => {
            let (game, turn, by) = (&played.game, &played.turn, played.by);
            tracing::debug!(%game, ply = played.ply, %by, %turn, "turn played");
        }
        Event::GameFinished { game, outcome } => {
            let reason = outcome.map_or("unknown", |outcome| outcome.reason.as_str());
            let winner = outcome.and_then(|outcome| outcome.winner);
            let winner = winner.map_or("nobody", |color| color.as_str());
            tracing::info!(%game, winner, reason, "game finished");
        }
        Event::Recorded { game, path } => {
            tracing::debug!(%game, path = %path.display(), "record complete");
        }
        Event::Trouble {
            game,
            what,
            again_in,
        } => {
            let game = game.as_ref().map(tracing::field::display);
            let again_in_s = again_in.map(rounded_s);
            tracing::warn!(game, again_in_s, "{what}");
        }
        Event::Stopping { within } => {
            tracing::info!(
                within_s = within.as_secs(),
                "stopping: no new games; once more not to wait for the running ones"
            );
        }
    }
}

fn thinking(time: &TurnTime) {
    let TurnTime { game, ply, .. } = time;
    let ms = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(
        %game,
        ply,
        remaining_ms = ms(time.clock.remaining),
        target_ms = ms(time.budget.target),
        hard_ms = ms(time.budget.hard),
        kept_back_ms = ms(time.kept_back()),
        overhead_ms = ms(time.overhead),
        latency_p50_ms = ms(time.latency.median),
        latency_p99_ms = ms(time.latency.p99),
        threads = time.threads,
        "thinking"
    );
}

/// Seconds to one decimal: nobody waits for microseconds.
fn rounded_s(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}
