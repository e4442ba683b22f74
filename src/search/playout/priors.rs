//! How good the actions of a position look before any is tried.

use arrayvec::ArrayVec;

use super::board::{Board, Rings, State};
use super::evaluation::{Evaluation, STAGES, UNIT, stage};
use super::kernel::{BLACK, Kernel, RingMove, Task, WHITE, Way};
use super::lines::{Axis, ROWS, grid};
use crate::game::{Action, Color, MAX_ACTIONS, Phase, Position};
use crate::search::node::{LEVELS, Prior, SHARES};

/// Actions whose priors are asked for.
pub struct Comparison<'a> {
    /// Tells how good they look.
    pub evaluation: &'a Evaluation,
    /// Where they can be played.
    pub position: &'a Position,
    /// All of them.
    pub actions: &'a [Action],
    /// The higher, the more alike are the priors.
    pub temperature: f32,
}

/// The prior of each action, in their order.
impl Task for Comparison<'_> {
    type Output = ArrayVec<Prior, MAX_ACTIONS>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let board = Board::new(self.position);
        let scores = match self.position.side() {
            Color::White => self.scores::<K, WHITE, BLACK>(kernel, &board),
            Color::Black => self.scores::<K, BLACK, WHITE>(kernel, &board),
        };
        let best = scores.iter().copied().min().unwrap_or_default();
        let levels_per_unit = 4.0 * std::f32::consts::LOG2_E / (UNIT as f32 * self.temperature);
        let level = |score: i32| ((score - best) as f32 * levels_per_unit + 0.5) as usize;
        let sum: f32 = scores
            .iter()
            .map(|score| SHARES[level(*score).min(LEVELS - 1)])
            .sum();
        // The level that is nearest to one part of the sum.
        const HALF_A_LEVEL: f32 = 1.090_507_7;
        let shift = SHARES
            .iter()
            .take_while(|share| **share * sum > HALF_A_LEVEL)
            .count();
        scores
            .iter()
            .map(|score| Prior::from_bits((level(*score) + shift).min(LEVELS - 1) as u8))
            .collect()
    }
}

impl Comparison<'_> {
    /// What each action leads to is worth to `OTHER`.
    #[inline(always)]
    fn scores<K: Kernel, const SIDE: usize, const OTHER: usize>(
        &self,
        kernel: K,
        board: &Board,
    ) -> ArrayVec<i32, MAX_ACTIONS> {
        let before = kernel.set_up(board);
        let State {
            rings,
            variant,
            phase,
            ..
        } = board.state;
        let color = board.state.side;
        let slot_at = |at: u8| {
            let slot = (0..rings[SIDE].count).find(|slot| rings[SIDE].at(*slot) == at);
            slot.expect("the action is legal")
        };
        let mut scores = ArrayVec::new();
        for action in self.actions {
            let mut lines = before;
            let mut after: [Rings; 2] = rings;
            match *action {
                Action::PlaceRing(point) => {
                    let mut board = *board;
                    board.add_ring(color, point);
                    lines = kernel.set_up(&board);
                    after = board.state.rings;
                }
                Action::MoveRing { from, to } => {
                    let ring_move = RingMove {
                        slot: slot_at(grid(from)),
                        way: Way {
                            from: grid(from),
                            to: grid(to),
                            axis: Axis::between(grid(from), grid(to)),
                        },
                    };
                    after[SIDE].put(ring_move.slot, ring_move.way.to);
                    kernel.move_ring::<SIDE>(&mut lines, &ring_move);
                }
                Action::TakeRow(row) => kernel.take_row(&mut lines, color, &ROWS[row.index()]),
                Action::TakeRing(point) => {
                    after[SIDE].remove(slot_at(grid(point)));
                    kernel.take_ring(&mut lines, color, &after[SIDE], grid(point));
                }
                Action::Pass => {}
            }
            let stage = match phase {
                Phase::PlaceRing => STAGES,
                _ => stage(&after[OTHER], &after[SIDE], variant),
            };
            scores.push(
                self.evaluation
                    .prior_stage(stage)
                    .score::<K, OTHER>(kernel, &lines, &after),
            );
        }
        scores
    }
}
