//! What a person sees of the bot's games: boards on a terminal with one game, else a line for each turn.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use super::board;
use super::style::{Look, Style};
use super::words::{capital, clock, grouped, percent, result, tame};
use crate::api::GameId;
use crate::bot::{Event, GameInfo, PlayedTurn, Watcher};
use crate::game::{ByColor, Color, MARKERS, Outcome, Position, Turn};
use crate::search::SearchReport;

/// Turns of the expected course that are shown.
const EXPECTED_TURNS: usize = 6;
/// The line beside a board from which on the sides stand.
const SIDES_FROM: usize = 15;
/// The widest turn that leaves the columns of the lines straight: a move that takes a row.
const TURN_WIDTH: usize = 16;

/// How much of a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A board after every turn: for one game at a time on a terminal.
    Boards,
    /// A line for every turn, and the board at the end.
    Lines,
    /// The same, with the game's name in front: for several games at a time.
    NamedLines,
}

/// What the opponent's search found, by ply, where the opponent is at hand too.
pub(super) type OpponentReports = Arc<Mutex<HashMap<u16, SearchReport>>>;

/// Writes the bot's games down for people.
pub(super) struct TextWatcher<W> {
    out: W,
    style: Style,
    layout: Layout,
    opponent: OpponentReports,
    games: HashMap<GameId, Shown>,
}

/// A game that is being shown.
struct Shown {
    info: GameInfo,
    names: ByColor<String>,
    last: Option<(Turn, Position)>,
}

impl<W: Write + Send> TextWatcher<W> {
    /// Writes to `out`.
    pub(super) fn new(out: W, style: Style, layout: Layout, opponent: OpponentReports) -> Self {
        Self {
            out,
            style,
            layout,
            opponent,
            games: HashMap::new(),
        }
    }

    /// A reader that has gone away must not end the games, so nothing comes of a failure to write.
    fn write(&mut self, lines: &[String]) {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        let _ = self.out.write_all(text.as_bytes());
        let _ = self.out.flush();
    }

    fn show_start(&mut self, info: &GameInfo) {
        let shown = Shown {
            names: ByColor::from_fn(|color| tame(&info.players[color].name)),
            info: info.clone(),
            last: None,
        };
        let mut lines = vec![String::new(), shown.heading()];
        lines.extend(Color::ALL.map(|color| {
            let side = shown.side(color, self.style);
            let me = if color == info.me { "  (this bot)" } else { "" };
            format!("  {side}{me}")
        }));
        lines.push(String::new());
        match self.layout {
            Layout::Boards => lines.push(board::legend(self.style)),
            Layout::Lines | Layout::NamedLines => {
                lines.push(self.named(&info.game, &columns()));
            }
        }
        self.games.insert(info.game.clone(), shown);
        self.write(&lines);
    }

    fn show_turn(&mut self, played: &PlayedTurn) {
        let report = played.report.clone().or_else(|| {
            let mut reports = self.opponent.lock().unwrap_or_else(PoisonError::into_inner);
            reports.remove(&played.ply)
        });
        let Some(shown) = self.games.get_mut(&played.game) else {
            return;
        };
        shown.last = Some((played.turn.clone(), played.position));
        let lines = match self.layout {
            Layout::Boards => {
                let panel = shown.panel(played, report.as_ref(), self.style);
                beside_board(&played.position, &played.turn, &panel, self.style)
            }
            Layout::Lines | Layout::NamedLines => {
                vec![self.named(&played.game, &turn_line(played, report.as_ref()))]
            }
        };
        self.write(&lines);
    }

    fn show_end(&mut self, game: &GameId, outcome: Option<Outcome>) {
        let Some(shown) = self.games.remove(game) else {
            return;
        };
        let mut lines = vec![String::new()];
        let position = shown
            .last
            .as_ref()
            .map_or(shown.info.initial, |last| last.1);
        if self.layout != Layout::Boards {
            let turn = shown.last.as_ref().map(|(turn, _)| turn);
            lines.extend(board::draw(&position, turn, self.style));
            lines.extend([board::legend(self.style), String::new()]);
        }
        let rings_off = ByColor::from_fn(|color| position.rings_off(color));
        let sentence = result(outcome, &shown.names, &rings_off);
        lines.push(self.named(game, &self.style.paint(Look::Strong, &sentence)));
        let reason = outcome.map_or("unknown", |outcome| outcome.reason.as_str());
        let turns = position.ply();
        lines.push(self.named(game, &format!("Reason {reason}, after {turns} turns.")));
        self.write(&lines);
    }

