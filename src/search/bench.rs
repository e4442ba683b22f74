//! A fixed amount of search on fixed positions, whose signature tells whether a change alters play.

use std::time::{Duration, Instant};

use super::limits::{Limits, StopFlag};
use super::params::SearchParams;
use super::playout::Simd;
use super::report::SearchReport;
use super::searcher::Searcher;
use crate::game::{Position, Variant};

/// Positions of every phase, with the variant they are played in.
pub(super) const POSITIONS: [(&str, Variant); 10] = [
    ("4/7/8/9/10/9/10/9/8/7/4 w p 0-0 0", Variant::Standard),
    (
        "r3/7/8/4R4/10/9/4R2R2/7r1/8/R2r3/4 b p 0-0 7",
        Variant::Standard,
    ),
    (
        "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10",
        Variant::Standard,
    ),
    (
        "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10",
        Variant::Blitz,
    ),
    (
        "4/5r1/5m2/2mmrm1r1/M1m2MRM1R/R1MM4M/1r1R1M2M1/m4mMRM/5r2/m6/4 w m 0-0 30",
        Variant::Standard,
    ),
    (
        "m3/1m2r2/2M1mM2/3Rm2M1/2M1r2R2/1m1r5/m1MM1mrRmM/3R1mMm1/m2m1M2/2mr1M1/3R b m 0-0 31",
        Variant::Standard,
    ),
    (
        "mmMm/1M1RMMm/MmR1rmm1/M1MMMMRmm/MM1mMmM1r1/Rmmmmm1m1/2m1rM1r2/mMmMMMm1m/2M1mMmM/2M2Mr/RmmM b r< 0-0 31",
        Variant::Standard,
    ),
    (
        "4/m2m3/m5mm/mmmmMRMRM/1r1R1Mm2r/2r2M3/M1MMMMM3/2M1MR1M1/1r1mMMmm/R6/2r1 w r> 0-0 30",
        Variant::Standard,
    ),
    (
        "mr2/5M1/m1mM3M/rr1M1M1M1/1mmM1MMMM1/2RmmMM1m/2M3m3/2RmMR1M1/2mMRrrM/M6/1MRm w x> 0-0 30",
        Variant::Standard,
    ),
    (
        "2mm/3MM2/mm1Rmm2/M2Mmm1Mm/MR4Mrmm/MmmrR1m1M/m1MMMM1M1M/MMMmmMrM1/mMmMRM2/mmM2MM/m2m w m 1-2 30",
        Variant::Standard,
    ),
];

/// Simulations for each position.
const SIMULATIONS: u64 = 20_000;

/// What a run of the benchmark gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchResult {
    /// Simulations of all searches.
    pub simulations: u64,
    /// Time of all searches.
    pub elapsed: Duration,
    /// A hash of what every search reports but its times: the same on every machine and instruction set.
    pub signature: u64,
}

/// Number of searches in a run.
pub const SEARCHES: usize = POSITIONS.len();

/// Runs every search with the default parameters on one thread, with no more than these instructions; `progress` is
/// told the number of searches done.
pub fn run(simd: Simd, progress: &mut dyn FnMut(usize)) -> BenchResult {
    let mut result = BenchResult {
        simulations: 0,
        elapsed: Duration::ZERO,
        signature: FNV_OFFSET,
    };
    for (index, (text, variant)) in POSITIONS.into_iter().enumerate() {
        let position = Position::parse(text, variant).expect("the benchmark's positions are valid");
        let params = SearchParams {
            threads: 1,
            memory_mb: 64,
            simd,
            ..SearchParams::default()
        };
        let mut searcher = Searcher::new(params);
        let start = Instant::now();
        let limits = Limits::simulations(SIMULATIONS);
        let report = searcher
            .search(&position, &limits, &StopFlag::new(), &mut |_| {})
            .expect("no game is over");
        result.elapsed += start.elapsed();
        result.simulations += report.simulations;
        result.signature = add_to_signature(result.signature, &report);
        progress(index + 1);
    }
    result
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a over the turn, every candidate and the depths.
fn add_to_signature(signature: u64, report: &SearchReport) -> u64 {
    let mut text = format!("{} {} {}", report.turn, report.max_depth, report.mean_depth);
    for candidate in &report.candidates {
        text += &format!(
            " {} {} {:?}",
            candidate.action, candidate.visits, candidate.win_probability
        );
    }
    text.bytes().fold(signature, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}
