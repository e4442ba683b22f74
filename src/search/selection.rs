//! Which action a simulation tries next.

use super::node::{Proof, Slot, Stats, WIN};
use crate::choices;

/// How the search chooses among the actions of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelectionRule {
    /// By their results alone.
    Uct,
    /// By their results and by how good they looked before they were tried.
    #[default]
    Puct,
}

choices!(SelectionRule { Uct => "uct", Puct => "puct" });

impl SelectionRule {
    /// What the exploration constant is multiplied with at a node that was visited `visits` times, at least once. UCT: the
    /// root of the logarithm of the visits. PUCT: the root of the visits.
    pub fn growth(self, visits: u64) -> f32 {
        match self {
            Self::Uct => natural_logarithm(visits).sqrt(),
            Self::Puct => (visits as f32).sqrt(),
        }
    }
}

/// What the choice among the actions of one node depends on, beside their own statistics.
#[derive(Clone, Copy, Debug)]
pub struct Exploration {
    /// Which formula.
    pub rule: SelectionRule,
    /// The exploration constant times [`SelectionRule::growth`].
    pub weight: f32,
    /// UCT: the urgency of what was never tried.
    pub first_play_urgency: f32,
    /// PUCT: how much less what was never tried is thought to be worth than the mean of what was.
    pub untried_reduction: f32,
}

impl Exploration {
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

    /// PUCT (Rosin, 2011; in the form of Silver et al., 2017): the mean value, and more for what looks good and was tried
    /// little.
    #[inline(always)]
    fn urgency_with_prior(&self, mean: f32, visits: f32, prior: f32) -> f32 {
        mean + self.weight * prior / (1.0 + visits)
    }

