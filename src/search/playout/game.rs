//! Random games, several at once, turn about.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use rand::SeedableRng;

use super::super::random::{Random, below};
use super::board::{Board, State};
use super::evaluation::Evaluation;
use super::kernel::{BLACK, Kernel, Task, WHITE};
use super::lines::{Words, row_at};
use super::policy::{Policy, ring_move};
use crate::game::{Color, MARKERS, Phase, Position, RINGS_TO_WIN, Variant};
use crate::search::node::WIN;

/// Most games of one call.
pub const MAX_GAMES: usize = 64;

/// Most games that run at once.
pub const MAX_AT_ONCE: usize = 8;

/// The beginning of a random game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    board: Board,
    seed: u64,
}

impl Game {
    /// The game number `seed` from `position` on.
    pub fn new(position: &Position, seed: u64) -> Self {
        Self {
            board: Board::new(position),
            seed,
        }
    }

    /// Makes it another game from the same position.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }
}

/// How random games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conduct<'a, P> {
    /// Chooses the ring moves.
    pub policy: P,
    /// Ring moves and passes before a game is judged.
    pub length: u32,
    /// Judges it.
    pub evaluation: &'a Evaluation,
    /// How many run at once, 1 to [`MAX_AT_ONCE`].
    pub at_once: usize,
}

/// How a random game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// What White got or, if the game was judged before its end, can expect, in parts of `WIN` (256).
    pub white: u16,
    /// Ring moves that were played.
    pub ring_moves: u32,
    /// Rows that were taken off.
    pub rows: u32,
}

/// Games to be played, and where they are told.
pub struct PlayOut<'a, P> {
    /// How they are played.
    pub conduct: Conduct<'a, P>,
    /// At most [`MAX_GAMES`].
    pub games: &'a [Game],
    /// As many as games, in the same order.
    pub endings: &'a mut [Ending],
}

impl<P: Policy> Task for PlayOut<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        play_out(kernel, self.conduct, self.games, self.endings);
    }
}

/// A random game among several that take turns, at a ring move.
struct Running<K: Kernel> {
    /// Which game it is.
    index: usize,
    lines: K::Lines,
    state: State,
    random: Random,
    moves_left: u32,
    /// The moves that may be played.
    choice: K::Choice,
    /// The one that was drawn, a bit among the targets, or a pass.
    bit: Option<usize>,
}

/// Plays all games for so many ring moves and passes or to their ends, and tells them in the same order.
///
/// They take turns, step by step: what one waits for, its moves following from each other, the others fill with theirs.
/// When one ends, the next begins.
#[inline(always)]
fn play_out<K: Kernel, P: Policy>(
    kernel: K,
    conduct: Conduct<'_, P>,
    games: &[Game],
    endings: &mut [Ending],
) {
    if conduct.at_once == 1 || games.len() == 1 {
        for (game, ending) in games.iter().zip(endings) {
            *ending = play_one(kernel, conduct, game);
        }
        return;
    }
    let mut waiting = games.iter().enumerate();
    let mut running: ArrayVec<Running<K>, MAX_AT_ONCE> = ArrayVec::new();
    loop {
        while running.len() < conduct.at_once
            && let Some((index, game)) = waiting.next()
        {
            match begin(kernel, conduct, index, game) {
                Ok(game) => running.push(game),
                Err(ending) => endings[index] = ending,
            }
        }
        if running.is_empty() {
            return;
        }
        play_turns::<K, P, WHITE, BLACK>(kernel, conduct, games, &mut running, endings);
        play_turns::<K, P, BLACK, WHITE>(kernel, conduct, games, &mut running, endings);
    }
}

