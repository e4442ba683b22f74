//! A child process that talks in lines, and that is gone when its owner is.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Longer lines are not read to their end.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that may wait to be read; then the child has to wait.
const LINES_WAITING: usize = 256;

/// Waits until its input ends, which happens however the parent dies, and then ends its whole process group.
const GUARD: &str = "read -r _; kill -KILL 0";

/// How long the guard may take to do so.
const GUARD_PATIENCE: Duration = Duration::from_secs(2);

/// A command of the shell and all processes that it starts.
pub(super) struct ChildProcess {
    input: Option<ChildStdin>,
    lines: Receiver<Heard>,
    child: Child,
    guard: Child,
}

/// What is heard of a child.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line, without its end.
    Line(String),
    /// A line without end.
    TooLong,
    /// It has closed its output.
    Closed,
    /// Nothing yet.
    Nothing,
}

impl ChildProcess {
    /// Runs `command` by the shell, with pipes for input and output.
    ///
    /// It belongs to the process group of a guard, so that also what it starts itself is ended, and ended as well if
    /// this process is killed.
    pub fn start(command: &str) -> io::Result<Self> {
        let mut guard = Command::new("sh")
            .args(["-c", GUARD])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(guard.id() as i32)
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => {
                guard.kill()?;
                guard.wait()?;
                return Err(error);
            }
        };
        let (sender, lines) = sync_channel(LINES_WAITING);
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || read_lines(output, &sender));
        }
        Ok(Self {
            input: child.stdin.take(),
            lines,
            child,
            guard,
        })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())
    }

    /// What the child says within `patience`.
    pub fn listen(&self, patience: Duration) -> Heard {
        match self.lines.recv_timeout(patience) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }

    /// How it ended, if it ends within `patience`.
    pub fn status(&mut self, patience: Duration) -> Option<ExitStatus> {
        wait(&mut self.child, patience)
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // Closing its input lets the guard end the group.
        drop(self.guard.stdin.take());
        drop(self.input.take());
        let _ = wait(&mut self.guard, GUARD_PATIENCE);
        // Errors say that they are gone already.
        let _ = self.guard.kill();
        let _ = self.guard.wait();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a process ended, if it ends within `patience`.
fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if started.elapsed() < patience => std::thread::sleep(pause),
            Ok(None) | Err(_) => return None,
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Passes on what a child says, until it or its listener is gone.
fn read_lines(output: ChildStdout, sender: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        let heard = match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => Heard::Closed,
            Ok(length) if length as u64 == LONGEST_LINE && line.last() != Some(&b'\n') => {
                Heard::TooLong
            }
            Ok(_) => Heard::Line(plain(&line)),
        };
        let is_last = !matches!(heard, Heard::Line(_));
        if sender.send(heard).is_err() || is_last {
            return;
        }
    }
}

/// A line without anything that could steer a terminal.
fn plain(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
