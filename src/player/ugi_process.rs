//! An external program that speaks the Universal Game Interface, as a player.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::child::{ChildProcess, Heard};
use super::engine::{EngineError, EngineSetup, Patience};
use super::{Choice, Player, PlayerError};
use crate::game::{ByColor, Color, Position, Turn, Variant};
use crate::search::{ClockView, Limits, MemoryUse, SearchReport, StopFlag};

/// How often a waiting player looks whether it is to stop.
const POLL: Duration = Duration::from_millis(20);

/// More lines than this in answer to one are no answer.
const MOST_LINES: usize = 100_000;

/// Of a line that is not understood, so much is repeated.
const REPEATED: usize = 80;

/// How long a program may take to end when asked to.
const QUIT_PATIENCE: Duration = Duration::from_millis(200);

/// A running program. It ends with this value, and so does everything that it has started.
pub struct UgiProcess {
    child: ChildProcess,
    name: String,
    patience: Patience,
    clocks: ByColor<Option<ClockView>>,
}

/// How long to wait for an answer.
struct Wait<'a> {
    started: Instant,
    patience: Duration,
    stop: &'a StopFlag,
    lines: usize,
}

impl<'a> Wait<'a> {
    fn new(patience: Duration, stop: &'a StopFlag) -> Self {
        Self {
            started: Instant::now(),
            patience,
            stop,
            lines: 0,
        }
    }
}

impl UgiProcess {
    /// Starts a program and sets its options.
    ///
    /// # Errors
    /// It does not get ready in time, or lacks an option; [`PlayerError::Stopped`] if `stop` is set before.
    pub fn start(setup: &EngineSetup, stop: &StopFlag) -> Result<Self, PlayerError> {
        let not_runnable = |problem: String| EngineError::NotRunnable {
            command: setup.command.clone(),
            problem,
        };
        let child =
            ChildProcess::start(&setup.command).map_err(|error| not_runnable(error.to_string()))?;
        let mut process = Self {
            child,
            name: setup.command.clone(),
            patience: setup.patience,
            clocks: ByColor::default(),
        };
        match process.get_ready(setup, stop) {
            Ok(()) => Ok(process),
            Err(PlayerError::Engine(EngineError::Gone(_)))
                if let Some(code) = process.shell_complaint() =>
            {
                Err(not_runnable(format!("exit status {code}")).into())
            }
            Err(PlayerError::Engine(error @ (EngineError::Gone(_) | EngineError::Stall(_)))) => {
                Err(EngineError::NoStart(error.to_string()).into())
            }
            Err(error) => Err(error),
        }
    }

    fn get_ready(&mut self, setup: &EngineSetup, stop: &StopFlag) -> Result<(), PlayerError> {
        let mut wait = Wait::new(self.patience.start, stop);
        self.send("ugi")?;
        let mut known = Vec::new();
        loop {
            let line = self.next_line(&mut wait)?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.to_owned();
            } else if let Some(option) = line.strip_prefix("option name ") {
                known.extend(option.split(" type ").next().map(str::to_owned));
            } else if line == "ugiok" {
                break;
            }
        }
        self.set_options(setup, &known)?;
        self.send("isready")?;
        while self.next_line(&mut wait)? != "readyok" {}
        self.send("uginewgame")
    }

    fn set_options(&mut self, setup: &EngineSetup, known: &[String]) -> Result<(), PlayerError> {
        let find = |name: &str| known.iter().find(|known| known.eq_ignore_ascii_case(name));
        let variant = [("Variant".to_owned(), setup.variant.to_string())];
        let must_have_variant = setup.variant != Variant::default();
        let required = variant
            .iter()
            .filter(|_| must_have_variant)
            .chain(&setup.required);
        for (name, value) in required {
            let known_name = find(name).ok_or_else(|| EngineError::UnknownOption {
                name: name.clone(),
                known: known.to_vec(),
            })?;
            self.send(&format!("setoption name {known_name} value {value}"))?;
        }
        for (name, value) in &setup.optional {
            if let Some(known_name) = find(name) {
                self.send(&format!("setoption name {known_name} value {value}"))?;
            }
        }
        Ok(())
    }

    /// The exit status with which a shell says that there is no such program.
    fn shell_complaint(&mut self) -> Option<i32> {
        let code = self.child.status(QUIT_PATIENCE)?.code()?;
        [126, 127].contains(&code).then_some(code)
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let sent = self.child.send(line);
        sent.map_err(|_| EngineError::Gone(self.how_it_went("its input")).into())
    }

    fn next_line(&mut self, wait: &mut Wait<'_>) -> Result<String, PlayerError> {
        loop {
            if wait.stop.is_stopped() {
                return Err(PlayerError::Stopped);
            }
            let left = wait.patience.saturating_sub(wait.started.elapsed());
            match self.child.listen(left.min(POLL)) {
                Heard::Line(line) => {
                    wait.lines += 1;
                    return match wait.lines > MOST_LINES {
                        true => Err(EngineError::Flood.into()),
                        false => Ok(line),
                    };
                }
                Heard::TooLong => return Err(EngineError::Flood.into()),
                Heard::Closed => {
                    return Err(EngineError::Gone(self.how_it_went("its output")).into());
                }
                Heard::Nothing if left.is_zero() => {
                    // Whether it still listens shows only when something is sent; an empty line means nothing.
                    self.send("")?;
                    return Err(EngineError::Stall(wait.patience).into());
                }
                Heard::Nothing => {}
            }
        }
    }

    fn how_it_went(&mut self, stream: &str) -> String {
        match self.child.status(QUIT_PATIENCE) {
            Some(status) => format!("ended with {status}"),
            None => format!("closed {stream}"),
        }
    }

    /// The `go` line, and how long to wait for its answer.
    fn go(&self, side: Color, limits: &Limits) -> (String, Duration) {
        let mut line = String::from("go");
        let mut word = |name: &str, number: u64| {
            write!(line, " {name} {number}").expect("writing to a string succeeds")
        };
        let ms = |time: Duration| time.as_millis() as u64;
        if let Some(nodes) = limits.simulations {
            word("nodes", nodes);
        }
        let time = match (self.clocks[side], limits.time) {
            (Some(own), _) => {
                let names = [
                    ("p1time", "p1inc", Color::White),
                    ("p2time", "p2inc", Color::Black),
                ];
                for (time, increment, color) in names {
                    if let Some(clock) = self.clocks[color] {
                        word(time, ms(clock.remaining));
                        word(increment, ms(clock.increment));
                    }
                }
                Some(own.remaining)
            }
            (None, Some(budget)) => {
                word("movetime", ms(budget.target));
                Some(budget.target)
            }
            (None, None) => None,
        };
        let patience = time.map_or(self.patience.turn, |time| time + self.patience.margin);
        (line, patience)
    }
}

