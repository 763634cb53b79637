//! The writer of a journal: appends batches and syncs them. Once a write or a sync has failed it takes nothing more,
//! because the bytes on the disk are unknown then.

use std::{io, ops::ControlFlow, path::Path};

use crate::{
    JournalError, Result,
    disk::Disk,
    key::JournalKey,
    line,
    lock::Lock,
    medium::Medium,
    recovery::{self, Cut, Recovered},
    scan::{Mark, Replay, disk},
    store::See,
};

/// A journal open for writing. Dropping it gives the lock back; it does not sync.
#[derive(Debug)]
pub struct Journal {
    medium: Box<dyn Medium>,
    mission: String,
    end: Mark,
    /// Something was appended since the last sync.
    unsynced: bool,
    poisoned: bool,
    lock: Option<Lock>,
    key: JournalKey,
}

/// A journal just opened, and what had to be done to it.
#[derive(Debug)]
pub struct OpenedJournal {
    /// The journal, ready to replay and to append.
    pub journal: Journal,
    /// The torn tail that was cut, if there was one.
    pub cut: Option<Cut>,
}

impl Journal {
    /// Makes a new journal for `mission`, durably, sealed with `key`.
    pub fn create(path: &Path, mission: &str, key: &JournalKey) -> Result<Journal> {
        // A place that cannot be looked at may hold a journal.
        let refuse_existing = || match host::files::is_there(path) {
            Ok(false) => Ok(()),
            Ok(true) => Err(JournalError::Exists { path: path.to_owned() }),
            Err(source) => Err(JournalError::disk(path, source)),
        };
        refuse_existing()?;
        let lock = Lock::take(path)?;
        // The lock is taken now, so no other process can make the journal: check again, because renaming over
        // one would destroy it.
        refuse_existing()?;
        let (header, start) = begin(mission, key);
        let medium = Disk::create(path, &header).map_err(|source| JournalError::disk(path, source))?;
        Ok(Journal::at(Box::new(medium), mission.to_owned(), start, Some(lock), key))
    }

    /// Makes a new journal on an empty medium of the caller's, without a lock.
    pub fn create_on(mut medium: Box<dyn Medium>, mission: &str, key: &JournalKey) -> Result<Journal> {
        let (header, start) = begin(mission, key);
        write_whole(medium.as_mut(), &header)
            .and_then(|()| medium.sync())
            .map_err(|source| disk(medium.as_ref(), source))?;
        Ok(Journal::at(medium, mission.to_owned(), start, None, key))
    }

    /// Opens a journal: takes its lock, checks every line and every seal, cuts a torn tail.
    pub fn open(path: &Path, key: &JournalKey) -> Result<OpenedJournal> {
        Journal::open_replaying(path, key, &mut |_| ControlFlow::Break(()))
    }

    /// The same, and shows all entries on the way: nothing is read, checked and hashed twice.
    pub fn open_replaying(path: &Path, key: &JournalKey, see: &mut See<'_>) -> Result<OpenedJournal> {
        let medium = Disk::open(path).map_err(|source| JournalError::not_opened(path, source))?;
        let lock = Lock::take(path)?;
        Journal::recover(Box::new(medium), Some(lock), key, see)
    }

    /// Opens a journal on a medium of the caller's, without a lock.
    pub fn open_on(medium: Box<dyn Medium>, key: &JournalKey) -> Result<OpenedJournal> {
        Journal::recover(medium, None, key, &mut |_| ControlFlow::Break(()))
    }

    /// Appends `bodies` as one batch and returns the new head. The caller names the head on which it
    /// decided. Nothing is durable before [`Journal::sync`]; one sync may serve several batches.
    pub fn append(&mut self, expected: u64, bodies: &[impl AsRef<str>]) -> Result<u64> {
        self.check_sound()?;
        let head = self.head();
        if expected != head {
            return Err(JournalError::Conflict { path: self.path().to_owned(), expected, head });
        }
        if bodies.is_empty() {
            return Ok(head);
        }
        let (batch, end) = self.render(bodies)?;
        if let Err(source) = write_whole(self.medium.as_mut(), &batch) {
            self.poisoned = true;
            // The file stays whole if this works; if not, the next opening cuts the tail.
            let _ = self.medium.truncate(self.end.offset);
            return Err(disk(self.medium.as_ref(), source));
        }
        self.end = end;
        self.unsynced = true;
        Ok(end.seq)
    }

    /// Makes durable all that was appended. A failed sync is never tried again: the system may
    /// have dropped the bytes, and would say yes the second time.
    pub fn sync(&mut self) -> Result<()> {
        self.check_sound()?;
        if self.unsynced {
            if let Err(source) = self.medium.sync() {
                self.poisoned = true;
                return Err(disk(self.medium.as_ref(), source));
            }
            self.unsynced = false;
        }
        Ok(())
    }

    /// Reads all entries from the first to the head.
    pub fn replay(&self) -> Result<Replay<'_>> {
        Replay::until(self.medium.as_ref(), self.head(), &self.key)
    }

    /// The number of the last entry; 0 if there is none.
    pub fn head(&self) -> u64 {
        self.end.seq
    }

    /// Where the journal is.
    pub fn path(&self) -> &Path {
        self.medium.path()
    }

    /// The mission whose journal it is.
    pub fn mission(&self) -> &str {
        &self.mission
    }

    /// The number of this taking of the lock, greater than every earlier one; 0 on a medium
    /// without a lock.
    pub fn fence(&self) -> u64 {
        self.lock.as_ref().map_or(0, Lock::fence)
    }

    fn at(
        medium: Box<dyn Medium>,
        mission: String,
        end: Mark,
        lock: Option<Lock>,
        key: &JournalKey,
    ) -> Journal {
        Journal { medium, mission, end, unsynced: false, poisoned: false, lock, key: key.clone() }
    }

    fn recover(
        mut medium: Box<dyn Medium>,
        lock: Option<Lock>,
        key: &JournalKey,
        see: &mut See<'_>,
    ) -> Result<OpenedJournal> {
        let Recovered { mission, end, cut } = recovery::recover(medium.as_mut(), key, see)?;
        Ok(OpenedJournal { journal: Journal::at(medium, mission, end, lock, key), cut })
    }

    fn render(&self, bodies: &[impl AsRef<str>]) -> Result<(Vec<u8>, Mark)> {
        let Mark { offset, seq, links } = self.end;
        let (batch, links) = line::render_batch(seq + 1, bodies, &links, &self.key)
            .map_err(|what| JournalError::Unfit { what })?;
        let end = Mark { offset: offset + batch.len() as u64, seq: seq + bodies.len() as u64, links };
        Ok((batch, end))
    }

    fn check_sound(&self) -> Result<()> {
        if self.poisoned {
            return Err(JournalError::Poisoned { path: self.path().to_owned() });
        }
        Ok(())
    }
}

fn begin(mission: &str, key: &JournalKey) -> (Vec<u8>, Mark) {
    let (header, links) = line::render_header(mission, key);
    let start = Mark { offset: header.len() as u64, seq: 0, links };
    (header, start)
}

/// Writes all in one call where the disk takes it, and the rest of a short write after it: a death between them leaves
/// a torn batch, which the next opening cuts.
fn write_whole(medium: &mut dyn Medium, bytes: &[u8]) -> io::Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match medium.append(rest)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => rest = &rest[count..],
        }
    }
    Ok(())
}
