//! What is learned from: the counts of positions, and what the games told of them.

use super::LearnPlan;
use super::folder::{Folder, LearnError};
use super::games::{Decision, PlayedGame};
use crate::game::{Action, Color, PackedAction, Phase, Position, Variant};
use crate::search::{Features, ROW_CLASSES, STAGES, TRAITS};

/// Counts of a position.
pub const COUNTS: usize = ROW_CLASSES + TRAITS;

/// Decisions that the priors are fitted to; more would need more memory than they give.
const MOST_CHOICES: u64 = 150_000;

/// Decisions of a game, about.
const DECISIONS_PER_GAME: u64 = 60;

/// The result counts as much as what the search thought.
const RESULT_SHARE: f32 = 0.5;

/// One game in so many is kept apart, to see how good the fit is.
const APART: u64 = 12;

/// All counts of a position, none of which is above 255.
pub type Counts = [u8; COUNTS];

/// A position and what came of it.
#[derive(Clone, Debug)]
pub struct ValueExample {
    /// How far the game is.
    pub stage: usize,
    /// Its counts, from the view of the side to move.
    pub counts: Counts,
    /// What is to be learned: the result mixed with what the search thought.
    pub target: f32,
    /// The result alone.
    pub result: f32,
}

/// A decision and how often each action was tried.
#[derive(Clone, Debug)]
pub struct ChoiceExample {
    /// How far the game is behind the actions, or the stage of the placement.
    pub stage: usize,
    /// For each action what it leads to, from the view of the opponent.
    pub actions: Vec<Counts>,
    /// For each action its part of all visits; together they are 1, else every weight would drift.
    pub shares: Vec<f32>,
}

/// Examples to fit to, and some kept apart.
#[derive(Debug, Default)]
pub struct Examples {
    /// Positions.
    pub values: Vec<ValueExample>,
    /// Positions kept apart.
    pub values_apart: Vec<ValueExample>,
    /// Decisions.
    pub choices: Vec<ChoiceExample>,
    /// Decisions kept apart.
    pub choices_apart: Vec<ChoiceExample>,
}

impl Examples {
    /// Those of a round, and for the positions of the round before too.
    ///
    /// # Errors
    /// Their games cannot be read.
    pub fn read(folder: &Folder, round: u32, plan: &LearnPlan) -> Result<Self, LearnError> {
        let mut examples = Self::default();
        let every = (plan.games * DECISIONS_PER_GAME)
            .div_ceil(MOST_CHOICES)
            .max(1);
        for of_round in round.saturating_sub(1).max(1)..=round {
            let mut games = folder.games(of_round)?;
            // They stand in the order in which they ended, which is not always the same.
            games.sort_by_key(|game| game.game);
            for game in &games {
                examples.add(game, (of_round == round).then_some(every as usize));
            }
        }
        Ok(examples)
    }

    /// Adds a game: all its positions, and if wanted every so many of its decisions.
    fn add(&mut self, game: &PlayedGame, choices_every: Option<usize>) {
        let (values, choices) = if game.game.is_multiple_of(APART) {
            (&mut self.values_apart, &mut self.choices_apart)
        } else {
            (&mut self.values, &mut self.choices)
        };
        for (index, decision) in game.decisions.iter().enumerate() {
            let Ok(position) = Position::parse(&decision.position, Variant::Standard) else {
                continue;
            };
            if position.phase() == Phase::MoveRing {
                values.push(value_example(&position, decision, game.white));
            }
            let is_wanted = choices_every
                .is_some_and(|every| (index + game.game as usize).is_multiple_of(every));
            if is_wanted && decision.visits.iter().any(|(_, visits)| *visits > 0) {
                choices.push(choice_example(&position, decision));
            }
        }
    }
}

fn counts(features: &Features) -> Counts {
    std::array::from_fn(|index| match index {
        0..ROW_CLASSES => features.rows[index],
        _ => features.traits[index - ROW_CLASSES] as u8,
    })
}

fn value_example(position: &Position, decision: &Decision, white: f32) -> ValueExample {
    let features = Features::seen_by(position, position.side());
    let result = match position.side() {
        Color::White => white,
        Color::Black => 1.0 - white,
    };
    ValueExample {
        stage: features.stage,
        counts: counts(&features),
        target: RESULT_SHARE * result + (1.0 - RESULT_SHARE) * decision.value,
        result,
    }
}

fn choice_example(position: &Position, decision: &Decision) -> ChoiceExample {
    let other = position.side().opposite();
    let all: u64 = decision.visits.iter().map(|(_, visits)| visits).sum();
    let mut example = ChoiceExample {
        stage: STAGES,
        actions: Vec::new(),
        shares: Vec::new(),
    };
    for action in position.actions() {
        let mut after = *position;
        after.play(action);
        let features = Features::seen_by(&after, other);
        if !matches!(action, Action::PlaceRing(_)) {
            example.stage = features.stage;
        }
        example.actions.push(counts(&features));
        let packed = PackedAction::from(action).bits();
        let visits = decision.visits.iter().find(|(action, _)| *action == packed);
        let visits = visits.map_or(0, |(_, visits)| *visits);
        example.shares.push(visits as f32 / all as f32);
    }
    example
}
