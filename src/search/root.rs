//! A thread's own view of the root and its actions.

use std::sync::atomic::Ordering::Relaxed;

use super::node::{Proof, Slot};
use super::tree::{NodeId, Tree};

/// Between two exchanges with the tree are one in so many of the visits of the root, so that threads do not all try the
/// same while little is known.
const PART: u64 = 64;

/// Most simulations between two exchanges.
const MOST: u64 = 256;

/// The root of a search and its children as one thread sees them: it counts here what it does, and exchanges it with the
/// tree from time to time. Every simulation changes one of the children and looks at all of them; if it did so in the
/// tree, threads would wait for each other's cache lines most of all there.
pub struct RootView<'a> {
    tree: &'a Tree,
    root: NodeId,
    first: NodeId,
    /// The root, and then its children.
    nodes: Vec<Slot>,
    /// The statistics of each at the last exchange.
    known: Vec<u64>,
    /// Simulations since then.
    simulations: u64,
}

impl<'a> RootView<'a> {
    /// A view of `root`, with the children that it has.
    pub fn new(tree: &'a Tree, root: NodeId) -> Self {
        let copies = shared_nodes(tree, root).map(|node| {
            let copy = Slot::default();
            copy.copy(node);
            copy
        });
        let nodes: Vec<Slot> = copies.collect();
        Self {
            tree,
            root,
            first: tree.block(root).0,
            known: nodes.iter().map(|node| node.stats.load(Relaxed)).collect(),
            nodes,
            simulations: 0,
        }
    }

    /// The root.
    pub const fn id(&self) -> NodeId {
        self.root
    }

    /// Counts a visit of the root, and tells how many there are with it.
    pub fn visit(&mut self) -> u64 {
        self.simulations += 1;
        self.nodes[0].visit()
    }

    /// The first child, and all of them; see [`Tree::block`].
    pub fn block(&self) -> (NodeId, &[Slot]) {
        (self.first, &self.nodes[1..])
    }

    /// The child `node`.
    pub fn child(&self, node: NodeId) -> &Slot {
        &self.nodes[1 + node.behind(self.first)]
    }

    /// Notes a proof of the child `node`, for all threads.
    pub fn prove(&self, node: NodeId, proof: Proof) {
        self.child(node).prove(proof);
        self.tree[node].prove(proof);
    }

    /// Exchanges with the tree if it is time to.
    pub fn refresh(&mut self) {
        let visits = self.nodes[0].stats().visits;
        if self.simulations >= (visits / PART).min(MOST) {
            self.exchange();
        }
    }

    /// Adds to the tree what is new here, and takes over what it knows.
    pub fn exchange(&mut self) {
        self.simulations = 0;
        let shared = shared_nodes(self.tree, self.root);
        for ((own, known), shared) in self.nodes.iter().zip(&mut self.known).zip(shared) {
            let new = own.stats.load(Relaxed) - *known;
            *known = if new == 0 {
                shared.stats.load(Relaxed)
            } else {
                shared.stats.fetch_add(new, Relaxed) + new
            };
            own.stats.store(*known, Relaxed);
            let proof_and_prior = shared.proof_and_prior.load(Relaxed);
            own.proof_and_prior.store(proof_and_prior, Relaxed);
        }
    }
}

/// The root and its children in the tree.
fn shared_nodes(tree: &Tree, root: NodeId) -> impl Iterator<Item = &Slot> {
    std::iter::once(&tree[root]).chain(tree.block(root).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Point};
    use crate::search::node::{Prior, Stats, WIN};

    #[test]
    fn threads_count_apart_and_lose_nothing() {
        let tree = Tree::new(10_000);
        let list: Vec<_> = Point::all()
            .map(|point| (Action::PlaceRing(point), Prior::default()))
            .collect();
        tree.grow(tree.root(), || list);
        let mut views = [(); 3].map(|()| RootView::new(&tree, tree.root()));
        let children: Vec<NodeId> = tree.children(tree.root()).collect();
        for round in 0..10_000 {
            let view = &mut views[round * round % 7 % 3];
            assert_eq!(view.block().0, children[0]);
            let child = children[round * 31 % 85];
            view.visit();
            let visits = view.child(child).visit();
            assert_eq!(view.child(child).stats().visits, visits);
            view.child(child).add_value(WIN / 2);
            view.refresh();
        }
        views[1].prove(children[7], Proof::Loss);
        views.iter_mut().for_each(RootView::exchange);
        views.iter_mut().for_each(RootView::exchange);
        let visits = |node: NodeId| tree[node].stats().visits;
        assert_eq!(visits(tree.root()), 10_000);
        assert_eq!(
            children.iter().map(|child| visits(*child)).sum::<u64>(),
            10_000
        );
        for child in children {
            let Stats { visits, value } = tree[child].stats();
            assert_eq!(value, visits * WIN / 2);
            for view in &views {
                assert_eq!(view.child(child).stats(), tree[child].stats());
                assert_eq!(view.child(child).proof(), tree[child].proof());
            }
        }
    }

    #[test]
    fn a_view_is_at_most_256_simulations_behind() {
        let tree = Tree::new(10_000);
        tree.grow(tree.root(), || [(Action::Pass, Prior::default())]);
        let mut views = [(); 2].map(|()| RootView::new(&tree, tree.root()));
        for round in 1..100_000 {
            views[0].visit();
            views[0].refresh();
            let behind = round - tree[tree.root()].stats().visits;
            assert!(behind <= (round / PART).min(MOST), "{behind} of {round}");
        }
        assert!(views[1].visit() == 1);
        views[1].exchange();
        assert!(views[1].visit() > 99_000);
    }
}
