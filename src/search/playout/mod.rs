//! Random games from a position to the end, as fast as the processor allows.
//!
//! The board is kept as line words ([`lines`]). For the side to move, one look along every ray of every ring gives all
//! legal moves as bits; one number drawn exactly among them is the move. All instruction sets draw the same numbers
//! for the same moves, so they play the same games.

mod board;
mod game;
mod kernel;
mod lines;
mod policy;
#[cfg(target_arch = "x86_64")]
mod x86;

use game::play_out;
use kernel::Portable;

pub use game::{Game, MAX_GAMES};

use super::random::{Random, below};
use crate::choices;
use crate::game::{Color, Position};

/// Plays random games with the best instructions of this processor.
#[derive(Clone, Copy, Debug)]
pub struct Playouts(Instructions);

#[derive(Clone, Copy, Debug)]
enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::Avx512),
}

/// Instruction sets, each with more than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// What every processor has.
    Portable,
    /// AVX2 and what came with it, from about 2013 on.
    Avx2,
    /// AVX-512 with its later parts, from about 2019 on.
    #[default]
    Avx512,
}

choices!(Simd { Portable => "portable", Avx2 => "avx2", Avx512 => "avx512" });

/// How the ring moves of a random game are chosen; rows and rings to take off are chosen at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Every legal move with the same probability.
    Uniform,
    /// A move that makes an own row, if there is one; else one that leaves the opponent none, if there is one.
    #[default]
    TakeFive,
}

choices!(PlayoutPolicy { Uniform => "uniform", TakeFive => "take_five" });

impl Playouts {
    /// Every way to play that this processor has, the best one last.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self(Instructions::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(x86::Avx2::detect().map(|kernel| Self(Instructions::Avx2(kernel))));
            all.extend(x86::Avx512::detect().map(|kernel| Self(Instructions::Avx512(kernel))));
        }
        all
    }

    /// The best way to play that this processor has, with no more than these instructions.
    pub fn up_to(simd: Simd) -> Self {
        Self::all()
            .into_iter()
            .rfind(|playouts| playouts.simd() <= simd)
            .expect("one way works everywhere")
    }

    /// The instructions in use.
    pub const fn simd(self) -> Simd {
        match self.0 {
            Instructions::Portable => Simd::Portable,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => Simd::Avx2,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => Simd::Avx512,
        }
    }

    /// Plays all games to their ends, at most [`MAX_GAMES`] of them. Several at once are faster than one by one.
    pub fn run(self, policy: PlayoutPolicy, games: &mut [Game]) {
        match policy {
            PlayoutPolicy::Uniform => self.run_by(policy::Uniform, games),
            PlayoutPolicy::TakeFive => self.run_by(policy::TakeFive, games),
        }
    }

    fn run_by<P: policy::Policy>(self, policy: P, games: &mut [Game]) {
        match self.0 {
            Instructions::Portable => play_out(Portable, policy, games),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(kernel) => kernel.play_out(policy, games),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(kernel) => kernel.play_out(policy, games),
        }
    }
}

