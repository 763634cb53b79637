//! The store of files: a log is a journal on the disk. Writers and followers of one store value wake one another;
//! followers poll for what other processes write, unless the caller rings the signal for them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    Batch, Bookmark, Journal, JournalKey, OpenedJournal, Reader, Result, limits, lock,
    signal::LogSignal,
    store::{LogReader, LogStore, LogWriter, OpenedLog, See},
};

/// Journals on this machine's disk.
#[derive(Debug, Clone)]
pub struct FileStore {
    key: JournalKey,
    signals: Arc<Mutex<BTreeMap<PathBuf, LogSignal>>>,
    poll_every: Duration,
}

impl FileStore {
    /// The journals that are sealed with `key`.
    pub fn new(key: JournalKey) -> FileStore {
        FileStore { key, signals: Arc::default(), poll_every: limits::POLL_EVERY }
    }

    /// The same store, whose followers poll this rarely: for callers that ring [`LogStore::signal`] when
    /// another process wrote.
    #[must_use]
    pub fn polling_every(self, poll_every: Duration) -> FileStore {
        FileStore { poll_every, ..self }
    }

    fn reader(&self, log: &Path, reader: Reader) -> Box<dyn LogReader> {
        Box::new(FileReader { reader, signal: self.signal(log), poll_every: self.poll_every })
    }
}

impl LogStore for FileStore {
    fn create(&self, log: &Path, owner: &str) -> Result<Box<dyn LogWriter>> {
        let journal = Journal::create(log, owner, &self.key)?;
        Ok(Box::new(FileWriter { journal, signal: self.signal(log) }))
    }

    fn open(&self, log: &Path) -> Result<OpenedLog> {
        let OpenedJournal { journal, cut } = Journal::open(log, &self.key)?;
        Ok(OpenedLog { writer: Box::new(FileWriter { journal, signal: self.signal(log) }), cut })
    }

    fn open_replaying(&self, log: &Path, see: &mut See<'_>) -> Result<OpenedLog> {
        let OpenedJournal { journal, cut } = Journal::open_replaying(log, &self.key, see)?;
        Ok(OpenedLog { writer: Box::new(FileWriter { journal, signal: self.signal(log) }), cut })
    }

    fn read_from(&self, log: &Path, seq: u64) -> Result<Box<dyn LogReader>> {
        Ok(self.reader(log, Reader::from(log, seq, &self.key)?))
    }

    fn read_at(&self, log: &Path, bookmark: &Bookmark) -> Result<Box<dyn LogReader>> {
        Ok(self.reader(log, Reader::open_at(log, bookmark, &self.key)?))
    }

    fn holder(&self, log: &Path) -> Option<u32> {
        lock::holder(log)
    }

    fn signal(&self, log: &Path) -> LogSignal {
        let mut signals = self.signals.lock().unwrap_or_else(PoisonError::into_inner);
        signals.entry(log.to_owned()).or_default().clone()
    }
}

#[derive(Debug)]
pub(crate) struct FileWriter {
    pub(crate) journal: Journal,
    pub(crate) signal: LogSignal,
}

impl LogWriter for FileWriter {
    fn append(&mut self, expected: u64, bodies: &[String]) -> Result<u64> {
        self.journal.append(expected, bodies)
    }

    fn sync(&mut self) -> Result<()> {
        self.journal.sync()?;
        self.signal.ring();
        Ok(())
    }

    fn replay(&self, see: &mut See<'_>) -> Result<()> {
        let mut replay = self.journal.replay()?;
        while let Some(entry) = replay.next_entry()? {
            if see(entry).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn head(&self) -> u64 {
        self.journal.head()
    }

    fn owner(&self) -> &str {
        self.journal.mission()
    }

    fn fence(&self) -> u64 {
        self.journal.fence()
    }
}

#[derive(Debug)]
pub(crate) struct FileReader {
    pub(crate) reader: Reader,
    pub(crate) signal: LogSignal,
    pub(crate) poll_every: Duration,
}

impl LogReader for FileReader {
    fn next_batch(&mut self) -> Result<Option<Batch>> {
        self.reader.next_batch()
    }

    fn bookmark(&self) -> Bookmark {
        self.reader.bookmark()
    }

    fn owner(&self) -> &str {
        self.reader.mission()
    }

    fn signal(&self) -> &LogSignal {
        &self.signal
    }

    fn poll_every(&self) -> Duration {
        self.poll_every
    }
}
