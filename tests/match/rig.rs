//! What the tests of matches share, beside running the program: reading files, and engines that misbehave.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::runs::strip_times;
pub use crate::runs::{Rig, Run, complete_lines, signal, start, wait_until};

impl Rig {
    /// A folder in which matches are played.
    pub fn new() -> Self {
        Self::of("match")
    }

    pub fn run_all(&self, arguments: &[&str]) -> Run {
        Run::from(self.command_of(arguments).output().unwrap())
    }

    /// The games of a match file by their numbers, without what differs from run to run.
    pub fn games(&self, file: &str) -> Vec<Value> {
        let text = self.read(file);
        let lines = text
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut games: Vec<Value> = lines.map(|mut line| line["game"].take()).collect();
        games.sort_by_key(|game| game["game"].as_u64());
        games.iter_mut().for_each(strip_times);
        games
    }
}

/// An engine written in shell: it gets ready as it should, and does `on_go` when it is asked for a turn.
pub fn engine(on_go: &str) -> String {
    engine_with("echo readyok", on_go)
}

/// The same with something else to do in answer to `isready`.
pub fn engine_with(on_ready: &str, on_go: &str) -> String {
    format!(
        "ugi:while read -r line; do case \"$line\" in ugi) echo id name shell; echo ugiok;; isready) {on_ready};; \
         go*) {on_go};; quit) exit;; esac; done"
    )
}

/// Processes whose command line contains `marker`.
pub fn processes_with(marker: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let command_line = |path: PathBuf| fs::read(path.join("cmdline")).ok();
    processes
        .filter(|entry| {
            entry
                .file_name()
                .to_string_lossy()
                .bytes()
                .all(|byte| byte.is_ascii_digit())
        })
        .filter_map(|entry| command_line(entry.path()))
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(marker))
        .collect()
}
