use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::{Limits, StopFlag};
use super::node::Proof;
use super::params::SearchParams;
use super::playout::{Evaluation, Playouts};
use super::random::random_stream;
use super::report::{Candidate, SearchReport, expected_result};
use super::simulation::Simulator;
use super::tree::{NodeId, Tree};
use super::workers::{Stint, Tally};
use crate::game::{Action, Position, Turn};

/// Part of a limit that is spent before the decisions that follow in the same turn are looked at.
const MAIN_SHARE: f64 = 0.9;

/// Decisions of a turn that may be searched after its first; three rows with their rings and a move make seven.
const MAX_FOLLOW_UPS: usize = 6;

/// Time between two reports to an observer.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// Longest expected course of the game that is reported, in actions.
const PRINCIPAL_LENGTH: usize = 40;

/// The game is over, so there is no turn to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is over, there is no turn to search for")]
pub struct GameOver;

/// Monte Carlo tree search for whole turns, with a tree that is kept from turn to turn.
///
/// The same parameters with one thread, limited by simulations, give the same reports in the same order of calls.
pub struct Searcher {
    params: SearchParams,
    playouts: Playouts,
    tree: Tree,
    /// The position of the tree's root; `None` when the tree is empty.
    root: Option<Position>,
    /// Stints run so far, so that each makes its own random choices.
    stints: u64,
}

/// What a running search has, beside the searcher.
struct Run<'a> {
    limits: &'a Limits,
    stop: &'a StopFlag,
    observe: &'a mut dyn FnMut(&SearchReport),
    start: Instant,
    last_report: Instant,
    tally: Tally,
}

impl Run<'_> {
    fn time_left(&self) -> Option<Duration> {
        self.limits
            .time
            .map(|budget| budget.target.saturating_sub(self.start.elapsed()))
    }

    fn simulations_left(&self) -> Option<u64> {
        self.limits
            .simulations
            .map(|limit| limit.saturating_sub(self.tally.simulations))
    }

    fn is_spent(&self) -> bool {
        self.stop.is_stopped()
            || self.simulations_left() == Some(0)
            || self.time_left().is_some_and(|left| left.is_zero())
    }
}

/// An action of the best line and what the tree knows of it.
struct Step {
    action: Action,
    mean: Option<f64>,
    proof: Option<Proof>,
}

impl Searcher {
    /// A searcher with an empty tree. Its memory is set aside at once and taken from the system as it is used; if the
    /// system does not give so much, the tree is smaller, as every report tells.
    pub fn new(params: SearchParams) -> Self {
        Self::with_evaluation(params, Evaluation::built_in())
    }

    /// The same with an evaluation of its own.
    pub fn with_evaluation(params: SearchParams, evaluation: Arc<Evaluation>) -> Self {
        let tree = Tree::new(u64::from(params.memory_mb) << 20);
        Self {
            playouts: Playouts::up_to(params.simd, evaluation),
            params,
            tree,
            root: None,
            stints: 0,
        }
    }

    /// Its parameters.
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Changes the parameters; the tree is dropped.
    pub fn set_params(&mut self, params: SearchParams) {
        if params.memory_mb != self.params.memory_mb {
            self.tree = Tree::new(u64::from(params.memory_mb) << 20);
        }
        self.playouts.limit_to(params.simd);
        self.params = params;
        self.new_game();
    }

    /// Changes how many threads search, at least 1; the tree is kept.
    pub fn set_threads(&mut self, threads: usize) {
        self.params.threads = u32::try_from(threads.max(1)).unwrap_or(u32::MAX);
    }

    /// Forgets the tree and begins with the seed again.
    pub fn new_game(&mut self) {
        self.root = None;
        self.stints = 0;
    }

    /// Searches for the best turn in `position` until a limit is reached or `stop` is set; `observe` gets a report
    /// about twice a second. A decision without alternative is made at once.
    ///
    /// # Errors
    /// The game is over.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &StopFlag,
        observe: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchReport, GameOver> {
        if position.is_over() {
            return Err(GameOver);
        }
        let start = Instant::now();
        self.adopt(position);
        let mut run = Run {
            limits,
            stop,
            observe,
            start,
            last_report: start,
            tally: Tally::default(),
        };
        if let Some((node, at_node)) =
            self.next_decision(self.tree.root(), *position, position.ply())
        {
            self.stint(&mut run, node, &at_node, MAIN_SHARE);
            for _ in 0..MAX_FOLLOW_UPS {
                match self.weak_follow_up(node, at_node) {
                    Some((follow_up, at_follow_up)) => {
                        self.stint(&mut run, follow_up, &at_follow_up, 0.5)
                    }
                    None => break,
                }
            }
            self.stint(&mut run, node, &at_node, 1.0);
        }
        Ok(self.report(&run, run.tally))
    }

