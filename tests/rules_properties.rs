//! What must hold in every position of random games, standard and blitz.

#[path = "common/property.rs"]
mod property;

use std::collections::BTreeSet;

use proptest::prelude::*;
use yinsh_bot::game::{
    Action, Cell, Color, EndReason, GameRecord, MARKERS, Outcome, Phase, Point, Position, RINGS,
    Row, Symmetry, Turn, Variant,
};
use yinsh_bot::search::{Random, below, random_stream};

/// A random action; rows and rings are rare in random games, so moves that make rows are preferred half of the time.
fn random_action(position: &Position, random: &mut Random) -> Action {
    let actions = position.actions();
    let row_makers: Vec<Action> = actions
        .iter()
        .copied()
        .filter(|action| {
            let mut after = *position;
            after.play(*action);
            matches!(after.phase(), Phase::LateRow | Phase::EarlyRow)
        })
        .collect();
    let choice = if row_makers.is_empty() || below(random, 2) == 0 {
        &actions[..]
    } else {
        &row_makers[..]
    };
    choice[below(random, choice.len() as u32) as usize]
}

/// Every position of a random game, with the action played in it.
fn random_game(seed: u64, variant: Variant) -> (Vec<(Position, Action)>, Position) {
    let mut random = random_stream(seed, 0);
    let mut position = Position::start(variant);
    let mut course = Vec::new();
    while !position.is_over() {
        let action = random_action(&position, &mut random);
        course.push((position, action));
        position.play(action);
    }
    (course, position)
}

fn variants() -> impl Strategy<Value = Variant> {
    prop_oneof![4 => Just(Variant::Standard), 1 => Just(Variant::Blitz)]
}

/// Every action that can be written down, legal or not.
fn all_actions() -> Vec<Action> {
    let moves = Point::all().flat_map(|from| {
        Point::all()
            .filter(move |to| *to != from)
            .map(move |to| Action::MoveRing { from, to })
    });
    moves
        .chain(Point::all().map(Action::PlaceRing))
        .chain(Point::all().map(Action::TakeRing))
        .chain(Row::all().map(Action::TakeRow))
        .chain([Action::Pass])
        .collect()
}

fn count(position: &Position, wanted: impl Fn(Cell) -> bool) -> usize {
    Point::all()
        .filter(|point| wanted(position.cell(*point)))
        .count()
}

