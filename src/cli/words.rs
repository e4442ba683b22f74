//! Numbers, clocks and results in words.

use std::time::Duration;

use crate::game::{ByColor, Color, EndReason, Outcome};

/// `1234567` as `1,234,567`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Time on a clock: minutes, seconds and tenths.
pub(super) fn clock(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    let (minutes, rest) = (tenths / 600, tenths % 600);
    format!("{minutes}:{:02}.{}", rest / 10, rest % 10)
}

/// A probability in percent; a turn without alternative was not searched and has none.
pub(super) fn percent(probability: Option<f64>) -> String {
    probability.map_or("-".to_owned(), |p| format!("{:.1} %", 100.0 * p))
}

/// A text that another machine chose, without anything that could steer a terminal, and not too long.
pub(super) fn tame(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    text.chars().map(plain).take(40).collect()
}

/// How a game ended, as a sentence.
pub(super) fn result(
    outcome: Option<Outcome>,
    names: &ByColor<String>,
    rings_off: &ByColor<u8>,
) -> String {
    let Some(outcome) = outcome else {
        return "The game is over, for a reason that this version does not know.".to_owned();
    };
    let reason = outcome.reason;
    let Some(winner) = outcome.winner else {
        return match reason {
            EndReason::Abort => "The game was called off.".to_owned(),
            _ => format!("Draw: {}.", why(reason, Color::White)),
        };
    };
    format!(
        "{} ({}) wins {}-{}: {}.",
        capital(winner),
        names[winner],
        rings_off[winner],
        rings_off[winner.opposite()],
        why(reason, winner.opposite()),
    )
}

/// `White` or `Black`.
pub(super) const fn capital(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn why(reason: EndReason, loser: Color) -> String {
    let loser = capital(loser);
    match reason {
        EndReason::Rings => "three rings are off the board".to_owned(),
        EndReason::Row => "the first row lies on the board".to_owned(),
        EndReason::MarkersExhausted => "all 51 markers lie on the board".to_owned(),
        EndReason::NoMoves => "no ring can move any more".to_owned(),
        EndReason::Resign => format!("{loser} has resigned"),
        EndReason::Timeout => format!("{loser} has run out of time"),
        EndReason::IllegalTurns => format!("{loser} has sent too many illegal turns"),
        EndReason::Abort => "it was called off".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_clocks() {
        let numbers = [0, 999, 1_000, 12_345, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "12,345", "1,234,567"]);
        let clocks = [0, 950, 28_449, 300_000, 3_600_000].map(Duration::from_millis);
        let clocks = clocks.map(clock);
        assert_eq!(clocks, ["0:00.0", "0:00.9", "0:28.4", "5:00.0", "60:00.0"]);
    }

    #[test]
    fn names_from_elsewhere_cannot_steer_the_terminal() {
        assert_eq!(tame("ada\x1b[2J\n"), "ada?[2J?");
        assert_eq!(tame(&"x".repeat(500)).len(), 40);
    }

    #[test]
    fn results_name_winner_score_and_reason() {
        let names = ByColor {
            white: "ada".to_owned(),
            black: "bot".to_owned(),
        };
        let rings_off = ByColor { white: 1, black: 3 };
        let told = |winner, reason| {
            let outcome = Some(Outcome { winner, reason });
            result(outcome, &names, &rings_off)
        };
        assert_eq!(
            told(Some(Color::Black), EndReason::Rings),
            "Black (bot) wins 3-1: three rings are off the board."
        );
        assert_eq!(
            told(Some(Color::White), EndReason::Timeout),
            "White (ada) wins 1-3: Black has run out of time."
        );
        assert_eq!(
            told(None, EndReason::MarkersExhausted),
            "Draw: all 51 markers lie on the board."
        );
        assert_eq!(told(None, EndReason::Abort), "The game was called off.");
    }
}
