use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;

/// How many games are played at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// Games, at least one.
    pub games: usize,
    /// Cores that there are.
    pub cores: usize,
    /// Whether players that think at the same time must share a core, which makes times unfair.
    pub shares_cores: bool,
}

impl Concurrency {
    /// As many games as are `wanted`, or as fit on the cores, where each keeps `threads` busy.
    pub fn new(wanted: Option<usize>, threads: usize, cores: usize) -> Self {
        let games = wanted.unwrap_or(cores / threads).max(1);
        Self {
            games,
            cores,
            shares_cores: games * threads > cores,
        }
    }
}

/// Cores that this process may use, those that two hardware threads share counted once.
///
/// Where the system does not tell which threads share a core, each counts as one.
pub fn physical_cores() -> usize {
    let usable = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let allowed = fs::read_to_string("/proc/self/status").ok();
    let allowed = allowed.as_deref().and_then(allowed_threads);
    let cores: Option<BTreeSet<String>> = allowed.map(|threads| {
        let siblings =
            |thread| format!("/sys/devices/system/cpu/cpu{thread}/topology/thread_siblings_list");
        threads
            .into_iter()
            .filter_map(|thread| fs::read_to_string(siblings(thread)).ok())
            .collect()
    });
    match cores {
        Some(cores) if !cores.is_empty() => cores.len().min(usable),
        _ => usable,
    }
}

/// The hardware threads in a line such as `Cpus_allowed_list: 0-3,8`.
fn allowed_threads(status: &str) -> Option<Vec<usize>> {
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut threads = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        threads.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_fit_on_the_cores() {
        let concurrency = |wanted, threads| {
            let concurrency = Concurrency::new(wanted, threads, 8);
            (concurrency.games, concurrency.shares_cores)
        };
        assert_eq!(concurrency(None, 1), (8, false));
        assert_eq!(concurrency(None, 3), (2, false));
        assert_eq!(concurrency(None, 9), (1, true));
        assert_eq!(concurrency(Some(8), 1), (8, false));
        assert_eq!(concurrency(Some(9), 1), (9, true));
    }

    #[test]
    fn reads_lists_of_threads() {
        let list = |text: &str| allowed_threads(&format!("Name:\tx\nCpus_allowed_list:\t{text}\n"));
        assert_eq!(list("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(list("5"), Some(vec![5]));
        assert_eq!(list("all"), None);
        assert_eq!(allowed_threads("Name:\tx"), None);
        assert!(physical_cores() >= 1);
    }
}
