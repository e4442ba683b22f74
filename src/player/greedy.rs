use super::random::{any, turn_by};
use super::{Choice, Player, PlayerError};
use crate::game::{Action, Color, Position, Variant};
use crate::search::{Limits, Random, SearchReport, StopFlag, random_stream};

/// Makes a row when one move can, else plays at random.
pub struct GreedyPlayer {
    seed: u64,
    random: Random,
}

impl GreedyPlayer {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            random: random_stream(seed, 0),
        }
    }
}

impl Player for GreedyPlayer {
    fn name(&self) -> &str {
        "greedy"
    }

    fn new_game(&mut self) {
        self.random = random_stream(self.seed, 0);
    }

    fn choose_turn(
        &mut self,
        position: &Position,
        _: &Limits,
        _: &StopFlag,
        _: &mut dyn FnMut(&SearchReport),
    ) -> Result<Choice, PlayerError> {
        let random = &mut self.random;
        let turn = turn_by(position, |here, actions| {
            let rows: Vec<Action> = actions
                .iter()
                .copied()
                .filter(|action| makes_row(here, *action))
                .collect();
            any(if rows.is_empty() { actions } else { &rows }, random)
        })?;
        Ok(Choice { turn, report: None })
    }
}

/// Whether the action leaves a row of the side that plays it.
fn makes_row(position: &Position, action: Action) -> bool {
    let mover: Color = position.side();
    let mut after = *position;
    after.play(action);
    match position.variant() {
        Variant::Standard => after.side() == mover && matches!(action, Action::MoveRing { .. }),
        Variant::Blitz => after
            .outcome()
            .is_some_and(|outcome| outcome.winner == Some(mover)),
    }
}
