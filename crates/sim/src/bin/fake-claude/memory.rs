//! The messages that a session got, on disk: one id per line. A message that is there is not taken twice.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

/// One session's memory.
#[derive(Debug)]
pub struct Memory {
    path: PathBuf,
    ids: BTreeSet<String>,
    /// The session was there before this process.
    begun: bool,
}

impl Memory {
    pub fn open(folder: &str, key: &str) -> io::Result<Memory> {
        fs::create_dir_all(folder)?;
        let path = PathBuf::from(folder).join(key);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let ids = text.lines().map(str::to_owned).collect();
        Ok(Memory { begun: path.exists(), path, ids })
    }

    pub fn is_begun(&self) -> bool {
        self.begun
    }

    pub fn holds(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    pub fn add(&mut self, id: &str) {
        self.ids.insert(id.to_owned());
        self.append(&self.path, id);
    }

    /// Keeps what the model is told beside the conversation, for the test to read.
    pub fn overhear(&self, text: &str) {
        self.append(&self.path.with_extension("heard"), text);
    }

    fn append(&self, path: &PathBuf, line: &str) {
        let file = File::options().append(true).create(true).open(path);
        if let Err(error) = file.and_then(|mut file| writeln!(file, "{line}")) {
            eprintln!("Error: {}: {error}", path.display());
        }
    }
}