    fn named(&self, game: &GameId, line: &str) -> String {
        match self.layout {
            Layout::Boards | Layout::Lines => line.to_owned(),
            Layout::NamedLines => format!("{:<14} {line}", tame(game.as_str())),
        }
    }
}

impl<W: Write + Send> Watcher for TextWatcher<W> {
    fn see(&mut self, event: &Event) {
        match event {
            Event::GameStarted(info) => self.show_start(info),
            Event::TurnPlayed(played) => self.show_turn(played),
            Event::GameFinished { game, outcome } => self.show_end(game, *outcome),
            Event::Recorded { game, path } => {
                let line = format!("Record {}", path.display());
                self.write(&[self.named(game, &line)]);
            }
            Event::Connected { .. }
            | Event::Listed { .. }
            | Event::ChallengeAnswered { .. }
            | Event::ChallengeDeclined { .. }
            | Event::GameSought { .. }
            | Event::Thinking(_)
            | Event::SearchHung { .. }
            | Event::SearchFailed { .. }
            | Event::Searched { .. }
            | Event::Trouble { .. }
            | Event::Stopping { .. } => {}
        }
    }
}

impl Shown {
    fn heading(&self) -> String {
        let info = &self.info;
        let seconds = |ms: u64| format!("{} s", ms as f64 / 1000.0);
        format!(
            "Game {}: {}, {}, {} + {} a turn",
            tame(info.game.as_str()),
            info.variant,
            if info.rated { "rated" } else { "casual" },
            seconds(info.clock.initial_ms),
            seconds(info.clock.increment_ms),
        )
    }

    fn side(&self, color: Color, style: Style) -> String {
        let sign = style.sign(color).to_string();
        let sign = style.paint(Look::Of(color), &sign);
        format!("{sign} {} {}", capital(color), self.names[color])
    }

    /// What stands beside the board after a turn.
    fn panel(
        &self,
        played: &PlayedTurn,
        report: Option<&SearchReport>,
        style: Style,
    ) -> Vec<String> {
        let mut lines = vec![
            String::new(),
            format!("Turn {}  {}", played.ply + 1, self.side(played.by, style)),
            style.paint(Look::Strong, &played.turn.to_string()),
            String::new(),
        ];
        if let Some(report) = report {
            let seconds = report.elapsed.as_secs_f64();
            lines.push(format!("win         {}", percent(report.win_probability)));
            lines.push(format!("simulations {}", grouped(report.simulations)));
            lines.push(format!("per second  {}", rate(report)));
            lines.push(format!("time        {seconds:.2} s"));
            let turns = expected(report).enumerate();
            lines.extend(turns.map(|(index, turn)| {
                let label = if index == 0 { "expected" } else { "" };
                format!("{label:<11} {turn}")
            }));
        }
        lines.resize(SIDES_FROM, String::new());
        for color in Color::ALL {
            let time = clock(played.clocks[color]);
            let rings = played.position.rings_off(color);
            lines.push(self.side(color, style));
            lines.push(format!("  clock {time}  rings off {rings}"));
        }
        let markers = played.position.markers_on_board();
        lines.push(format!("markers on the board {markers} of {MARKERS}"));
        lines
    }
}

fn beside_board(position: &Position, turn: &Turn, panel: &[String], style: Style) -> Vec<String> {
    let board = board::draw(position, Some(turn), style);
    let sides = panel
        .iter()
        .map(String::as_str)
        .chain(std::iter::repeat(""));
    let lines = board.iter().zip(sides);
    let lines = lines.map(|(board, side)| format!("{board}   {side}"));
    [String::new()].into_iter().chain(lines).collect()
}

