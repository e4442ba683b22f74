use super::*;
use crate::bot::event::TurnTime;
use crate::bot::timing::Trip;
use crate::search::MemoryUse;
use crate::search::time::{ClockView, Latency};

const SECOND: Duration = Duration::from_secs(1);

fn poll(sent: Instant, class: AnswerClass) -> Answered {
    Answered {
        request: RequestKind::Poll,
        game: None,
        trip: Trip {
            sent,
            received: sent + SECOND,
        },
        class,
    }
}

#[test]
fn only_a_good_poll_is_a_sign_of_life() {
    let start = Instant::now();
    let mut figures = Figures::new(start, SECOND * 30);
    assert_eq!(
        figures.health(start + SECOND * 30),
        Health::Ok { age: None }
    );
    figures.see_answer(&poll(start + SECOND * 20, AnswerClass::Failed));
    let age = SECOND * 31;
    assert_eq!(figures.health(start + age), Health::Stale { age });
    figures.see_answer(&poll(start + SECOND * 39, AnswerClass::Ok));
    let age = Some(SECOND * 2);
    assert_eq!(figures.health(start + SECOND * 42), Health::Ok { age });
    assert_eq!(figures.status(start + SECOND * 42).requests_per_minute, 2);
    assert_eq!(figures.status(start + SECOND * 82).requests_per_minute, 1);
}

#[test]
fn a_search_is_measured_by_the_time_it_was_given() {
    let start = Instant::now();
    let mut figures = Figures::new(start, SECOND);
    figures.games.insert(GameId::from("g1"), running(start));
    for elapsed_ms in [100, 250, 900] {
        figures.see(&thinking(), start);
        figures.see(&searched(elapsed_ms), start);
    }
    // A search that nobody was told the time of, as while the opponent thinks.
    figures.see(&searched(5_000), start);
    let used: Vec<_> = figures
        .budget_used
        .cumulative()
        .filter(|(_, n)| *n > 0)
        .collect();
    assert_eq!(used[0], (0.5, 1));
    assert_eq!(figures.budget_used.count(), 3);
    assert_eq!((figures.searches, figures.overruns), (4, 1));
    let rate = figures.status(start + SECOND).simulations_per_second;
    assert_eq!(rate, Some(4_000.0 / 6.25));
    assert_eq!(
        figures.status(start + SECOND * 61).simulations_per_second,
        None
    );
}

fn running(since: Instant) -> RunningGame {
    RunningGame {
        game: GameId::from("g1"),
        me: "white",
        opponent: "sparring".to_owned(),
        ply: 0,
        is_my_turn: true,
        position: String::new(),
        last_turn: None,
        budget: None,
        since,
    }
}

fn thinking() -> Event {
    Event::Thinking(TurnTime {
        game: GameId::from("g1"),
        ply: 0,
        clock: ClockView {
            remaining: SECOND * 60,
            increment: Duration::ZERO,
        },
        latency: Latency::default(),
        overhead: Duration::ZERO,
        budget: Budget {
            target: SECOND / 5,
            hard: SECOND / 2,
        },
        threads: 1,
    })
}

fn searched(elapsed_ms: u64) -> Event {
    let report = SearchReport {
        turn: "e5".parse().unwrap(),
        win_probability: None,
        proof: None,
        simulations: 1_000,
        root_visits: 1_000,
        elapsed: Duration::from_millis(elapsed_ms),
        mean_depth: 1.0,
        max_depth: 1,
        principal: Vec::new(),
        candidates: Vec::new(),
        memory: MemoryUse { used: 0, limit: 0 },
    };
    Event::Searched {
        game: GameId::from("g1"),
        ply: 0,
        report,
    }
}
