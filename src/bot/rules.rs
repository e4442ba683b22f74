//! Whether a server plays the rules that this program plays.

use crate::api::{API_VERSION, Meta, Rules};
use crate::game::Variant;

/// The variants that the server plays as this program does.
///
/// # Errors
/// Says what differs when there is none.
pub fn playable_variants(meta: &Meta) -> Result<Vec<Variant>, String> {
    let ours = Rules::ours();
    let theirs = &meta.rules;
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    let mut differences = Vec::new();
    let mut compare = |what: &str, ours: &str, theirs: &str| {
        if ours != theirs {
            differences.push(format!("{what} is `{theirs}` there, `{ours}` here"));
        }
    };
    compare("the game", "yinsh", &meta.game);
    compare(
        "the API's major version",
        &major(API_VERSION).unwrap_or_default(),
        &major(&meta.api).unwrap_or_default(),
    );
    for (what, ours, theirs) in [
        ("rings", ours.rings, theirs.rings),
        ("markers", ours.markers, theirs.markers),
        ("row", ours.row, theirs.row),
    ] {
        compare(what, &ours.to_string(), &theirs.to_string());
    }
    for (what, ours, theirs) in [
        ("opponent_rows", &ours.opponent_rows, &theirs.opponent_rows),
        ("no_legal_move", &ours.no_legal_move, &theirs.no_legal_move),
        (
            "markers_exhausted",
            &ours.markers_exhausted,
            &theirs.markers_exhausted,
        ),
        (
            "pending_rows_when_exhausted",
            &ours.pending_rows_when_exhausted,
            &theirs.pending_rows_when_exhausted,
        ),
    ] {
        compare(what, ours, theirs);
    }
    let wins = [
        (Variant::Standard, &ours.win.standard, &theirs.win.standard),
        (Variant::Blitz, &ours.win.blitz, &theirs.win.blitz),
    ];
    let offered = theirs.variants.iter().filter_map(|w| (*w).try_into().ok());
    let offered: Vec<Variant> = offered.collect();
    let playable: Vec<_> = wins
        .into_iter()
        .filter(|(variant, ours, theirs)| ours == theirs && offered.contains(variant))
        .map(|(variant, ..)| variant)
        .collect();
    if playable.is_empty() {
        differences.push("no variant is won there as here".to_owned());
    }
    if differences.is_empty() {
        Ok(playable)
    } else {
        Err(differences.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Limits;

    fn meta(rules: Rules) -> Meta {
        Meta {
            api: API_VERSION.to_owned(),
            server_time: 0,
            game: "yinsh".to_owned(),
            rules,
            limits: Limits {
                wait_max_s: 30,
                body_max_bytes: 4096,
                games_max: 16,
                requests_per_minute: 120,
            },
            time_controls: Vec::new(),
        }
    }

    #[test]
    fn our_own_rules_are_playable() {
        let found = playable_variants(&meta(Rules::ours()));
        assert_eq!(found, Ok(vec![Variant::Standard, Variant::Blitz]));
    }

    #[test]
    fn a_variant_that_is_won_otherwise_is_left_out() {
        let mut rules = Rules::ours();
        rules.win.blitz = "two_rows".to_owned();
        assert_eq!(playable_variants(&meta(rules)), Ok(vec![Variant::Standard]));
    }

    #[test]
    fn other_rules_are_named() {
        let mut rules = Rules::ours();
        rules.rings = 6;
        rules.no_legal_move = "loses".to_owned();
        let error = playable_variants(&meta(rules)).unwrap_err();
        assert_eq!(
            error,
            "rings is `6` there, `5` here; no_legal_move is `loses` there, `pass` here"
        );
    }
}
