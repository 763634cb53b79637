//! Writing the ledger, under the lock: lines are added and synced before anything else happens. A torn last line was
//! never confirmed to a caller; it is cut, and kept in a file beside the ledger.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{PetitionChange, PetitionId, Priority};

use super::LedgerLine;
use super::scan::{Chain, Reader};
use crate::error::DocketError;
use crate::files::{Disk, LockWait, ReadFrom};
use crate::limits;
use crate::storage::{Open, OpenFile};

/// A line that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub at: Timestamp,
    pub petition: PetitionId,
    pub change: PetitionChange,
    pub by: Actor,
    pub door: Door,
    /// Only for the first line of a petition.
    pub asked: Option<Asked>,
}

/// What the first line of a petition records of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub file: Arc<str>,
    pub agent: Arc<str>,
    pub tag: Arc<str>,
    pub priority: Priority,
    pub key: Option<Arc<str>>,
    pub content: Option<Arc<str>>,
    pub requires_human: Vec<Arc<str>>,
}

/// The end of the lines that were read and are whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct End {
    pub offset: u64,
    /// Where the last line begins.
    pub last: u64,
    /// The number and hash that the next line follows.
    pub chain: Chain,
}

impl End {
    /// The end of an empty ledger.
    pub fn start() -> End {
        End { offset: 0, last: 0, chain: Chain::start() }
    }
}

/// The ledger, open for writing.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    disk: Disk,
    file: Arc<dyn OpenFile>,
    reader: Reader,
    end: End,
    /// A write failed, so the bytes behind `end` are unknown.
    broken: bool,
}

impl Ledger {
    /// Opens the ledger. Another docket that shares it waits until this one is closed.
    pub fn open(path: &Path, disk: &Disk, wait: LockWait) -> Result<Ledger, DocketError> {
        let refused = || DocketError::disk(path);
        let file = disk.lock(path, None, wait)?;
        // The process that made the file may have died before the name was synced.
        if file.about().map_err(refused())?.length() == 0 {
            disk.sync_folder(path.parent().unwrap_or(path))?;
        }
        let reader = Reader::over(path, Arc::clone(&file));
        let (path, disk) = (path.to_owned(), disk.clone());
        Ok(Ledger { path, disk, file, reader, end: End::start(), broken: false })
    }

    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Whether it has no line yet.
    pub fn is_empty(&self) -> Result<bool, DocketError> {
        Ok(self.file.about().map_err(DocketError::disk(&self.path))?.length() == 0)
    }

    pub fn end(&self) -> &End {
        &self.end
    }

    /// Reads every line after `known`, the end of what is known to be whole, cuts a torn last line and makes the ledger
    /// ready for writing. A change of the lines before `known` is an error. So is a missing line up to `done`: those
    /// were confirmed, so the line was not torn but taken away.
    pub fn mend(&mut self, known: &End, done: u64) -> Result<Vec<(u64, LedgerLine)>, DocketError> {
        let length = self.file.about().map_err(DocketError::disk(&self.path))?.length();
        if length < known.offset {
            return Err(self.damaged(known.chain.seq, "lines are missing at its end"));
        }
        if known.chain.seq > 0 {
            let last = self.reader.record_at(known.last)?;
            if last.is_none_or(|last| last.hash != known.chain.hash) {
                return Err(self.damaged(known.chain.seq, "it was changed"));
            }
        }
        let mut end = known.clone();
        let (mut records, mut torn) = (Vec::new(), None);
        let mut sound_after = false;
        self.reader.lines(known.offset, |line| {
            match (&torn, line.whole) {
                (None, true) => match end.chain.next(&line.bytes) {
                    Ok(record) => {
                        end.last = line.offset;
                        end.offset = line.offset + line.bytes.len() as u64 + 1;
                        records.push((line.offset, record));
                    }
                    Err(why) => {
                        sound_after = LedgerLine::read(&line.bytes).is_ok();
                        torn = Some(why);
                    }
                },
                (None, false) => torn = Some("it has no end"),
                (Some(_), whole) => sound_after |= whole && LedgerLine::read(&line.bytes).is_ok(),
            }
            !sound_after
        })?;
        if let Some(why) = torn {
            // A torn write leaves no sound line behind it.
            if sound_after || end.chain.seq < done {
                return Err(self.damaged(end.chain.seq + 1, why));
            }
            self.cut(end.offset, length)?;
        }
        if end.chain.seq < done {
            return Err(self.damaged(done, "lines are missing at its end"));
        }
        if !records.is_empty() {
            // The process that wrote these lines may have died before it synced them, and other processes act
            // on them now.
            self.disk.sync_data(&self.path, &*self.file)?;
        }
        self.end = end;
        Ok(records)
    }

