//! What the program knows between two lines, and what it does with each.

use std::io::{self, Write};
use std::time::Duration;

use super::command::{self, Command, CommandError, GoLimits, Query, Start};
use super::thinker::{Output, Thinker};
use super::{UgiConfig, option};
use crate::game::{
    Color, IllegalTurn, Outcome, Position, PositionError, Turn, TurnError, UnknownWord, Variant,
};
use crate::search::{Budget, ClockView, Latency, Limits, budget};
use crate::setting::SettingError;

/// Times beyond this are as good as no limit, and cannot overflow any clock.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// A line may be endless, but what is repeated of it is not.
const ERROR_LENGTH: usize = 300;

/// Whether to read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Read the next line.
    Continue,
    /// The other side has said goodbye.
    End,
}

/// Why a line changes nothing.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Option(#[from] SettingError),
    #[error("the variant {0}")]
    Variant(#[from] UnknownWord),
    #[error("{0}")]
    Position(#[from] PositionError),
    #[error("move {number}, `{text}`: {source}")]
    Text {
        number: usize,
        text: String,
        source: TurnError,
    },
    #[error("move {number}, `{text}`: {source}")]
    Turn {
        number: usize,
        text: String,
        source: IllegalTurn,
    },
    #[error("a search is running, send stop first")]
    Busy,
    #[error("`{0}` is missing, the clock of the side to decide")]
    NoClock(&'static str),
    /// Not a refusal: nothing can be answered any more.
    #[error(transparent)]
    Stream(#[from] io::Error),
}

pub(super) struct Session<W> {
    output: Output<W>,
    config: UgiConfig,
    variant: Variant,
    position: Position,
    thinker: Thinker,
}

impl<W: Write + Send + 'static> Session<W> {
    pub fn new(output: W, config: UgiConfig) -> Self {
        let variant = Variant::default();
        Self {
            output: Output::new(output),
            thinker: Thinker::new(&config),
            config,
            variant,
            position: Position::start(variant),
        }
    }

    /// Does what one line says.
    pub fn handle(&mut self, line: &str) -> io::Result<Flow> {
        match self.obey(line) {
            Ok(flow) => Ok(flow),
            Err(Refusal::Stream(error)) => Err(error),
            Err(refusal) => {
                let refusal = refusal.to_string();
                self.output
                    .line(&format!("info string error: {refusal:.ERROR_LENGTH$}"))?;
                Ok(Flow::Continue)
            }
        }
    }

    /// Ends a search that still runs.
    pub fn end(mut self) -> io::Result<()> {
        self.thinker.stop()
    }

    fn obey(&mut self, line: &str) -> Result<Flow, Refusal> {
        match command::parse(line)? {
            None => {}
            Some(Command::Ugi) => self.introduce()?,
            Some(Command::IsReady) => self.output.line("readyok")?,
            Some(Command::NewGame) => {
                self.thinker.searcher()?.ok_or(Refusal::Busy)?.new_game();
                self.position = Position::start(self.variant);
            }
            Some(Command::SetOption { name, value }) => self.set_option(&name, &value)?,
            Some(Command::Position { start, turns }) => {
                self.thinker.searcher()?.ok_or(Refusal::Busy)?;
                self.position = self.position_after(&start, &turns)?;
            }
            Some(Command::Go(limits)) => self.go(&limits)?,
            Some(Command::Stop) => self.thinker.stop()?,
            Some(Command::Query(query)) => self.answer(query)?,
            Some(Command::Quit) => return Ok(Flow::End),
        }
        Ok(Flow::Continue)
    }

    fn introduce(&self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        self.output.line(&format!("id name yinsh-bot {version}"))?;
        self.output.line("id author the authors of yinsh-bot")?;
        for option in option::lines(&self.config, self.variant) {
            self.output.line(&option)?;
        }
        self.output.line("ugiok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let searcher = self.thinker.searcher()?.ok_or(Refusal::Busy)?;
        if name.eq_ignore_ascii_case(option::VARIANT) {
            self.variant = value.parse()?;
            self.position = Position::start(self.variant);
            return Ok(());
        }
        option::set(&mut self.config, name, value)?;
        if *searcher.params() != self.config.search {
            searcher.set_params(self.config.search.clone());
        }
        Ok(())
    }

    fn position_after(&self, start: &Start, turns: &[String]) -> Result<Position, Refusal> {
        let mut position = match start {
            Start::Standard => Position::start(self.variant),
            Start::Text(text) => Position::parse(text, self.variant)?,
        };
        for (index, text) in turns.iter().enumerate() {
            let number = index + 1;
            let turn: Turn = text.parse().map_err(|source| Refusal::Text {
                number,
                text: text.clone(),
                source,
            })?;
            position = position.play_turn(&turn).map_err(|source| Refusal::Turn {
                number,
                text: text.clone(),
                source,
            })?;
        }
        Ok(position)
    }

    fn go(&mut self, limits: &GoLimits) -> Result<(), Refusal> {
        self.thinker.searcher()?.ok_or(Refusal::Busy)?;
        let limits = self.limits(limits)?;
        match self.position.outcome() {
            Some(outcome) => {
                self.output
                    .line(&format!("info string {}", describe(outcome)))?;
                self.output.line("bestmove none")?;
            }
            None => self
                .thinker
                .start(self.position, limits, self.output.clone()),
        }
        Ok(())
    }

    fn limits(&self, sent: &GoLimits) -> Result<Limits, Refusal> {
        let time = |ms| Duration::from_millis(ms).min(LONGEST);
        let side = self.position.side();
        let clock = sent.clocks[side].map(|remaining| ClockView {
            remaining: time(remaining),
            increment: time(sent.increments[side]),
        });
        let any_clock = sent.clocks.white.or(sent.clocks.black);
        if clock.is_none() && any_clock.is_some() {
            return Err(Refusal::NoClock(match side {
                Color::White => "p1time",
                Color::Black => "p2time",
            }));
        }
        let by_clock =
            clock.map(|clock| budget(&self.config.time, &self.position, clock, Latency::default()));
        let fixed = sent.movetime.map(|ms| Budget::fixed(time(ms)));
        Ok(Limits {
            time: fixed.or(by_clock),
            simulations: sent.nodes,
        })
    }

    fn answer(&self, query: Query) -> io::Result<()> {
        let outcome = self.position.outcome();
        let answer = match query {
            Query::GameOver => outcome.is_some().to_string(),
            Query::FirstPlayersTurn => (self.position.side() == Color::White).to_string(),
            Query::Result => match outcome.map(|outcome| outcome.winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Color::White)) => "p1win",
                Some(Some(Color::Black)) => "p2win",
            }
            .to_owned(),
        };
        self.output.line(&format!("response {answer}"))
    }
}

fn describe(outcome: Outcome) -> String {
    let reason = outcome.reason;
    match outcome.winner {
        Some(winner) => format!("the game is over, {winner} has won ({reason})"),
        None => format!("the game is over, a draw ({reason})"),
    }
}
