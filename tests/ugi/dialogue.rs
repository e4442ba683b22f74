//! Talking to an engine.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use tempfile::TempDir;
use yinsh_bot::game::Turn;
use yinsh_bot::search::SearchParams;
use yinsh_bot::ugi::{UgiConfig, run};

/// Longer than any answer may take on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// One side of a conversation with an engine.
pub struct Dialogue {
    pub to: Option<Box<dyn Write>>,
    from: Receiver<String>,
    /// Where the program runs: empty, so that no config.toml is picked up by chance.
    _folder: Option<TempDir>,
}

impl Dialogue {
    fn over(to: impl Write + 'static, from: impl std::io::Read + Send + 'static) -> Self {
        let (lines, received) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                if lines.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            to: Some(Box::new(to)),
            from: received,
            _folder: None,
        }
    }

    /// With an engine in a thread of this process: one thread, little memory.
    pub fn in_process() -> Self {
        let (input, to) = std::io::pipe().unwrap();
        let (from, output) = std::io::pipe().unwrap();
        let search = SearchParams {
            threads: 1,
            memory_mb: 16,
            ..SearchParams::default()
        };
        let config = UgiConfig {
            search,
            ..UgiConfig::default()
        };
        std::thread::spawn(move || run(BufReader::new(input), output, config).unwrap());
        Self::over(to, from)
    }

    /// With the program.
    pub fn program() -> (Self, Child) {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"))
            .args(["ugi", "--set", "search.memory_mb=16"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let dialogue = Self {
            _folder: Some(folder),
            ..Self::over(to, from)
        };
        (dialogue, child)
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let to = self.to.as_mut().unwrap();
        writeln!(to, "{line}").unwrap();
        to.flush().unwrap();
    }

    /// The next line.
    pub fn next(&self) -> String {
        self.from.recv_timeout(PATIENCE).unwrap()
    }

    /// Sends a line whose answer is one line.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.next()
    }

    /// The lines up to the first that begins with `start`, that one included.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.next()];
        while !lines.last().unwrap().starts_with(start) {
            lines.push(self.next());
        }
        lines
    }

    /// Sends a `go` and waits for its turn.
    pub fn best_turn(&mut self, go: &str) -> Turn {
        self.send(go);
        let lines = self.until("bestmove ");
        lines.last().unwrap()["bestmove ".len()..].parse().unwrap()
    }

    /// Ends the input and returns what is still said.
    pub fn hang_up(mut self) -> Vec<String> {
        drop(self.to.take());
        let mut lines = Vec::new();
        loop {
            match self.from.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end: {lines:?}"),
            }
        }
    }
}