/// Plays a turn of each game where it is the turn of `SIDE`, so that it is the turn of `OTHER` in all of them, and tells
/// and removes those that are over then.
#[inline(always)]
fn play_turns<K: Kernel, P: Policy, const SIDE: usize, const OTHER: usize>(
    kernel: K,
    conduct: Conduct<'_, P>,
    games: &[Game],
    running: &mut ArrayVec<Running<K>, MAX_AT_ONCE>,
    endings: &mut [Ending],
) {
    let takes_part = |game: &&mut Running<K>| game.state.side as usize == SIDE;
    for game in running.iter_mut().filter(takes_part) {
        let rings = &game.state.rings[SIDE];
        game.bit = kernel.draw(&game.choice, &game.lines, rings, &mut game.random);
    }
    let mut any_over = false;
    for game in running.iter_mut().filter(takes_part) {
        game.moves_left -= 1;
        let mut course = Course {
            lines: &mut game.lines,
            state: &mut game.state,
            random: &mut game.random,
        };
        let white = match course.play_turn::<SIDE>(kernel, game.bit) {
            ControlFlow::Break(winner) => result(winner),
            ControlFlow::Continue(()) if game.moves_left > 0 => continue,
            ControlFlow::Continue(()) => {
                judge(kernel, conduct.evaluation, course.lines, course.state)
            }
        };
        let start = &games[game.index].board.state;
        endings[game.index] = ending(start, &game.state, white);
        game.moves_left = 0;
        any_over = true;
    }
    if any_over {
        running.retain(|game| game.moves_left > 0);
    }
    for game in running {
        let rings = &game.state.rings[OTHER];
        game.choice = conduct
            .policy
            .choice::<K, OTHER>(kernel, &game.lines, rings);
    }
}

/// Brings a game to its first ring move, or tells how it ended before.
#[inline(always)]
fn begin<K: Kernel, P: Policy>(
    kernel: K,
    conduct: Conduct<'_, P>,
    index: usize,
    game: &Game,
) -> Result<Running<K>, Ending> {
    let mut random = Random::seed_from_u64(game.seed);
    let (mut lines, mut state) = set_up(kernel, &game.board, &mut random);
    let mut course = Course::<K> {
        lines: &mut lines,
        state: &mut state,
        random: &mut random,
    };
    let white = match course.begin(kernel) {
        ControlFlow::Continue(()) if conduct.length > 0 => {
            let policy = conduct.policy;
            let choice = match state.side {
                Color::White => policy.choice::<K, WHITE>(kernel, &lines, &state.rings[WHITE]),
                Color::Black => policy.choice::<K, BLACK>(kernel, &lines, &state.rings[BLACK]),
            };
            return Ok(Running {
                index,
                lines,
                state,
                random,
                moves_left: conduct.length,
                choice,
                bit: None,
            });
        }
        ControlFlow::Continue(()) => judge(kernel, conduct.evaluation, course.lines, course.state),
        ControlFlow::Break(winner) => result(winner),
    };
    Err(ending(&game.board.state, &state, white))
}

/// Plays one game. Alone, it can stay in the processor's registers.
#[inline(always)]
fn play_one<K: Kernel, P: Policy>(kernel: K, conduct: Conduct<'_, P>, game: &Game) -> Ending {
    let mut random = Random::seed_from_u64(game.seed);
    let (mut lines, mut state) = set_up(kernel, &game.board, &mut random);
    let mut course = Course::<K> {
        lines: &mut lines,
        state: &mut state,
        random: &mut random,
    };
    let white = match course.play(kernel, conduct.policy, conduct.length) {
        ControlFlow::Break(winner) => result(winner),
        ControlFlow::Continue(()) => judge(kernel, conduct.evaluation, course.lines, course.state),
    };
    ending(&game.board.state, course.state, white)
}

/// What White can expect of a game that is not over.
#[inline(always)]
fn judge<K: Kernel>(kernel: K, evaluation: &Evaluation, lines: &K::Lines, state: &State) -> u16 {
    match state.side {
        Color::White => evaluation.judge::<K, WHITE>(kernel, lines, &state.rings, state.variant),
        Color::Black => {
            WIN as u16 - evaluation.judge::<K, BLACK>(kernel, lines, &state.rings, state.variant)
        }
    }
}

