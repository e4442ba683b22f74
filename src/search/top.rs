//! The top of the tree as one thread sees it.

use std::slice;
use std::sync::atomic::Ordering::Relaxed;

use super::node::{Proof, Slot, WIN};
use super::tree::{NodeId, Tree};
use crate::game::Color;

/// All threads together keep at most one in so many of the visits of a node to themselves, so that they do not all try the
/// same.
const PART: u64 = 32;

/// Most visits that a thread keeps to itself.
const MOST: u64 = 256;

/// A thread counts for itself the children of a node that was visited so often for each thread: often enough for all of
/// them together to keep at most one in 64 of its visits. Further down than at the root it costs strength to know less.
const BUSY: u64 = 64 * MOST;

/// Most blocks that a thread has copies of.
const MOST_BLOCKS: usize = 64;

/// Busy nodes of a tree as one thread sees them: it counts here what it does, and exchanges it with the tree from time to
/// time. Every simulation changes one child of each node on its way and looks at all of them; if it did so in the tree,
/// threads would wait for each other's cache lines, most of all near the root. A thread that is alone counts in the tree.
pub struct TopView<'a> {
    tree: &'a Tree,
    root: Place,
    blocks: Vec<Block<'a>>,
    threads: u64,
}

/// A node, and who counts its visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    node: NodeId,
    /// The copy of its block that the thread has; `None`: all threads together, in the tree.
    block: Option<BlockId>,
}

impl Place {
    /// The node.
    pub const fn node(self) -> NodeId {
        self.node
    }
}

/// The nodes of a descent, each with the colour that chose it.
pub type Path = Vec<(Place, Color)>;

/// Refers to a block of a [`TopView`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockId(u16);

/// The block of the root alone.
const ROOT: BlockId = BlockId(0);

/// The children of a node, side by side.
pub struct Children<'a> {
    /// All of them; none before the node has grown.
    pub nodes: &'a [Slot],
    first: Place,
}

impl Children<'_> {
    /// The child with this index.
    pub const fn place(&self, index: usize) -> Place {
        Place {
            node: self.first.node.plus(index),
            block: self.first.block,
        }
    }
}

/// What a thread knows of the children of one node, or of the root alone, and adds to it.
struct Block<'a> {
    first: NodeId,
    /// In the tree.
    shared: &'a [Slot],
    /// The thread's own copies.
    nodes: Vec<Slot>,
    /// The statistics of each at the last exchange.
    known: Vec<u64>,
    /// The block below each, if the thread has a copy of it.
    below: Vec<Option<BlockId>>,
    /// Visits until the next exchange.
    left: u64,
}

impl<'a> TopView<'a> {
    /// The view of one of so many threads on what lies below `root`.
    pub fn new(tree: &'a Tree, root: NodeId, threads: usize) -> Self {
        let is_alone = threads == 1;
        let mut view = Self {
            tree,
            root: Place {
                node: root,
                block: (!is_alone).then_some(ROOT),
            },
            blocks: Vec::new(),
            threads: threads as u64,
        };
        if !is_alone {
            view.copy_block(root, slice::from_ref(&tree[root]));
            view.copy_below(ROOT, 0);
        }
        view
    }

    /// The root.
    pub const fn root(&self) -> Place {
        self.root
    }

    /// The statistics and the proof of a node, as the thread sees them, and where it counts.
    #[inline(always)]
    pub fn slot(&self, place: Place) -> &Slot {
        match place.block {
            None => &self.tree[place.node],
            Some(id) => {
                let block = self.block(id);
                &block.nodes[place.node.behind(block.first)]
            }
        }
    }

    /// The children of a node.
    #[inline(always)]
    pub fn children(&self, place: Place) -> Children<'_> {
        let below = place.block.and_then(|id| {
            let block = self.block(id);
            block.below[place.node.behind(block.first)]
        });
        let (node, nodes) = match below {
            None => self.tree.block(place.node),
            Some(id) => {
                let block = self.block(id);
                (block.first, &block.nodes[..])
            }
        };
        Children {
            nodes,
            first: Place { node, block: below },
        }
    }

    /// Notes a proof, for all threads.
    pub fn prove(&self, place: Place, proof: Proof) {
        self.slot(place).prove(proof);
        self.tree[place.node].prove(proof);
    }

    /// Ends a simulation that has gone down this path from the root: adds what White got to the value of each node, in
    /// parts of [`WIN`], and exchanges with the tree what it is time for.
    #[inline(always)]
    pub fn finish(&mut self, path: &Path, white: u64) {
        self.count(self.root);
        for (place, decider) in path {
            let value = match decider {
                Color::White => white,
                Color::Black => WIN - white,
            };
            self.slot(*place).add_value(value);
            self.count(*place);
        }
    }

    #[inline(always)]
    fn count(&mut self, place: Place) {
        let Some(id) = place.block else {
            return;
        };
        let block = &mut self.blocks[usize::from(id.0)];
        block.left -= 1;
        if block.left == 0 {
            self.refresh(id);
        }
    }

    #[cold]
    fn refresh(&mut self, id: BlockId) {
        self.exchange(id);
        self.copy_below(id, BUSY * self.threads);
    }

    /// Adds to the tree all that is new here.
    pub fn hand_in(&mut self) {
        for id in 0..self.blocks.len() {
            self.exchange(BlockId(id as u16));
        }
    }

    fn block(&self, id: BlockId) -> &Block<'a> {
        &self.blocks[usize::from(id.0)]
    }

    /// Adds to the tree what is new in a block, and takes over what the tree knows.
    fn exchange(&mut self, id: BlockId) {
        self.blocks[usize::from(id.0)].exchange();
        let visits = self.slot(self.root).stats().visits;
        self.blocks[usize::from(id.0)].left = (visits / (PART * self.threads)).clamp(1, MOST);
    }

    /// Copies the blocks below those nodes of a block that were visited so often.
    fn copy_below(&mut self, id: BlockId, least_visits: u64) {
        for index in 0..self.block(id).nodes.len() {
            if self.blocks.len() == MOST_BLOCKS {
                return;
            }
            let block = self.block(id);
            let visits = block.nodes[index].stats().visits;
            if block.below[index].is_some() || visits < least_visits {
                continue;
            }
            let (first, shared) = self.tree.block(block.first.plus(index));
            if !shared.is_empty() {
                let below = self.copy_block(first, shared);
                self.blocks[usize::from(id.0)].below[index] = Some(below);
            }
        }
    }

    fn copy_block(&mut self, first: NodeId, shared: &'a [Slot]) -> BlockId {
        let id = BlockId(self.blocks.len() as u16);
        let copies = shared.iter().map(|node| {
            let copy = Slot::default();
            copy.copy(node);
            copy
        });
        let nodes: Vec<Slot> = copies.collect();
        self.blocks.push(Block {
            first,
            shared,
            known: nodes.iter().map(|node| node.stats.load(Relaxed)).collect(),
            below: vec![None; nodes.len()],
            nodes,
            left: 1,
        });
        id
    }
}

