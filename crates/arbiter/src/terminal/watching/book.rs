//! Reads the raw lines of one session: the file that is being written, and the one before it. It continues where it left
//! off, also when the file was rotated meanwhile.

use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mind::{SessionId, Timestamp};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::retry_on_intr;
use tui::view_model::RawRecord;

use super::limits::STORED_BYTES_MAX;
use super::raw;

/// How many files that were read to their end are remembered, so that none is read twice.
const PASSED_MAX: usize = 8;

/// One session's raw lines.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) session: SessionId,
    /// The file was rotated: there is one before the one being written.
    pub(super) turned_over: bool,
    path: PathBuf,
    /// The files being read, the oldest first; the last is the one being written.
    leaves: VecDeque<Leaf>,
    /// The last file has grown.
    grown: bool,
    passed: VecDeque<Identity>,
    /// The time of the last record.
    time: Timestamp,
}

/// A file that is being read.
#[derive(Debug)]
struct Leaf {
    identity: Identity,
    offset: u64,
    /// The beginning of a line that is not complete yet.
    line: Vec<u8>,
    /// How many bytes of that line were dropped.
    dropped: u64,
    /// Reading began in the middle of the file: the text before the first newline is no line.
    skipping: bool,
}

/// Identifies a file, whatever its name. The inode number of a deleted file may be used again, so its birth counts too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    born: Option<SystemTime>,
}

impl Book {
    /// Opens the lines at `path`: at most the last `bytes_max` of the present files will be read. Returns how much that is,
    /// and whether older lines are left out.
    pub(super) fn find(session: SessionId, path: PathBuf, bytes_max: u64) -> (Book, u64, bool) {
        let mut book = Book {
            session,
            turned_over: false,
            path,
            leaves: VecDeque::new(),
            grown: true,
            passed: VecDeque::new(),
            time: Timestamp(0),
        };
        // The present file first: if it is rotated in between, it is found twice rather than not at all.
        let present = plain(&book.path);
        let before = plain(&book.path_before());
        let mut left = bytes_max;
        let mut left_out = false;
        let mut found = |file: &Metadata| {
            let taken = left.min(file.len());
            left -= taken;
            left_out |= taken < file.len();
            Leaf::ending(file, taken)
        };
        book.leaves.extend(present.as_ref().map(&mut found));
        if let Some(before) = before.filter(|file| !book.holds(Identity::of(file))) {
            book.turned_over = true;
            book.leaves.push_front(found(&before));
        }
        (book, bytes_max - left, left_out)
    }

    /// Reads what is new, at most `bytes_max`, and says how much it was.
    pub(super) fn read(&mut self, bytes_max: usize, records: &mut Vec<RawRecord>) -> usize {
        self.look();
        let mut used = 0;
        while used < bytes_max && (self.grown || self.leaves.len() > 1) {
            let last = self.leaves.len() == 1;
            let Some(mut leaf) = self.leaves.pop_front() else { break };
            let file = self.open(leaf.identity);
            let mut keep = |line: &[u8], dropped| {
                let record = raw::record(self.session, line, dropped, self.time);
                self.time = record.at;
                records.push(record);
            };
            // A file that is gone has no more lines.
            let taken = file.map_or(0, |file| leaf.read(&file, bytes_max - used, &mut keep));
            used += taken;
            if used >= bytes_max {
                self.leaves.push_front(leaf);
            } else if last {
                self.leaves.push_front(leaf);
                self.grown = false;
            } else {
                // This file is not written any more, so an incomplete line stays incomplete.
                leaf.end_line(&mut keep);
                self.pass(leaf.identity);
            }
        }
        used
    }

    /// Looks at the files without opening them.
    fn look(&mut self) {
        let present = plain(&self.path);
        if present.as_ref().is_some_and(|file| self.goes_on(file)) {
            return;
        }
        // The file was rotated; for a moment there is no new one.
        if let Some(before) = plain(&self.path_before()) {
            self.turned_over = true;
            let identity = Identity::of(&before);
            if !self.goes_on(&before) && !self.passed.contains(&identity) && !self.holds(identity) {
                self.begin(&before);
            }
        }
        if let Some(present) = present.filter(|file| !self.holds(Identity::of(file))) {
            self.begin(&present);
        }
    }

