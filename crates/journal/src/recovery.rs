//! Recovery when a journal is opened: checks every line, and cuts a torn tail and nothing else.

use std::{io, path::PathBuf};

use crate::{
    Result,
    key::JournalKey,
    line,
    medium::Medium,
    scan::{Found, Mark, Scan, ScannedEntry, damaged, disk},
    store::See,
};

/// A torn tail: the rest of a batch that was never completely written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many bytes were cut.
    pub bytes: u64,
    /// How many whole entries of the unfinished batch are among them.
    pub entries: u64,
    /// Where the bytes are kept.
    pub kept_in: PathBuf,
}

/// What recovery found.
pub(crate) struct Recovered {
    pub(crate) mission: String,
    /// The end of the last complete batch, which is the end of the file now.
    pub(crate) end: Mark,
    pub(crate) cut: Option<Cut>,
}

/// Shows every entry of a complete batch to `see`, until that breaks off.
pub(crate) fn recover(medium: &mut dyn Medium, key: &JournalKey, see: &mut See<'_>) -> Result<Recovered> {
    let (mut scan, mission) = Scan::begin(medium, key)?;
    let unfinished_bytes = walk_to_the_end(&mut scan, medium, see)?;
    let (here, end) = (scan.here(), scan.closed());
    let bytes = here.offset + unfinished_bytes - end.offset;
    let entries = here.seq - end.seq;
    let cut = if bytes > 0 {
        let kept_in = cut_tail(medium, end.offset).map_err(|source| disk(medium, source))?;
        Some(Cut { bytes, entries, kept_in })
    } else {
        None
    };
    // A batch that was complete but not synced at the crash is replayed now, so it has to be
    // durable from here on.
    medium.sync().map_err(|source| disk(medium, source))?;
    Ok(Recovered { mission, end, cut })
}

/// Checks every line and returns how many bytes the unfinished last one has.
fn walk_to_the_end(scan: &mut Scan, medium: &dyn Medium, see: &mut See<'_>) -> Result<u64> {
    let mut batch = OpenBatch::default();
    loop {
        let before = scan.here();
        match scan.next(medium)? {
            Found::Entry { entry, closes } => batch.take(entry, closes, see),
            Found::End { rest } if line::hides_a_line(rest, &before.links.crc) => {
                return Err(damaged(medium, before.seq + 2, "its newline was changed"));
            }
            Found::End { rest } => return Ok(rest.len() as u64),
        }
    }
}

/// The entries of a batch that is not closed yet: they are shown to no caller before the seal is read.
#[derive(Default)]
struct OpenBatch {
    bodies: String,
    /// The number of each, and where its body ends.
    ends: Vec<(u64, usize)>,
    /// The caller wants no more entries.
    is_enough: bool,
}

impl OpenBatch {
    fn take(&mut self, entry: ScannedEntry<'_>, closes: bool, see: &mut See<'_>) {
        if self.is_enough {
            return;
        }
        if closes && self.ends.is_empty() {
            self.is_enough = see(entry).is_break();
            return;
        }
        self.bodies.push_str(entry.body);
        self.ends.push((entry.seq, self.bodies.len()));
        if closes {
            let mut start = 0;
            for (seq, end) in self.ends.drain(..) {
                let body = &self.bodies[start..end];
                self.is_enough = self.is_enough || see(ScannedEntry { seq, body }).is_break();
                start = end;
            }
            self.bodies.clear();
        }
    }
}

/// Saves the tail in a file beside the journal, and only then cuts it.
fn cut_tail(medium: &mut dyn Medium, offset: u64) -> io::Result<PathBuf> {
    let kept_in = medium.save_tail(offset)?;
    medium.truncate(offset)?;
    Ok(kept_in)
}
