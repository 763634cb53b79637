//! A disk in memory that fails on demand: short writes, no space, failing syncs, syncs that lie, and the crash. Clones
//! share one disk, so a test keeps access to the disk it gave away.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    Bookmark, Journal, JournalError, JournalKey, OpenedJournal, Reader, Result,
    files::{FileReader, FileWriter},
    limits,
    medium::Medium,
    seat::{Seated, WriterSeat},
    signal::LogSignal,
    store::{LogReader, LogStore, LogWriter, OpenedLog, See},
};

/// A disk in memory that fails on demand.
#[derive(Debug, Clone, Default)]
pub struct Faulty {
    platter: Arc<Mutex<Platter>>,
    path: PathBuf,
}

#[derive(Debug, Default)]
struct Platter {
    bytes: Vec<u8>,
    /// So many of the bytes survive a crash.
    durable: usize,
    kept: Vec<Vec<u8>>,
    space: Option<usize>,
    next_write: Option<usize>,
    syncs: Syncs,
    truncate_fails: bool,
}

/// How the disk answers a sync.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Syncs {
    /// The sync works.
    #[default]
    Honest,
    /// The sync fails.
    Failing,
    /// The sync reports success and does nothing.
    Lying,
}

impl Faulty {
    /// An empty disk without faults.
    pub fn new() -> Faulty {
        Faulty { path: PathBuf::from("memory"), ..Faulty::default() }
    }

    /// A disk that holds `bytes`, durably.
    pub fn holding(bytes: &[u8]) -> Faulty {
        let disk = Faulty::new();
        disk.platter().bytes = bytes.to_vec();
        disk.platter().durable = bytes.len();
        disk
    }

    /// From now on there is room for so many bytes more.
    pub fn leave_space(&self, bytes: usize) {
        let mut platter = self.platter();
        platter.space = Some(platter.bytes.len() + bytes);
    }

    /// The next write takes only so many bytes.
    pub fn shorten_next_write(&self, bytes: usize) {
        self.platter().next_write = Some(bytes);
    }

    /// From now on syncs are answered in this way.
    pub fn answer_syncs(&self, syncs: Syncs) {
        self.platter().syncs = syncs;
    }

    /// From now on nothing can be truncated.
    pub fn refuse_truncation(&self) {
        self.platter().truncate_fails = true;
    }

    /// The power fails: of the bytes not synced only the first `spared` remain. The faults that were set
    /// before are cleared.
    pub fn crash(&self, spared: usize) {
        let mut platter = self.platter();
        let remaining = platter.bytes.len().min(platter.durable.saturating_add(spared));
        platter.bytes.truncate(remaining);
        *platter = Platter {
            bytes: std::mem::take(&mut platter.bytes),
            durable: remaining,
            kept: std::mem::take(&mut platter.kept),
            ..Platter::default()
        };
    }

    /// How many bytes a crash could take.
    pub fn unsynced(&self) -> usize {
        let platter = self.platter();
        platter.bytes.len() - platter.durable
    }

    /// What is on the disk.
    pub fn bytes(&self) -> Vec<u8> {
        self.platter().bytes.clone()
    }

    /// The tails that were saved before a cut, oldest first.
    pub fn saved_tails(&self) -> Vec<Vec<u8>> {
        self.platter().kept.clone()
    }

