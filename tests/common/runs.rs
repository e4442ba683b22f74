//! Running a command of the program that plays games, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A folder in which the program plays games.
pub struct Rig {
    command: &'static str,
    folder: TempDir,
}

/// How a run of the program ended.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Rig {
    /// A folder for runs of this command of the program.
    pub fn of(command: &'static str) -> Self {
        Self {
            command,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The command with these arguments, which are separated by blanks.
    pub fn command(&self, arguments: &str) -> Command {
        self.command_of(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// The command with these arguments.
    pub fn command_of(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yinsh-bot"));
        command
            .current_dir(self.folder.path())
            .env("LC_ALL", "C.UTF-8")
            .arg(self.command)
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &str) -> Run {
        Run::from(self.command(arguments).output().unwrap())
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl Run {
    /// The report of `--json`, without what differs from run to run.
    pub fn json(&self) -> Value {
        let mut report = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr));
        strip_times(&mut report);
        report
    }

    pub fn assert_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }
}

/// Takes away all times, and what follows from them.
pub fn strip_times(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for key in [
                "elapsed_us",
                "elapsed_ms",
                "clock_ms",
                "turn_ms",
                "simulations_per_second",
            ] {
                object.remove(key);
            }
            object.values_mut().for_each(strip_times);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_times),
        _ => {}
    }
}

/// Runs a command on its own, unheard.
pub fn start(command: &mut Command) -> Child {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until `condition` holds.
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(20), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Lines that are complete.
pub fn complete_lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
}

/// Sends a signal.
pub fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}
