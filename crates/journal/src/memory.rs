//! The store in memory: logs of one process, for tests and for logs that need not outlive it. It makes the promises of
//! a disk all the same: a crash drops what was not synced, and a writer whose sync failed takes nothing more.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    Batch, Bookmark, JournalError, Result, ScannedEntry, limits, line,
    scan::Mark,
    seat::{Seated, WriterSeat},
    signal::LogSignal,
    store::{LogReader, LogStore, LogWriter, OpenedLog, See},
};

/// Several logs in one process. Clones are the same store.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    logs: Arc<Mutex<BTreeMap<PathBuf, MemoryLog>>>,
}

#[derive(Debug, Clone)]
struct MemoryLog {
    path: PathBuf,
    owner: Arc<str>,
    seat: WriterSeat,
    signal: LogSignal,
    /// The number of the log itself, from the same count as its batches.
    stamp: u64,
    content: Arc<Mutex<LogContent>>,
}

#[derive(Debug, Default)]
struct LogContent {
    batches: Vec<KeptBatch>,
    /// So many batches survive a crash.
    synced: usize,
    next_sync_fails: bool,
    next_write_fails: bool,
}

#[derive(Debug, Clone)]
struct KeptBatch {
    first: u64,
    bodies: Arc<[String]>,
    /// No two batches of this process have the same number, so that a bookmark in one log is not taken for
    /// one in another.
    stamp: u64,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// The machine under this log dies: of the batches that were not synced only the first `spared` remain, the writer
    /// loses the log, and faults are cleared.
    pub fn crash(&self, log: &Path, spared: usize) {
        let Ok(log) = self.find(log) else { return };
        log.seat.clear();
        let mut content = log.content();
        let kept = content.synced.saturating_add(spared).min(content.batches.len());
        let mut batches = std::mem::take(&mut content.batches);
        batches.truncate(kept);
        *content = LogContent { batches, synced: kept, ..LogContent::default() };
    }

    /// The next sync of this log fails.
    pub fn fail_next_sync(&self, log: &Path) {
        if let Ok(log) = self.find(log) {
            log.content().next_sync_fails = true;
        }
    }

    /// The next append to this log fails.
    pub fn fail_next_write(&self, log: &Path) {
        if let Ok(log) = self.find(log) {
            log.content().next_write_fails = true;
        }
    }

    fn logs(&self) -> MutexGuard<'_, BTreeMap<PathBuf, MemoryLog>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, path: &Path) -> Result<MemoryLog> {
        self.logs().get(path).cloned().ok_or_else(|| JournalError::Missing { path: path.to_owned() })
    }
}

impl LogStore for MemoryStore {
    fn create(&self, path: &Path, owner: &str) -> Result<Box<dyn LogWriter>> {
        let mut logs = self.logs();
        if logs.contains_key(path) {
            return Err(JournalError::Exists { path: path.to_owned() });
        }
        let log = MemoryLog {
            path: path.to_owned(),
            owner: owner.into(),
            seat: WriterSeat::default(),
            signal: LogSignal::default(),
            stamp: next_stamp(),
            content: Arc::default(),
        };
        logs.insert(path.to_owned(), log.clone());
        Ok(Box::new(MemoryWriter::on(log)?))
    }

    fn open(&self, path: &Path) -> Result<OpenedLog> {
        let writer = MemoryWriter::on(self.find(path)?)?;
        {
            // What is replayed now must be durable from here on.
            let mut content = writer.log.content();
            content.synced = content.batches.len();
        }
        Ok(OpenedLog { writer: Box::new(writer), cut: None })
    }

    fn read_from(&self, path: &Path, seq: u64) -> Result<Box<dyn LogReader>> {
        let log = self.find(path)?;
        let behind = mark(0, 0, log.stamp);
        Ok(Box::new(MemoryReader { log, at: 0, behind, from: seq }))
    }

    fn read_at(&self, path: &Path, bookmark: &Bookmark) -> Result<Box<dyn LogReader>> {
        let log = self.find(path)?;
        let at = usize::try_from(bookmark.mark.offset).unwrap_or(usize::MAX);
        if log.mark_at(at).is_none_or(|mark| mark.links != bookmark.mark.links) {
            return Err(log.vanished(bookmark.mark.seq));
        }
        Ok(Box::new(MemoryReader { log, at, behind: bookmark.mark, from: bookmark.from }))
    }

    fn holder(&self, path: &Path) -> Option<u32> {
        self.find(path).ok()?.seat.is_taken().then(process::id)
    }

    fn signal(&self, path: &Path) -> LogSignal {
        self.find(path).map(|log| log.signal).unwrap_or_default()
    }
}

impl MemoryLog {
    fn content(&self) -> MutexGuard<'_, LogContent> {
        // Every change is one assignment: it is whole at every moment.
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place after so many batches.
    fn mark_at(&self, batches: usize) -> Option<Mark> {
        let content = self.content();
        let last = match batches.checked_sub(1) {
            None => return Some(mark(batches, 0, self.stamp)),
            Some(last) => content.batches.get(last)?,
        };
        Some(mark(batches, last.first + last.bodies.len() as u64 - 1, last.stamp))
    }

