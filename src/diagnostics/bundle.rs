//! One compressed archive with everything that a report of a bug needs, and no secret.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::redact::Redactor;

/// The name of the file that lists the others.
const LIST: &str = "README.txt";

/// What an archive will hold.
#[derive(Debug)]
pub struct Bundle {
    redactor: Redactor,
    entries: Vec<Entry>,
}

/// One file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the archive.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Its text, without secrets.
    pub text: String,
}

/// An archive that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the report {path} cannot be written: {source}")]
pub struct BundleError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl Bundle {
    /// Nothing yet; `redactor` knows the secrets.
    pub fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            entries: Vec::new(),
        }
    }

    /// Adds a file, without the secrets that its name and text hold.
    pub fn add(&mut self, name: &str, about: &str, text: &str) {
        self.entries.push(Entry {
            name: self.redactor.redact(name),
            about: self.redactor.redact(about),
            text: self.redactor.redact(text),
        });
    }

    /// Adds the end of the file `path`, at most `bytes_max` of it; if it cannot be read, says why in its place.
    pub fn add_tail(&mut self, name: &str, about: &str, path: &Path, bytes_max: u64) {
        let text = tail(path, bytes_max);
        let text =
            text.unwrap_or_else(|error| format!("{} cannot be read: {error}\n", path.display()));
        self.add(name, about, &text);
    }

    /// What was added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Writes the archive, which begins with a list of its files.
    ///
    /// # Errors
    /// The file exists already or cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), BundleError> {
        self.try_write(path).map_err(|source| BundleError {
            path: path.to_owned(),
            source,
        })
    }

    fn try_write(&self, path: &Path) -> io::Result<()> {
        let file = File::create_new(path)?;
        let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
        append(&mut archive, LIST, &self.list())?;
        for entry in &self.entries {
            append(&mut archive, &entry.name, &entry.text)?;
        }
        archive.into_inner()?.finish()?.sync_all()
    }

    fn list(&self) -> String {
        let lines = self
            .entries
            .iter()
            .map(|entry| format!("{:<32} {}\n", entry.name, entry.about));
        lines.collect()
    }
}

/// The last whole lines of a file.
fn tail(path: &Path, bytes_max: u64) -> io::Result<String> {
    let mut file = File::open(path)?;
    let skipped = file.metadata()?.len().saturating_sub(bytes_max);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(bytes_max).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    match text.split_once('\n') {
        Some((_, whole)) if skipped > 0 => Ok(whole.to_owned()),
        _ => Ok(text.into_owned()),
    }
}

fn append(archive: &mut tar::Builder<impl Write>, name: &str, text: &str) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    header.set_mtime(now.map_or(0, |time| time.as_secs()));
    archive.append_data(&mut header, name, text.as_bytes())
}
