//! The traits of a log store and of its writers and readers: append expecting a sequence, read from a sequence, follow.
//! A store has many logs, each named by a path; bodies are opaque. Files are one store (`files`), memory is another
//! (`memory`), and both pass one suite of crashes and races.
//!
//! What every store promises: a batch is whole or absent; what [`LogWriter::sync`] confirmed survives a crash; one
//! writer at a time, with a fence that grows; after a failed write or sync a writer takes nothing more; a reader sees
//! complete batches in order, and a follower misses none.

use std::{
    fmt,
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use crate::{Batch, Bookmark, Cut, Result, ScannedEntry, signal::LogSignal};

/// A callback for entries, one after the other, until it breaks off.
pub type See<'s> = dyn FnMut(ScannedEntry<'_>) -> ControlFlow<()> + 's;

/// Where logs are kept. Clones and references of one store mean the same logs.
pub trait LogStore: fmt::Debug + Send + Sync {
    /// Makes a log that belongs to `owner`, durably, and opens it for writing.
    fn create(&self, log: &Path, owner: &str) -> Result<Box<dyn LogWriter>>;

    /// Opens a log for writing: one writer at a time. A torn tail is cut, and reported.
    fn open(&self, log: &Path) -> Result<OpenedLog>;

    /// The same, and shows all entries to `see` until that breaks off. Where this fails, the entries that `see`
    /// got do not count.
    fn open_replaying(&self, log: &Path, see: &mut See<'_>) -> Result<OpenedLog> {
        let opened = self.open(log)?;
        opened.writer.replay(see)?;
        Ok(opened)
    }

    /// Stands before entry `seq`, which may be still to come. Inside a batch, the part from `seq` on is read of it.
    fn read_from(&self, log: &Path, seq: u64) -> Result<Box<dyn LogReader>>;

    /// Stands where `bookmark` was taken in the same log.
    fn read_at(&self, log: &Path, bookmark: &Bookmark) -> Result<Box<dyn LogReader>>;

    /// Which process has the log open for writing, if one has; 0 if it is not known which.
    fn holder(&self, log: &Path) -> Option<u32>;

    /// What wakes the followers of this log: writers of this store ring it, and so may a caller who learned by other
    /// means that the log grew.
    fn signal(&self, log: &Path) -> LogSignal;
}

/// A log just opened for writing, and what had to be done to it.
#[derive(Debug)]
pub struct OpenedLog {
    /// The log, ready to replay and to append.
    pub writer: Box<dyn LogWriter>,
    /// The torn tail that was cut, if there was one.
    pub cut: Option<Cut>,
}

/// The one writer of a log. Dropping it lets the next one in; it does not sync.
pub trait LogWriter: fmt::Debug + Send {
    /// Appends `bodies` as one batch and returns the new head. The caller says on which head it decided.
    fn append(&mut self, expected: u64, bodies: &[String]) -> Result<u64>;

    /// Makes durable all that was appended, and wakes the followers.
    fn sync(&mut self) -> Result<()>;

    /// Shows all entries from the first to the head, until `see` breaks off.
    fn replay(&self, see: &mut See<'_>) -> Result<()>;

    /// The number of the last entry; 0 if there is none.
    fn head(&self) -> u64;

    /// The owner that was named when the log was made.
    fn owner(&self) -> &str;

    /// The number of this opening, greater than every earlier one of the same log.
    fn fence(&self) -> u64;
}

/// A place in a log that moves on with every batch. Readers need no lock. A batch that is complete but not synced yet
/// may be seen.
pub trait LogReader: fmt::Debug + Send {
    /// The next complete batch, or nothing at the present end: ask again later, or follow.
    fn next_batch(&mut self) -> Result<Option<Batch>>;

    /// The place after the last batch that was read.
    fn bookmark(&self) -> Bookmark;

    /// The owner that was named when the log was made.
    fn owner(&self) -> &str;

    /// The signal that rings when the log grew.
    fn signal(&self) -> &LogSignal;

    /// After how long to read again although nothing rang: the writers of other processes do not ring here.
    fn poll_every(&self) -> Duration;

    /// The next complete batch; waits for one until `patience` ends. Waits without a thread by [`LogSignal::moved`].
    fn follow(&mut self, patience: Duration) -> Result<Option<Batch>> {
        let end = Instant::now().checked_add(patience);
        let signal = self.signal().clone();
        loop {
            // Counted before the read: a ring in between ends the wait at once.
            let seen = signal.count();
            if let Some(batch) = self.next_batch()? {
                return Ok(Some(batch));
            }
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(None);
            }
            signal.wait(seen, left.min(self.poll_every()));
        }
    }
}
