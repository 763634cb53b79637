//! Reads a journal fact by fact and applies each to a state.

use std::path::Path;
use std::vec;

use journal::{Bookmark, LogReader};
use mind::{Entry, State};

use crate::mission::fact_log::{FactLogError, MissionJournal, read_entry};

/// A position in a journal, and the state there.
#[derive(Debug)]
pub(super) struct Walk {
    journal: MissionJournal,
    reader: Box<dyn LogReader>,
    /// The beginning of the batch whose rest is in `batch`.
    begins: Bookmark,
    /// The lines of the batch that are not applied yet.
    batch: vec::IntoIter<String>,
    /// How many facts lie behind.
    pub(super) seq: u64,
    /// What they add up to.
    pub(super) state: State,
}

/// A position from which reading can continue. Bookmarks lie between batches, so its batch may begin before it.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    begins: Bookmark,
    /// How many facts lie behind.
    pub(super) seq: u64,
    state: State,
}

impl Walk {
    /// Starts before the first fact.
    pub(super) fn open(journal: &MissionJournal) -> Result<Walk, FactLogError> {
        Ok(Walk::on(journal, journal.reader()?, 0, State::default()))
    }

    /// Starts at a checkpoint.
    pub(super) fn from(journal: &MissionJournal, checkpoint: &Checkpoint) -> Result<Walk, FactLogError> {
        let reader = journal.reader_at(&checkpoint.begins)?;
        Ok(Walk::on(journal, reader, checkpoint.seq, checkpoint.state.clone()))
    }

    fn on(journal: &MissionJournal, reader: Box<dyn LogReader>, seq: u64, state: State) -> Walk {
        let begins = reader.bookmark();
        Walk { journal: journal.clone(), reader, begins, batch: Vec::new().into_iter(), seq, state }
    }

    /// The next fact, or none so far. After an error the position is unchanged.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, FactLogError> {
        while self.batch.as_slice().is_empty() {
            let begins = self.reader.bookmark();
            let Some(batch) = self.reader.next_batch()? else { return Ok(None) };
            self.begins = begins;
            let known = self.seq.saturating_sub(batch.first - 1);
            self.batch = batch.bodies.into_iter();
            self.batch.by_ref().take(usize::try_from(known).unwrap_or(usize::MAX)).for_each(drop);
        }
        let Some(body) = self.batch.as_slice().first() else { return Ok(None) };
        let entry = read_entry(self.path(), self.seq + 1, body)?;
        self.batch.next();
        self.seq += 1;
        self.state.apply(&entry);
        Ok(Some(entry))
    }

    /// The present position.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        let between = self.batch.as_slice().is_empty();
        let begins = if between { self.reader.bookmark() } else { self.begins.clone() };
        Checkpoint { begins, seq: self.seq, state: self.state.clone() }
    }

    pub(super) fn journal(&self) -> &MissionJournal {
        &self.journal
    }

    pub(super) fn path(&self) -> &Path {
        self.journal.path()
    }
}
