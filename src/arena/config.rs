use std::path::PathBuf;

use super::stats::EloModel;
use crate::setting::Kind;
use crate::settings;

/// How matches are played; section `[match]` of the config.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchConfig {
    /// Games of a match, or of each pairing of a round robin.
    pub games: u64,
    /// Simulations per turn; 0: no limit.
    pub simulations: u64,
    /// Time per turn in ms; 0: no limit.
    pub turn_ms: u64,
    /// Time for the whole game in ms; 0: no clock.
    pub base_ms: u64,
    /// Added to the clock for each turn, in ms.
    pub increment_ms: u64,
    /// How far a side may overstep its time before it loses, in ms.
    pub margin_ms: u64,
    /// Search threads of each side.
    pub threads: u32,
    /// Memory of each side's tree in MiB.
    pub memory_mb: u32,
    /// Games at the same time; 0: as many as fit on the cores.
    pub concurrency: u32,
    /// Seed of openings and of the players' random choices.
    pub seed: u64,
    /// Rings that an opening has placed at random.
    pub placements: u32,
    /// Random turns after that.
    pub opening_turns: u32,
    /// How far from even an opening may be; 0.5 takes every one.
    pub balance: f64,
    /// How long an external engine may take to start, in s.
    pub engine_start_s: u64,
    /// How long an external engine may take for a turn without a time limit, in s.
    pub engine_turn_s: u64,
    /// H0 of the sequential test.
    pub elo0: f64,
    /// H1 of the sequential test.
    pub elo1: f64,
    /// Rate of wrong H1.
    pub alpha: f64,
    /// Rate of wrong H0.
    pub beta: f64,
    /// What elo0 and elo1 are.
    pub model: EloModel,
    /// Folder of the game files.
    pub records: PathBuf,
}

impl Default for MatchConfig {
    fn default() -> Self {
        Self {
            games: 400,
            simulations: 1000,
            turn_ms: 0,
            base_ms: 0,
            increment_ms: 0,
            margin_ms: 100,
            threads: 1,
            memory_mb: 64,
            concurrency: 0,
            seed: 1,
            placements: 4,
            opening_turns: 0,
            balance: 0.1,
            engine_start_s: 10,
            engine_turn_s: 60,
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
            records: PathBuf::from("records"),
        }
    }
}

/// The keys that limit a turn. Whatever names one of them, a side or the command line, names all that count for it.
pub const LIMITS: [&str; 4] = ["simulations", "turn_ms", "base_ms", "increment_ms"];

impl MatchConfig {
    /// Takes away all limits of a turn.
    pub fn clear_limits(&mut self) {
        self.simulations = 0;
        self.turn_ms = 0;
        self.base_ms = 0;
        self.increment_ms = 0;
    }
}

settings!(MatchConfig {
    games: Kind::Int { min: 2, max: 1_000_000 },
        "Games of a match, an even number: every opening is played twice, with colours swapped. A sequential test may \
         end sooner; a round robin plays so many for each two players.";
    simulations: Kind::Int { min: 0, max: 1_000_000_000 },
        "Simulations per turn, 0 for no such limit. Without a time limit, the same match gives the same games on every \
         machine. At least one limit must be set; with several, the one that is reached first counts.";
    turn_ms: Kind::Int { min: 0, max: 3_600_000 },
        "Time per turn in ms, 0 for no such limit.";
    base_ms: Kind::Int { min: 0, max: 86_400_000 },
        "Clock of each side for a game in ms, 0 for no clock.";
    increment_ms: Kind::Int { min: 0, max: 3_600_000 },
        "Time in ms that each turn adds to the clock.";
    margin_ms: Kind::Int { min: 0, max: 60_000 },
        "Time in ms that a side may overstep its limit before it loses the game. Overruns within it are counted.";
    threads: Kind::Int { min: 1, max: 256 },
        "Search threads of each side, whatever [search] says.";
    memory_mb: Kind::Int { min: 1, max: 32768 },
        "Memory for the tree of each side in MiB, whatever [search] says. Every running game needs it twice.";
    concurrency: Kind::Int { min: 0, max: 1024 },
        "Games at the same time. 0: as many as fit on the cores.";
    seed: Kind::Int { min: 0, max: i64::MAX },
        "Seed of the openings and of all random choices in the games.";
    placements: Kind::Int { min: 0, max: 10 },
        "Rings that are placed at random, by turns, before the players begin. 0: the empty board.";
    opening_turns: Kind::Int { min: 0, max: 40 },
        "Random turns after the placements, before the players begin. The rings that are still to place are placed by \
         them first.";
    balance: Kind::Float { min: 0.0, max: 0.5 },
        "How far from one half the expected score of an opening may be, by a short search. 0.5 takes every opening.";
    engine_start_s: Kind::Int { min: 1, max: 3600 },
        "How long an external engine may take to start in s; then it loses the game.";
    engine_turn_s: Kind::Int { min: 1, max: 86_400 },
        "How long an external engine may take for a turn without time limit in s; then it loses the game.";
    elo0: Kind::Float { min: -1000.0, max: 1000.0 },
        "Sequential test (--sprt): H0, side A is this much stronger than side B.";
    elo1: Kind::Float { min: -1000.0, max: 1000.0 },
        "Sequential test: H1, side A is this much stronger than side B. The closer to elo0, the longer the test.";
    alpha: Kind::Float { min: 0.0001, max: 0.5 },
        "Sequential test: how often it may say H1 where H0 is true.";
    beta: Kind::Float { min: 0.0001, max: 0.5 },
        "Sequential test: how often it may say H0 where H1 is true.";
    model: Kind::Choice(EloModel::WORDS),
        "Sequential test: whether elo0 and elo1 are \"normalized\" Elo, which counts the edge in standard deviations \
         of a game, or \"logistic\", the usual Elo.";
    records: Kind::Text,
        "Folder for the file with the games of a match, unless --out names a file.";
});
