//! Perft counts that three independently written engines agree on.

use serde::Deserialize;
use yinsh_bot::game::{Position, divide, perft};

#[derive(Deserialize)]
struct Vectors {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    position: String,
    description: String,
    perft: Vec<u64>,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("data/rules_vectors.json");
    serde_json::from_str::<Vectors>(text).unwrap().vectors
}

#[test]
fn perft_equals_every_vector() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 80);
    for vector in vectors {
        let position: Position = vector
            .position
            .parse()
            .unwrap_or_else(|e| panic!("{}: {e}", vector.position));
        assert_eq!(
            position.to_string(),
            vector.position,
            "{}",
            vector.description
        );
        for (depth, count) in (1..).zip(&vector.perft) {
            assert_eq!(
                perft(&position, depth),
                *count,
                "{} to depth {depth}: {}",
                vector.description,
                vector.position
            );
        }
    }
}

#[test]
fn divide_sums_to_perft() {
    for vector in vectors().iter().skip(1).step_by(7) {
        let position: Position = vector.position.parse().unwrap();
        assert_eq!(
            divide(&position, 2).map(|(_, count)| count).sum::<u64>(),
            vector.perft[1]
        );
    }
}
