//! Opening after whatever happened: checks every line, cuts a torn tail and nothing else.

use std::{io, path::PathBuf};

use crate::{
    Result,
    key::JournalKey,
    line,
    medium::Medium,
    scan::{Found, Mark, Scan, damaged, disk},
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

pub(crate) fn recover(medium: &mut dyn Medium, key: &JournalKey) -> Result<Recovered> {
    let (mut scan, mission) = Scan::begin(medium, key)?;
    let unfinished_bytes = walk_to_the_end(&mut scan, medium)?;
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
fn walk_to_the_end(scan: &mut Scan, medium: &dyn Medium) -> Result<u64> {
    loop {
        let before = scan.here();
        match scan.next(medium)? {
            Found::Entry { .. } => {}
            Found::End { rest } if line::hides_a_line(rest, &before.links.crc) => {
                return Err(damaged(medium, before.seq + 2, "its newline was changed"));
            }
            Found::End { rest } => return Ok(rest.len() as u64),
        }
    }
}

/// The bytes are safe elsewhere before they go here.
fn cut_tail(medium: &mut dyn Medium, offset: u64) -> io::Result<PathBuf> {
    let kept_in = medium.keep_aside(offset)?;
    medium.truncate(offset)?;
    Ok(kept_in)
}