    fn platter(&self) -> MutexGuard<'_, Platter> {
        // A test that panicked elsewhere must not hide its own message behind a poisoned lock.
        self.platter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Medium for Faulty {
    fn path(&self) -> &Path {
        &self.path
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.platter().bytes.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let platter = self.platter();
        let start = usize::try_from(offset).map_or(platter.bytes.len(), |at| at.min(platter.bytes.len()));
        let count = buffer.len().min(platter.bytes.len() - start);
        buffer[..count].copy_from_slice(&platter.bytes[start..start + count]);
        Ok(count)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut platter = self.platter();
        let room = platter.space.map_or(usize::MAX, |space| space.saturating_sub(platter.bytes.len()));
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(room).min(platter.next_write.take().unwrap_or(usize::MAX));
        platter.bytes.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut platter = self.platter();
        match platter.syncs {
            Syncs::Honest => platter.durable = platter.bytes.len(),
            Syncs::Failing => return Err(io::Error::other("the disk could not sync")),
            Syncs::Lying => {}
        }
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut platter = self.platter();
        if platter.truncate_fails {
            return Err(io::Error::other("the disk could not truncate"));
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        platter.bytes.truncate(length);
        platter.durable = platter.durable.min(platter.bytes.len());
        Ok(())
    }

    fn save_tail(&mut self, offset: u64) -> io::Result<PathBuf> {
        let mut platter = self.platter();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(platter.bytes.len());
        let tail = platter.bytes[start..].to_vec();
        platter.kept.push(tail);
        Ok(PathBuf::from(format!("memory.cut.{}", platter.kept.len())))
    }
}

/// Logs as files on disks that fail: each log has a disk of its own. Clones are the same store.
#[derive(Debug, Clone)]
pub struct FaultyStore {
    key: JournalKey,
    disks: Arc<Mutex<BTreeMap<PathBuf, FaultyLog>>>,
}

#[derive(Debug, Clone, Default)]
struct FaultyLog {
    disk: Faulty,
    seat: WriterSeat,
    signal: LogSignal,
}

impl FaultyStore {
    /// A store without logs, whose logs are sealed with `key`.
    pub fn new(key: JournalKey) -> FaultyStore {
        FaultyStore { key, disks: Arc::default() }
    }

    /// The disk under a log, to hurt it.
    pub fn disk(&self, log: &Path) -> Option<Faulty> {
        Some(self.disks().get(log)?.disk.clone())
    }

    /// The machine under this log dies: of its bytes that were not synced only the first `spared` remain, and its
    /// writer loses the log.
    pub fn crash(&self, log: &Path, spared: usize) {
        if let Some(log) = self.disks().get(log) {
            log.seat.clear();
            log.disk.crash(spared);
        }
    }

    fn disks(&self) -> MutexGuard<'_, BTreeMap<PathBuf, FaultyLog>> {
        self.disks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, path: &Path) -> Result<FaultyLog> {
        self.disks().get(path).cloned().ok_or_else(|| JournalError::Missing { path: path.to_owned() })
    }

    fn reader(&self, log: FaultyLog, reader: Reader) -> Box<dyn LogReader> {
        Box::new(FileReader { reader, signal: log.signal, poll_every: limits::POLL_NEVER })
    }
}

impl LogStore for FaultyStore {
    fn create(&self, path: &Path, owner: &str) -> Result<Box<dyn LogWriter>> {
        let mut disks = self.disks();
        if disks.contains_key(path) {
            return Err(JournalError::Exists { path: path.to_owned() });
        }
        let disk = Faulty { path: path.to_owned(), ..Faulty::default() };
        let log = FaultyLog { disk, ..FaultyLog::default() };
        disks.insert(path.to_owned(), log.clone());
        let seated = take_seat(&log, path)?;
        let journal = Journal::create_on(Box::new(log.disk), owner, &self.key)?;
        Ok(Box::new(SeatedWriter { writer: FileWriter { journal, signal: log.signal }, seated }))
    }

    fn open(&self, path: &Path) -> Result<OpenedLog> {
        let log = self.find(path)?;
        let seated = take_seat(&log, path)?;
        let OpenedJournal { journal, cut } = Journal::open_on(Box::new(log.disk), &self.key)?;
        let writer = SeatedWriter { writer: FileWriter { journal, signal: log.signal }, seated };
        Ok(OpenedLog { writer: Box::new(writer), cut })
    }

    fn read_from(&self, path: &Path, seq: u64) -> Result<Box<dyn LogReader>> {
        let log = self.find(path)?;
        let reader = Reader::on(Box::new(log.disk.clone()), seq, &self.key)?;
        Ok(self.reader(log, reader))
    }

    fn read_at(&self, path: &Path, bookmark: &Bookmark) -> Result<Box<dyn LogReader>> {
        let log = self.find(path)?;
        let reader = Reader::on_at(Box::new(log.disk.clone()), bookmark, &self.key)?;
        Ok(self.reader(log, reader))
    }

    fn holder(&self, path: &Path) -> Option<u32> {
        self.find(path).ok()?.seat.is_taken().then(std::process::id)
    }

    fn signal(&self, path: &Path) -> LogSignal {
        self.find(path).map(|log| log.signal).unwrap_or_default()
    }
}

fn take_seat(log: &FaultyLog, path: &Path) -> Result<Seated> {
    let held = || JournalError::Held { path: path.to_owned(), pid: std::process::id() };
    log.seat.take().ok_or_else(held)
}

/// A writer without a lock file.
#[derive(Debug)]
struct SeatedWriter {
    writer: FileWriter,
    seated: Seated,
}

impl SeatedWriter {
    fn check_seat(&self) -> Result<()> {
        if self.seated.may_write() {
            return Ok(());
        }
        Err(JournalError::Poisoned { path: self.writer.journal.path().to_owned() })
    }
}

impl LogWriter for SeatedWriter {
    fn append(&mut self, expected: u64, bodies: &[String]) -> Result<u64> {
        self.check_seat()?;
        self.writer.append(expected, bodies)
    }

    fn sync(&mut self) -> Result<()> {
        self.check_seat()?;
        self.writer.sync()
    }

    fn replay(&self, see: &mut See<'_>) -> Result<()> {
        self.writer.replay(see)
    }

    fn head(&self) -> u64 {
        self.writer.head()
    }

    fn owner(&self) -> &str {
        self.writer.owner()
    }

    fn fence(&self) -> u64 {
        self.seated.fence
    }
}
