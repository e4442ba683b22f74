//! Which action a simulation tries next.

use super::params::{SearchParams, SelectionRule};
use super::tree::{NodeId, Proof, Tree, WIN};

/// What the choice among the actions of one node depends on, beside their own statistics.
pub struct Exploration {
    rule: SelectionRule,
    /// UCT: exploration constant times the root of the logarithm of the node's visits. PUCT: times the root of the visits.
    weight: f32,
    first_play_urgency: f32,
    untried_reduction: f32,
}

impl Exploration {
    /// For a node that was visited `visits` times, at least once.
    pub fn new(params: &SearchParams, visits: u64) -> Self {
        let growth = match params.selection {
            SelectionRule::Uct => natural_logarithm(visits).sqrt(),
            SelectionRule::Puct => (visits as f32).sqrt(),
        };
        Self {
            rule: params.selection,
            weight: params.exploration as f32 * growth,
            first_play_urgency: params.first_play_urgency as f32,
            untried_reduction: params.untried_reduction as f32,
        }
    }

    /// UCB1 as used by UCT (Kocsis and Szepesvári, 2006): the mean value, and more for what was tried little.
    #[inline(always)]
    fn urgency(&self, value: f32, visits: f32) -> f32 {
        let tried = value / (visits * WIN as f32) + self.weight / visits.sqrt();
        if visits == 0.0 {
            self.first_play_urgency
        } else {
            tried
        }
    }

    /// A function of its own, so that the compiler does it for several at a time.
    #[inline(never)]
    fn urgencies(&self, values: &[f32; TOGETHER], visits: &[f32; TOGETHER]) -> [f32; TOGETHER] {
        let mut urgencies = [0.0; TOGETHER];
        for (urgency, (value, visits)) in urgencies.iter_mut().zip(values.iter().zip(visits)) {
            *urgency = self.urgency(*value, *visits);
        }
        urgencies
    }

    /// PUCT (Rosin, 2011; in the form of Silver et al., 2017): the mean value, and more for what looks good and was tried
    /// little.
    #[inline(always)]
    fn urgency_with_prior(&self, mean: f32, visits: f32, prior: f32) -> f32 {
        mean + self.weight * prior / (1.0 + visits)
    }
}

/// Children whose urgencies are computed together, so that one instruction divides for several of them.
const TOGETHER: usize = 8;

/// The natural logarithm of a whole number from 1 up, to about six digits.
///
/// Made of operations that IEEE 754 defines exactly, so that a search is the same on every machine; `f32::ln` is not.
fn natural_logarithm(number: u64) -> f32 {
    let exponent = number.max(1).ilog2();
    let mantissa = number.max(1) as f32 / (1_u64 << exponent) as f32;
    // ln m = 2 artanh z with z = (m - 1) / (m + 1), below 1/3.
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let series =
        1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * z * series
}

/// The child to try next: a proved win, else the most urgent of those that are not proved losses, else any; the first
/// among equals. `None` while the node has no children.
///
/// Those never visited are tried in order, so behind the first of them all are alike, and are not looked at: most nodes
/// have more children than visits. A win that is known before any visit must therefore be the first child.
pub fn select(tree: &Tree, node: NodeId, exploration: &Exploration) -> Option<NodeId> {
    match exploration.rule {
        SelectionRule::Uct => select_by_results(tree, node, exploration),
        SelectionRule::Puct => select_with_priors(tree, node, exploration),
    }
}

/// Children stand in order of their priors, so that among those not yet visited the first is the most urgent.
fn select_with_priors(tree: &Tree, node: NodeId, exploration: &Exploration) -> Option<NodeId> {
    let children = tree.child_nodes(node);
    let mut best = children.clone().next();
    let mut most = f32::NEG_INFINITY;
    let (mut all_value, mut all_visits) = (0.0, 0.0);
    for child in children {
        match child.proof() {
            None => {}
            Some(Proof::Win) => return Some(child.id),
            Some(Proof::Loss) => continue,
        }
        let stats = child.stats();
        let prior = child.prior().share();
        let visits = stats.visits as i32 as f32;
        if stats.visits == 0 {
            let mean = if all_visits == 0.0 {
                0.5
            } else {
                all_value / all_visits
            };
            let mean = mean - exploration.untried_reduction;
            if exploration.urgency_with_prior(mean, 0.0, prior) > most {
                best = Some(child);
            }
            break;
        }
        let value = stats.value as i64 as f32 / WIN as f32;
        all_value += value;
        all_visits += visits;
        let urgency = exploration.urgency_with_prior(value / visits, visits, prior);
        if urgency > most {
            most = urgency;
            best = Some(child);
        }
    }
    best.map(|child| child.id)
}

