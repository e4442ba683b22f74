//! How long to think: a pure function of clock, increment, phase and latency.
//!
//! No clock is read here, so that every case can be tested exactly.

use std::time::Duration;

use crate::game::{Phase, Position, RINGS};
use crate::setting::Kind;
use crate::settings;

/// How the clock is spent; section `[time]` of the config.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeParams {
    /// Time in ms kept back at every turn, beside the measured latency.
    pub overhead_ms: u64,
    /// Own turns that a game is expected to take from its first ring move.
    pub expected_turns: u32,
    /// Turns to come that are assumed at least.
    pub min_turns_to_go: u32,
    /// Largest part of the clock for one turn, 0 to 1.
    pub max_share: f64,
    /// Part of the increment that is spent at once, 0 to 1.
    pub increment_share: f64,
    /// Length of a turn that places a ring, as a part of other turns.
    pub placement_share: f64,
}

impl Default for TimeParams {
    fn default() -> Self {
        Self {
            overhead_ms: 50,
            expected_turns: 30,
            min_turns_to_go: 10,
            max_share: 0.25,
            increment_share: 0.9,
            placement_share: 0.5,
        }
    }
}

settings!(TimeParams {
    overhead_ms: Kind::Int { min: 0, max: 60_000 },
        "Time in ms that is kept back at every turn for what lies outside the search, beside the measured latency of \
         the server. This is the one knob against losses on time.",
        fixed;
    expected_turns: Kind::Int { min: 1, max: 200 },
        "Own turns that a game is expected to take after the rings are placed. Fewer spends the clock sooner.";
    min_turns_to_go: Kind::Int { min: 1, max: 200 },
        "However long the game lasts, the clock is shared out over at least this many turns to come.";
    max_share: Kind::Float { min: 0.01, max: 1.0 },
        "Largest part of the remaining clock that one turn may take, 0 to 1.";
    increment_share: Kind::Float { min: 0.0, max: 1.0 },
        "Part of the increment that is spent in the turn that earns it, 0 to 1.";
    placement_share: Kind::Float { min: 0.0, max: 2.0 },
        "Length of the turns that place a ring, as a part of the turns that move one.";
});

/// The own clock when the search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockView {
    /// Until the flag falls.
    pub remaining: Duration,
    /// Added for each completed turn.
    pub increment: Duration,
}

/// Measured time that a turn spends outside the search, on the way to the server and back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// Half of the samples are below.
    pub median: Duration,
    /// 99 % of the samples are below.
    pub p99: Duration,
}

/// Time for one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When a search ends by itself.
    pub target: Duration,
    /// When whoever waits for the search gives up and plays another legal turn; never below the target.
    pub hard: Duration,
}

impl Budget {
    /// Exactly this long, as far as a search can be exact.
    pub const fn fixed(time: Duration) -> Self {
        Self {
            target: time,
            hard: time,
        }
    }
}

/// The time for the turn that is due in `position`.
///
/// The clock less overhead and the bad case of latency is shared out over the turns to come; the increment, less the
/// usual latency, comes on top. Both parts of the budget are zero when nothing is left: then the first legal turn must
/// be played at once.
pub fn budget(
    params: &TimeParams,
    position: &Position,
    clock: ClockView,
    latency: Latency,
) -> Budget {
    let overhead = Duration::from_millis(params.overhead_ms);
    let usable = clock.remaining.saturating_sub(overhead + latency.p99);
    let hard = usable.mul_f64(params.max_share);
    let earned = clock
        .increment
        .saturating_sub(overhead + latency.median)
        .mul_f64(params.increment_share);
    let is_placement = position.phase() == Phase::PlaceRing;
    let weight = if is_placement {
        params.placement_share
    } else {
        1.0
    };
    let target = (usable.div_f64(turns_to_go(params, position)) + earned)
        .mul_f64(weight)
        .min(hard);
    Budget {
        target,
        hard: hard.min(target.mul_f64(HARD_PER_TARGET)),
    }
}