    /// Whether this is the file that was being written at the last look; if so, whether it has grown.
    fn goes_on(&mut self, file: &Metadata) -> bool {
        let Some(leaf) = self.leaves.back_mut().filter(|leaf| leaf.identity == Identity::of(file)) else {
            return false;
        };
        if file.len() < leaf.offset {
            *leaf = Leaf::ending(file, file.len());
        }
        self.grown |= file.len() > leaf.offset;
        true
    }

    fn begin(&mut self, file: &Metadata) {
        self.leaves.push_back(Leaf::ending(file, file.len()));
        self.grown = true;
    }

    /// Opens a file by whichever name it has now.
    fn open(&self, identity: Identity) -> Option<File> {
        [self.path.clone(), self.path_before()].iter().find_map(|path| {
            let file = open_plain(path).ok()?;
            let found = file.metadata().ok()?;
            (found.is_file() && Identity::of(&found) == identity).then_some(file)
        })
    }

    fn holds(&self, identity: Identity) -> bool {
        self.leaves.iter().any(|leaf| leaf.identity == identity)
    }

    fn pass(&mut self, identity: Identity) {
        self.passed.push_back(identity);
        if self.passed.len() > PASSED_MAX {
            self.passed.pop_front();
        }
    }

    fn path_before(&self) -> PathBuf {
        path_before(&self.path)
    }
}

impl Leaf {
    /// Starts before the last `length` bytes of a file.
    fn ending(file: &Metadata, length: u64) -> Leaf {
        let skipping = length < file.len();
        // With the byte before, so that a line that begins right there is recognised.
        let offset = (file.len() - length).saturating_sub(u64::from(skipping));
        Leaf { identity: Identity::of(file), offset, line: Vec::new(), dropped: 0, skipping }
    }

    /// Reads at most `bytes_max` more, and passes every complete line to `keep`. Returns how much it read.
    fn read(&mut self, file: &File, bytes_max: usize, keep: &mut impl FnMut(&[u8], u64)) -> usize {
        let mut piece = vec![0; bytes_max.min(256 << 10)];
        let mut used = 0;
        while used < bytes_max {
            let room = piece.len().min(bytes_max - used);
            let count = match file.read_at(&mut piece[..room], self.offset) {
                Ok(count @ 1..) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(_) | Err(_) => break,
            };
            self.offset += count as u64;
            used += count;
            for part in piece[..count].split_inclusive(|byte| *byte == b'\n') {
                match part.strip_suffix(b"\n") {
                    Some(end) => {
                        self.add(end);
                        self.end_line(keep);
                        self.skipping = false;
                    }
                    None => self.add(part),
                }
            }
        }
        used
    }

    fn add(&mut self, part: &[u8]) {
        if self.skipping {
            return;
        }
        let room = STORED_BYTES_MAX.saturating_sub(self.line.len()).min(part.len());
        self.line.extend_from_slice(&part[..room]);
        self.dropped += (part.len() - room) as u64;
    }

    fn end_line(&mut self, keep: &mut impl FnMut(&[u8], u64)) {
        if !self.line.is_empty() {
            keep(&self.line, self.dropped);
        }
        self.line.clear();
        // One long line must not keep its memory for ever.
        self.line.shrink_to(64 << 10);
        self.dropped = 0;
    }
}

impl Identity {
    fn of(file: &Metadata) -> Identity {
        Identity { device: file.dev(), inode: file.ino(), born: file.created().ok() }
    }
}

/// Where the file lies that was written before the one at `path`.
pub(super) fn path_before(path: &Path) -> PathBuf {
    let mut path = path.to_owned().into_os_string();
    path.push(".1");
    path.into()
}

/// The metadata of a plain file; none for a link.
pub(super) fn plain(path: &Path) -> Option<Metadata> {
    fs::symlink_metadata(path).ok().filter(Metadata::is_file)
}

/// Opens a file to read without following a link or waiting at a pipe.
fn open_plain(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?))
}
