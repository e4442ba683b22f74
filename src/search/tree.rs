//! The search tree: a fixed arena of atomics that threads share without a lock.
//!
//! The actions of a node lie side by side in one block, so that choosing among them reads memory in order. A block is
//! allocated when its node grows. What has become unreachable is freed by closing the gaps in place.

use std::ops::{Index, Range};
use std::sync::atomic::{AtomicU32, Ordering::*};

use super::node::{OwnLine, Prior, Proof, Slot};
use super::report::MemoryUse;
use crate::game::{Action, PackedAction};

/// Marks a node that a thread is just growing.
const GROWING: u32 = u32::MAX;

/// Refers to a node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

impl NodeId {
    /// The node so many places further on, in the same block.
    pub const fn plus(self, places: usize) -> Self {
        Self(self.0 + places as u32)
    }

    /// How many places it lies behind another of the same block.
    pub const fn behind(self, other: Self) -> usize {
        (self.0 - other.0) as usize
    }
}

/// Nodes and their statistics. Growing and counting are thread-safe; moving the root and closing gaps need `&mut`.
pub struct Tree {
    slots: Box<[Slot]>,
    used: OwnLine<AtomicU32>,
    root: NodeId,
}

/// Most slots that a thread takes at once. All threads write down where the free ones begin, so they had better do it
/// seldom.
const AT_ONCE: usize = 2_048;

/// Grows a [`Tree`] for one thread.
pub struct Grower<'a> {
    tree: &'a Tree,
    at_once: u32,
    /// The slots that it has taken and not yet used.
    free: Range<u32>,
}

impl Tree {
    /// Index of the root after a reset; slot 0 is the head of its block.
    const FIRST: NodeId = NodeId(1);

    /// An empty tree that will never take more than `bytes` of memory (and a few hundred at least); less if the system
    /// does not give so much, which [`Tree::memory`] tells. Closing gaps takes about a hundredth more for a moment.
    pub fn new(bytes: u64) -> Self {
        let mut slots =
            (bytes / size_of::<Slot>() as u64).clamp(16, u64::from(GROWING) - 1) as usize;
        let slots = loop {
            match bytemuck::try_zeroed_slice_box(slots) {
                Ok(slots) => break slots,
                Err(()) => slots /= 2,
            }
        };
        let mut tree = Self {
            slots,
            used: OwnLine(AtomicU32::new(0)),
            root: Self::FIRST,
        };
        tree.reset();
        tree
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.root = Self::FIRST;
        self.write_head(0, 1);
        self[self.root].write(0, Prior::default());
        *self.used.0.get_mut() = 2;
    }

    /// The node of the position that is searched.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Makes another node the root; what lies outside its subtree is lost.
    pub fn set_root(&mut self, root: NodeId) {
        self.root = root;
    }

    /// Memory in use and its limit.
    pub fn memory(&self) -> MemoryUse {
        let bytes = |slots: usize| (slots * size_of::<Slot>()) as u64;
        MemoryUse {
            used: bytes(self.used.0.load(Relaxed) as usize),
            limit: bytes(self.slots.len()),
        }
    }

    /// How many visits let a node grow, where `visits` would do in an empty tree: more, the less memory is left, so that
    /// it lasts for any length of a search.
    pub fn visits_to_grow(&self, visits: u64) -> u64 {
        let MemoryUse { used, limit } = self.memory();
        visits * limit / (limit - used).max(1)
    }

    /// The children of `node`; empty until it has grown.
    pub fn children(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> + Clone {
        let (first, slots) = self.block(node);
        (0..slots.len()).map(move |place| first.plus(place))
    }

    /// The first child of `node`, and all of them side by side; empty until it has grown.
    pub fn block(&self, node: NodeId) -> (NodeId, &[Slot]) {
        let first = self[node].children.load(Acquire);
        let count = if first == 0 || first == GROWING {
            0
        } else {
            usize::from(self[node].count.load(Relaxed))
        };
        let start = first as usize % self.slots.len();
        (NodeId(first), &self.slots[start..start + count])
    }

    /// The child that the search trusts most: a proved win, else the most visited that is not a proved loss, and among
    /// those the one of the highest value. `None` without children.
    pub fn best_child(&self, node: NodeId) -> Option<NodeId> {
        self.children(node).max_by_key(|child| {
            let proof = match self[*child].proof() {
                Some(Proof::Win) => 2,
                None => 1,
                Some(Proof::Loss) => 0,
            };
            let stats = self[*child].stats();
            (proof, stats.visits, stats.value)
        })
    }

    /// Grows the tree on behalf of one of so many threads.
    pub fn grower(&self, threads: usize) -> Grower<'_> {
        Grower {
            tree: self,
            at_once: match threads {
                // Just what is needed.
                1 => 1,
                // All threads together set aside little of the memory.
                _ => (self.slots.len() / threads / 64).min(AT_ONCE) as u32,
            },
            free: 0..0,
        }
    }