fn select_by_results(tree: &Tree, node: NodeId, exploration: &Exploration) -> Option<NodeId> {
    let mut children = tree.child_nodes(node);
    let mut best = children.clone().next();
    let mut most = f32::NEG_INFINITY;
    while children.len() > 0 {
        let mut group = [best; TOGETHER];
        let mut values = [f32::NEG_INFINITY; TOGETHER];
        let mut visits = [1.0; TOGETHER];
        for (index, child) in children.by_ref().take(TOGETHER).enumerate() {
            group[index] = Some(child);
            match child.proof() {
                None => {
                    let stats = child.stats();
                    values[index] = stats.value as i64 as f32;
                    visits[index] = stats.visits as i32 as f32;
                }
                Some(Proof::Win) => return Some(child.id),
                Some(Proof::Loss) => {}
            }
        }
        let urgencies = exploration.urgencies(&values, &visits);
        for (child, urgency) in group.into_iter().zip(urgencies) {
            if urgency > most {
                most = urgency;
                best = child;
            }
        }
        if visits.contains(&0.0) {
            break;
        }
    }
    best.map(|child| child.id)
}

/// The child that the search trusts most: a proved win, else the most visited that is not a proved loss, and among
/// those the one of the highest value. `None` without children.
pub fn best_child(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.children(node).max_by_key(|child| {
        let proof = match tree.proof(*child) {
            Some(Proof::Win) => 2,
            None => 1,
            Some(Proof::Loss) => 0,
        };
        let stats = tree.stats(*child);
        (proof, stats.visits, stats.value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Point};
    use crate::search::playout::Prior;

    #[test]
    fn the_logarithm_is_right() {
        for number in (1..5_000).chain([1 << 20, (1 << 28) - 1]) {
            let exact = (number as f64).ln();
            let error = (f64::from(natural_logarithm(number)) - exact).abs();
            assert!(error <= 1e-5 * exact.max(0.1), "{number}: {error}");
        }
    }

    #[test]
    fn urgency_weighs_value_against_curiosity() {
        let params = SearchParams {
            selection: SelectionRule::Uct,
            exploration: 0.5,
            first_play_urgency: 1.0,
            ..SearchParams::default()
        };
        let exploration = Exploration::new(&params, 100);
        let urgency = |visits: u16, wins: u16| {
            exploration.urgency(f32::from(wins) * WIN as f32, f32::from(visits))
        };
        assert!(
            urgency(10, 8) > urgency(10, 5),
            "the better of two equally tried"
        );
        assert!(
            urgency(10, 5) > urgency(40, 20),
            "the less tried of two equally good"
        );
        assert!((urgency(0, 0) - 1.0).abs() < 1e-6, "first play urgency");
        let expected = 0.8 + 0.5 * (100_f32.ln() / 10.0).sqrt();
        assert!((urgency(10, 8) - expected).abs() < 1e-4);
    }

    /// A tree with a child for each prior, given in quarters of halvings.
    fn tree_with(priors: &[u8]) -> (Tree, Vec<NodeId>) {
        let tree = Tree::new(10_000);
        let points = Point::all().map(Action::PlaceRing);
        let list: Vec<_> = points
            .zip(priors.iter().copied().map(Prior::from_bits))
            .collect();
        tree.grow(tree.root(), || list);
        let children = tree.children(tree.root()).collect();
        (tree, children)
    }

    fn try_with(tree: &Tree, node: NodeId, values: &[u64]) {
        for value in values {
            tree.add_visits(node, 1);
            tree.add_value(node, *value);
        }
    }

    #[test]
    fn what_looks_good_is_tried_first_and_what_did_well_again() {
        let (tree, children) = tree_with(&[0, 4, 8, 40]);
        let select_after = |visits| {
            let exploration = Exploration::new(&SearchParams::default(), visits);
            select(&tree, tree.root(), &exploration).unwrap()
        };
        assert_eq!(select_after(1), children[0]);
        try_with(&tree, children[0], &[WIN / 2; 4]);
        assert_eq!(select_after(5), children[1], "the next best-looking one");
        try_with(&tree, children[1], &[WIN]);
        assert_eq!(select_after(6), children[1], "the one that did better");
        try_with(&tree, children[1], &[0, 0, 0, 0]);
        try_with(&tree, children[0], &[0, 0, 0, 0]);
        assert_eq!(select_after(14), children[2], "those tried did badly");
    }

    #[test]
    fn a_proved_win_is_chosen_and_a_proved_loss_is_not() {
        let (tree, children) = tree_with(&[0, 4, 8]);
        let exploration = Exploration::new(&SearchParams::default(), 10);
        tree.prove(children[0], Proof::Loss);
        assert_eq!(select(&tree, tree.root(), &exploration), Some(children[1]));
        try_with(&tree, children[1], &[WIN]);
        tree.prove(children[2], Proof::Win);
        try_with(&tree, children[2], &[WIN]);
        assert_eq!(select(&tree, tree.root(), &exploration), Some(children[2]));
    }
}
