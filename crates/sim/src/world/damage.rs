//! What other programs do to the journal while no process runs the mission: bytes in its middle change, a second writer
//! comes, an old writer wakes up and writes. Arbiter must refuse such a journal and change nothing; a person then
//! restores the bytes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use journal::faulty::Faulty;
use journal::{Journal, JournalError};

use super::fault::Fault;
use super::house::replay;
use super::{World, journal_key};

/// So many bytes in a row may be gone.
const HOLE_MAX: u64 = 512;

impl World {
    /// The journal may have been changed since the crash. Returns whether that kept it from being opened.
    pub(super) fn is_kept_from_opening(&mut self) -> bool {
        if self.strikes(Fault::SecondWriter, 250) {
            second_writer_is_refused(&self.disk.bytes());
        }
        if self.strikes(Fault::DamagedBytes, 25) {
            let hurt = self.damaged();
            self.refuses(hurt, Fault::DamagedBytes);
            return true;
        }
        if self.strikes(Fault::StaleWriter, 25) {
            let hurt = written_by_two(&self.disk.bytes());
            self.refuses(hurt, Fault::StaleWriter);
            return true;
        }
        false
    }

    /// The journal with some bytes changed that lie before the end of its last finished line.
    fn damaged(&mut self) -> Vec<u8> {
        let mut bytes = self.disk.bytes();
        let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        let at = self.dice.below(end as u64) as usize;
        if self.dice.one_in(3) {
            let length = self.dice.between(1, HOLE_MAX) as usize;
            bytes[at..end.min(at + length)].fill(0);
        } else {
            let bit = self.dice.below(8);
            bytes[at] ^= 1 << bit;
        }
        bytes
    }

    /// Arbiter refuses a damaged journal, by name, and leaves every byte of it where it is.
    fn refuses(&mut self, hurt: Vec<u8>, fault: Fault) {
        let disk = Faulty::holding(&hurt);
        match Journal::open_on(Box::new(disk.clone()), &journal_key()) {
            Err(error @ JournalError::Damaged { .. }) => self.log(|| format!("!! {}: {error}", fault.name())),
            other => panic!("a hurt journal is not refused as damaged: {other:?}"),
        }
        assert!(disk.bytes() == hurt && disk.saved_tails().is_empty(), "a hurt journal was touched");
    }
}

/// The journal after two writers that both thought it theirs. In memory nothing keeps them apart, and a writer trusts
/// its lock: so what they leave must not be believed.
fn written_by_two(bytes: &[u8]) -> Vec<u8> {
    let disk = Faulty::holding(bytes);
    let open = || Journal::open_on(Box::new(disk.clone()), &journal_key()).map(|opened| opened.journal);
    let writers = open().and_then(|stale| Ok([open()?, stale]));
    for mut writer in writers.unwrap_or_else(|error| panic!("no writers: {error}")) {
        let written = writer.append(writer.head(), &["{}"]).and_then(|_| writer.sync());
        written.unwrap_or_else(|error| panic!("cannot write: {error}"));
    }
    disk.bytes()
}

/// The same bytes in a real file, with the real lock: a second writer gets the first one's process and changes nothing,
/// and the fence grows with each taking.
fn second_writer_is_refused(bytes: &[u8]) {
    let folder = Folder::new();
    let path = folder.0.join("journal.jsonl");
    let read = || std::fs::read(&path).unwrap_or_else(|error| panic!("cannot read: {error}"));
    let open = || Journal::open(&path, &journal_key()).map(|opened| opened.journal);
    std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("cannot write: {error}"));
    let mut first = open().unwrap_or_else(|error| panic!("a free journal is refused: {error}"));
    let before = read();
    match open() {
        Err(JournalError::Held { pid, .. }) => assert_eq!(pid, std::process::id(), "another is named"),
        other => panic!("a second writer is not refused: {other:?}"),
    }
    assert_eq!(read(), before, "a second writer changed something");
    assert_eq!(journal::holder(&path), Some(std::process::id()), "the first one lost its lock");
    let (facts, _) = replay(&first);
    let written = first.append(first.head(), &["{}"]).and_then(|_| first.sync());
    written.unwrap_or_else(|error| panic!("the first one cannot write: {error}"));
    let (fence, head) = (first.fence(), first.head());
    drop(first);
    let next = open().unwrap_or_else(|error| panic!("a journal given back is refused: {error}"));
    assert!(next.fence() > fence, "fence {} after {fence}", next.fence());
    assert_eq!((next.head(), head), (head, facts.len() as u64 + 1), "the first one's fact is not there");
}

/// A folder on the real disk, gone when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("arbiter-worlds-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap_or_else(|error| panic!("no folder {path:?}: {error}"));
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind is in the folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
