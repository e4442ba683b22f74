//! The first line of a match file: what is played.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::config::MatchConfig;
use super::schedule::Shard;
use super::side::{Contestant, Pace, Side, TimeControl};
use super::stats::{EloModel, Hypotheses, Sprt};
use crate::setting::{Field, Settings, Value};

/// Number of the form of match files.
pub(super) const FORMAT: u32 = 1;

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What must be the same in all files of a match.
    pub identity: Identity,
    /// Rounds of the whole match.
    pub rounds: u64,
    /// The sequential test that ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtLine>,
    /// The part of it in this file.
    pub shard: Shard,
}

/// Everything that shapes the games of a match, so that a file goes on only with what it began with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// Number of the form of the file.
    pub format: u32,
    /// The program.
    pub program: Program,
    /// The rules.
    pub variant: String,
    /// The seed of openings and games.
    pub seed: u64,
    /// The openings.
    pub openings: OpeningsLine,
    /// Openings at the beginning that are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seen_openings: u64,
    /// How far time may be overstepped, in ms.
    pub margin_ms: u64,
    /// The sides, A first, each with its effective settings.
    pub sides: Vec<SideLine>,
}

/// The program that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The beginning of the SHA-256 of its file: another build may play other games.
    pub build: String,
}

/// Where the openings come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum OpeningsLine {
    /// The empty board.
    Empty,
    /// Random rings and turns.
    Random {
        /// Rings placed.
        placements: u32,
        /// Turns after them.
        turns: u32,
        /// How far from even they may be.
        balance: f64,
    },
    /// A file.
    File {
        /// The SHA-256 of its content.
        sha256: String,
    },
}

/// A side with its effective settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideLine {
    /// How the user calls it.
    pub name: String,
    /// What kind of player it is.
    pub player: String,
    /// Its settings.
    pub settings: BTreeMap<String, serde_json::Value>,
    /// Its limits for each turn.
    pub limits: BTreeMap<String, u64>,
}

/// A sequential test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtLine {
    /// H0.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// Rate of wrong H1.
    pub alpha: f64,
    /// Rate of wrong H0.
    pub beta: f64,
    /// The word for what elo0 and elo1 are.
    pub model: String,
}

impl Program {
    /// This program.
    ///
    /// # Errors
    /// Its file cannot be read.
    pub fn current() -> io::Result<Self> {
        let mut build = sha256(&fs::read(std::env::current_exe()?)?);
        build.truncate(12);
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build,
        })
    }
}

/// The first digits of a hash of plain data.
pub(super) fn short_hash(data: &impl Serialize) -> String {
    let text = serde_json::to_vec(data).expect("it is plain data");
    let mut hash = sha256(&text);
    hash.truncate(12);
    hash
}

const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The SHA-256 of some bytes in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Identity {
    /// The first digits of a hash of it, for names of files.
    pub fn short_hash(&self) -> String {
        short_hash(self)
    }
}

impl OpeningsLine {
    /// Random openings as `config` says.
    pub fn random(config: &MatchConfig) -> Self {
        match (config.placements, config.opening_turns) {
            (0, 0) => Self::Empty,
            (placements, turns) => Self::Random {
                placements,
                turns,
                balance: config.balance,
            },
        }
    }

    /// A file with this content.
    pub fn file(content: &[u8]) -> Self {
        Self::File {
            sha256: sha256(content),
        }
    }
}

impl From<&Sprt> for SprtLine {
    fn from(sprt: &Sprt) -> Self {
        let model = match sprt.hypotheses().model.to_value() {
            Value::Text(word) => word,
            other => other.to_string(),
        };
        Self {
            elo0: sprt.hypotheses().elo0,
            elo1: sprt.hypotheses().elo1,
            alpha: sprt.alpha(),
            beta: sprt.beta(),
            model,
        }
    }
}

impl SprtLine {
    /// The test; `None` if there is no such test.
    pub fn to_sprt(&self) -> Option<Sprt> {
        let model = match self.model.as_str() {
            "normalized" => EloModel::Normalized,
            "logistic" => EloModel::Logistic,
            _ => return None,
        };
        let hypotheses = Hypotheses {
            elo0: self.elo0,
            elo1: self.elo1,
            model,
        };
        Sprt::new(hypotheses, self.alpha, self.beta).ok()
    }
}

impl From<&Side> for SideLine {
    fn from(side: &Side) -> Self {
        let (player, mut settings) = match &side.contestant {
            Contestant::Search(search) => ("search".to_owned(), settings_of(search)),
            Contestant::Simple(kind) => (kind.word().to_owned(), BTreeMap::new()),
            Contestant::Engine { setup, .. } => {
                let options = setup.required.iter().chain(&setup.optional);
                let options = options.map(|(name, value)| (name.clone(), value.as_str().into()));
                (format!("ugi:{}", setup.command), options.collect())
            }
        };
        if matches!(side.contestant, Contestant::Search(_)) {
            settings.remove("seed");
            settings.extend(settings_of(&side.time));
        }
        Self {
            name: side.name.clone(),
            player,
            settings,
            limits: limits_of(&side.pace),
        }
    }
}

fn settings_of<S: Settings>(section: &S) -> BTreeMap<String, serde_json::Value> {
    let entry = |setting: &crate::setting::Setting<S>| {
        let value = match (setting.get)(section) {
            Value::Bool(on) => on.into(),
            Value::Int(number) => number.into(),
            Value::Float(number) => number.into(),
            Value::Text(text) => text.into(),
            Value::List(texts) => texts.into(),
        };
        (setting.name.to_owned(), value)
    };
    S::TABLE.iter().map(entry).collect()
}

fn limits_of(pace: &Pace) -> BTreeMap<String, u64> {
    let ms = |time: Duration| time.as_millis() as u64;
    let mut limits = BTreeMap::new();
    let mut limit = |name: &str, value| limits.insert(name.to_owned(), value);
    if let Some(simulations) = pace.simulations {
        limit("simulations", simulations);
    }
    match pace.time {
        Some(TimeControl::PerTurn(time)) => {
            limit("turn_ms", ms(time));
        }
        Some(TimeControl::Clock { base, increment }) => {
            limit("base_ms", ms(base));
            limit("increment_ms", ms(increment));
        }
        None => {}
    }
    limits
}