impl Block<'_> {
    fn exchange(&mut self) {
        for ((own, known), shared) in self.nodes.iter().zip(&mut self.known).zip(self.shared) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Action, Point};
    use crate::search::node::{Prior, Stats};

    /// A tree of three plies, with some children for each node.
    fn tree() -> Tree {
        let tree = Tree::new(1 << 20);
        let list: Vec<_> = Point::all()
            .map(|point| (Action::PlaceRing(point), Prior::default()))
            .collect();
        tree.grower(1).grow(tree.root(), || &list);
        for child in tree.children(tree.root()) {
            tree.grower(1).grow(child, || &list[..10]);
        }
        tree
    }

    /// Goes down by those children, with a draw at the end.
    fn simulate(view: &mut TopView, indices: [usize; 2]) -> [Place; 2] {
        let mut place = view.root();
        view.slot(place).visit();
        let path = indices.map(|index| {
            place = view.children(place).place(index);
            view.slot(place).visit();
            place
        });
        view.finish(&path.map(|place| (place, Color::Black)).to_vec(), WIN / 2);
        path
    }

    #[test]
    fn threads_count_apart_and_lose_nothing() {
        const SIMULATIONS: usize = 400_000;
        let tree = tree();
        let mut views = [(); 3].map(|()| TopView::new(&tree, tree.root(), 3));
        let mut own_blocks = 0;
        for round in 0..SIMULATIONS {
            // Half of them below one child.
            let child = if round % 2 == 0 { 7 } else { round * 31 % 85 };
            let view = &mut views[round * round % 7 % 3];
            let path = simulate(view, [child, round % 3 % 2]);
            own_blocks += usize::from(path[1].block.is_some());
        }
        assert!((SIMULATIONS / 4..SIMULATIONS).contains(&own_blocks));
        let child = views[0].children(views[0].root()).place(7);
        let proved = [views[1].children(child).place(3), child];
        for place in proved {
            views[1].prove(place, Proof::Loss);
        }
        for _ in 0..2 {
            views.iter_mut().for_each(TopView::hand_in);
        }

        let root = tree.root();
        let sum = |node: NodeId| -> u64 {
            tree.children(node)
                .map(|child| tree[child].stats().visits)
                .sum()
        };
        assert_eq!(tree[root].stats().visits, SIMULATIONS as u64);
        assert_eq!(sum(root), SIMULATIONS as u64);
        for child in tree.children(root) {
            assert_eq!(sum(child), tree[child].stats().visits);
        }
        for view in &views {
            let mut places = vec![view.root()];
            while let Some(place) = places.pop() {
                let shared = &tree[place.node];
                let Stats { visits, value } = shared.stats();
                assert!(place == view.root() || value == visits * WIN / 2);
                assert_eq!(view.slot(place).stats(), shared.stats());
                assert_eq!(view.slot(place).proof(), shared.proof());
                let children = view.children(place);
                places.extend((0..children.nodes.len()).map(|index| children.place(index)));
            }
        }
        assert_eq!(tree[proved[0].node].proof(), Some(Proof::Loss));
    }

    #[test]
    fn a_view_is_at_most_256_simulations_behind() {
        let tree = tree();
        let mut views = [(); 2].map(|()| TopView::new(&tree, tree.root(), 2));
        for round in 1..100_000 {
            let path = simulate(&mut views[0], [5, 3]);
            for place in path.into_iter().chain([views[0].root()]) {
                let behind = round - tree[place.node].stats().visits;
                assert!(
                    behind <= (round / PART / 2).min(MOST),
                    "{behind} of {round}"
                );
            }
        }
        let root = views[1].root();
        assert_eq!(views[1].slot(root).visit(), 1);
        views[1].hand_in();
        assert!(views[1].slot(root).visit() > 99_000);
    }

    #[test]
    fn who_is_alone_counts_in_the_tree() {
        let tree = tree();
        let mut view = TopView::new(&tree, tree.root(), 1);
        for round in 1..10_000 {
            let path = simulate(&mut view, [5, 3]);
            assert_eq!(path.map(|place| place.block), [None; 2]);
            assert_eq!(tree[path[1].node].stats().visits, round);
        }
    }
}
