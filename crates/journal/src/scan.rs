//! Walks a journal line by line along the chain of checksums and says where it breaks. The writer's
//! recovery, the replay and the readers all walk with this; what a break means is theirs to decide.

use std::io;

use crate::{
    JournalError, Result, limits,
    line::{self, Crc, Header},
    lines::{Lines, Piece},
    medium::Medium,
};

/// A place between two lines, and what the chain is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) offset: u64,
    pub(crate) seq: u64,
    pub(crate) crc: Crc,
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
}

/// What comes next.
pub(crate) enum Found<'a> {
    Entry {
        entry: Entry<'a>,
        closes: bool,
    },
    /// The present end, and the unfinished line there (often nothing).
    End {
        rest: &'a [u8],
    },
}

/// One entry, borrowed from the walk's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Its number; the first is 1.
    pub seq: u64,
    /// Its body, a JSON object.
    pub body: &'a str,
}

impl Scan {
    /// Reads the header and stands before the first entry.
    pub(crate) fn begin(medium: &dyn Medium) -> Result<(Scan, String)> {
        let mut lines = Lines::starting_at(0);
        let header = match lines.next_piece(medium).map_err(|source| disk(medium, source))? {
            Piece::Line(line) => line::parse_header(line),
            Piece::Rest(_) | Piece::TooLong => None,
        };
        match header {
            Some((Header::Known { mission }, crc)) => {
                let here = Mark { offset: lines.offset(), seq: 0, crc };
                Ok((Scan { lines, here, closed: here, left: 0 }, mission))
            }
            Some((Header::Newer { format: found }, _)) => {
                Err(JournalError::Newer { path: medium.path().to_owned(), found, known: limits::FORMAT })
            }
            None => Err(damaged(medium, 1, "it is not a header")),
        }
    }

    /// Stands at `mark`, where a complete batch ended: the line before it has to bear the checksum that it bore then.
    pub(crate) fn resume(medium: &dyn Medium, mark: Mark) -> Result<Scan> {
        let mut before = [0; line::SEAL_BYTES + 1];
        let start = mark.offset.saturating_sub(before.len() as u64);
        let mut filled = 0;
        while filled < before.len() {
            match medium.read_at(&mut before[filled..], start + filled as u64) {
                Ok(0) => return Err(damaged(medium, mark.seq + 1, "it has vanished")),
                Ok(count) => filled += count,
                Err(source) => return Err(disk(medium, source)),
            }
        }
        if !line::ends_with_seal(&before, &mark.crc) {
            return Err(damaged(medium, mark.seq + 1, "it is not the line that was read there"));
        }
        Ok(Scan { lines: Lines::starting_at(mark.offset), here: mark, closed: mark, left: 0 })
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
        let line = line::parse_entry(line).ok_or_else(|| wrong("it has not the form of an entry"))?;
        if line.seq != seq {
            return Err(wrong(&format!("it says entry {} where entry {seq} belongs", line.seq)));
        }
        if !line.sealed.holds_after(&self.here.crc) {
            return Err(wrong("its checksum does not match"));
        }
        if self.left > 0 && line.left != self.left - 1 {
            return Err(wrong("it does not continue its batch"));
        }
        let body = str::from_utf8(line.body).map_err(|_| wrong("it is not utf-8"))?;

        self.left = line.left;
        self.here = Mark { offset, seq, crc: line.sealed.crc };
        let closes = line.left == 0;
        if closes {
            self.closed = self.here;
        }
        Ok(Found::Entry { entry: Entry { seq, body }, closes })
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
    pub(crate) fn until(medium: &'a dyn Medium, head: u64) -> Result<Replay<'a>> {
        let (scan, _) = Scan::begin(medium)?;
        Ok(Replay { medium, scan, head })
    }

    /// The next entry, or nothing after the last.
    pub fn next_entry(&mut self) -> Result<Option<Entry<'_>>> {
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