    fn allocate(&self, slots: u32) -> Option<Range<u32>> {
        let limit = self.slots.len() as u32;
        let start = self.used.0.fetch_update(Relaxed, Relaxed, |used| {
            used.checked_add(slots).filter(|end| *end <= limit)
        });
        start.ok().map(|start| start..start + slots)
    }

    fn write_head(&self, index: u32, count: u8) {
        self.slots[index as usize].count.store(count, Relaxed);
    }

    /// Keeps the root and what lies below it, moved together at the front of the arena, and frees the rest.
    pub fn close_gaps(&mut self) {
        self[Self::FIRST].copy(&self[self.root]);
        self.root = Self::FIRST;
        let mut heads = vec![Self::FIRST.0 - 1];
        let mut next = 0;
        while next < heads.len() {
            let nodes = self.nodes_behind(heads[next]);
            heads.extend(nodes.filter_map(|node| self.head_below(node)));
            next += 1;
        }
        // In order of memory, each block moves to where no other is that has yet to move.
        heads.sort_unstable();
        let mut free = 0;
        for head in &heads {
            self.slots[*head as usize].stats.store(free.into(), Relaxed);
            free += self.nodes_behind(*head).len() as u32 + 1;
        }
        // While all heads, which know the new places, are still at the old ones.
        for node in heads.iter().flat_map(|head| self.nodes_behind(*head)) {
            if let Some(head) = self.head_below(node) {
                let first = self.new_place(head) + 1;
                self.slots[node as usize].children.store(first, Relaxed);
            }
        }
        for head in heads {
            let to = self.new_place(head);
            for offset in 0..=self.nodes_behind(head).len() as u32 {
                self.slots[(to + offset) as usize].copy(&self.slots[(head + offset) as usize]);
            }
        }
        *self.used.0.get_mut() = free;
    }

    /// The head of the block below a node.
    fn head_below(&self, node: u32) -> Option<u32> {
        self.slots[node as usize]
            .children
            .load(Relaxed)
            .checked_sub(1)
    }

    /// The nodes of a block.
    fn nodes_behind(&self, head: u32) -> Range<u32> {
        let count = u32::from(self.slots[head as usize].count.load(Relaxed));
        head + 1..head + 1 + count
    }

    /// Where the block is about to move.
    fn new_place(&self, head: u32) -> u32 {
        self.slots[head as usize].stats.load(Relaxed) as u32
    }
}

impl<'a> Grower<'a> {
    /// What grows.
    pub const fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Gives `node` children, one for each of the actions that `list` puts out, unless it has them already, another
    /// thread is at it, or the memory is used up. At most 255 actions.
    pub fn grow<L: AsRef<[(Action, Prior)]>>(&mut self, node: NodeId, list: impl FnOnce() -> L) {
        let parent = &self.tree[node];
        if parent
            .children
            .compare_exchange(0, GROWING, Acquire, Relaxed)
            .is_err()
        {
            return;
        }
        let actions = list();
        let actions = actions.as_ref();
        let Some(head) = self.allocate(actions.len() as u32 + 1) else {
            parent.children.store(0, Release);
            return;
        };
        self.tree.write_head(head, actions.len() as u8);
        for (index, (action, prior)) in (head + 1..).zip(actions) {
            self.tree.slots[index as usize].write(PackedAction::from(*action).bits(), *prior);
        }
        parent.count.store(actions.len() as u8, Relaxed);
        parent.children.store(head + 1, Release);
    }

    fn allocate(&mut self, slots: u32) -> Option<u32> {
        if self.free.len() < slots as usize {
            let many = self.tree.allocate(self.at_once.max(slots));
            self.free = many.or_else(|| self.tree.allocate(slots))?;
        }
        let head = self.free.start;
        self.free.start += slots;
        Some(head)
    }
}

impl Index<NodeId> for Tree {
    type Output = Slot;

