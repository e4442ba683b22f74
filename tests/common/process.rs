//! The program as a server of its own.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running server, killed when it is dropped.
pub struct ServerProcess {
    /// The process.
    pub child: Child,
    /// Where it listens.
    pub url: String,
}

impl ServerProcess {
    /// Starts `serve`, and waits until it tells its address.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("listening on ");
        let url = url.unwrap_or_else(|| panic!("no address in `{line}`"));
        Self {
            url: url.to_owned(),
            child,
        }
    }

    /// SIGKILL: nothing can be tidied up.
    pub fn kill(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
