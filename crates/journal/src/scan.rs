//! Walks a journal line by line along the chain of checksums, batch by batch along the chain of seals, and reports
//! where one breaks. Recovery, replay and the readers all use this walk; each decides what a break means.

use std::io;

use crate::{
    JournalError, Result,
    key::{JournalKey, Sealing},
    limits,
    line::{self, Header, Links},
    lines::{Lines, Piece},
    medium::Medium,
};

/// A place between two lines, and what the chains are there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) offset: u64,
    pub(crate) seq: u64,
    pub(crate) links: Links,
}

/// A walk through the entries.
#[derive(Debug)]
pub(crate) struct Scan {
    lines: Lines,
    here: Mark,
    /// Where the last complete batch ended.
    closed: Mark,
    /// How many entries of the open batch still have to follow.
    left: u64,
    /// The seal of the open batch, as far as it was read.
    sealing: Option<Sealing>,
    key: JournalKey,
    /// Whether a seal of another key is passed over.
    is_unsealed: bool,
}

/// The next piece of the walk.
pub(crate) enum Found<'a> {
    Entry {
        entry: ScannedEntry<'a>,
        closes: bool,
    },
    /// The present end, and the unfinished line there (often nothing).
    End {
        rest: &'a [u8],
    },
}

/// One entry, borrowed from the walk's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScannedEntry<'a> {
    /// Its number; the first is 1.
    pub seq: u64,
    /// Its body, a JSON object.
    pub body: &'a str,
}

impl Scan {
    /// Reads the header and stands before the first entry.
    pub(crate) fn begin(medium: &dyn Medium, key: &JournalKey) -> Result<(Scan, String)> {
        Scan::begin_by(medium, key, false)
    }

    /// The same, along the checksums only.
    pub(crate) fn begin_unsealed(medium: &dyn Medium, key: &JournalKey) -> Result<(Scan, String)> {
        Scan::begin_by(medium, key, true)
    }

    fn begin_by(medium: &dyn Medium, key: &JournalKey, is_unsealed: bool) -> Result<(Scan, String)> {
        let mut lines = Lines::starting_at(0);
        let header = match lines.next_piece(medium).map_err(|source| disk(medium, source))? {
            Piece::Line(line) => line::parse_header(line, key),
            Piece::Rest(_) | Piece::TooLong => None,
        };
        let path = || medium.path().to_owned();
        match header {
            Some(Header::Known { mission, links, is_ours }) if is_ours || is_unsealed => {
                let here = Mark { offset: lines.offset(), seq: 0, links };
                Ok((Scan { is_unsealed, ..Scan::at(lines, here, key) }, mission))
            }
            Some(Header::Known { .. }) => Err(JournalError::Foreign { path: path(), line: 1 }),
            Some(Header::Other { format: found }) if found < limits::FORMAT => {
                Err(JournalError::Older { path: path(), found, known: limits::FORMAT })
            }
            Some(Header::Other { format: found }) => {
                Err(JournalError::Newer { path: path(), found, known: limits::FORMAT })
            }
            None => Err(damaged(medium, 1, "it is not a header")),
        }
    }

    fn at(lines: Lines, here: Mark, key: &JournalKey) -> Scan {
        Scan { lines, here, closed: here, left: 0, sealing: None, key: key.clone(), is_unsealed: false }
    }

    /// Stands at `mark`, where a complete batch ended: the line before it has to bear the seal and the
    /// checksum that it bore then.
    pub(crate) fn resume(medium: &dyn Medium, mark: Mark, key: &JournalKey) -> Result<Scan> {
        let mut before = [0; line::CLOSING_BYTES];
        let start = mark.offset.saturating_sub(before.len() as u64);
        let mut filled = 0;
        while filled < before.len() {
            match medium.read_at(&mut before[filled..], start + filled as u64) {
                Ok(0) => return Err(damaged(medium, mark.seq + 1, "it has vanished")),
                Ok(count) => filled += count,
                Err(source) => return Err(disk(medium, source)),
            }
        }
        if !line::ends_with(&before, &mark.links) {
            return Err(damaged(medium, mark.seq + 1, "it is not the line that was read there"));
        }
        Ok(Scan::at(Lines::starting_at(mark.offset), mark, key))
    }

