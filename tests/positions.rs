//! Sound play: positions with what must be found in them.
//!
//! `tests/data/positions.txt` has one a line: kind, position, and what is right. The kinds:
//! - `win1`: a turn wins at once; every such turn.
//! - `win2`: a win is proved, but none at once; every turn behind which the opponent is proved to lose.
//! - `block`: the opponent is about to win; every turn that leaves no win at once.
//! - `last`: a win is proved with the markers about to run out; as `win2`.
//! - `ring`, `run`, `both`: which ring to take off, which five of several, which with rows of both sides; every action
//!   whose value in a search of 400 000 simulations is within 0.02 of the best, the others being 0.05 and more below.

#[path = "common/search.rs"]
mod search;

use std::collections::BTreeMap;

use search::fresh_search;
use yinsh_bot::game::Position;

const POSITIONS: &str = include_str!("data/positions.txt");

/// What one thread does in half a second.
const SIMULATIONS: u64 = 200_000;

/// What the default search plays: the turn, and its first action.
fn played(position: &Position) -> [String; 2] {
    let turn = fresh_search(position, 256, SIMULATIONS).turn;
    [turn.to_string(), turn.actions()[0].to_string()]
}

#[test]
#[ignore = "a minute of search; run by the gate"]
fn nearly_all_positions_are_solved_and_every_win_in_one() {
    let mut solved: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut missed = Vec::new();
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let [kind, text, right] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("`{line}` has not three fields");
        };
        let played = played(&text.parse().unwrap());
        let is_right = right
            .split(' ')
            .any(|right| played.iter().any(|p| p == right));
        let (count, all) = solved.entry(kind).or_default();
        *count += u32::from(is_right);
        *all += 1;
        if !is_right {
            missed.push(format!("{kind}: {} in {text}", played[0]));
        }
    }
    println!("{solved:?}\n{}", missed.join("\n"));
    let (count, all) = solved
        .values()
        .fold((0, 0), |(count, all), (c, a)| (count + c, all + a));
    assert!(all >= 50, "{all} positions");
    assert_eq!(solved["win1"].0, solved["win1"].1, "{missed:#?}");
    assert!(f64::from(count) >= 0.95 * f64::from(all), "{missed:#?}");
}
