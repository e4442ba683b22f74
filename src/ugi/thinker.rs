//! The search in a thread of its own, so that commands are read while it runs.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{UgiConfig, info};
use crate::game::Position;
use crate::search::{Evaluation, Limits, SearchReport, Searcher, StopFlag};

/// Lines for the other side; clones write to the same stream.
pub(super) struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    pub fn new(stream: W) -> Self {
        Self(Arc::new(Mutex::new(stream)))
    }

    /// Writes one whole line and sends it off.
    pub fn line(&self, line: &str) -> io::Result<()> {
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(stream, "{line}")?;
        stream.flush()
    }
}

/// The searcher, either at rest or at work.
pub(super) struct Thinker {
    at_rest: Option<Searcher>,
    at_work: Option<Work>,
}

struct Work {
    /// Set from outside to end the search, and by the search itself when it is about to answer: the other side may
    /// react to the answer before the thread has ended.
    stop: StopFlag,
    thread: JoinHandle<io::Result<Searcher>>,
}

impl Thinker {
    pub fn new(config: &UgiConfig) -> Self {
        let evaluation = config
            .evaluation
            .clone()
            .unwrap_or_else(Evaluation::built_in);
        let searcher = Searcher::with_evaluation(config.search.clone(), evaluation);
        Self {
            at_rest: Some(searcher),
            at_work: None,
        }
    }

    /// The searcher, unless it is at work.
    pub fn searcher(&mut self) -> io::Result<Option<&mut Searcher>> {
        let is_done = |work: &Work| work.stop.is_stopped() || work.thread.is_finished();
        if self.at_work.as_ref().is_some_and(is_done) {
            self.stop()?;
        }
        Ok(self.at_rest.as_mut())
    }

    /// Searches `position`, which is not over, and answers on `output`.
    ///
    /// # Panics
    /// The searcher is at work.
    pub fn start<W: Write + Send + 'static>(
        &mut self,
        position: Position,
        limits: Limits,
        output: Output<W>,
    ) {
        let mut searcher = self.at_rest.take().expect("the searcher is at rest");
        let stop = StopFlag::new();
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            // A stream that breaks now shows itself at the answer.
            let mut observe = |report: &SearchReport| drop(output.line(&info::line(report)));
            let report = searcher
                .search(&position, &limits, &stopped, &mut observe)
                .map_err(io::Error::other)?;
            stopped.stop();
            output.line(&info::line(&report))?;
            output.line(&format!("bestmove {}", report.turn))?;
            Ok(searcher)
        });
        self.at_work = Some(Work { stop, thread });
    }

    /// Ends a running search and waits for its answer.
    pub fn stop(&mut self) -> io::Result<()> {
        if let Some(work) = self.at_work.take() {
            work.stop.stop();
            let ended = work.thread.join();
            let searcher = ended.map_err(|_| io::Error::other("the search failed"))??;
            self.at_rest = Some(searcher);
        }
        Ok(())
    }
}
