//! A mission's journal as a list of entries: turns the lines of `journal` into facts of `mind` and back. The journal room
//! does not know what a fact means, and the mind does not know where facts are kept.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{Bookmark, JournalError, LogReader, LogStore, LogWriter, OpenedLog};
use mind::fact::{Fact, MissionFact};
use mind::{Charter, Entry, State};

/// One mission's journal: where it is, and the store that it is kept in.
#[derive(Debug, Clone)]
pub struct MissionJournal {
    store: Arc<dyn LogStore>,
    path: PathBuf,
}

impl MissionJournal {
    pub fn new(store: Arc<dyn LogStore>, path: PathBuf) -> MissionJournal {
        MissionJournal { store, path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The process that runs the mission, if one does; 0 if its id is not known.
    pub fn holder(&self) -> Option<u32> {
        self.store.holder(&self.path)
    }

    /// Batches from the first on.
    pub(crate) fn reader(&self) -> Result<Box<dyn LogReader>, FactLogError> {
        Ok(self.store.read_from(&self.path, 1)?)
    }

    /// Batches from a bookmark on.
    pub(crate) fn reader_at(&self, bookmark: &Bookmark) -> Result<Box<dyn LogReader>, FactLogError> {
        Ok(self.store.read_at(&self.path, bookmark)?)
    }
}

/// Why the journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FactLogError {
    /// The journal refused.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A line is intact but holds a fact that this version does not know: a newer one wrote it.
    #[error("entry {seq} of {path} is of a kind that this arbiter does not know: {why}")]
    Unknown { path: String, seq: u64, why: String },
}

/// What the journal at `path` says that its mission was opened with, by any author. Not one word of it is believed.
pub fn unsealed_charter(path: &Path) -> Result<Option<Charter>, FactLogError> {
    let (_, beginning) = journal::unsealed_beginning(path)?;
    for (seq, body) in (beginning.first..).zip(&beginning.bodies) {
        if let Fact::Mission(MissionFact::Opened(charter)) = read_entry(path, seq, body)?.fact {
            return Ok(Some(*charter));
        }
    }
    Ok(None)
}

/// A journal open for writing, with the state its facts add up to.
#[derive(Debug)]
pub struct FactLog {
    writer: Box<dyn LogWriter>,
}

impl FactLog {
    /// Makes a journal that holds `entries`, durably.
    pub fn create(journal: &MissionJournal, mission: &str, entries: &[Entry]) -> Result<(), FactLogError> {
        let mut fact_log = FactLog { writer: journal.store.create(&journal.path, mission)? };
        fact_log.append(entries)?;
        fact_log.sync()
    }

    /// Opens a journal and adds up its facts. Says how many bytes of a torn tail were cut, and where they are kept.
    pub fn open(journal: &MissionJournal) -> Result<(FactLog, State, Option<journal::Cut>), FactLogError> {
        let mut state = State::default();
        let mut unknown = None;
        let mut see = |line: journal::ScannedEntry<'_>| match read_entry(&journal.path, line.seq, line.body) {
            Ok(entry) => {
                state.apply(&entry);
                ControlFlow::Continue(())
            }
            Err(error) => {
                unknown = Some(error);
                ControlFlow::Break(())
            }
        };
        let OpenedLog { writer, cut } = journal.store.open_replaying(&journal.path, &mut see)?;
        match unknown {
            Some(error) => Err(error),
            None => Ok((FactLog { writer }, state, cut)),
        }
    }

    /// Adds up the facts of a journal that another process may be writing.
    pub fn peek(journal: &MissionJournal) -> Result<State, FactLogError> {
        let mut state = State::default();
        let mut tail = FactTail::open(journal)?;
        while let Some(entries) = tail.next()? {
            entries.iter().for_each(|(_, entry)| state.apply(entry));
        }
        Ok(state)
    }

    /// Writes a batch. It is not durable before [`Chronicle::sync`].
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), FactLogError> {
        let bodies: Vec<String> = entries.iter().map(write_entry).collect();
        self.writer.append(self.writer.head(), &bodies)?;
        Ok(())
    }

    /// What is not synced did not happen.
    pub fn sync(&mut self) -> Result<(), FactLogError> {
        Ok(self.writer.sync()?)
    }

    /// The number of entries.
    pub fn head(&self) -> u64 {
        self.writer.head()
    }

    /// The id of the mission whose journal it is.
    pub fn mission(&self) -> &str {
        self.writer.owner()
    }
}

/// Reads entries as they are written, complete batches only.
pub struct FactTail {
    reader: Box<dyn LogReader>,
    path: PathBuf,
}

impl FactTail {
    /// Starts at the first entry.
    pub fn open(journal: &MissionJournal) -> Result<FactTail, FactLogError> {
        Ok(FactTail { reader: journal.reader()?, path: journal.path.clone() })
    }

    /// The next batch, or none so far.
    #[expect(clippy::should_implement_trait, reason = "a tail never ends, so it is no iterator")]
    pub fn next(&mut self) -> Result<Option<Vec<(u64, Entry)>>, FactLogError> {
        let Some(batch) = self.reader.next_batch()? else { return Ok(None) };
        let mut entries = Vec::with_capacity(batch.bodies.len());
        for (seq, body) in (batch.first..).zip(&batch.bodies) {
            entries.push((seq, read_entry(&self.path, seq, body)?));
        }
        Ok(Some(entries))
    }
}

pub(crate) fn read_entry(path: &Path, seq: u64, body: &str) -> Result<Entry, FactLogError> {
    serde_json::from_str(body).map_err(|error| FactLogError::Unknown {
        path: path.display().to_string(),
        seq,
        why: error.to_string(),
    })
}

fn write_entry(entry: &Entry) -> String {
    // Entries are plain data, so this cannot fail.
    serde_json::to_string(entry).unwrap_or_default()
}