impl Player for UgiProcess {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) {
        // If it is gone, the next turn will tell.
        let _ = self.child.send("uginewgame");
    }

    fn see_clocks(&mut self, clocks: ByColor<Option<ClockView>>) {
        self.clocks = clocks;
    }

    fn choose_turn(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &StopFlag,
        _: &mut dyn FnMut(&SearchReport),
    ) -> Result<Choice, PlayerError> {
        if position.is_over() {
            return Err(PlayerError::GameOver);
        }
        let (go, patience) = self.go(position.side(), limits);
        let mut wait = Wait::new(patience, stop);
        // The text leaves out whether the last turn was a pass, but that changes no choice: who can move must.
        self.send(&format!("position fen {position}"))?;
        self.send(&go)?;
        let mut info = Info::default();
        let answer = loop {
            let line = self.next_line(&mut wait)?;
            if let Some(answer) = line.strip_prefix("bestmove") {
                break answer
                    .split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned();
            }
            info.read(&line);
        };
        let turn: Turn = answer.parse().map_err(|_| {
            let repeated = answer.chars().take(REPEATED).collect();
            EngineError::Garbage(repeated)
        })?;
        if let Err(source) = position.play_turn(&turn) {
            return Err(EngineError::Illegal { turn, source }.into());
        }
        let report = Some(info.report(&turn, wait.started.elapsed()));
        Ok(Choice { turn, report })
    }
}

impl Drop for UgiProcess {
    fn drop(&mut self) {
        if self.child.send("quit").is_ok() {
            self.child.status(QUIT_PATIENCE);
        }
    }
}

/// What a program tells of its search.
#[derive(Default)]
struct Info {
    nodes: u64,
    depth: f64,
    max_depth: u32,
    win_probability: Option<f64>,
}

impl Info {
    /// Takes in an `info` line; words that are not understood are left out.
    fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        while let Some(word) = words.next() {
            match word {
                "nodes" => self.nodes = number(words.next()).unwrap_or(self.nodes),
                "depth" => self.depth = number(words.next()).unwrap_or(self.depth),
                "seldepth" => self.max_depth = number(words.next()).unwrap_or(self.max_depth),
                "winprob" => {
                    let win = number(words.next()).filter(|win| (0.0..=1.0).contains(win));
                    self.win_probability = win.or(self.win_probability);
                }
                "string" | "pv" => return,
                _ => {}
            }
        }
    }

    fn report(self, turn: &Turn, elapsed: Duration) -> SearchReport {
        SearchReport {
            turn: turn.clone(),
            win_probability: self.win_probability,
            proof: None,
            simulations: self.nodes,
            root_visits: self.nodes,
            elapsed,
            mean_depth: if self.depth.is_finite() {
                self.depth
            } else {
                0.0
            },
            max_depth: self.max_depth,
            principal: vec![turn.clone()],
            candidates: Vec::new(),
            memory: MemoryUse { used: 0, limit: 0 },
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}
