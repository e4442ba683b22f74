//! Simulations: a descent through the tree, a random game from its end, and the result carried back up, with proof
//! where the end is no matter of chance.

use std::ops::Range;

use arrayvec::ArrayVec;
use rand::Rng;

use super::node::{Prior, Proof, Slot, WIN};
use super::params::SearchParams;
use super::playout::{Game, MAX_AT_ONCE, Playouts, result};
use super::random::{Random, shuffle};
use super::selection::SelectionRule;
use super::tree::{NodeId, Tree};
use super::workers::Tally;
use crate::game::{Action, ActionList, Color, MAX_ACTIONS, Phase, Position, RINGS_TO_WIN, Variant};

/// Visits of the root that a thread counts together, since all threads count there.
const RESERVED: u64 = 16;

/// What simulations tell beside what they leave in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// Their number and depths.
    pub tally: Tally,
    /// The result at the root is proved, so that there is nothing left to search.
    pub settles_root: bool,
}

/// What one thread needs to run simulations on a shared tree.
pub struct Simulator<'a> {
    tree: &'a Tree,
    params: &'a SearchParams,
    playouts: &'a Playouts,
    random: Random,
    /// Visits of the root that are counted there already, but not yet made.
    reserved: Range<u64>,
    /// Random games about to be played, and how each was reached.
    games: ArrayVec<Game, MAX_AT_ONCE>,
    paths: [Path; MAX_AT_ONCE],
}

/// The nodes of a descent, each with the colour that chose it.
type Path = Vec<(NodeId, Color)>;

impl<'a> Simulator<'a> {
    /// A simulator with its own random choices.
    pub fn new(
        tree: &'a Tree,
        params: &'a SearchParams,
        playouts: &'a Playouts,
        random: Random,
    ) -> Self {
        let paths = std::array::from_fn(|_| Path::with_capacity(64));
        Self {
            tree,
            params,
            playouts,
            random,
            reserved: 0..0,
            games: ArrayVec::new(),
            paths,
        }
    }

    /// Runs `count` simulations, at most [`MAX_AT_ONCE`], from `root`, the node of `position`: first all descents, then
    /// their random games together. Stops short if the result is proved.
    pub fn run(&mut self, root: NodeId, position: &Position, count: usize) -> Simulated {
        let mut simulated = Simulated {
            tally: Tally::default(),
            settles_root: false,
        };
        self.games.clear();
        let root_block = self.tree.block(root);
        for _ in 0..count {
            let root_visits = self.count_at(root);
            let mut path = std::mem::take(&mut self.paths[self.games.len()]);
            path.clear();
            let leaf = self.descend(root, root_block, root_visits, position, &mut path);
            simulated.tally.count(path.len() as u32);
            match leaf {
                Leaf::Open(position) => {
                    let seed = self.random.next_u64();
                    self.paths[self.games.len()] = path;
                    self.games.push(Game::new(&position, seed));
                }
                Leaf::Decided(winner) => {
                    self.add_result(&path, u64::from(result(winner)));
                    let proof = winner.filter(|_| self.params.proofs);
                    simulated.settles_root =
                        proof.is_some_and(|winner| self.carry_proof_up(root, &path, winner));
                    self.paths[self.games.len()] = path;
                }
            }
            if simulated.settles_root {
                break;
            }
        }
        let SearchParams {
            playouts,
            playout_moves,
            leaves_at_once,
            ..
        } = *self.params;
        let endings = self.playouts.run(
            playouts,
            playout_moves,
            leaves_at_once as usize,
            &self.games,
        );
        for (ending, path) in endings.iter().zip(&self.paths) {
            self.add_result(path, u64::from(ending.white));
        }
        simulated
    }

    /// The number of the next visit of `root`.
    fn count_at(&mut self, root: NodeId) -> u64 {
        if self.reserved.is_empty() {
            let before = self.tree.add_visits(root, RESERVED);
            self.reserved = before + 1..before + 1 + RESERVED;
        }
        self.reserved.next().expect("it is not empty")
    }

    /// Ends the simulations from `root`: visits of it that were reserved and not made are taken back.
    pub fn finish(self, root: NodeId) {
        self.tree
            .take_visits_back(root, self.reserved.end - self.reserved.start);
    }

    /// Carries what White got up a path, in parts of [`WIN`].
    fn add_result(&self, path: &Path, white: u64) {
        for (node, decider) in path {
            let value = match decider {
                Color::White => white,
                Color::Black => WIN - white,
            };
            self.tree.add_value(*node, value);
        }
    }