    /// Makes `position` the root, with what the tree knows of it.
    fn adopt(&mut self, position: &Position) {
        let root = self
            .root
            .and_then(|at_root| self.find(self.tree.root(), &at_root, position));
        match root {
            Some(root) => self.tree.set_root(root),
            None => self.tree.reset(),
        }
        let memory = self.tree.memory();
        if memory.used > memory.limit / 2 {
            self.tree.close_gaps();
        }
        self.root = Some(*position);
        self.grow(self.tree.root(), position);
    }

    /// The node of `target`, if it can be reached from `node`, the node of `here`, within the tree and two turns.
    fn find(&self, node: NodeId, here: &Position, target: &Position) -> Option<NodeId> {
        if here == target {
            return Some(node);
        }
        let turns_between = target.ply().checked_sub(here.ply())?;
        if turns_between > 2 {
            return None;
        }
        self.tree.children(node).find_map(|child| {
            let mut next = *here;
            next.play_unchecked(self.tree[child].action());
            self.find(child, &next, target)
        })
    }

    fn grow(&self, node: NodeId, position: &Position) {
        if !position.is_over() {
            let random = random_stream(self.params.seed, self.stints << 16);
            let grower = self.tree.grower(1);
            Simulator::new(grower, &self.params, &self.playouts, random).grow(node, position);
        }
    }

    /// The first decision with an alternative, from `node` on along the best actions, within the turn `ply`.
    fn next_decision(
        &self,
        mut node: NodeId,
        mut here: Position,
        ply: u16,
    ) -> Option<(NodeId, Position)> {
        while here.ply() == ply && here.actions().len() == 1 {
            (node, here) = self.best_child(node, &here)?;
        }
        (here.ply() == ply).then_some((node, here))
    }

    /// The best child of `node` and its position; `None` if the tree is full and ends here.
    fn best_child(&self, node: NodeId, here: &Position) -> Option<(NodeId, Position)> {
        self.grow(node, here);
        let child = self.tree.best_child(node)?;
        let mut next = *here;
        next.play_unchecked(self.tree[child].action());
        Some((child, next))
    }

    /// The first decision behind the one at `node` that belongs to the same turn and has not been searched enough.
    fn weak_follow_up(&self, mut node: NodeId, mut here: Position) -> Option<(NodeId, Position)> {
        let ply = here.ply();
        loop {
            (node, here) = self.best_child(node, &here)?;
            (node, here) = self.next_decision(node, here, ply)?;
            if self.tree[node].stats().visits < u64::from(self.params.follow_up_visits) {
                self.grow(node, &here);
                return Some((node, here));
            }
        }
    }

    /// Searches `node` for `share` of what is left.
    fn stint(&mut self, run: &mut Run<'_>, node: NodeId, position: &Position, share: f64) {
        if run.is_spent() {
            return;
        }
        self.stints += 1;
        self.grow(node, position);
        let stint = Stint {
            tree: &self.tree,
            params: &self.params,
            playouts: &self.playouts,
            stream: self.stints,
            node,
            position,
            deadline: run
                .time_left()
                .map(|left| Instant::now() + left.mul_f64(share)),
            simulations: run
                .simulations_left()
                .map(|left| (left as f64 * share).ceil() as u64),
            stop: run.stop,
        };
        let before = run.tally;
        let tally = stint.run(&mut |so_far| {
            if run.last_report.elapsed() >= REPORT_INTERVAL {
                run.last_report = Instant::now();
                let report = self.report(run, before.plus(so_far));
                (run.observe)(&report);
            }
        });
        run.tally = before.plus(tally);
    }

