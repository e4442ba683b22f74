//! A server and a bot as processes of their own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A folder with the store of a server, and the accounts on it.
pub struct Site {
    pub folder: TempDir,
    /// Where the server listens, each time it is started.
    pub url: String,
}

impl Site {
    pub fn new() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address");
        Self {
            folder: TempDir::new().expect("a folder"),
            url: format!("http://{address}"),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("YINSH_BOT_TOKEN")
            .stdin(Stdio::null());
        command
    }

    /// Makes an account; gives its token.
    pub fn account(&self, name: &str) -> String {
        let output = self.command(&["serve", "--create-bot", name]).output();
        let output = output.expect("the program runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout)
            .expect("a token")
            .trim()
            .to_owned()
    }

    /// Writes the config of both processes; the bot talks to `url`.
    pub fn configure(&self, url: &str, token: &str) {
        let address = self.url.trim_start_matches("http://");
        let text = format!(
            "serve = {{ address = \"{address}\", requests_per_minute = 1000000 }}\n\
             account = {{ token = \"{token}\", lock_dir = \".\" }}\n\
             server = {{ url = \"{url}\", request_timeout_ms = 2000, poll_wait_s = 5 }}\n\
             play = {{ games_max = 8 }}\n\
             challenges = {{ initial_min_s = 1 }}\n\
             time = {{ expected_turns = 200, min_turns_to_go = 200 }}\n\
             search = {{ threads = 8, memory_mb = 64 }}\n\
             log = {{ level = \"debug\", file = \"bot.log\", file_max_mb = 100 }}\n"
        );
        fs::write(self.folder.path().join("config.toml"), text).expect("the config is written");
    }

    pub fn serve(&self) -> Process {
        Process::start(self.command(&["serve"]), self.folder.path(), "server")
    }

    pub fn play(&self) -> Process {
        Process::start(self.command(&["play"]), self.folder.path(), "bot")
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// The turns in the record of a game, in their order.
    pub fn recorded_turns(&self, game: &str) -> Vec<String> {
        let record = self.read(&format!("records/{game}.jsonl"));
        let lines = record.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("a whole line");
            line["turn"]["turn"].as_str().map(str::to_owned)
        });
        lines.flatten().collect()
    }

    /// The lines of the log with a warning, the newest last.
    pub fn warnings(&self, count: usize) -> String {
        let log = self.read("bot.log");
        let is_bad = |line: &&str| line.contains(" WARN ") || line.contains("ERROR ");
        let mut lines: Vec<_> = log.lines().filter(is_bad).rev().take(count).collect();
        lines.reverse();
        lines.join("\n")
    }
}

/// The program under test.
fn program() -> PathBuf {
    let named = std::env::var_os("YINSH_SOAK_PROGRAM");
    let path = named.map_or_else(
        || PathBuf::from(env!("CARGO_BIN_EXE_yinsh-bot")),
        PathBuf::from,
    );
    path.canonicalize().expect("the program exists")
}

/// What a failed run leaves behind is worth a look.
impl Drop for Site {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.folder.disable_cleanup(true);
            println!("logs and records stay in {}", self.folder.path().display());
        }
    }
}

/// A process that is killed when this is dropped.
pub struct Process {
    child: Child,
}

impl Process {
    fn start(mut command: Command, folder: &Path, name: &str) -> Self {
        let file = |end: &str| {
            let path = folder.join(format!("{name}.{end}"));
            let mut options = File::options();
            options
                .create(true)
                .append(true)
                .open(path)
                .expect("a file")
        };
        let child = command
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn();
        Self {
            child: child.expect("the program starts"),
        }
    }

    /// SIGKILL: nothing can be tidied up.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// SIGTERM, and then its exit code.
    pub fn end(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let kill = Command::new("kill").args(["-TERM", &id]).status();
        assert!(kill.expect("kill runs").success());
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.child.try_wait().expect("its state") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it does not end");
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("its state").is_none()
    }

    /// What it holds now.
    pub fn usage(&self) -> Usage {
        let folder = format!("/proc/{}", self.child.id());
        let status = fs::read_to_string(format!("{folder}/status")).expect("Linux tells");
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let word = line.and_then(|line| line.split_whitespace().next());
            word.and_then(|word| word.parse().ok()).expect("a number")
        };
        Usage {
            memory_kib: number("VmRSS:"),
            threads: number("Threads:"),
            files: fs::read_dir(format!("{folder}/fd"))
                .expect("Linux tells")
                .count() as u64,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    pub memory_kib: u64,
    pub threads: u64,
    pub files: u64,
}

impl Usage {
    /// The larger of each.
    pub fn max(self, other: Self) -> Self {
        Self {
            memory_kib: self.memory_kib.max(other.memory_kib),
            threads: self.threads.max(other.threads),
            files: self.files.max(other.files),
        }
    }
}
