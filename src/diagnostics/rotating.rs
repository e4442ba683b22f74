//! A log file that stays within its size, whatever is written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of limited size with its predecessors: `bot.log`, `bot.log.1` before it, and so on.
#[derive(Debug)]
pub(super) struct RotatingFile {
    path: PathBuf,
    bytes_max: u64,
    kept: u32,
    file: File,
    bytes: u64,
    /// The last line may be there in part only.
    is_torn: bool,
}

impl RotatingFile {
    /// Goes on with `path`, or makes it. It grows to `bytes_max`, and `kept` older ones stay beside it.
    pub(super) fn open(path: &Path, bytes_max: u64, kept: u32) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self {
            bytes: file.metadata()?.len(),
            path: path.to_owned(),
            bytes_max,
            kept,
            file,
            is_torn: false,
        })
    }

    /// Adds a line, cut to what the whole file may hold.
    ///
    /// # Errors
    /// The disk is full, or the files cannot be renamed; the next line is tried anew.
    pub(super) fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        let most = usize::try_from(self.bytes_max).unwrap_or(usize::MAX);
        let line = &line[..line.len().min(most)];
        if self.bytes > 0 && self.bytes + line.len() as u64 > self.bytes_max {
            self.rotate()?;
        }
        if self.is_torn {
            self.append(b"\n")?;
        }
        self.append(line)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = self.file.write_all(bytes);
        self.is_torn = result.is_err();
        self.bytes = match result {
            Ok(()) => self.bytes + bytes.len() as u64,
            Err(_) => self.file.metadata().map_or(self.bytes, |meta| meta.len()),
        };
        result
    }

    fn rotate(&mut self) -> io::Result<()> {
        for age in (1..self.kept).rev() {
            ignore_missing(fs::rename(self.older(age), self.older(age + 1)))?;
        }
        if self.kept > 0 {
            ignore_missing(fs::rename(&self.path, self.older(1)))?;
        }
        let mut options = OpenOptions::new();
        self.file = options.create(true).append(true).open(&self.path)?;
        if self.kept == 0 {
            self.file.set_len(0)?;
        }
        self.bytes = self.file.metadata()?.len();
        self.is_torn = false;
        Ok(())
    }

    fn older(&self, age: u32) -> PathBuf {
        older(&self.path, age)
    }
}

/// Where the log `path` is kept after so many others have followed it.
pub fn older(path: &Path, age: u32) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(format!(".{age}"));
    PathBuf::from(name)
}

/// Files that are not there yet, or were removed by hand, are no trouble.
fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(dir: &Path) -> Vec<(String, u64)> {
        let mut sizes: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                (name, entry.metadata().unwrap().len())
            })
            .collect();
        sizes.sort();
        sizes
    }

    #[test]
    fn a_flood_stays_within_its_bounds_and_the_newest_lines_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot.log");
        let mut file = RotatingFile::open(&path, 1_000, 2).unwrap();
        for number in 0..10_000 {
            file.write_line(format!("line {number}\n").as_bytes())
                .unwrap();
        }
        let sizes = sizes(dir.path());
        let names: Vec<_> = sizes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["bot.log", "bot.log.1", "bot.log.2"]);
        assert!(sizes.iter().all(|(_, bytes)| *bytes <= 1_000), "{sizes:?}");
        let parts = ["bot.log.2", "bot.log.1", "bot.log"];
        let text: String = parts
            .map(|name| fs::read_to_string(dir.path().join(name)).unwrap())
            .concat();
        let numbers: Vec<u32> = text
            .lines()
            .map(|line| line[5..].parse().unwrap())
            .collect();
        assert!(
            numbers.is_sorted() && numbers.last() == Some(&9_999),
            "{numbers:?}"
        );
        assert_eq!(
            numbers[numbers.len() - 1] as usize - numbers[0] as usize + 1,
            numbers.len()
        );
    }

    #[test]
    fn a_new_process_goes_on_with_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot.log");
        for line in ["one\n", "two\n"] {
            let mut file = RotatingFile::open(&path, 1_000, 2).unwrap();
            file.write_line(line.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn without_older_files_the_one_file_begins_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot.log");
        let mut file = RotatingFile::open(&path, 10, 0).unwrap();
        for line in ["one two\n", "three\n", "a line that is far too long\n"] {
            file.write_line(line.as_bytes()).unwrap();
        }
        assert_eq!(sizes(dir.path()), [("bot.log".to_owned(), 10)]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_each_time() {
        let mut file = RotatingFile::open(Path::new("/dev/full"), 1_000, 2).unwrap();
        for _ in 0..3 {
            let error = file.write_line(b"line\n").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        }
    }
}
