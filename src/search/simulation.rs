//! One simulation: a descent through the tree, a random game from its end, and the result carried back up.

use super::params::SearchParams;
use super::playout::Playout;
use super::random::{Random, below};
use super::selection::{Exploration, select};
use super::tree::{NodeId, Tree, WIN};
use crate::game::{ActionList, Color, Position};

/// What one thread needs to run simulations on a shared tree.
pub struct Simulator<'a> {
    tree: &'a Tree,
    params: &'a SearchParams,
    random: Random,
    /// Nodes of the running descent, each with the colour that chose it.
    path: Vec<(NodeId, Color)>,
}

impl<'a> Simulator<'a> {
    /// A simulator with its own random choices.
    pub fn new(tree: &'a Tree, params: &'a SearchParams, random: Random) -> Self {
        Self {
            tree,
            params,
            random,
            path: Vec::with_capacity(64),
        }
    }

    /// Runs one simulation from `root`, the node of `position`; returns its depth in actions.
    pub fn run(&mut self, root: NodeId, position: &Position) -> u32 {
        let leaf = self.descend(root, position);
        let winner = match leaf.outcome() {
            Some(outcome) => outcome.winner,
            None => Playout::new(&leaf).run(&mut self.random),
        };
        for (node, decider) in &self.path {
            let value = match winner {
                Some(color) if color == *decider => WIN,
                Some(_) => 0,
                None => WIN / 2,
            };
            self.tree.add_value(*node, value);
        }
        self.path.len() as u32
    }

    /// Walks down the tree, growing it at the end, and returns the position reached.
    fn descend(&mut self, root: NodeId, position: &Position) -> Position {
        let mut here = *position;
        let mut node = root;
        self.path.clear();
        self.tree.add_visit(root);
        while !here.is_over() {
            let visits = self.tree.stats(node).visits;
            if self.tree.children(node).len() == 0
                && visits > u64::from(self.params.expansion_visits)
            {
                grow(self.tree, node, &here, &mut self.random);
            }
            let exploration = Exploration::new(self.params, visits);
            let Some(child) = select(self.tree, node, &exploration) else {
                break;
            };
            self.tree.add_visit(child);
            self.path.push((child, here.side()));
            here.play_unchecked(self.tree.action(child));
            node = child;
        }
        here
    }
}

/// Gives `node`, the node of `position`, children in random order, so that ties among them are fair.
pub fn grow(tree: &Tree, node: NodeId, position: &Position, random: &mut Random) {
    tree.grow(node, || {
        let mut actions: ActionList = position.actions();
        for last in (1..actions.len()).rev() {
            actions.swap(last, below(random, last as u32 + 1) as usize);
        }
        actions
    });
}
