//! A walk along a journal that adds up the facts as it goes, one by one.

use std::path::{Path, PathBuf};
use std::vec;

use journal::{Bookmark, Reader};
use mind::{Entry, State};

use crate::chronicle::{ChronicleError, read_entry};

/// A place in a journal and the mission there.
#[derive(Debug)]
pub(super) struct Walk {
    path: PathBuf,
    reader: Reader,
    /// Where the batch begins whose rest is in `batch`.
    begins: Bookmark,
    /// What was read of a batch and not yet walked.
    batch: vec::IntoIter<String>,
    /// How many facts lie behind.
    pub(super) seq: u64,
    /// What they add up to.
    pub(super) state: State,
}

/// A place that a walk can be taken up from. Bookmarks lie between batches, so its batch may begin before it.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    begins: Bookmark,
    /// How many facts lie behind.
    pub(super) seq: u64,
    state: State,
}

impl Walk {
    /// Stands before the first fact.
    pub(super) fn open(path: &Path) -> Result<Walk, ChronicleError> {
        Ok(Walk::on(path, Reader::open(path)?, 0, State::default()))
    }

    /// Stands at a checkpoint.
    pub(super) fn from(path: &Path, checkpoint: &Checkpoint) -> Result<Walk, ChronicleError> {
        let reader = Reader::open_at(path, &checkpoint.begins)?;
        Ok(Walk::on(path, reader, checkpoint.seq, checkpoint.state.clone()))
    }

    fn on(path: &Path, reader: Reader, seq: u64, state: State) -> Walk {
        let begins = reader.bookmark();
        Walk { path: path.to_owned(), reader, begins, batch: Vec::new().into_iter(), seq, state }
    }

    /// Takes the next fact, or nothing for now. After an error it stands where it stood.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, ChronicleError> {
        while self.batch.as_slice().is_empty() {
            let begins = self.reader.bookmark();
            let Some(batch) = self.reader.next_batch()? else { return Ok(None) };
            self.begins = begins;
            let known = self.seq.saturating_sub(batch.first - 1);
            self.batch = batch.bodies.into_iter();
            self.batch.by_ref().take(usize::try_from(known).unwrap_or(usize::MAX)).for_each(drop);
        }
        let Some(body) = self.batch.as_slice().first() else { return Ok(None) };
        let entry = read_entry(&self.path, self.seq + 1, body)?;
        self.batch.next();
        self.seq += 1;
        self.state.apply(&entry);
        Ok(Some(entry))
    }

    /// Where it stands now.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        let between = self.batch.as_slice().is_empty();
        let begins = if between { self.reader.bookmark() } else { self.begins.clone() };
        Checkpoint { begins, seq: self.seq, state: self.state.clone() }
    }

    /// Which journal it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
