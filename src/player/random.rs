use super::{Choice, Player, PlayerError};
use crate::game::{Action, Position, Turn};
use crate::search::{Limits, Random, SearchReport, StopFlag, below, random_stream};

/// Plays every legal action with the same probability.
pub struct RandomPlayer {
    seed: u64,
    random: Random,
}

impl RandomPlayer {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            random: random_stream(seed, 0),
        }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &str {
        "random"
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
        let turn = turn_by(position, |_, actions| any(actions, &mut self.random))?;
        Ok(Choice { turn, report: None })
    }
}

/// Any of the actions, each with the same probability.
pub(super) fn any(actions: &[Action], random: &mut Random) -> Action {
    actions[below(random, actions.len() as u32) as usize]
}

/// Builds a whole turn from a choice among the legal actions at each decision.
pub(super) fn turn_by(
    position: &Position,
    mut choose: impl FnMut(&Position, &[Action]) -> Action,
) -> Result<Turn, PlayerError> {
    let mut here = *position;
    let mut turn = Vec::new();
    while here.ply() == position.ply() && !here.is_over() {
        let action = choose(&here, &here.actions());
        here.play(action);
        turn.push(action);
    }
    Turn::new(&turn).map_err(|_| PlayerError::GameOver)
}