    /// The last whole entry.
    pub(crate) fn here(&self) -> Mark {
        self.here
    }

    /// The last complete batch.
    pub(crate) fn closed(&self) -> Mark {
        self.closed
    }

    /// Steps back behind the last complete batch and forgets what was read ahead.
    pub(crate) fn step_back(&mut self) {
        self.lines.go_to(self.closed.offset);
        self.here = self.closed;
        self.left = 0;
        self.sealing = None;
    }

    /// Takes the next entry. A finished line that does not belong here is damage.
    pub(crate) fn next(&mut self, medium: &dyn Medium) -> Result<Found<'_>> {
        let seq = self.here.seq + 1;
        let wrong = |what: &str| damaged(medium, seq + 1, what);
        let line = match self.lines.next_piece(medium).map_err(|source| disk(medium, source))? {
            Piece::Line(line) => line,
            Piece::Rest(rest) => return Ok(Found::End { rest }),
            Piece::TooLong => return Err(wrong("it is longer than a line may be")),
        };
        let offset = self.here.offset + line.len() as u64 + 1;
        let whole = line;
        let line = line::parse_entry(line).ok_or_else(|| wrong("it has not the form of an entry"))?;
        if line.seq != seq {
            return Err(wrong(&format!("it says entry {} where entry {seq} belongs", line.seq)));
        }
        if !line.checked.is_valid_after(&self.here.links.crc) {
            return Err(wrong("its checksum does not match"));
        }
        if self.left > 0 && line.left != self.left - 1 {
            return Err(wrong("it does not continue its batch"));
        }
        let body = str::from_utf8(line.body).map_err(|_| wrong("it is not utf-8"))?;

        let mut links = Links { crc: line.checked.crc, ..self.here.links };
        let closed = self.closed.links.seal;
        let mut sealing = self.sealing.take().unwrap_or_else(|| self.key.seal_after(&closed));
        if let Some(sealed) = &line.sealed {
            sealing.add(sealed.covered);
            if !sealing.is(&sealed.seal) && !self.is_unsealed {
                return Err(JournalError::Foreign { path: medium.path().to_owned(), line: seq + 1 });
            }
            links.seal = sealed.seal;
        } else {
            sealing.add(whole);
            sealing.add(b"\n");
            self.sealing = Some(sealing);
        }
        self.left = line.left;
        self.here = Mark { offset, seq, links };
        let closes = line.sealed.is_some();
        if closes {
            self.closed = self.here;
        }
        Ok(Found::Entry { entry: ScannedEntry { seq, body }, closes })
    }
}

/// All entries of an open journal, in order, one at a time through one buffer.
#[derive(Debug)]
pub struct Replay<'a> {
    medium: &'a dyn Medium,
    scan: Scan,
    head: u64,
}

impl<'a> Replay<'a> {
    pub(crate) fn until(medium: &'a dyn Medium, head: u64, key: &JournalKey) -> Result<Replay<'a>> {
        let (scan, _) = Scan::begin(medium, key)?;
        Ok(Replay { medium, scan, head })
    }

    /// The next entry, or nothing after the last.
    pub fn next_entry(&mut self) -> Result<Option<ScannedEntry<'_>>> {
        if self.scan.here.seq == self.head {
            return Ok(None);
        }
        let line = self.scan.here.seq + 2;
        match self.scan.next(self.medium)? {
            Found::Entry { entry, .. } => Ok(Some(entry)),
            // It was there when the journal was opened.
            Found::End { .. } => Err(damaged(self.medium, line, "it has vanished")),
        }
    }
}

pub(crate) fn damaged(medium: &dyn Medium, line: u64, what: &str) -> JournalError {
    JournalError::Damaged { path: medium.path().to_owned(), line, what: what.to_owned() }
}

pub(crate) fn disk(medium: &dyn Medium, source: io::Error) -> JournalError {
    JournalError::disk(medium.path(), source)
}