    fn report(&self, run: &Run<'_>, tally: Tally) -> SearchReport {
        let position = self.root.expect("a search has a root");
        let line = self.best_line(&position);
        let principal = into_turns(&position, line.iter().map(|step| step.action));
        let turn = &line[..principal[0].actions().len()];
        let proof = turn.iter().find_map(|step| step.proof);
        SearchReport {
            turn: principal[0].clone(),
            win_probability: match proof {
                Some(Proof::Win) => Some(1.0),
                Some(Proof::Loss) => Some(0.0),
                None => turn.iter().find_map(|step| step.mean).map(expected_result),
            },
            proof,
            simulations: tally.simulations,
            root_visits: self.tree[self.tree.root()].stats().visits,
            elapsed: run.start.elapsed(),
            mean_depth: tally.depth_sum as f64 / tally.simulations.max(1) as f64,
            max_depth: tally.max_depth,
            principal,
            candidates: self.candidates(),
            memory: self.tree.memory(),
        }
    }

    /// The best actions from the root on; at least to the end of the turn, where the tree is too small with any legal
    /// action.
    fn best_line(&self, position: &Position) -> Vec<Step> {
        let mut line = Vec::new();
        let mut node = Some(self.tree.root());
        let mut here = *position;
        while !here.is_over() && line.len() < PRINCIPAL_LENGTH {
            let is_in_turn = here.ply() == position.ply();
            if let Some(at) = node.filter(|_| is_in_turn) {
                self.grow(at, &here);
            }
            node = node.and_then(|node| self.tree.best_child(node));
            let step = match node {
                Some(node) if is_in_turn || self.tree[node].stats().visits > 0 => Step {
                    action: self.tree[node].action(),
                    mean: self.tree[node].stats().mean(),
                    proof: self.tree[node].proof(),
                },
                _ if is_in_turn => Step {
                    action: here.actions()[0],
                    mean: None,
                    proof: None,
                },
                _ => break,
            };
            here.play_unchecked(step.action);
            line.push(step);
        }
        line
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = self
            .tree
            .children(self.tree.root())
            .map(|child| {
                let stats = self.tree[child].stats();
                Candidate {
                    action: self.tree[child].action(),
                    visits: stats.visits,
                    win_probability: stats.mean().map(expected_result),
                }
            })
            .collect();
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.visits));
        candidates
    }
}

/// The actions from `position` on as whole turns; a last one that is not complete is left out.
fn into_turns(position: &Position, actions: impl Iterator<Item = Action>) -> Vec<Turn> {
    let mut here = *position;
    let mut turns = Vec::new();
    let mut turn = Vec::new();
    for action in actions {
        let ply = here.ply();
        here.play_unchecked(action);
        turn.push(action);
        if here.ply() != ply {
            turns.push(Turn::new(&turn).expect("a legal turn has one to seven actions"));
            turn.clear();
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    /// Checks that what lies below a node is what the rules allow, and counts it.
    fn nodes_below(tree: &Tree, node: NodeId, position: &Position) -> u64 {
        let children: Vec<NodeId> = tree.children(node).collect();
        if children.is_empty() {
            return 0;
        }
        let sorted = |mut actions: Vec<String>| {
            actions.sort_unstable();
            actions
        };
        let stored = children.iter().map(|child| tree[*child].action());
        let legal = position.actions();
        assert_eq!(
            sorted(stored.map(|action| action.to_string()).collect()),
            sorted(legal.iter().map(|action| action.to_string()).collect()),
            "{position}"
        );
        let visits: u64 = children
            .iter()
            .map(|child| tree[*child].stats().visits)
            .sum();
        assert!(visits <= tree[node].stats().visits, "{position}");
        let below = children.iter().map(|child| {
            let mut after = *position;
            after.play_unchecked(tree[*child].action());
            1 + nodes_below(tree, *child, &after)
        });
        below.sum()
    }

    #[test]
    fn a_tree_of_many_threads_is_whole_when_gaps_were_closed() {
        let mut searcher = Searcher::new(SearchParams {
            threads: 3,
            memory_mb: 2,
            expansion_visits: 1,
            ..SearchParams::default()
        });
        let mut position = Position::start(Variant::Standard);
        let mut closed = 0;
        for _ in 0..12 {
            let before = searcher.tree.memory().used;
            let limits = Limits::simulations(6_000);
            let report = searcher
                .search(&position, &limits, &StopFlag::new(), &mut |_| {})
                .unwrap();
            closed += u32::from(report.memory.used < before);
            let nodes = nodes_below(&searcher.tree, searcher.tree.root(), &position);
            assert!(nodes > 6_000);
            position = position.play_turn(&report.turn).unwrap();
        }
        assert!(closed > 2, "gaps were closed {closed} times");
    }
}
