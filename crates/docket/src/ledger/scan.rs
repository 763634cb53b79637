//! Reading the ledger: all of it in order with its chain, or one petition's lines, from its newest back to its first.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::petition::PetitionId;

use super::{LedgerLine, sha256};
use crate::error::DocketError;
use crate::files::{Disk, ReadFrom};
use crate::limits;
use crate::storage::{Open, OpenFile};

/// The number and hash of the line before the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chain {
    pub seq: u64,
    pub hash: Arc<str>,
}

impl Chain {
    /// The start of an empty ledger.
    pub fn start() -> Chain {
        Chain { seq: 0, hash: sha256(b"") }
    }

    /// The record in `line`, if it follows this chain; the chain then moves behind it.
    pub fn next(&mut self, line: &[u8]) -> Result<LedgerLine, &'static str> {
        let record = LedgerLine::read(line)?;
        if record.seq != self.seq + 1 || record.prev != self.hash {
            return Err("it does not follow the line before");
        }
        self.follow(&record);
        Ok(record)
    }

    /// Moves the chain behind this line.
    pub fn follow(&mut self, record: &LedgerLine) {
        *self = Chain { seq: record.seq, hash: Arc::clone(&record.hash) };
    }
}

/// A ledger opened for reading. Whole lines never change, so that no lock is needed.
#[derive(Debug)]
pub(crate) struct Reader {
    path: PathBuf,
    /// None if there is no ledger yet.
    file: Option<Arc<dyn OpenFile>>,
}

/// One line with its offset.
pub(crate) struct Line {
    pub offset: u64,
    pub bytes: Vec<u8>,
    /// Whether the line has its line end.
    pub whole: bool,
}

impl Reader {
    pub fn open(path: &Path, disk: &Disk) -> Result<Reader, DocketError> {
        match disk.open(path, Open::Read) {
            Ok(file) => Ok(Reader { path: path.to_owned(), file: Some(file) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Reader { path: path.to_owned(), file: None })
            }
            Err(error) => Err(DocketError::disk(path)(error)),
        }
    }

    pub fn over(path: &Path, file: Arc<dyn OpenFile>) -> Reader {
        Reader { path: path.to_owned(), file: Some(file) }
    }

    /// Calls `each` for every line from `offset` on; a line without end comes last. It stops when `each` says false.
    pub fn lines(&self, offset: u64, mut each: impl FnMut(Line) -> bool) -> Result<(), DocketError> {
        let Some(file) = &self.file else { return Ok(()) };
        let refused = DocketError::disk(&self.path);
        let mut walk = || -> io::Result<()> {
            let mut reader = BufReader::with_capacity(1 << 16, ReadFrom { file: &**file, offset });
            let mut offset = offset;
            loop {
                let mut bytes = Vec::new();
                let read = (&mut reader).take(limits::LINE_BYTES_MAX).read_until(b'\n', &mut bytes)?;
                if read == 0 {
                    return Ok(());
                }
                let whole = bytes.last() == Some(&b'\n');
                if whole {
                    bytes.pop();
                }
                if !each(Line { offset, bytes, whole }) {
                    return Ok(());
                }
                offset += read as u64;
            }
        };
        walk().map_err(refused)
    }

    /// The record whose line begins at `offset`, if there is one.
    pub fn record_at(&self, offset: u64) -> Result<Option<LedgerLine>, DocketError> {
        let Some(file) = &self.file else { return Ok(None) };
        let mut bytes = vec![0; 1024];
        loop {
            let read = read_at(&**file, &mut bytes, offset).map_err(DocketError::disk(&self.path))?;
            if let Some(end) = bytes[..read].iter().position(|byte| *byte == b'\n') {
                return Ok(LedgerLine::read(&bytes[..end]).ok());
            }
            if read < bytes.len() || bytes.len() as u64 >= limits::LINE_BYTES_MAX {
                return Ok(None);
            }
            bytes.resize(bytes.len() * 4, 0);
        }
    }

    /// A petition's lines in order, its newest at `head`. None if `head` is not a line of that petition: the
    /// index is a hint.
    pub fn history(&self, id: &PetitionId, head: u64) -> Result<Option<Vec<LedgerLine>>, DocketError> {
        let mut records = Vec::new();
        let mut next = Some(head);
        while let Some(offset) = next {
            let Some(record) = self.record_at(offset)?.filter(|record| record.petition == *id) else {
                return Ok(None);
            };
            next = record.back;
            // A line points back only; anything else would be an endless loop.
            if next.is_some_and(|back| back >= offset) {
                return Ok(None);
            }
            records.push(record);
        }
        records.reverse();
        Ok(Some(records))
    }
}

fn read_at(file: &dyn OpenFile, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