    /// The same for what was never tried, where so much came of what was.
    #[inline(always)]
    pub fn urgency_untried(&self, others: Stats, prior: f32) -> f32 {
        let mean = if others.visits == 0 {
            0.5
        } else {
            others.value as i64 as f32 / WIN as f32 / others.visits as i64 as f32
        };
        self.urgency_with_prior(mean - self.untried_reduction, 0.0, prior)
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

/// The node to try next among those side by side, at least one: a proved win, else the most urgent of those that are not
/// proved losses, else any; the first among equals.
///
/// Those never visited are tried in order, so behind the first of them all are alike, and are not looked at: most nodes
/// have more children than visits. A win that is known before any visit must therefore be the first child.
#[inline(always)]
pub fn most_urgent(nodes: &[Slot], exploration: &Exploration) -> usize {
    match exploration.rule {
        SelectionRule::Uct => by_results(nodes, exploration),
        SelectionRule::Puct => with_priors(nodes, exploration),
    }
}

/// Nodes stand in order of their priors, so that among those not yet visited the first is the most urgent.
#[inline(always)]
fn with_priors(nodes: &[Slot], exploration: &Exploration) -> usize {
    let mut best = 0;
    let mut most = f32::NEG_INFINITY;
    let mut all = Stats::default();
    for (index, node) in nodes.iter().enumerate() {
        match node.proof() {
            None => {}
            Some(Proof::Win) => return index,
            Some(Proof::Loss) => continue,
        }
        let stats = node.stats();
        let prior = node.prior().share();
        if stats.visits == 0 {
            if exploration.urgency_untried(all, prior) > most {
                best = index;
            }
            break;
        }
        all = all.plus(stats);
        let visits = stats.visits as i32 as f32;
        let mean = stats.value as i64 as f32 / WIN as f32 / visits;
        let urgency = exploration.urgency_with_prior(mean, visits, prior);
        if urgency > most {
            most = urgency;
            best = index;
        }
    }
    best
}

#[inline(always)]
fn by_results(nodes: &[Slot], exploration: &Exploration) -> usize {
    let mut best = 0;
    let mut most = f32::NEG_INFINITY;
    for (first, group) in (0..).step_by(TOGETHER).zip(nodes.chunks(TOGETHER)) {
        let mut values = [f32::NEG_INFINITY; TOGETHER];
        let mut visits = [1.0; TOGETHER];
        for (index, node) in group.iter().enumerate() {
            match node.proof() {
                None => {
                    let stats = node.stats();
                    values[index] = stats.value as i64 as f32;
                    visits[index] = stats.visits as i32 as f32;
                }
                Some(Proof::Win) => return first + index,
                Some(Proof::Loss) => {}
            }
        }
        let mut urgencies = [0.0; TOGETHER];
        for (urgency, (value, visits)) in urgencies.iter_mut().zip(values.iter().zip(&visits)) {
            *urgency = exploration.urgency(*value, *visits);
        }
        for (index, urgency) in urgencies.into_iter().enumerate() {
            if urgency > most {
                most = urgency;
                best = first + index;
            }
        }
        if visits.contains(&0.0) {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use rand::{Rng, RngExt};

    use super::*;
    use crate::game::{Action, Point};
    use crate::search::node::{Prior, VISIT_BITS};
    use crate::search::playout::Playouts;
    use crate::search::tree::{NodeId, Tree};
    use crate::search::{SearchParams, random_stream};

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
        let exploration = params.exploration_after(100);
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
        tree.grower(1).grow(tree.root(), || list);
        let children = tree.children(tree.root()).collect();
        (tree, children)
    }

    fn try_with(tree: &Tree, node: NodeId, values: &[u64]) {
        for value in values {
            tree[node].visit();
            tree[node].add_value(*value);
        }
    }

    fn select(tree: &Tree, exploration: &Exploration) -> NodeId {
        let (first, nodes) = tree.block(tree.root());
        first.plus(most_urgent(nodes, exploration))
    }

    #[test]
    fn what_looks_good_is_tried_first_and_what_did_well_again() {
        let (tree, children) = tree_with(&[0, 4, 8, 40]);
        let select_after = |visits| {
            let exploration = SearchParams::default().exploration_after(visits);
            select(&tree, &exploration)
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
        let exploration = SearchParams::default().exploration_after(10);
        tree[children[0]].prove(Proof::Loss);
        assert_eq!(select(&tree, &exploration), children[1]);
        try_with(&tree, children[1], &[WIN]);
        tree[children[2]].prove(Proof::Win);
        try_with(&tree, children[2], &[WIN]);
        assert_eq!(select(&tree, &exploration), children[2]);
    }

    /// Nodes as a search could leave them: a part tried, a few proved, equal ones among them.
    fn some_nodes(random: &mut impl Rng) -> Vec<Slot> {
        let count = random.random_range(1..140);
        let tried = random.random_range(0..=count);
        let most_visits = 1 << random.random_range(1..VISIT_BITS);
        let mut priors: Vec<u8> = (0..count).map(|_| random.random_range(0..64)).collect();
        priors.sort_unstable();
        let proofs = random.random_range(0..4);
        let nodes = priors.into_iter().enumerate().map(|(index, prior)| {
            let node: Slot = bytemuck::Zeroable::zeroed();
            node.write(0, Prior::from_bits(prior));
            if index < tried && random.random_range(0..20) > 0 {
                let visits = random.random_range(1..=most_visits);
                let value = visits * WIN / 8 * random.random_range(0..=8);
                node.stats.store(value << VISIT_BITS | visits, Relaxed);
            }
            if random.random_range(0..8) < proofs {
                let is_win = random.random_range(0..15) == 0;
                let proof = if is_win { Proof::Win } else { Proof::Loss };
                node.proof_and_prior.fetch_or(proof as u8, Relaxed);
            }
            node
        });
        nodes.collect()
    }

    #[test]
    fn all_instruction_sets_choose_the_same() {
        let mut random = random_stream(5, 0);
        let mut chosen = [0_u32; 140];
        for _ in 0..20_000 {
            let nodes = some_nodes(&mut random);
            for selection in [SelectionRule::Uct, SelectionRule::Puct] {
                let params = SearchParams {
                    selection,
                    untried_reduction: random.random_range(0.0..0.5),
                    ..SearchParams::default()
                };
                let visits: u64 = nodes.iter().map(|node| node.stats().visits).sum();
                let exploration = params.exploration_after(visits + 1);
                let expected = most_urgent(&nodes, &exploration);
                chosen[expected] += 1;
                for playouts in Playouts::all() {
                    assert_eq!(
                        playouts.most_urgent(&nodes, &exploration),
                        expected,
                        "{:?}, {exploration:?}",
                        playouts.simd()
                    );
                }
            }
        }
        assert!(chosen[..60].iter().all(|times| *times > 0), "{chosen:?}");
    }
}
