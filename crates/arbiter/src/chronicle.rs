//! A mission's journal as the mind reads it: bodies are entries. The journal room does not know what a fact means, and
//! the mind does not know where it is kept; they meet here.

use std::path::Path;

use journal::{Journal, JournalError};
use mind::{Entry, State};

/// Why a chronicle cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ChronicleError {
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A line is sound but tells something this program does not know: a newer one wrote it.
    #[error("entry {seq} of {path} tells something unknown: {why}")]
    Unknown {
        /// The journal.
        path: String,
        /// Which entry.
        seq: u64,
        /// What the reader said.
        why: String,
    },
}

/// A journal open for writing, with the state its facts add up to.
#[derive(Debug)]
pub struct Chronicle {
    journal: Journal,
}

impl Chronicle {
    /// Makes a journal that holds `entries`, durably.
    pub fn create(path: &Path, mission: &str, entries: &[Entry]) -> Result<(), ChronicleError> {
        let mut chronicle = Chronicle { journal: Journal::create(path, mission)? };
        chronicle.append(entries)?;
        chronicle.sync()
    }

    /// Opens a journal and adds up its facts. Says how many bytes of a torn tail were cut, and where they are kept.
    pub fn open(path: &Path) -> Result<(Chronicle, State, Option<journal::Cut>), ChronicleError> {
        let opened = Journal::open(path)?;
        let mut state = State::default();
        let mut replay = opened.journal.replay()?;
        while let Some(line) = replay.next_entry()? {
            state.apply(&read_entry(path, line.seq, line.body)?);
        }
        Ok((Chronicle { journal: opened.journal }, state, opened.cut))
    }

    /// Adds up the facts of a journal that another process may be writing.
    pub fn peek(path: &Path) -> Result<State, ChronicleError> {
        let mut state = State::default();
        let mut tail = Tail::open(path)?;
        while let Some(entries) = tail.next()? {
            entries.iter().for_each(|(_, entry)| state.apply(entry));
        }
        Ok(state)
    }

    /// Writes a batch. It is not durable before [`Chronicle::sync`].
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), ChronicleError> {
        let bodies: Vec<String> = entries.iter().map(write_entry).collect();
        self.journal.append(self.journal.head(), &bodies)?;
        Ok(())
    }

    /// What is not synced did not happen.
    pub fn sync(&mut self) -> Result<(), ChronicleError> {
        Ok(self.journal.sync()?)
    }

    /// How many entries there are.
    pub fn head(&self) -> u64 {
        self.journal.head()
    }
}

/// Reads entries as they come, complete batches only.
pub struct Tail {
    reader: journal::Reader,
    path: std::path::PathBuf,
}

impl Tail {
    /// From the first entry.
    pub fn open(path: &Path) -> Result<Tail, ChronicleError> {
        Ok(Tail { reader: journal::Reader::open(path)?, path: path.to_owned() })
    }

    /// The next batch, or nothing for now.
    #[expect(clippy::should_implement_trait, reason = "a tail never ends, so it is no iterator")]
    pub fn next(&mut self) -> Result<Option<Vec<(u64, Entry)>>, ChronicleError> {
        let Some(batch) = self.reader.next_batch()? else { return Ok(None) };
        let mut entries = Vec::with_capacity(batch.bodies.len());
        for (seq, body) in (batch.first..).zip(&batch.bodies) {
            entries.push((seq, read_entry(&self.path, seq, body)?));
        }
        Ok(Some(entries))
    }
}

pub(crate) fn read_entry(path: &Path, seq: u64, body: &str) -> Result<Entry, ChronicleError> {
    serde_json::from_str(body).map_err(|error| ChronicleError::Unknown {
        path: path.display().to_string(),
        seq,
        why: error.to_string(),
    })
}

fn write_entry(entry: &Entry) -> String {
    // Entries are plain data: there is nothing in them that JSON cannot hold.
    serde_json::to_string(entry).unwrap_or_default()
}
