//! The bot's events as JSON lines, for programs.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::bot::{Event, GameInfo, PlayedTurn, Watcher};
use crate::game::{ByColor, Turn};
use crate::search::SearchReport;

/// Writes one JSON object for each event.
pub(super) struct JsonWatcher<W>(pub W);

impl<W: Write + Send> Watcher for JsonWatcher<W> {
    fn see(&mut self, event: &Event) {
        // A reader that has gone away must not end the games.
        let _ = writeln!(self.0, "{}", as_json(event));
        let _ = self.0.flush();
    }
}

fn as_json(event: &Event) -> Value {
    match event {
        Event::Connected { account } => json!({"event": "connected", "account": account}),
        Event::Listed { challenges } => json!({"event": "listed", "challenges": challenges}),
        Event::ChallengeAnswered { from, declined } => json!({
            "event": "challenge_answered", "from": from, "declined": declined.map(|reason| reason.as_str()),
        }),
        Event::ChallengeDeclined { reason, again_in } => json!({
            "event": "challenge_declined", "reason": reason.map(|reason| reason.as_str()), "again_in_ms": ms(*again_in),
        }),
        Event::GameSought { way, opponent } => json!({
            "event": "game_sought", "way": way.word(), "opponent": opponent,
        }),
        Event::GameStarted(info) => started(info),
        Event::Thinking(time) => json!({
            "event": "thinking", "game": time.game, "ply": time.ply, "remaining_ms": ms(time.clock.remaining),
            "target_ms": ms(time.budget.target), "hard_ms": ms(time.budget.hard), "threads": time.threads,
            "kept_back_ms": ms(time.kept_back()), "overhead_ms": ms(time.overhead),
            "latency_p50_ms": ms(time.latency.median), "latency_p99_ms": ms(time.latency.p99),
        }),
        Event::SearchFailed { game, ply, problem } => {
            json!({"event": "search_failed", "game": game, "ply": ply, "problem": problem})
        }
        Event::SearchHung { game, ply } => {
            json!({"event": "search_hung", "game": game, "ply": ply})
        }
        Event::Searched { game, ply, report } => json!({
            "event": "searched", "game": game, "ply": ply, "search": search(report),
        }),
        Event::TurnPlayed(played) => turn(played),
        Event::GameFinished { game, outcome } => json!({
            "event": "game_finished", "game": game,
            "winner": outcome.and_then(|outcome| outcome.winner).map(|color| color.as_str()),
            "reason": outcome.map(|outcome| outcome.reason.as_str()),
        }),
        Event::Recorded { game, path } => json!({"event": "recorded", "game": game, "path": path}),
        Event::Trouble {
            game,
            what,
            again_in,
        } => json!({
            "event": "trouble", "game": game, "what": what, "again_in_ms": again_in.map(ms),
        }),
        Event::Stopping { within } => json!({"event": "stopping", "within_ms": ms(*within)}),
    }
}

fn started(info: &GameInfo) -> Value {
    json!({
        "event": "game_started", "game": info.game, "variant": info.variant.as_str(), "rated": info.rated,
        "white": info.players.white, "black": info.players.black, "me": info.me.as_str(), "clock": info.clock,
        "initial_position": info.initial.to_string(),
    })
}

fn turn(played: &PlayedTurn) -> Value {
    let ByColor { white, black } = &played.clocks;
    json!({
        "event": "turn_played", "game": played.game, "ply": played.ply, "by": played.by.as_str(),
        "turn": played.turn.to_string(), "position": played.position.to_string(),
        "white_ms": ms(*white), "black_ms": ms(*black), "search": played.report.as_ref().map(search),
    })
}

fn search(report: &SearchReport) -> Value {
    let principal: Vec<_> = report.principal.iter().map(Turn::to_string).collect();
    json!({
        "win_probability": report.win_probability, "simulations": report.simulations,
        "elapsed_ms": ms(report.elapsed), "simulations_per_second": report.simulations_per_second().round() as u64,
        "principal": principal,
    })
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
