//! The raw lines of all sessions, ordered by time, for the logbook page: the newest of them, within bounds. No file of the
//! folder is trusted, and long files are read in slices between frames.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use host::untrusted_files;
use mind::SessionId;
use tui::view_model::{RawRecord, RecordDirection};

use super::book::{Book, path_before, plain};
use super::limits::{
    BACKLOG_BYTES_MAX, BACKLOGS_BYTES_MAX, NAMES_MAX, RECORDS_BYTES_MAX, RECORDS_MAX, SLICE_BYTES,
};

/// How many files a remark names.
const NAMED_MAX: usize = 3;

/// The raw lines of a mission's sessions.
#[derive(Debug)]
pub struct Books {
    folder: PathBuf,
    only: Option<SessionId>,
    /// In the order in which they are read.
    books: Vec<Book>,
    /// The remark on lines that are left out, if any are, then the lines in order.
    records: Vec<RawRecord>,
    /// The first record is that remark.
    remarked: bool,
    /// How much text the lines have.
    bytes: usize,
    /// Sessions that have older lines than are shown.
    left_out: BTreeSet<SessionId>,
}

impl Books {
    /// The books in `folder` (the mission's `sessions`), or only that of one session. Nothing is read yet.
    pub fn open(folder: &Path, only: Option<SessionId>) -> Books {
        Books {
            folder: folder.to_owned(),
            only,
            books: Vec::new(),
            records: Vec::new(),
            remarked: false,
            bytes: 0,
            left_out: BTreeSet::new(),
        }
    }

    /// Reads new lines, a slice at most. True if there were any: then there may be more. Without new lines no file is opened.
    pub fn read(&mut self) -> bool {
        let found = self.find_books();
        let mut fresh = Vec::new();
        let mut used = 0;
        for at in 0..self.books.len() {
            used += self.books[at].read(SLICE_BYTES - used, &mut fresh);
            if used >= SLICE_BYTES {
                // The others come first next time.
                self.books[at..].rotate_left(1);
                break;
            }
        }
        let came = !fresh.is_empty();
        if came || found {
            self.bytes += fresh.iter().map(|record| record.line.len()).sum::<usize>();
            self.records.append(&mut fresh);
            let lines = &mut self.records[usize::from(self.remarked)..];
            lines.sort_by_key(|record| (record.at, record.session));
            self.let_go();
            self.remark();
        }
        came || used > 0
    }

    /// What there is to show, in order.
    pub fn records(&self) -> &[RawRecord] {
        &self.records
    }

    /// Finds the files of new sessions, the one written last first; true if there were any.
    fn find_books(&mut self) -> bool {
        let known: BTreeSet<SessionId> = self.books.iter().map(|book| book.session).collect();
        let mut new: Vec<_> = sessions_in(&self.folder)
            .into_iter()
            .filter(|session| !known.contains(session) && self.only.is_none_or(|only| only == *session))
            .filter_map(|session| {
                let path = self.folder.join(format!("{}.jsonl", session.0));
                let file = plain(&path).or_else(|| plain(&path_before(&path)))?;
                let written = file.modified().ok();
                Some((written, session, path))
            })
            .collect();
        new.sort_by_key(|(written, session, _)| Reverse((*written, *session)));
        let mut left = BACKLOGS_BYTES_MAX;
        let any = !new.is_empty();
        for (_, session, path) in new {
            let (book, taken, left_out) = Book::find(session, path, left.min(BACKLOG_BYTES_MAX));
            left -= taken;
            self.books.push(book);
            if left_out {
                self.left_out.insert(session);
            }
        }
        any
    }

    /// Drops the oldest lines beyond the bounds; the remark counts as one.
    fn let_go(&mut self) {
        let first = usize::from(self.remarked);
        let mut many = (self.records.len() - first).saturating_sub(RECORDS_MAX - 1);
        let mut bytes = self.bytes;
        for (at, record) in self.records[first..].iter().enumerate() {
            if at >= many && bytes <= RECORDS_BYTES_MAX {
                break;
            }
            many = many.max(at + 1);
            bytes -= record.line.len();
            self.left_out.insert(record.session);
        }
        self.bytes = bytes;
        self.records.drain(first..first + many);
    }

    /// Says at the top where older lines are.
    fn remark(&mut self) {
        let names = self.left_out.iter().map(|session| self.name(*session));
        let mut names: Vec<String> = names.take(NAMED_MAX).collect();
        match self.left_out.len().saturating_sub(NAMED_MAX) {
            0 => {}
            more => names.push(format!("{more} others")),
        }
        let Some(session) = self.left_out.first() else { return };
        let at = self.records.get(usize::from(self.remarked)).map_or(mind::Timestamp(0), |record| record.at);
        let line = format!("older lines are in {}", names.join(", ")).into();
        let remark = RawRecord { session: *session, at, direction: RecordDirection::Note, line };
        match self.records.first_mut().filter(|_| self.remarked) {
            Some(old) => *old = remark,
            None => self.records.insert(0, remark),
        }
        self.remarked = true;
    }

    fn name(&self, session: SessionId) -> String {
        let before = self.books.iter().any(|book| book.session == session && book.turned_over);
        format!("sessions/{}.jsonl{}", session.0, if before { ".1" } else { "" })
    }
}

/// Which sessions have a file in `folder`.
fn sessions_in(folder: &Path) -> BTreeSet<SessionId> {
    if !untrusted_files::is_folder(folder) {
        return BTreeSet::new();
    }
    let Ok(names) = fs::read_dir(folder) else { return BTreeSet::new() };
    let names = names.take(NAMES_MAX).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names
        .filter_map(|name| {
            let name = name.strip_suffix(".1").unwrap_or(&name);
            let number: u32 = name.strip_suffix(".jsonl")?.parse().ok()?;
            // As we write it, and not as `+3` or `03`.
            (name == format!("{number}.jsonl")).then_some(SessionId(number))
        })
        .collect()
}
