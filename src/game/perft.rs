use super::action::Action;
use super::position::Position;

/// Number of sequences of `depth` actions from `position`; a finished game has none.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.actions().len() as u64,
        _ => position
            .actions()
            .into_iter()
            .map(|action| perft(&after(position, action), depth - 1))
            .sum(),
    }
}

/// [`perft`] for each first action; their sum is the whole. Nothing for depth 0.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Action, u64)> {
    let first = if depth == 0 {
        Default::default()
    } else {
        position.actions()
    };
    let position = *position;
    first
        .into_iter()
        .map(move |action| (action, perft(&after(&position, action), depth - 1)))
}

fn after(position: &Position, action: Action) -> Position {
    let mut after = *position;
    after.play_unchecked(action);
    after
}