/// How many times its target a search that does not end is waited for.
const HARD_PER_TARGET: f64 = 3.0;

/// Own turns that the clock must last for, the present one included; placements count with their share.
fn turns_to_go(params: &TimeParams, position: &Position) -> f64 {
    let own_turns_done = f64::from(position.ply() / 2);
    let placements = f64::from(RINGS);
    let moves_done = (own_turns_done - placements).max(0.0);
    let placements_left = (placements - own_turns_done).max(0.0);
    let moves_left =
        (f64::from(params.expected_turns) - moves_done).max(f64::from(params.min_turns_to_go));
    moves_left + placements_left * params.placement_share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    const NO_LATENCY: Latency = Latency {
        median: Duration::ZERO,
        p99: Duration::ZERO,
    };

    fn clock(remaining_ms: u64, increment_ms: u64) -> ClockView {
        ClockView {
            remaining: Duration::from_millis(remaining_ms),
            increment: Duration::from_millis(increment_ms),
        }
    }

    fn middle_game() -> Position {
        "2r1/7/5r2/R2r5/MR1r6/R3r4/R9/R8/8/7/4 b m 0-0 11"
            .parse()
            .unwrap()
    }

    #[test]
    fn the_clock_is_shared_out_over_the_turns_to_come() {
        let params = TimeParams {
            overhead_ms: 0,
            ..TimeParams::default()
        };
        let budget = budget(&params, &middle_game(), clock(300_000, 0), NO_LATENCY);
        assert_eq!(
            budget,
            Budget {
                target: Duration::from_secs(10),
                hard: Duration::from_secs(30)
            }
        );
    }

    #[test]
    fn the_increment_comes_on_top() {
        let params = TimeParams {
            overhead_ms: 0,
            ..TimeParams::default()
        };
        let budget = budget(&params, &middle_game(), clock(300_000, 1000), NO_LATENCY);
        assert_eq!(budget.target, Duration::from_millis(10_900));
    }

    #[test]
    fn placements_are_shorter() {
        let params = TimeParams::default();
        let placing = budget(
            &params,
            &Position::start(Variant::Standard),
            clock(60_000, 0),
            NO_LATENCY,
        );
        let moving = budget(&params, &middle_game(), clock(60_000, 0), NO_LATENCY);
        assert!(
            placing.target < moving.target.mul_f64(0.55),
            "{placing:?} {moving:?}"
        );
    }

    #[test]
    fn latency_shortens_the_budget_and_never_below_zero() {
        let params = TimeParams::default();
        let slow = Latency {
            median: Duration::from_millis(500),
            p99: Duration::from_secs(2),
        };
        let position = middle_game();
        let near = budget(&params, &position, clock(10_000, 100), NO_LATENCY);
        let far = budget(&params, &position, clock(10_000, 100), slow);
        assert!(far.target < near.target);
        let gone = budget(&params, &position, clock(1_500, 100), slow);
        assert_eq!(gone, Budget::fixed(Duration::ZERO));
    }

    /// Playing every turn at its hard limit, plus the bad case of latency, never loses on time.
    #[test]
    fn a_clock_spent_at_the_hard_limit_lasts_for_any_game() {
        let params = TimeParams::default();
        let latency = Latency {
            median: Duration::from_millis(20),
            p99: Duration::from_millis(40),
        };
        for (base, increment) in [(10_000, 100), (1_000, 100), (60_000, 1_000), (500, 200)] {
            let mut remaining = Duration::from_millis(base);
            let increment = Duration::from_millis(increment);
            for _ in 0..200 {
                let view = ClockView {
                    remaining,
                    increment,
                };
                let spent = budget(&params, &middle_game(), view, latency).hard + latency.p99;
                assert!(spent < remaining, "{base} ms: {spent:?} of {remaining:?}");
                remaining = remaining - spent + increment;
            }
        }
    }
}