    fn index(&self, node: NodeId) -> &Slot {
        &self.slots[node.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Variant};
    use crate::search::node::{MAX_VISITS, VISIT_BITS, WIN};

    /// Grows a tree along random lines, as a search would, and returns its size.
    fn grow_some(tree: &Tree, from: NodeId, position: &Position, rounds: usize) {
        for round in 0..rounds {
            let (mut node, mut here) = (from, *position);
            tree[node].visit();
            loop {
                let children = tree.children(node);
                let Some(child) = children.clone().nth((round * 7) % children.len().max(1)) else {
                    break;
                };
                here.play(tree[child].action());
                node = child;
                tree[node].visit();
                tree[node].add_value((round as u64 * 13) % 257);
            }
            if !here.is_over() {
                let list: Vec<_> = here
                    .actions()
                    .into_iter()
                    .zip((0..64).cycle().map(Prior::from_bits))
                    .collect();
                tree.grower(1).grow(node, || list);
            }
            if round % 5 == 0 {
                tree[node].prove(Proof::Loss);
            }
        }
    }

    /// All that can be reached from `node`, in words.
    fn describe(tree: &Tree, node: NodeId) -> String {
        let below: Vec<String> = tree
            .children(node)
            .map(|child| format!("{}{}", tree[child].action(), describe(tree, child)))
            .collect();
        format!("{:?}{:?}{below:?}", tree[node].stats(), tree[node].proof())
    }

    #[test]
    fn closing_gaps_keeps_the_subtree_and_frees_the_rest() {
        let start = Position::start(Variant::Standard);
        let mut tree = Tree::new(1 << 22);
        grow_some(&tree, tree.root(), &start, 300);
        let before = tree.memory().used;
        for _ in 0..2 {
            let root = tree.root();
            let kept = tree
                .children(root)
                .max_by_key(|n| describe(&tree, *n).len())
                .unwrap();
            let description = describe(&tree, kept);
            assert!(description.len() > 1000);
            tree.set_root(kept);
            tree.close_gaps();
            assert_eq!(describe(&tree, tree.root()), description);
        }
        assert!(tree.memory().used < before);
        let mut position = start;
        position.play(tree[tree.root()].action());
        tree.close_gaps();
    }

    #[test]
    fn what_threads_took_and_did_not_use_goes_when_gaps_are_closed() {
        let start = Position::start(Variant::Standard);
        let list: Vec<_> = start
            .actions()
            .iter()
            .map(|action| (*action, Prior::default()))
            .collect();
        let mut tree = Tree::new(1 << 22);
        // The memory is not that of a fresh tree.
        grow_some(&tree, tree.root(), &start, 300);
        tree.reset();
        tree.grower(1).grow(tree.root(), || &list);
        let block = (list.len() * size_of::<Slot>()) as u64;
        let children: Vec<NodeId> = tree.children(tree.root()).collect();
        for some in children.chunks(10) {
            let mut growers = [(); 3].map(|()| tree.grower(3));
            for (index, child) in some.iter().enumerate() {
                growers[index % 3].grow(*child, || &list);
            }
            let grandchild = tree.children(some[0]).next().unwrap();
            growers[2].grow(grandchild, || &list[..1 + some[0].behind(children[0])]);
        }
        let description = describe(&tree, tree.root());
        assert!(tree.memory().used > 100 * block);
        tree.close_gaps();
        assert!((86 * block..100 * block).contains(&tree.memory().used));
        assert_eq!(describe(&tree, tree.root()), description);
    }

    #[test]
    fn a_full_tree_refuses_to_grow_and_stays_whole() {
        let start = Position::start(Variant::Standard);
        let tree = Tree::new(10_000);
        grow_some(&tree, tree.root(), &start, 200);
        let MemoryUse { used, limit } = tree.memory();
        assert!(used <= limit && limit <= 10_000);
        assert_eq!(tree[tree.root()].stats().visits, 200);
    }

    #[test]
    fn the_less_memory_is_left_the_more_visits_it_takes_to_grow() {
        let start = Position::start(Variant::Standard);
        let tree = Tree::new(1 << 18);
        assert_eq!(tree.visits_to_grow(16), 16);
        let mut needed = 16;
        for _ in 0..3 {
            grow_some(&tree, tree.root(), &start, 50);
            let MemoryUse { used, limit } = tree.memory();
            let share_left = (limit - used) as f64 / limit as f64;
            assert!(tree.visits_to_grow(16) > needed);
            needed = tree.visits_to_grow(16);
            assert_eq!(needed, (16.0 / share_left) as u64);
        }
    }

    #[test]
    fn statistics_hold_the_largest_sums() {
        let tree = Tree::new(1000);
        let slot = &tree[tree.root()];
        slot.stats
            .store((MAX_VISITS * WIN) << VISIT_BITS | MAX_VISITS, Relaxed);
        let stats = tree[tree.root()].stats();
        assert_eq!((stats.visits, stats.value), (MAX_VISITS, MAX_VISITS * WIN));
        assert_eq!(tree[tree.root()].stats().mean(), Some(1.0));
    }
}
