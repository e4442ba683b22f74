//! One process for one account: a lock that the system frees when its process ends, however that happens.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Shared by all users, and not cleaned up while the machine runs. Not every system has it.
const SHARED_DIR: &str = "/run/lock";

/// Where the processes that may play the same account look for one another.
#[derive(Clone, Debug)]
pub struct LockPlace {
    dir: PathBuf,
    server: String,
}

/// The right to play an account, until it is dropped or the process ends.
#[derive(Debug)]
pub(super) struct AccountLock {
    _file: File,
}

/// Why an account cannot be locked.
#[derive(Debug, thiserror::Error)]
pub(super) enum LockError {
    /// Somebody else has it.
    #[error(
        "{} plays this account already and holds the lock {path}; stop it first",
        match .pid { Some(pid) => format!("process {pid}"), None => "another process".to_owned() }
    )]
    Taken {
        /// The lock.
        path: PathBuf,
        /// Who holds it, if it could write that down.
        pid: Option<u32>,
    },
    /// The file cannot be made, opened or locked.
    #[error(
        "the lock {path} cannot be used: {source}; `lock_dir` in [account] names another folder"
    )]
    Unusable {
        /// The lock.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl LockPlace {
    /// Locks of accounts on `server`, in `dir` or else where all users of this machine can write.
    pub fn new(dir: Option<&Path>, server: &str) -> Self {
        Self {
            dir: dir.map_or_else(shared_dir, Path::to_owned),
            server: server.trim_end_matches('/').to_lowercase(),
        }
    }

    /// Takes the lock of `account`, and leaves the number of this process in it for others to read.
    pub(super) fn take(&self, account: &str) -> Result<AccountLock, LockError> {
        let path = self.dir.join(self.file_name(account));
        let unusable = |source| LockError::Unusable {
            path: path.clone(),
            source,
        };
        let mut file = open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = read_pid(&mut file);
                return Err(LockError::Taken { path, pid });
            }
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        // A file of another user can be locked but not written; then others are not told who has it.
        let _ = write_pid(&mut file);
        Ok(AccountLock { _file: file })
    }

    /// Names may hold anything, so the file is named by a digest.
    fn file_name(&self, account: &str) -> String {
        let digest = Sha256::digest(format!("{}\n{account}", self.server));
        let digest: String = digest[..8].iter().map(|b| format!("{b:02x}")).collect();
        format!("yinsh-bot-{digest}.lock")
    }
}

fn shared_dir() -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let is_open = |meta: fs::Metadata| meta.is_dir() && meta.permissions().mode() & 0o002 != 0;
        if fs::metadata(SHARED_DIR).is_ok_and(is_open) {
            return PathBuf::from(SHARED_DIR);
        }
    }
    std::env::temp_dir()
}

/// An existing file is opened without asking for its creation: in folders of all users, systems refuse that for files
/// of others.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    loop {
        match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return File::open(path);
            }
            opened => return opened,
        }
        match options.clone().create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                let_all_read(&file)?;
                return Ok(file);
            }
        }
    }
}

/// Whoever can read a file can lock it: processes of other users must be able to, whatever this one's file mask is.
fn let_all_read(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn write_pid(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_locked_once_and_free_again_afterwards() {
        let dir = tempfile::tempdir().unwrap();
        let place = LockPlace::new(Some(dir.path()), "http://localhost:1/");
        let held = place.take("ringmaster").unwrap();
        let error = place.take("ringmaster").unwrap_err().to_string();
        let pid = std::process::id();
        assert!(
            error.starts_with(&format!("process {pid} plays")),
            "{error}"
        );
        drop(held);
        place.take("ringmaster").unwrap();
    }

    #[test]
    fn other_accounts_and_other_servers_have_locks_of_their_own() {
        let dir = tempfile::tempdir().unwrap();
        let place = |server| LockPlace::new(Some(dir.path()), server);
        let _held = place("http://localhost:1").take("ringmaster").unwrap();
        place("http://localhost:1").take("sparring").unwrap();
        place("http://localhost:2").take("ringmaster").unwrap();
        let same = place("http://LOCALHOST:1/").take("ringmaster");
        assert!(matches!(same, Err(LockError::Taken { .. })), "{same:?}");
    }

    #[test]
    fn a_lock_that_nobody_holds_any_more_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let place = LockPlace::new(Some(dir.path()), "http://localhost:1");
        // What a killed process leaves behind.
        fs::write(dir.path().join(place.file_name("ringmaster")), "4711\n").unwrap();
        place.take("ringmaster").unwrap();
    }

    #[test]
    fn a_missing_folder_is_named_with_its_remedy() {
        let place = LockPlace::new(Some(Path::new("/nowhere/at/all")), "http://localhost:1");
        let error = place.take("ringmaster").unwrap_err().to_string();
        assert!(
            error.contains("/nowhere/at/all") && error.contains("lock_dir"),
            "{error}"
        );
    }
}
