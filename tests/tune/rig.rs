//! What the tests of tuning share, beside running the program.

use std::collections::BTreeSet;
use std::fs;

use crate::runs::Rig;

impl Rig {
    /// A folder in which settings are tuned.
    pub fn new() -> Self {
        Self::of("tune")
    }

    /// The lines of a file of results, whatever their order.
    pub fn lines(&self, file: &str) -> BTreeSet<String> {
        self.read(file).lines().map(str::to_owned).collect()
    }

    /// The names of all files in the folder that contain `part`.
    pub fn files_with(&self, part: &str) -> Vec<String> {
        let files = fs::read_dir(self.path("")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains(part)).collect()
    }
}
