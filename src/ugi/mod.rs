//! The engine as a text program: the Universal Game Interface over two streams.
//!
//! | line | answer |
//! |---|---|
//! | `ugi` | `id …`, `option …` for each option, `ugiok` |
//! | `isready` | `readyok`, also during a search |
//! | `uginewgame` | none; forgets the game |
//! | `setoption name X value Y` | none; X as in the config file, or `Variant`, which also goes back to the empty board |
//! | `position startpos\|fen P [moves T…]` | none; a line that is refused leaves the position as it was |
//! | `go [movetime MS] [nodes N] [p1time MS p2time MS p1inc MS p2inc MS] [infinite]` | `info …` now and then, at the end `bestmove T` |
//! | `stop` | `bestmove T` |
//! | `query gameover` | `response true\|false` |
//! | `query p1turn` | `response true\|false`: is White to decide? |
//! | `query result` | `response p1win\|p2win\|draw\|none` |
//! | `quit`, end of input | ends the program, a search first |
//!
//! Turns are written as in records. `nodes` are simulations; depths are counted in actions; `winprob` is the expected
//! result of the side to decide, 1 being a sure win. Without a limit a search goes on until `stop`, but a turn without
//! alternative is answered at once. When the game is over, the answer to `go` is `bestmove none`.
//! A line that is not understood or not possible gets `info string error: …` and changes nothing; a refused `go` has no
//! `bestmove`.

mod command;
mod info;
mod option;
mod session;
mod thinker;

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use crate::search::{Evaluation, SearchParams, TimeParams};
use session::{Flow, Session};

/// What the options begin with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UgiConfig {
    /// The search.
    pub search: SearchParams,
    /// The use of the clock.
    pub time: TimeParams,
    /// What judges positions, if not what is built in.
    pub evaluation: Option<Arc<Evaluation>>,
}

/// Reads commands until `quit` or the end of `input`, and answers on `output`. A search that still runs then is
/// stopped and answered.
///
/// # Errors
/// One of the streams is broken.
pub fn run<W>(mut input: impl BufRead, output: W, config: UgiConfig) -> io::Result<()>
where
    W: Write + Send + 'static,
{
    let mut session = Session::new(output, config);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if session.handle(&String::from_utf8_lossy(&line))? == Flow::End {
            break;
        }
        line.clear();
    }
    session.end()
}
