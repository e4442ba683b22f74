//! What counts of a game once it is written down. Matches can be long, so this is small.

use super::record::GameLine;
use super::schedule::SideId;
use super::termination::Termination;

/// A finished game without its turns.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTally {
    /// Number in the match.
    pub game: u64,
    /// Who had White.
    pub white: SideId,
    /// Who had Black.
    pub black: SideId,
    /// Who won; `None` for a draw.
    pub winner: Option<SideId>,
    /// Why it ended.
    pub termination: Termination,
    /// Turns played, by both.
    pub length: u64,
    /// What White and Black did in their turns.
    turns: [TurnTally; 2],
}

/// The turns of one side in a game, or in several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnTally {
    /// Time of each, in µs, as far as that can be told in 32 bits: 71 minutes.
    pub elapsed_us: Vec<u32>,
    /// Those that took longer than their limit.
    pub overruns: u64,
    /// Simulations of all that were searched.
    pub simulations: u64,
    /// Time of all that were searched, in µs.
    pub searched_us: u64,
    /// Depths of all simulations, added up.
    pub depth_sum: f64,
}

impl From<&GameLine> for GameTally {
    fn from(line: &GameLine) -> Self {
        Self {
            game: line.game,
            white: line.white,
            black: line.black,
            winner: line.end.winner,
            termination: line.end.termination,
            length: line.turns.len() as u64,
            turns: [line.white, line.black].map(|side| TurnTally::of(line, side)),
        }
    }
}

impl GameTally {
    /// Points of a side that played in it, times two.
    pub fn half_points(&self, side: SideId) -> usize {
        side.half_points(self.winner)
    }

    /// The turns of a side; `None` if it did not play.
    pub fn turns_of(&self, side: SideId) -> Option<&TurnTally> {
        let sides = [self.white, self.black];
        sides
            .iter()
            .position(|played| *played == side)
            .map(|index| &self.turns[index])
    }
}

impl TurnTally {
    fn of(line: &GameLine, side: SideId) -> Self {
        let mut tally = Self::default();
        for turn in line.turns_of(side) {
            tally
                .elapsed_us
                .push(u32::try_from(turn.elapsed_us).unwrap_or(u32::MAX));
            tally.overruns += u64::from(turn.overrun);
            if let Some(simulations) = turn.simulations {
                tally.simulations += simulations;
                tally.searched_us += turn.elapsed_us;
                tally.depth_sum += turn.depth.unwrap_or(0.0) * simulations as f64;
            }
        }
        tally
    }

    /// Adds the turns of another game.
    pub fn add(&mut self, other: &Self) {
        self.elapsed_us.extend(&other.elapsed_us);
        self.overruns += other.overruns;
        self.simulations += other.simulations;
        self.searched_us += other.searched_us;
        self.depth_sum += other.depth_sum;
    }
}