/// The heads of the columns of [`turn_line`].
fn columns() -> String {
    format!(
        "{:>4}  {:5}  {:TURN_WIDTH$}  {:>7}  {:>11}  {:>10}  {:>8}  {:>8}  expected",
        "turn", "side", "played", "win", "simulations", "per second", "white", "black"
    )
}

fn turn_line(played: &PlayedTurn, report: Option<&SearchReport>) -> String {
    let [win, simulations, rate, expected] = match report {
        Some(report) => {
            let expected: Vec<_> = expected(report).map(Turn::to_string).collect();
            [
                percent(report.win_probability),
                grouped(report.simulations),
                rate(report),
                expected.join(" "),
            ]
        }
        None => Default::default(),
    };
    format!(
        "{:>4}  {:5}  {:TURN_WIDTH$}  {win:>7}  {simulations:>11}  {rate:>10}  {:>8}  {:>8}  {expected}",
        played.ply + 1,
        capital(played.by),
        played.turn.to_string(),
        clock(played.clocks.white),
        clock(played.clocks.black),
    )
}

/// What the search expects to follow upon its turn.
fn expected(report: &SearchReport) -> impl Iterator<Item = &Turn> {
    report.principal.iter().skip(1).take(EXPECTED_TURNS)
}

fn rate(report: &SearchReport) -> String {
    grouped(report.simulations_per_second().round() as u64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::api::{Clock, PlayerKind, PlayerRef};
    use crate::game::{EndReason, Variant};

    const STYLE: Style = Style {
        unicode: false,
        color: false,
    };

    fn started() -> Event {
        let player = |name: &str| PlayerRef {
            id: name.into(),
            name: name.to_owned(),
            kind: PlayerKind::Bot,
            rating: None,
        };
        Event::GameStarted(GameInfo {
            game: GameId::from("g1"),
            variant: Variant::Standard,
            rated: false,
            players: ByColor {
                white: player("ringmaster"),
                black: player("evil\x1b[2J"),
            },
            me: Color::White,
            clock: Clock {
                initial_ms: 30_000,
                increment_ms: 500,
            },
            initial: Position::start(Variant::Standard),
        })
    }

    fn played(text: &str) -> Event {
        let turn: Turn = text.parse().unwrap();
        let position = Position::start(Variant::Standard);
        Event::TurnPlayed(PlayedTurn {
            game: GameId::from("g1"),
            ply: 0,
            by: Color::White,
            position: position.play_turn(&turn).unwrap(),
            turn,
            report: None,
            clocks: ByColor::from_fn(|_| Duration::from_millis(29_400)),
        })
    }

    fn finished() -> Event {
        Event::GameFinished {
            game: GameId::from("g1"),
            outcome: Some(Outcome {
                winner: Some(Color::White),
                reason: EndReason::Resign,
            }),
        }
    }

    fn shown(layout: Layout) -> String {
        let mut out = Vec::new();
        let mut watcher = TextWatcher::new(&mut out, STYLE, layout, OpponentReports::default());
        for event in [started(), played("e5"), finished()] {
            watcher.see(&event);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_tell_everything_about_a_game() {
        let text = shown(Layout::Lines);
        for part in [
            "Game g1: standard, casual, 30 s + 0.5 s a turn",
            "M White ringmaster  (this bot)",
            "   1  White  e5 ",
            "0:29.4",
            "[R]",
            "White (ringmaster) wins 0-0: Black has resigned.",
            "Reason resign, after 1 turns.",
        ] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        assert!(!text.contains('\x1b'), "{text}");
    }

    #[test]
    fn a_board_has_the_turn_and_the_clocks_beside_it() {
        let text = shown(Layout::Boards);
        let line = |part: &str| text.lines().find(|line| line.contains(part)).unwrap();
        assert!(line("Turn 1  M White ringmaster").contains('.'));
        assert!(line("clock 0:29.4  rings off 0").contains('.'));
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{widest:?}\n{text}");
    }

    #[test]
    fn with_several_games_every_line_names_its_game() {
        let text = shown(Layout::NamedLines);
        let named = text.lines().filter(|line| line.starts_with("g1 "));
        assert_eq!(named.count(), 4, "{text}");
    }
}