    /// Walks down the tree, growing it at the end.
    fn descend(
        &mut self,
        root: NodeId,
        root_block: (NodeId, &[Slot]),
        root_visits: u64,
        position: &Position,
        path: &mut Path,
    ) -> Leaf {
        let mut here = *position;
        let mut node = root;
        let (mut first, mut nodes) = root_block;
        let mut visits = root_visits;
        loop {
            if let Some(winner) = self.decided(&here) {
                return Leaf::Decided(winner);
            }
            // The first condition follows from the last, and spares a look at what all threads write to.
            let least_visits = u64::from(self.params.expansion_visits);
            if nodes.is_empty()
                && visits > least_visits
                && visits > self.tree.visits_to_grow(least_visits)
            {
                self.grow(node, &here);
                (first, nodes) = self.tree.block(node);
            }
            if nodes.is_empty() {
                return Leaf::Open(here);
            }
            let exploration = self.params.exploration_after(visits);
            let child = first.plus(self.playouts.most_urgent(nodes, &exploration));
            let decider = here.side();
            visits = self.tree.add_visits(child, 1) + 1;
            path.push((child, decider));
            match self.tree.proof(child) {
                Some(Proof::Win) => return Leaf::Decided(Some(decider)),
                Some(Proof::Loss) => return Leaf::Decided(Some(decider.opposite())),
                None => {}
            }
            (first, nodes) = self.tree.block(child);
            here.play_unchecked(self.tree.action(child));
            node = child;
        }
    }

    /// Gives `node`, the node of `position`, children: the best-looking first, and those that look alike in random order.
    /// With proofs, one that wins at once stands first and is noted as a win (decisive moves: Teytaud and Teytaud, 2010).
    pub fn grow(&mut self, node: NodeId, position: &Position) {
        let Self {
            tree,
            params,
            playouts,
            ..
        } = *self;
        let random = &mut self.random;
        let mut has_win = false;
        tree.grow(node, || {
            let mut actions: ActionList = position.actions();
            shuffle(&mut actions, random);
            let mut list: ArrayVec<_, MAX_ACTIONS> = match params.selection {
                SelectionRule::Uct => actions
                    .iter()
                    .map(|action| (*action, Prior::default()))
                    .collect(),
                SelectionRule::Puct => {
                    let temperature = params.prior_temperature as f32;
                    let priors = playouts.priors(position, &actions, temperature);
                    actions.iter().copied().zip(priors).collect()
                }
            };
            list.sort_by_key(|(_, prior)| *prior);
            if let Some(win) = decisive(params, position, &list) {
                list.swap(0, win);
                has_win = true;
            }
            list
        });
        if has_win && let Some(first) = tree.children(node).next() {
            tree.prove(first, Proof::Win);
        }
    }

    /// The winner of a game that is over or, with proofs, sure to end in one way; `None` while it is open.
    fn decided(&self, position: &Position) -> Option<Option<Color>> {
        if self.params.proofs {
            decided(position)
        } else {
            position.outcome().map(|outcome| outcome.winner)
        }
    }

    /// The last node of `path` is won for `winner`: notes that, and what follows from it for the nodes above; tells
    /// whether the root is proved too.
    ///
    /// A choice is won for its decider when one of its actions is, and lost when all are (Winands, Björnsson and Saito,
    /// "Monte-Carlo Tree Search Solver", 2008); deciders need not alternate.
    fn carry_proof_up(&self, root: NodeId, path: &Path, winner: Color) -> bool {
        for (index, (node, decider)) in path.iter().enumerate().rev() {
            self.tree.prove(
                *node,
                if *decider == winner {
                    Proof::Win
                } else {
                    Proof::Loss
                },
            );
            let parent = if index == 0 { root } else { path[index - 1].0 };
            let is_lost = || {
                self.tree
                    .children(parent)
                    .all(|child| self.tree.proof(child) == Some(Proof::Loss))
            };
            if *decider != winner && !is_lost() {
                return false;
            }
        }
        true
    }
}

/// The end of a descent.
enum Leaf {
    /// A position whose result is open.
    Open(Position),
    /// The result is known; `None` is a draw.
    Decided(Option<Color>),
}

/// The winner of a game that is over or that the side to decide is just winning; `None` while it is open.
///
/// Who has two rings off and a row to take wins, whichever row and ring it takes.
fn decided(position: &Position) -> Option<Option<Color>> {
    match position.phase() {
        Phase::Over => position.outcome().map(|outcome| outcome.winner),
        Phase::PlaceRing | Phase::MoveRing => None,
        Phase::EarlyRow | Phase::EarlyRing | Phase::LateRow | Phase::LateRing => {
            let side = position.side();
            (position.rings_off(side) + 1 == RINGS_TO_WIN).then_some(Some(side))
        }
    }
}

/// Which of the actions wins at once, as far as that is looked for.
fn decisive(
    params: &SearchParams,
    position: &Position,
    actions: &[(Action, Prior)],
) -> Option<usize> {
    let side = position.side();
    let can_win =
        position.rings_off(side) + 1 == RINGS_TO_WIN || position.variant() == Variant::Blitz;
    if !params.proofs || !can_win || position.phase() != Phase::MoveRing {
        return None;
    }
    actions.iter().position(|(action, _)| {
        let mut after = *position;
        after.play_unchecked(*action);
        decided(&after) == Some(Some(side))
    })
}
