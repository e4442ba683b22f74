//! The status block of a running match on stderr.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::table::{signed, with_error};
use crate::arena::{Ledger, Outlook, SideId};

/// Time between two looks at the match.
const INTERVAL: Duration = Duration::from_millis(250);

/// A block that is rewritten in place, and not shown at all when stderr is no terminal.
pub(in crate::cli) struct Live {
    bar: ProgressBar,
    started: Instant,
    shown: Option<Instant>,
    /// Games that were there before.
    known: u64,
}

impl Live {
    pub(in crate::cli) fn new(ledger: &Ledger) -> Self {
        let style = ProgressStyle::with_template("{bar:24} {pos} of {len} games, {msg}")
            .expect("the template is well formed");
        let known = ledger.finished() as u64;
        let total = known + ledger.missing() as u64;
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        bar.set_style(style);
        Self {
            bar,
            started: Instant::now(),
            shown: None,
            known,
        }
    }

    /// Shows where the match stands, if it is time to.
    pub(in crate::cli) fn show(&mut self, ledger: &Ledger) {
        if self.bar.is_hidden() || self.shown.is_some_and(|shown| shown.elapsed() < INTERVAL) {
            return;
        }
        self.shown = Some(Instant::now());
        let finished = ledger.finished() as u64;
        let elapsed = self.started.elapsed();
        let outlook = Outlook::new(ledger, finished - self.known, elapsed);
        let mut lines = time_lines(elapsed, outlook.as_ref());
        if ledger.results().len() == 1 {
            lines.extend(strength_lines(ledger));
        }
        self.bar.set_message(lines.join("\n"));
        self.bar.set_position(finished);
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The rest of the first line, and what is still to come.
fn time_lines(elapsed: Duration, outlook: Option<&Outlook>) -> Vec<String> {
    let so_far = format!("{} so far", clock(elapsed));
    let Some(outlook) = outlook else {
        return vec![so_far];
    };
    let rate = 60.0 / outlook.per_game.as_secs_f64().max(1e-9);
    let most = outlook.most_games;
    let at_most = format!("at most {} ({most} games) to go", clock(outlook.time(most)));
    let to_go = match outlook.expected_games {
        Some(games) if games == most => format!("about {} to go", clock(outlook.time(games))),
        Some(games) => format!(
            "about {} ({games} games), {at_most}",
            clock(outlook.time(games))
        ),
        None => at_most,
    };
    vec![format!("{so_far}, {rate:.1} a minute"), to_go]
}

fn strength_lines(ledger: &Ledger) -> Vec<String> {
    let Some(results) = ledger.results().get(&(SideId::A, SideId::B)) else {
        return Vec::new();
    };
    let [losses, draws, wins] = results.games.cells();
    let mut line = format!("A won {wins}, drew {draws}, lost {losses}");
    if let Some(estimate) = results.pairs.estimate() {
        line += &format!(
            ", Elo {}, superiority {:.1} %",
            with_error(&estimate.elo),
            100.0 * estimate.los
        );
    }
    let mut lines = vec![line];
    if let Some(sprt) = ledger.sprt() {
        let llr = results.pairs.llr(sprt.hypotheses());
        let llr = llr.map_or_else(|undefined| undefined.to_string(), |llr| signed(llr, 2));
        lines.push(format!(
            "LLR {llr}, H0 at {}, H1 at {}",
            signed(sprt.lower(), 2),
            signed(sprt.upper(), 2)
        ));
    }
    lines
}

/// Hours, minutes and seconds, as far as they are needed.
pub(in crate::cli) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_long_as_needed() {
        let times = [0, 59, 61, 3599, 3600, 90_061]
            .map(Duration::from_secs)
            .map(clock);
        assert_eq!(
            times,
            ["0:00", "0:59", "1:01", "59:59", "1:00:00", "25:01:01"]
        );
    }

    #[test]
    fn the_outlook_says_what_it_knows() {
        let lines = |expected_games| {
            let outlook = Outlook {
                expected_games,
                most_games: 100,
                per_game: Duration::from_secs(2),
            };
            time_lines(Duration::from_secs(10), Some(&outlook))
        };
        assert_eq!(time_lines(Duration::from_secs(10), None), ["0:10 so far"]);
        assert_eq!(
            lines(Some(100)),
            ["0:10 so far, 30.0 a minute", "about 3:20 to go"]
        );
        assert_eq!(
            lines(Some(40))[1],
            "about 1:20 (40 games), at most 3:20 (100 games) to go"
        );
        assert_eq!(lines(None)[1], "at most 3:20 (100 games) to go");
    }
}