/// What White gets, in parts of [`WIN`].
pub const fn result(winner: Option<Color>) -> u16 {
    match winner {
        Some(Color::White) => WIN as u16,
        Some(Color::Black) => 0,
        None => WIN as u16 / 2,
    }
}

/// The board with all rings placed, the missing ones at random.
#[inline(always)]
fn set_up<K: Kernel>(kernel: K, board: &Board, random: &mut Random) -> (K::Lines, State) {
    if board.state.phase == Phase::PlaceRing {
        let board = board.with_all_rings(random);
        (kernel.set_up(&board), board.state)
    } else {
        (kernel.set_up(board), board.state)
    }
}

/// A random game in progress.
struct Course<'a, K: Kernel> {
    lines: &'a mut K::Lines,
    state: &'a mut State,
    random: &'a mut Random,
}

impl<K: Kernel> Course<'_, K> {
    /// Plays so many ring moves and passes; breaks with the winner at the end of the game.
    #[inline(always)]
    fn play<P: Policy>(&mut self, kernel: K, policy: P, length: u32) -> ControlFlow<Option<Color>> {
        self.begin(kernel)?;
        let mut moves_left = length;
        if self.state.side == Color::Black && moves_left > 0 {
            self.choose_and_play::<P, BLACK>(kernel, policy)?;
            moves_left -= 1;
        }
        while moves_left >= 2 {
            self.choose_and_play::<P, WHITE>(kernel, policy)?;
            self.choose_and_play::<P, BLACK>(kernel, policy)?;
            moves_left -= 2;
        }
        if moves_left > 0 {
            self.choose_and_play::<P, WHITE>(kernel, policy)?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn choose_and_play<P: Policy, const SIDE: usize>(
        &mut self,
        kernel: K,
        policy: P,
    ) -> ControlFlow<Option<Color>> {
        let rings = &self.state.rings[SIDE];
        let choice = policy.choice::<K, SIDE>(kernel, self.lines, rings);
        let bit = kernel.draw(&choice, self.lines, rings, self.random);
        self.play_turn::<SIDE>(kernel, bit)
    }

    /// Brings the game to its next ring move; breaks with the winner if it ends before.
    #[inline(always)]
    fn begin(&mut self, kernel: K) -> ControlFlow<Option<Color>> {
        let side = self.state.side;
        let phase = self.state.phase;
        match phase {
            Phase::PlaceRing | Phase::MoveRing => return ControlFlow::Continue(()),
            Phase::Over => return end_by_rings_off(self.state),
            Phase::EarlyRing | Phase::LateRing => self.take_ring(kernel, side)?,
            Phase::EarlyRow | Phase::LateRow => {}
        }
        self.take_rows(kernel, side)?;
        if matches!(phase, Phase::LateRow | Phase::LateRing) {
            self.end_turn(kernel)?;
        }
        ControlFlow::Continue(())
    }

    /// Plays the turn of `SIDE` from its ring move on, a bit among the targets or a pass, and the early rows of the next
    /// turn; breaks with the winner at the end of the game, `None` for a draw.
    #[inline(always)]
    fn play_turn<const SIDE: usize>(
        &mut self,
        kernel: K,
        bit: Option<usize>,
    ) -> ControlFlow<Option<Color>> {
        let Some(bit) = bit else {
            return pass(self.state);
        };
        let rings = &mut self.state.rings[SIDE];
        let ring_move = ring_move(rings, bit);
        rings.put(ring_move.slot, ring_move.way.to);
        self.state.marker_count += 1;
        self.state.last_was_pass = false;
        self.state.took_rows = false;
        if kernel.move_ring::<SIDE>(self.lines, &ring_move) {
            self.take_rows(
                kernel,
                if SIDE == WHITE {
                    Color::White
                } else {
                    Color::Black
                },
            )?;
            self.end_turn(kernel)
        } else {
            self.state.side = if SIDE == WHITE {
                Color::Black
            } else {
                Color::White
            };
            self.go_on()
        }
    }

    /// Hands over to the opponent, who takes early rows at once.
    #[inline(always)]
    fn end_turn(&mut self, kernel: K) -> ControlFlow<Option<Color>> {
        self.state.side = self.state.side.opposite();
        self.state.took_rows = false;
        self.take_rows(kernel, self.state.side)?;
        self.go_on()
    }

    #[inline(always)]
    fn go_on(&self) -> ControlFlow<Option<Color>> {
        if self.state.marker_count == MARKERS {
            end_by_rings_off(self.state)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Takes random rows of `owner` while there are any, each with a random ring.
    #[inline(always)]
    fn take_rows(&mut self, kernel: K, owner: Color) -> ControlFlow<Option<Color>> {
        loop {
            let rows = kernel.rows(self.lines, owner);
            let count = count_bits(&rows);
            if count == 0 {
                return ControlFlow::Continue(());
            }
            if self.state.variant == Variant::Blitz {
                return ControlFlow::Break(Some(owner));
            }
            let choice = if count == 1 {
                0
            } else {
                below(self.random, count)
            };
            let bit = nth_bit(&rows, choice);
            kernel.take_row(self.lines, owner, row_at((bit / 16) as usize, bit % 16));
            self.state.marker_count -= 5;
            self.take_ring(kernel, owner)?;
        }
    }

    #[inline(always)]
    fn take_ring(&mut self, kernel: K, owner: Color) -> ControlFlow<Option<Color>> {
        let rings = &mut self.state.rings[owner as usize];
        let slot = below(self.random, u32::from(rings.count)) as u8;
        let at = rings.at(slot);
        rings.remove(slot);
        self.state.took_rows = true;
        if rings.off == RINGS_TO_WIN {
            return ControlFlow::Break(Some(owner));
        }
        kernel.take_ring(self.lines, owner, rings, at);
        ControlFlow::Continue(())
    }
}

#[cold]
fn pass(state: &mut State) -> ControlFlow<Option<Color>> {
    let pure = !state.took_rows;
    if pure && state.last_was_pass {
        return end_by_rings_off(state);
    }
    state.last_was_pass = pure;
    state.took_rows = false;
    state.side = state.side.opposite();
    ControlFlow::Continue(())
}

fn end_by_rings_off(state: &State) -> ControlFlow<Option<Color>> {
    let [white, black] = &state.rings;
    ControlFlow::Break(match white.off.cmp(&black.off) {
        std::cmp::Ordering::Greater => Some(Color::White),
        std::cmp::Ordering::Less => Some(Color::Black),
        std::cmp::Ordering::Equal => None,
    })
}

/// How a game ended that began and ended like this.
fn ending(start: &State, end: &State, white: u16) -> Ending {
    let rings_off = |state: &State| u32::from(state.rings[0].off + state.rings[1].off);
    let rows = rings_off(end) - rings_off(start);
    let markers_taken = 5 * rows;
    Ending {
        white,
        ring_moves: u32::from(end.marker_count) + markers_taken - u32::from(start.marker_count),
        rows,
    }
}

/// Number of bits set.
#[inline(always)]
fn count_bits(words: &Words) -> u32 {
    let mut count = 0;
    for group in words.groups() {
        count += group.count_ones();
    }
    count
}

/// The index of the set bit number `choice`, from 0, in the words; there must be as many.
#[inline(always)]
fn nth_bit(words: &Words, mut choice: u32) -> u32 {
    for (index, mut group) in words.groups().into_iter().enumerate() {
        let count = group.count_ones();
        if choice < count {
            for _ in 0..choice {
                group &= group - 1;
            }
            return index as u32 * 64 + group.trailing_zeros();
        }
        choice -= count;
    }
    unreachable!("the choice is below the number of bits")
}
