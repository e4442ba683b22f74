//! Sides and openings of a match.

use std::collections::HashSet;
use std::time::Duration;

use yinsh_bot::arena::{
    Contestant, MatchConfig, Openings, Pace, Side, SideError, SideSpec, TimeControl,
};
use yinsh_bot::game::{Color, Phase, Symmetry, Variant};
use yinsh_bot::player::PlayerKind;
use yinsh_bot::search::{SearchParams, TimeParams};
use yinsh_bot::setting::Settings;

fn side(text: &str) -> Result<Side, SideError> {
    let config = MatchConfig::default();
    let (search, time) = (SearchParams::default(), TimeParams::default());
    text.parse::<SideSpec>()?
        .resolve((&search, &time), &config, Variant::Standard)
}

fn search_of(text: &str) -> SearchParams {
    match side(text).unwrap().contestant {
        Contestant::Search(search) => search,
        other => panic!("{other:?}"),
    }
}

#[test]
fn changes_are_made_on_what_a_side_begins_with() {
    let default = SearchParams {
        threads: 1,
        memory_mb: 64,
        ..SearchParams::default()
    };
    assert_eq!(search_of("default"), default);
    let changed = SearchParams {
        exploration: 0.75,
        threads: 2,
        ..default
    };
    assert_eq!(search_of("exploration=0.75,threads=2"), changed);
    assert_eq!(
        search_of("default, exploration = 0.75 , threads=2"),
        changed
    );
    assert_eq!(search_of("baseline"), SearchParams::baseline());
    assert_eq!(search_of("baseline,memory_mb=9").memory_mb, 9);
    assert_eq!(side("expected_turns=9").unwrap().time.expected_turns, 9);
    assert_eq!(
        side("greedy").unwrap().contestant,
        Contestant::Simple(PlayerKind::Greedy)
    );
}

#[test]
fn a_side_may_have_its_own_limits() {
    let pace = |text| side(text).unwrap().pace;
    let simulations = Some(1000);
    assert_eq!(
        pace("default"),
        Pace {
            simulations,
            time: None
        }
    );
    let per_turn = Some(TimeControl::PerTurn(Duration::from_millis(50)));
    assert_eq!(
        pace("turn_ms=50"),
        Pace {
            simulations: None,
            time: per_turn
        }
    );
    assert_eq!(
        pace("turn_ms=50,simulations=1000"),
        Pace {
            simulations,
            time: per_turn
        }
    );
    let clock = Some(TimeControl::Clock {
        base: Duration::from_secs(2),
        increment: Duration::from_millis(20),
    });
    assert_eq!(
        pace("base_ms=2000,increment_ms=20,ugi:x"),
        Pace {
            simulations: None,
            time: clock
        }
    );
}

#[test]
fn everything_behind_ugi_is_the_command() {
    let Contestant::Engine { setup, threads } =
        side("threads=2,Style=wild,ugi:engine --a=1,b ugi:x")
            .unwrap()
            .contestant
    else {
        panic!("an engine");
    };
    assert_eq!(setup.command, "engine --a=1,b ugi:x");
    assert_eq!(setup.required, [("Style".to_owned(), "wild".to_owned())]);
    assert!(
        setup
            .optional
            .contains(&("threads".to_owned(), "2".to_owned()))
    );
    assert_eq!(threads, 2);
}

#[test]
fn bad_sides_are_refused() {
    for (text, complaint) in [
        ("", "`` is neither default"),
        ("default,greedy", "`greedy` must stand first"),
        ("greedy,,threads=1", "`` is neither default"),
        ("greedy,ugi:x", "`greedy` must stand first"),
        (
            "proofs=maybe",
            "`proofs` must be true or false, not \"maybe\"",
        ),
        ("simulations=many", "`simulations` must be a whole number"),
        ("tuning=1", "unknown key `tuning`"),
    ] {
        let error = side(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
}

/// This search is the measure of all others. Whoever wants another one adds another preset; a new parameter gets the
/// value here that leaves the search as it is.
#[test]
fn the_baseline_never_changes() {
    let params = SearchParams::baseline();
    let value = |name: &str| {
        let mut table = SearchParams::TABLE.iter();
        let setting = table.find(|setting| setting.name == name).unwrap();
        (setting.get)(&params).to_string()
    };
    for (name, frozen) in [
        ("exploration", "0.5"),
        ("first_play_urgency", "10.0"),
        ("expansion_visits", "2"),
        ("leaves_at_once", "1"),
        ("proofs", "false"),
        ("follow_up_visits", "500"),
    ] {
        assert_eq!(value(name), frozen, "{name}");
    }
}

fn openings(config: &MatchConfig, rounds: usize) -> Openings {
    Openings::random(Variant::Standard, config, rounds)
}

#[test]
fn random_openings_are_all_different_and_follow_from_the_seed() {
    let config = MatchConfig {
        placements: 3,
        balance: 0.5,
        ..MatchConfig::default()
    };
    let first = openings(&config, 200);
    let again = openings(&config, 200);
    let mut seen = HashSet::new();
    // Asked for in any order.
    for round in (0..200).rev() {
        let opening = first.opening(round).unwrap();
        assert_eq!((opening.ply(), opening.phase()), (3, Phase::PlaceRing));
        for symmetry in Symmetry::all() {
            seen.insert((round, symmetry.position(&opening).to_string()));
        }
    }
    let texts: HashSet<_> = seen.iter().map(|(_, text)| text).collect();
    assert_eq!(texts.len(), seen.len(), "no two are images of one another");
    for round in 0..200 {
        assert_eq!(first.opening(round).unwrap(), again.opening(round).unwrap());
    }
    let other = MatchConfig { seed: 2, ..config };
    assert_ne!(
        openings(&other, 1).opening(0).unwrap(),
        first.opening(0).unwrap()
    );
}

#[test]
fn openings_that_were_seen_are_left_out() {
    let config = MatchConfig::default();
    let all = openings(&config, 6);
    let after = openings(&config, 6).after(4);
    for round in 0..2 {
        assert_eq!(
            after.opening(round).unwrap(),
            all.opening(4 + round).unwrap()
        );
    }
}

#[test]
fn random_turns_follow_the_placements() {
    let config = MatchConfig {
        placements: 2,
        opening_turns: 3,
        balance: 0.5,
        ..MatchConfig::default()
    };
    let opening = openings(&config, 1).opening(0).unwrap();
    assert_eq!(
        (opening.ply(), opening.markers_on_board(), opening.side()),
        (13, 3, Color::Black)
    );
}

#[test]
fn few_openings_are_used_up() {
    let config = MatchConfig {
        placements: 1,
        balance: 0.5,
        ..MatchConfig::default()
    };
    let openings = openings(&config, 9);
    // One ring on 85 points is one of eleven openings, if images count as the same.
    assert!(openings.opening(0).is_ok());
    let error = openings.opening(8).unwrap_err().to_string();
    assert!(
        error.contains("there are only 11 different openings with 1 random placements"),
        "{error}"
    );
}