    /// Adds lines after line `expected`, on which the caller decided; they count once they are synced. With each comes the
    /// petition's line before. Gives where each begins.
    pub fn append(
        &mut self,
        expected: u64,
        entries: Vec<(Entry, Option<u64>)>,
    ) -> Result<Vec<(u64, LedgerLine)>, DocketError> {
        let refused = |why: &str| DocketError::disk(&self.path)(io::Error::other(why));
        if self.broken {
            return Err(refused("a line could not be written before"));
        }
        // A program that does not take our lock may have written meanwhile: our lines would follow another line
        // than expected.
        let length = self.file.about().map_err(DocketError::disk(&self.path))?.length();
        if self.end.chain.seq != expected || self.end.offset != length {
            return Err(refused(&format!("it does not end with line {expected} any more")));
        }
        let mut written = Vec::with_capacity(entries.len());
        let mut bytes = Vec::new();
        let mut end = self.end.clone();
        // Lines of one petition follow one another in a batch, too.
        let mut heads = std::collections::BTreeMap::new();
        for (entry, back) in entries {
            let mut record = LedgerLine {
                seq: end.chain.seq + 1,
                at: entry.at,
                petition: entry.petition,
                change: entry.change,
                by: entry.by,
                door: entry.door,
                file: entry.asked.as_ref().map(|asked| Arc::clone(&asked.file)),
                agent: entry.asked.as_ref().map(|asked| Arc::clone(&asked.agent)),
                tag: entry.asked.as_ref().map(|asked| Arc::clone(&asked.tag)),
                priority: entry.asked.as_ref().map(|asked| asked.priority),
                key: entry.asked.as_ref().and_then(|asked| asked.key.clone()),
                content: entry.asked.as_ref().and_then(|asked| asked.content.clone()),
                requires_human: entry.asked.map(|asked| asked.requires_human).unwrap_or_default(),
                back: None,
                prev: Arc::clone(&end.chain.hash),
                hash: Arc::from(""),
            };
            record.back = heads.get(&record.petition).copied().or(back);
            let line = record.seal().map_err(|error| DocketError::disk(&self.path)(error.into()))?;
            // A longer line, and every line behind it, could not be read again.
            if line.len() as u64 >= limits::LINE_BYTES_MAX {
                return Err(refused("a line would be too long"));
            }
            heads.insert(record.petition.clone(), end.offset);
            end.last = end.offset;
            end.offset += line.len() as u64;
            end.chain.follow(&record);
            bytes.extend_from_slice(&line);
            written.push((end.last, record));
        }
        let added = self.disk.append(&self.path, &*self.file, &bytes);
        if let Err(error) = added.and_then(|()| self.disk.sync_data(&self.path, &*self.file)) {
            // These lines were confirmed to no caller, so they did not happen. Cutting works even on a full disk; if it
            // fails, the next process that takes the lock cuts the torn lines.
            self.broken = true;
            let _ = self.disk.cut(&self.path, &*self.file, self.end.offset);
            return Err(error);
        }
        self.end = end;
        Ok(written)
    }

    /// Cuts a torn end, and keeps it in a file beside the ledger if the disk has room for it.
    fn cut(&self, from: u64, to: u64) -> Result<(), DocketError> {
        let _ = self.save_torn(from, to);
        self.disk.cut(&self.path, &*self.file, from)
    }

    fn save_torn(&self, from: u64, to: u64) -> Result<(), DocketError> {
        let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(0)];
        let mut file = ReadFrom { file: &*self.file, offset: from };
        file.read_exact(&mut bytes).map_err(DocketError::disk(&self.path))?;
        let beside = self.path.with_extension("cut");
        let kept = self.disk.storage().open(&beside, Open::Append).map_err(DocketError::disk(&beside))?;
        self.disk.append(&beside, &*kept, &bytes)?;
        self.disk.sync_data(&beside, &*kept)
    }

    fn damaged(&self, line: u64, why: &str) -> DocketError {
        DocketError::Damaged { path: self.path.clone(), line, why: why.to_owned() }
    }
}