proptest! {
    #![proptest_config(property::fixed(150))]

    #[test]
    fn an_action_is_generated_exactly_when_it_is_legal(seed: u64, variant in variants()) {
        let candidates = all_actions();
        let (course, end) = random_game(seed, variant);
        for position in course.iter().step_by(5).map(|(position, _)| *position).chain([end]) {
            let generated: BTreeSet<String> = position.actions().iter().map(|a| format!("{a:?}")).collect();
            let legal: BTreeSet<String> =
                candidates.iter().filter(|a| position.is_legal(**a)).map(|a| format!("{a:?}")).collect();
            prop_assert_eq!(generated.len(), position.actions().len());
            prop_assert_eq!(generated, legal);
        }
    }

    #[test]
    fn rings_and_markers_are_conserved(seed: u64, variant in variants()) {
        let (course, end) = random_game(seed, variant);
        for position in course.iter().map(|(position, _)| *position).chain([end]) {
            let markers = count(&position, |cell| matches!(cell, Cell::Marker(_)));
            prop_assert_eq!(markers, usize::from(position.markers_on_board()));
            prop_assert!(markers <= usize::from(MARKERS));
            for color in Color::ALL {
                let on_board = count(&position, |cell| cell == Cell::Ring(color));
                prop_assert_eq!(on_board, position.rings(color).len());
                let off = usize::from(position.rings_off(color));
                if position.phase() == Phase::PlaceRing {
                    prop_assert!(on_board <= usize::from(RINGS) && off == 0);
                } else {
                    prop_assert_eq!(on_board + off, usize::from(RINGS));
                }
            }
        }
    }

    /// What is kept from action to action is what is read back from the text of the board.
    #[test]
    fn the_state_kept_along_the_game_is_the_state_of_the_board(seed: u64, variant in variants()) {
        let (course, end) = random_game(seed, variant);
        for position in course.iter().map(|(position, _)| *position).chain([end]) {
            let text = position.to_string();
            let read = Position::parse(&text, variant).unwrap();
            prop_assert_eq!(read.to_string(), text);
            prop_assert_eq!(read.actions(), position.actions());
            prop_assert_eq!(read.outcome(), position.outcome());
            if !position.last_turn_was_pass() && !position.turn_took_rows() {
                prop_assert_eq!(read, position);
            }
        }
    }

    #[test]
    fn symmetries_commute_with_playing(seed: u64, variant in variants()) {
        let (course, _) = random_game(seed, variant);
        for (position, action) in course.iter().step_by(3) {
            let mut after = *position;
            after.play(*action);
            for symmetry in Symmetry::all() {
                let mut image = symmetry.position(position);
                let actions: BTreeSet<String> = image.actions().iter().map(|a| format!("{a:?}")).collect();
                let images: BTreeSet<String> =
                    position.actions().iter().map(|a| format!("{:?}", symmetry.action(*a))).collect();
                prop_assert_eq!(actions, images);
                image.play(symmetry.action(*action));
                prop_assert_eq!(image, symmetry.position(&after));
            }
        }
    }

    #[test]
    fn the_swap_of_colours_commutes_with_playing(seed: u64, variant in variants()) {
        let (course, _) = random_game(seed, variant);
        for (position, action) in course.iter().filter(|(position, _)| position.phase() != Phase::PlaceRing) {
            let mut after = *position;
            after.play(*action);
            let mut image = position.with_colors_swapped();
            image.play(*action);
            prop_assert_eq!(image, after.with_colors_swapped());
            let swapped_outcome = after.outcome().map(|o| (o.reason, o.winner.map(Color::opposite)));
            prop_assert_eq!(image.outcome().map(|o| (o.reason, o.winner)), swapped_outcome);
        }
    }

    #[test]
    fn a_game_goes_through_turn_texts_and_a_record(seed: u64, variant in variants()) {
        let (course, end) = random_game(seed, variant);
        let mut turns: Vec<Vec<Action>> = vec![Vec::new(); usize::from(end.ply())];
        for (position, action) in &course {
            turns[usize::from(position.ply())].push(*action);
        }
        let mut position = Position::start(variant);
        let mut record = GameRecord::new(variant);
        record.tags.push(("White".into(), "Ada \"the\\ring\"".into()));
        for actions in &turns {
            let turn = Turn::new(actions).unwrap();
            let text = turn.to_string();
            let read: Turn = text.parse().unwrap();
            prop_assert_eq!(&read, &turn);
            prop_assert_eq!(text.to_uppercase().parse::<Turn>().unwrap(), turn);
            position = position.play_turn(&read).unwrap();
            record.turns.push(read);
        }
        prop_assert_eq!(position, end);
        record.outcome = end.outcome();
        let read: GameRecord = record.to_string().parse().unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.replay().unwrap(), end);
    }

    #[test]
    fn legal_turns_are_the_turns_that_can_be_played(seed: u64) {
        let (course, _) = random_game(seed, Variant::Standard);
        let starts: Vec<&Position> =
            course.iter().map(|(p, _)| p).filter(|p| matches!(p.phase(), Phase::MoveRing | Phase::EarlyRow)).collect();
        for position in starts.iter().step_by(6) {
            let turns = position.legal_turns(&[], 5_000).unwrap();
            let distinct: BTreeSet<String> = turns.iter().map(Turn::to_string).collect();
            prop_assert_eq!(distinct.len(), turns.len());
            for turn in &turns {
                prop_assert!(position.play_turn(turn).is_ok());
            }
            prop_assert_eq!(position.legal_turns(&[], 3).unwrap(), turns[..turns.len().min(3)].to_vec());
            let first = turns[0].actions()[0];
            let with_first: Vec<Turn> = turns.iter().filter(|t| t.actions()[0] == first).cloned().collect();
            prop_assert_eq!(position.legal_turns(&[first], 5_000).unwrap(), with_first);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[a-kxRrMmpw0-9;/<> -]{0,60}") {
        let _ = text.parse::<Turn>();
        let _ = text.parse::<Position>();
        let _ = text.parse::<GameRecord>();
    }
}

#[test]
fn a_record_that_does_not_fit_its_board_is_refused() {
    let mut record = GameRecord::new(Variant::Standard);
    record.turns = vec!["e5".parse().unwrap()];
    record.outcome = Some(Outcome {
        winner: Some(Color::White),
        reason: EndReason::Rings,
    });
    assert!(
        record
            .replay()
            .unwrap_err()
            .to_string()
            .contains("the board")
    );
    record.outcome = Some(Outcome {
        winner: Some(Color::White),
        reason: EndReason::Resign,
    });
    assert!(record.replay().is_ok());
    record.turns.push("e5".parse().unwrap());
    let error = record.replay().unwrap_err().to_string();
    assert_eq!(error, "turn 2 (`e5`): part 1 of the turn: e5 is not empty");
}
