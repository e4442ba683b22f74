//! Simulations: a descent through the tree, a random game from its end, and the result carried back up, with proof
//! where the end is no matter of chance.

use arrayvec::ArrayVec;
use rand::Rng;

use super::node::{LEVELS, Prior, Proof};
use super::params::SearchParams;
use super::playout::{Game, MAX_AT_ONCE, Playouts, result};
use super::random::{Random, shuffle};
use super::selection::SelectionRule;
use super::top::{Path, TopView};
use super::tree::{Grower, NodeId};
use super::workers::Tally;
use crate::game::{Action, ActionList, Color, MAX_ACTIONS, Phase, Position, RINGS_TO_WIN, Variant};

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
    grower: Grower<'a>,
    params: &'a SearchParams,
    playouts: &'a Playouts,
    random: Random,
    /// Random games about to be played, and how each was reached.
    games: ArrayVec<Game, MAX_AT_ONCE>,
    paths: [Path; MAX_AT_ONCE],
}

impl<'a> Simulator<'a> {
    /// A simulator with its own random choices.
    pub fn new(
        grower: Grower<'a>,
        params: &'a SearchParams,
        playouts: &'a Playouts,
        random: Random,
    ) -> Self {
        let paths = std::array::from_fn(|_| Path::with_capacity(64));
        Self {
            grower,
            params,
            playouts,
            random,
            games: ArrayVec::new(),
            paths,
        }
    }

    /// Runs `count` simulations, at most [`MAX_AT_ONCE`], from the root, the node of `position`: first all descents, then
    /// their random games together. Stops short if the result is proved.
    pub fn run(&mut self, top: &mut TopView<'_>, position: &Position, count: usize) -> Simulated {
        let mut simulated = Simulated {
            tally: Tally::default(),
            settles_root: false,
        };
        self.games.clear();
        for _ in 0..count {
            let mut path = std::mem::take(&mut self.paths[self.games.len()]);
            path.clear();
            let leaf = self.descend(top, position, &mut path);
            simulated.tally.count(path.len() as u32);
            match leaf {
                Leaf::Open(position) => {
                    let seed = self.random.next_u64();
                    self.paths[self.games.len()] = path;
                    self.games.push(Game::new(&position, seed));
                }
                Leaf::Decided(winner) => {
                    let proof = winner.filter(|_| self.params.proofs);
                    simulated.settles_root =
                        proof.is_some_and(|winner| self.carry_proof_up(top, &path, winner));
                    top.finish(&path, u64::from(result(winner)));
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
            top.finish(path, u64::from(ending.white));
        }
        simulated
    }

    /// Walks down the tree, growing it at the end.
    fn descend(&mut self, top: &TopView<'_>, position: &Position, path: &mut Path) -> Leaf {
        let mut here = *position;
        let mut place = top.root();
        let mut visits = top.slot(place).visit();
        let mut children = top.children(place);
        loop {
            if let Some(winner) = self.decided(&here) {
                return Leaf::Decided(winner);
            }
            // The root has grown already, or else there is no memory for it. That the visits are compared twice spares a
            // look at what all threads write to.
            let least_visits = u64::from(self.params.expansion_visits);
            if children.nodes.is_empty()
                && !path.is_empty()
                && visits > least_visits
                && visits > self.grower.tree().visits_to_grow(least_visits)
            {
                self.grow(place.node(), &here);
                children = top.children(place);
            }
            if children.nodes.is_empty() {
                return Leaf::Open(here);
            }
            let exploration = self.params.exploration_after(visits);
            let index = self.playouts.most_urgent(children.nodes, &exploration);
            let slot = &children.nodes[index];
            place = children.place(index);
            let decider = here.side();
            visits = slot.visit();
            path.push((place, decider));
            match slot.proof() {
                Some(Proof::Win) => return Leaf::Decided(Some(decider)),
                Some(Proof::Loss) => return Leaf::Decided(Some(decider.opposite())),
                None => {}
            }
            children = top.children(place);
            here.play_unchecked(slot.action());
        }
    }

    /// Gives `node`, the node of `position`, children: the best-looking first, and those that look alike in random order.
    /// With proofs, one that wins at once stands first and is noted as a win (decisive moves: Teytaud and Teytaud, 2010).
    pub fn grow(&mut self, node: NodeId, position: &Position) {
        let Self {
            params,
            playouts,
            grower,
            random,
            ..
        } = self;
        let mut has_win = false;
        grower.grow(node, || {
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
                    let mut list = actions.iter().copied().zip(priors).collect();
                    sort_by_prior(&mut list);
                    list
                }
            };
            if let Some(win) = decisive(params, position, &list) {
                list.swap(0, win);
                has_win = true;
            }
            list
        });
        let tree = grower.tree();
        if has_win && let Some(first) = tree.children(node).next() {
            tree[first].prove(Proof::Win);
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
    fn carry_proof_up(&self, top: &TopView<'_>, path: &Path, winner: Color) -> bool {
        let tree = self.grower.tree();
        for (index, (place, decider)) in path.iter().enumerate().rev() {
            let proof = if *decider == winner {
                Proof::Win
            } else {
                Proof::Loss
            };
            top.prove(*place, proof);
            let parent = match index {
                0 => top.root(),
                _ => path[index - 1].0,
            };
            let is_lost = || {
                tree.children(parent.node())
                    .all(|child| tree[child].proof() == Some(Proof::Loss))
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

/// Sorts by the priors and keeps the order of those that look alike: counting sort, as there are few different ones.
fn sort_by_prior(list: &mut ArrayVec<(Action, Prior), MAX_ACTIONS>) {
    let mut places = [0_u8; LEVELS];
    for (_, prior) in list.iter() {
        places[usize::from(prior.bits())] += 1;
    }
    let mut before = 0;
    for place in &mut places {
        before += std::mem::replace(place, before);
    }
    for entry in list.clone() {
        let place = &mut places[usize::from(entry.1.bits())];
        list[usize::from(*place)] = entry;
        *place += 1;
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