/// Plays one game by the plain rules, listing the legal actions at every step: slow, and what the fast games are
/// measured and tested by. Tells who won; `None` is a draw.
pub fn play_by_rules(position: &Position, random: &mut Random) -> Option<Color> {
    let mut here = *position;
    loop {
        if let Some(outcome) = here.outcome() {
            return outcome.winner;
        }
        let actions = here.actions();
        here.play_unchecked(actions[below(random, actions.len() as u32) as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::board::Board;
    use super::kernel::Kernel;
    use super::lines::{MOVES, POINTS, RAYS, WORDS, grid};
    use super::policy::Policy;
    use super::*;
    use crate::game::{Action, Phase, Point, Variant};
    use crate::search::random::random_stream;

    const POLICIES: [PlayoutPolicy; 2] = [PlayoutPolicy::Uniform, PlayoutPolicy::TakeFive];

    /// A uniformly random action.
    fn random_action(position: &Position, random: &mut Random) -> Action {
        let actions = position.actions();
        actions[below(random, actions.len() as u32) as usize]
    }

    /// Positions with a ring move due, from random games.
    fn middle_games(count: usize) -> Vec<Position> {
        let mut random = random_stream(3, 0);
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut position = Position::start(Variant::Standard);
            while !position.is_over() {
                if position.phase() == Phase::MoveRing {
                    positions.push(position);
                }
                position.play(random_action(&position, &mut random));
            }
        }
        positions
    }

    /// Each target is a legal move, each legal move is one target, and its effect is that of the rules.
    #[test]
    fn targets_are_the_legal_moves() {
        for position in middle_games(3_000) {
            let board = Board::new(&position);
            let mut targets = Portable.look(&board).steps;
            for (target, jump) in targets.0.iter_mut().zip(Portable.look(&board).jumps.0) {
                *target |= jump;
            }
            let bits: Vec<u32> = (0..16 * WORDS as u32)
                .filter(|bit| targets.0[(bit / 16) as usize] >> (bit % 16) & 1 != 0)
                .collect();
            let moves = position
                .actions()
                .iter()
                .filter(|action| **action != Action::Pass)
                .count();
            assert_eq!(bits.len(), moves, "{position}");
            for bit in bits {
                check_move(&position, board, bit);
            }
        }
    }

    /// The action that a bit among the targets stands for.
    fn action_of(position: &Position, board: &Board, bit: u32) -> Action {
        let (slot, offset) = MOVES[bit as usize];
        let point = |at: u8| Point::all().find(|point| grid(*point) == at).unwrap();
        let at = board.rings[position.side() as usize].at[usize::from(slot)];
        Action::MoveRing {
            from: point(at),
            to: point(at.wrapping_add_signed(offset)),
        }
    }

    fn check_move(position: &Position, mut board: Board, bit: u32) {
        let action = action_of(position, &board, bit);
        let mut after = *position;
        after
            .try_play(action)
            .unwrap_or_else(|error| panic!("{error} in {position}"));

        let has_row = board.move_ring(Portable, bit);
        assert_eq!(
            has_row,
            Color::ALL.iter().any(|color| after.has_row(*color)),
            "{action} in {position}"
        );
        let expected = Board::new(&after);
        assert_eq!(
            board.markers_of(Color::White),
            expected.markers_of(Color::White),
            "{action} in {position}"
        );
        assert_eq!(
            board.markers_of(Color::Black),
            expected.markers_of(Color::Black),
            "{action} in {position}"
        );
        assert_eq!(board.occupied, expected.occupied, "{action} in {position}");
        assert_eq!(
            board.occupied_reversed, expected.occupied_reversed,
            "{action} in {position}"
        );
        assert_eq!(
            board.markers_reversed, expected.markers_reversed,
            "{action} in {position}"
        );
    }

    /// The same seed gives the same game on every instruction set, to the last number drawn.
    #[test]
    fn every_instruction_set_plays_the_same_games() {
        let starts = crate::search::bench::POSITIONS
            .map(|(text, variant)| Position::parse(text, variant).unwrap());
        for position in middle_games(500).iter().chain(&starts) {
            for (seed, policy) in (0..20).map(|seed| (seed, POLICIES[seed as usize % 2])) {
                let play = |playouts: Playouts| {
                    let mut games = [Game::new(position, seed)];
                    playouts.run(policy, &mut games);
                    games
                };
                let portable = play(Playouts(Instructions::Portable));
                for playouts in Playouts::all() {
                    assert_eq!(play(playouts), portable, "{playouts:?} from {position}");
                }
            }
        }
    }

    /// The policy allows exactly the moves that its words say, found here by the rules.
    #[test]
    fn a_five_is_taken_and_none_is_given() {
        let mut random = random_stream(6, 0);
        let mut takes = 0;
        for position in middle_games(1_500) {
            let side = position.side();
            let moves = position.actions();
            let makes = |action: &Action, color: Color| {
                let mut after = position;
                after.play(*action);
                after.has_row(color)
            };
            let rows: Vec<&Action> = moves.iter().filter(|action| makes(action, side)).collect();
            let safe: Vec<&Action> = moves
                .iter()
                .filter(|action| !makes(action, side.opposite()))
                .collect();
            let allowed = [rows, safe, moves.iter().collect()]
                .into_iter()
                .find(|set| !set.is_empty())
                .unwrap();
            takes += usize::from(makes(allowed[0], side));
            if moves[0] == Action::Pass {
                continue;
            }
            let board = Board::new(&position);
            for _ in 0..20 {
                let bit = policy::TakeFive
                    .choose(Portable, &board, &mut random)
                    .unwrap();
                let action = action_of(&position, &board, bit);
                assert!(allowed.contains(&&action), "{action} in {position}");
            }
        }
        assert!(takes > 100, "only {takes} positions had a five to take");
    }

    #[test]
    fn games_played_at_once_are_those_played_one_by_one() {
        for playouts in Playouts::all() {
            for positions in middle_games(200).chunks(MAX_GAMES) {
                let mut at_once: Vec<Game> = (0..)
                    .zip(positions)
                    .map(|(seed, position)| Game::new(position, seed))
                    .collect();
                let mut alone = at_once.clone();
                let policy = POLICIES[positions.len() % 2];
                playouts.run(policy, &mut at_once);
                alone
                    .iter_mut()
                    .for_each(|game| playouts.run(policy, std::slice::from_mut(game)));
                assert_eq!(at_once, alone, "{playouts:?}");
            }
        }
    }

    /// Every target is drawn equally often.
    #[test]
    fn moves_are_chosen_uniformly() {
        let position: Position = "2r1/7/5r2/R2r5/R2r6/R3r4/R9/R8/8/7/4 w m 0-0 10"
            .parse()
            .unwrap();
        let board = Board::new(&position);
        let mut counts = std::collections::HashMap::new();
        let mut random = random_stream(5, 0);
        let moves = position.actions().len() as f64;
        let draws = 200_000;
        for _ in 0..draws {
            *counts
                .entry(Portable.choose(&board, &mut random).unwrap())
                .or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len() as f64, moves);
        let expected = f64::from(draws) / moves;
        let chi_squared: f64 = counts
            .values()
            .map(|c| (f64::from(*c) - expected).powi(2) / expected)
            .sum();
        // Passed once in about a thousand seeds: mean plus 3.3 standard deviations.
        let freedom = moves - 1.0;
        assert!(
            chi_squared < freedom + 3.3 * (2.0 * freedom).sqrt(),
            "{chi_squared} with {freedom}"
        );
    }

    #[test]
    fn rings_look_along_their_own_lines() {
        for point in Point::all() {
            let entry = &POINTS[usize::from(grid(point))];
            for ray in 0..RAYS {
                let word = usize::from(entry.ray_words[ray]);
                let bits = if word < WORDS {
                    entry.bits.0[word]
                } else {
                    entry.reversed.0[word - WORDS]
                };
                // The point itself is just shifted out.
                let seen = u32::from(bits) * u32::from(entry.ray_factors[ray]);
                assert_eq!((seen >> 15 & 1, seen >> 16), (1, 0), "{point} along {ray}");
            }
        }
    }

    /// From positions of every phase, the fast games end like games played by the rules.
    #[test]
    fn results_are_those_of_the_rules() {
        let mut random = random_stream(4, 0);
        for (start, variant) in crate::search::bench::POSITIONS {
            let position = Position::parse(start, variant).unwrap();
            let games = 2_000;
            let mut counts = [[0_i32; 2]; 3];
            for seed in 0..games {
                let by_rules = play_by_rules(&position, &mut random);
                let mut game = [Game::new(&position, seed)];
                Playouts::up_to(Simd::Avx512).run(PlayoutPolicy::Uniform, &mut game);
                let fast = game[0].winner.unwrap();
                for (side, winner) in [by_rules, fast].into_iter().enumerate() {
                    counts[winner.map_or(2, |color| color as usize)][side] += 1;
                }
            }
            for [by_rules, fast] in counts {
                // Five standard deviations of the difference of two counts.
                let allowed = 5.0 * f64::from(by_rules + fast).sqrt();
                assert!(
                    f64::from((by_rules - fast).abs()) <= allowed,
                    "{start}: {counts:?}"
                );
            }
        }
    }
}
