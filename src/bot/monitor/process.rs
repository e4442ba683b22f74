//! What the system says about this process.

use std::fs;

/// Memory that is in use, in bytes; `None` where the system does not tell in the way of Linux.
pub(super) fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Open files and sockets; `None` where the system does not tell in the way of Linux.
pub(super) fn open_files() -> Option<usize> {
    // Reading the folder opens it, and that one is listed too.
    let listed = fs::read_dir("/proc/self/fd").ok()?.count();
    Some(listed.saturating_sub(1))
}
