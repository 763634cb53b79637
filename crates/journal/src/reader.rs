//! Reads a journal that another process may be writing, without a lock. It returns complete batches only, so a torn
//! tail that the writer cuts later was never read.

use std::path::Path;

use crate::{
    JournalError, Result,
    disk::Disk,
    key::JournalKey,
    limits, line,
    lines::{Lines, Piece},
    medium::Medium,
    scan::{Found, Mark, Scan, damaged, disk},
};

/// A place in a journal, moving on with every batch.
#[derive(Debug)]
pub struct Reader {
    medium: Box<dyn Medium>,
    mission: String,
    scan: Scan,
    /// Entries before this number are skipped.
    from: u64,
}

/// A place between two batches, to come back to without reading what is before it.
#[derive(Debug, Clone)]
pub struct Bookmark {
    pub(crate) mission: String,
    pub(crate) mark: Mark,
    pub(crate) from: u64,
}

/// Entries that were appended together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The number of the first body.
    pub first: u64,
    /// The bodies, in order.
    pub bodies: Vec<String>,
}

/// The format of the journal at `path`, which needs no key; nothing if its first line is no header.
pub fn format_of(path: &Path) -> Result<Option<u32>> {
    let medium = Disk::open_to_read(path).map_err(|source| JournalError::not_opened(path, source))?;
    match Lines::starting_at(0).next_piece(&medium).map_err(|source| disk(&medium, source))? {
        Piece::Line(line) => Ok(line::parse_format(line)),
        Piece::Rest(_) | Piece::TooLong => Ok(None),
    }
}

/// The mission and the first batch of the journal at `path`, by any author: only accidents are found here, so nothing
/// of it is believed before a person has looked at it.
pub fn unsealed_beginning(path: &Path) -> Result<(String, Batch)> {
    let medium = Disk::open_to_read(path).map_err(|source| JournalError::not_opened(path, source))?;
    // Any key does: whose seal it is does not count here.
    let (mut scan, mission) = Scan::begin_unsealed(&medium, &JournalKey::new(&[0; JournalKey::BYTES]))?;
    let mut bodies = Vec::new();
    while let Found::Entry { entry, closes } = scan.next(&medium)? {
        bodies.push(entry.body.to_owned());
        if closes {
            return Ok((mission, Batch { first: 1, bodies }));
        }
    }
    Err(damaged(&medium, 2, "it has no complete batch"))
}

impl Reader {
    /// Stands before the first entry.
    pub fn open(path: &Path, key: &JournalKey) -> Result<Reader> {
        Reader::from(path, 1, key)
    }

    /// Stands before entry `seq`. Inside a batch, the part from `seq` on is what is read of it.
    pub fn from(path: &Path, seq: u64, key: &JournalKey) -> Result<Reader> {
        let medium = Disk::open_to_read(path).map_err(|source| JournalError::not_opened(path, source))?;
        Reader::on(Box::new(medium), seq, key)
    }

    /// Stands before entry `seq` on a medium of the caller's.
    pub fn on(medium: Box<dyn Medium>, seq: u64, key: &JournalKey) -> Result<Reader> {
        let (scan, mission) = Scan::begin(medium.as_ref(), key)?;
        Ok(Reader { medium, mission, scan, from: seq })
    }

    /// Stands where `bookmark` was taken. A journal that does not have the same line before that place is
    /// damaged or is another one.
    pub fn open_at(path: &Path, bookmark: &Bookmark, key: &JournalKey) -> Result<Reader> {
        let medium = Disk::open_to_read(path).map_err(|source| JournalError::not_opened(path, source))?;
        Reader::on_at(Box::new(medium), bookmark, key)
    }

    /// The same on a medium of the caller's.
    pub fn on_at(medium: Box<dyn Medium>, bookmark: &Bookmark, key: &JournalKey) -> Result<Reader> {
        let scan = Scan::resume(medium.as_ref(), bookmark.mark, key)?;
        Ok(Reader { medium, mission: bookmark.mission.clone(), scan, from: bookmark.from })
    }

    /// The place after the last batch that was read.
    pub fn bookmark(&self) -> Bookmark {
        Bookmark { mission: self.mission.clone(), mark: self.scan.closed(), from: self.from }
    }

    /// The mission whose journal it is.
    pub fn mission(&self) -> &str {
        &self.mission
    }

    /// The next complete batch, or nothing at the present end: ask again later.
    pub fn next_batch(&mut self) -> Result<Option<Batch>> {
        for _ in 1..limits::READS_MAX {
            match self.read_next() {
                // We may have read one half before and one half after a writer cut its tail.
                Err(JournalError::Damaged { .. } | JournalError::Foreign { .. }) => {}
                found => return found,
            }
        }
        self.read_next()
    }

    /// Takes the next batch, or stays where it is.
    fn read_next(&mut self) -> Result<Option<Batch>> {
        let found = self.collect();
        if !matches!(found, Ok(Some(_))) {
            self.scan.step_back();
            self.check_length()?;
        }
        found
    }

    fn collect(&mut self) -> Result<Option<Batch>> {
        let mut batch = Batch { first: 0, bodies: Vec::new() };
        while let Found::Entry { entry, closes } = self.scan.next(self.medium.as_ref())? {
            if entry.seq >= self.from {
                batch.bodies.push(entry.body.to_owned());
                if batch.bodies.len() == 1 {
                    batch.first = entry.seq;
                }
            }
            if closes && !batch.bodies.is_empty() {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Complete batches are never cut, so a file shorter than what was read was replaced by another program.
    fn check_length(&self) -> Result<()> {
        let length = self.medium.length().map_err(|source| disk(self.medium.as_ref(), source))?;
        let seen = self.scan.closed();
        if length < seen.offset {
            return Err(damaged(self.medium.as_ref(), seen.seq + 1, "it has vanished"));
        }
        Ok(())
    }
}