    fn vanished(&self, seq: u64) -> JournalError {
        JournalError::Damaged { path: self.path.clone(), line: seq + 1, what: "it has vanished".to_owned() }
    }
}

fn mark(batches: usize, seq: u64, stamp: u64) -> Mark {
    let mut links = line::Links { crc: line::SEED, seal: crate::key::FIRST };
    links.seal[..16].copy_from_slice(format!("{stamp:016x}").as_bytes());
    Mark { offset: batches as u64, seq, links }
}

fn next_stamp() -> u64 {
    static STAMPS: AtomicU64 = AtomicU64::new(1);
    STAMPS.fetch_add(1, Ordering::Relaxed)
}

#[derive(Debug)]
struct MemoryWriter {
    log: MemoryLog,
    seated: Seated,
    head: u64,
    poisoned: bool,
}

impl MemoryWriter {
    fn on(log: MemoryLog) -> Result<MemoryWriter> {
        let held = || JournalError::Held { path: log.path.clone(), pid: process::id() };
        let seated = log.seat.take().ok_or_else(held)?;
        let head = log.content().batches.last().map_or(0, |last| last.first + last.bodies.len() as u64 - 1);
        Ok(MemoryWriter { log, seated, head, poisoned: false })
    }

    fn check_sound(&self) -> Result<()> {
        if self.poisoned || !self.seated.may_write() {
            return Err(JournalError::Poisoned { path: self.log.path.clone() });
        }
        Ok(())
    }
}

impl LogWriter for MemoryWriter {
    fn append(&mut self, expected: u64, bodies: &[String]) -> Result<u64> {
        self.check_sound()?;
        if expected != self.head {
            let path = self.log.path.clone();
            return Err(JournalError::Conflict { path, expected, head: self.head });
        }
        if bodies.is_empty() {
            return Ok(self.head);
        }
        if let Some(what) = line::why_unfit_batch(bodies) {
            return Err(JournalError::Unfit { what });
        }
        let mut content = self.log.content();
        if std::mem::take(&mut content.next_write_fails) {
            self.poisoned = true;
            return Err(JournalError::disk(&self.log.path, io::ErrorKind::StorageFull.into()));
        }
        content.batches.push(KeptBatch { first: self.head + 1, bodies: bodies.into(), stamp: next_stamp() });
        self.head += bodies.len() as u64;
        Ok(self.head)
    }

    fn sync(&mut self) -> Result<()> {
        self.check_sound()?;
        {
            let mut content = self.log.content();
            if std::mem::take(&mut content.next_sync_fails) {
                self.poisoned = true;
                return Err(JournalError::disk(&self.log.path, io::Error::other("the sync failed as asked")));
            }
            content.synced = content.batches.len();
        }
        self.log.signal.ring();
        Ok(())
    }

    fn replay(&self, see: &mut See<'_>) -> Result<()> {
        let batches = self.log.content().batches.clone();
        for batch in &batches {
            for (seq, body) in (batch.first..).zip(batch.bodies.iter()) {
                if see(ScannedEntry { seq, body }).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn head(&self) -> u64 {
        self.head
    }

    fn owner(&self) -> &str {
        &self.log.owner
    }

    fn fence(&self) -> u64 {
        self.seated.fence
    }
}

#[derive(Debug)]
struct MemoryReader {
    log: MemoryLog,
    /// How many batches lie behind.
    at: usize,
    /// The place after the last of them, as it was when it was read.
    behind: Mark,
    from: u64,
}

impl LogReader for MemoryReader {
    fn next_batch(&mut self) -> Result<Option<Batch>> {
        // A crash may have taken what was read, and another writer may have appended since.
        if self.log.mark_at(self.at).is_none_or(|mark| mark.links != self.behind.links) {
            return Err(self.log.vanished(self.behind.seq));
        }
        let content = self.log.content();
        while let Some(batch) = content.batches.get(self.at) {
            self.at += 1;
            self.behind = mark(self.at, batch.first + batch.bodies.len() as u64 - 1, batch.stamp);
            let passed = usize::try_from(self.from.saturating_sub(batch.first)).unwrap_or(usize::MAX);
            if let Some(bodies) = batch.bodies.get(passed..).filter(|bodies| !bodies.is_empty()) {
                return Ok(Some(Batch { first: batch.first + passed as u64, bodies: bodies.to_vec() }));
            }
        }
        Ok(None)
    }

    fn bookmark(&self) -> Bookmark {
        Bookmark { mission: self.log.owner.to_string(), mark: self.behind, from: self.from }
    }

    fn owner(&self) -> &str {
        &self.log.owner
    }

    fn signal(&self) -> &LogSignal {
        &self.log.signal
    }

    fn poll_every(&self) -> Duration {
        limits::POLL_NEVER
    }
}
