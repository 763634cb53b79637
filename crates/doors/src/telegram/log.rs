//! The log of a door: one fact a line, in the door's folder, by one process at a time. Only what follows the last complete
//! line is ever cut, and kept beside; a log that has grown long is written anew from the state, as a whole.

mod pen;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use host::files;

use self::pen::Pen;
use super::TelegramError;
use super::fact::{DoorFact, DoorState};
use crate::limits::{DOOR_CUTS_MAX, DOOR_LINE_BYTES_MAX, DOOR_LOG_BYTES_MAX, DOOR_LOG_TIMES_MAX};

const LOG: &str = "door.jsonl";
const LOCK: &str = "door.lock";
const CUT: &str = "door.cut";

/// Whether a fact has to outlive a power cut. All outlive the end of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    Synced,
    Lazy,
}

/// The log, open for writing.
#[derive(Debug)]
pub struct DoorLog {
    path: PathBuf,
    pen: Pen<File>,
    /// It is written anew when it is longer than this.
    rewritten_above: u64,
    cut: Option<PathBuf>,
    /// Held as long as the log is open.
    _lock: File,
}

impl DoorLog {
    /// Opens the log in `folder`, which is made if it is not there, and reads what it says.
    pub fn open(folder: &Path) -> Result<(DoorLog, DoorState), TelegramError> {
        files::make_folder(folder).map_err(|error| disk(folder, error))?;
        let lock = lock(&folder.join(LOCK))?;
        sweep(folder);
        let path = folder.join(LOG);
        let file = open_or_create(&path).map_err(|error| disk(&path, error))?;
        let (state, good) = replay(&path, &file)?;
        let length = file.metadata().map_err(|error| disk(&path, error))?.len();
        let cut = match length > good {
            true => Some(cut_tail(&path, &file, good).map_err(|error| disk(&path, error))?),
            false => None,
        };
        let pen = Pen::new(file, good);
        let rewritten_above = match good > DOOR_LOG_BYTES_MAX {
            true => bound(lines(&state.facts()).map_err(|error| disk(&path, error))?.len()),
            false => DOOR_LOG_BYTES_MAX,
        };
        Ok((DoorLog { path, pen, rewritten_above, cut, _lock: lock }, state))
    }

    /// Where the torn end of the log is kept, if opening it cut one off.
    pub fn cut(&self) -> Option<&Path> {
        self.cut.as_deref()
    }

    /// Adds facts, all or none of them. After an error they are not there, and the next ones begin on a line of their own.
    pub fn append(&mut self, facts: &[DoorFact], durability: Durability) -> Result<(), TelegramError> {
        let lines = lines(facts).map_err(|error| disk(&self.path, error))?;
        let synced = durability == Durability::Synced;
        self.pen.append(&lines, synced).map_err(|error| disk(&self.path, error))
    }

    /// Whether it has grown so long, or its end is so doubtful, that it is to be written anew.
    pub fn wants_rewrite(&self) -> bool {
        self.pen.is_doubtful() || self.pen.length() > self.rewritten_above
    }

    /// Whether nothing can be added before it was written anew.
    pub fn is_doubtful(&self) -> bool {
        self.pen.is_doubtful()
    }

    /// Writes it anew from the state, which is what it comes to. There is always the old log or the new one.
    pub fn rewrite(&mut self, state: &DoorState) -> Result<(), TelegramError> {
        // If this fails, the next try comes after some more facts.
        self.rewritten_above = bound(usize::try_from(self.pen.length()).unwrap_or(usize::MAX));
        let rewritten = lines(&state.facts()).and_then(|lines| {
            files::replace(&self.path, &lines)?;
            Ok(lines.len())
        });
        let length = rewritten.map_err(|error| disk(&self.path, error))?;
        // From here on the file that is open is not the log any more.
        match files::open_plain(OpenOptions::new().read(true).append(true), &self.path) {
            Ok(file) => {
                self.pen = Pen::new(file, length as u64);
                self.rewritten_above = bound(length);
                Ok(())
            }
            Err(error) => {
                self.pen.doubt();
                Err(disk(&self.path, error))
            }
        }
    }
}

fn bound(state_bytes: usize) -> u64 {
    (state_bytes as u64).saturating_mul(DOOR_LOG_TIMES_MAX).max(DOOR_LOG_BYTES_MAX)
}

fn disk(path: &Path, source: io::Error) -> TelegramError {
    TelegramError::Disk { path: path.to_owned(), source }
}

/// The facts as they are written. An update can come with line breaks between its parts, never within a text.
fn lines(facts: &[DoorFact]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for fact in facts {
        let begin = lines.len();
        serde_json::to_writer(&mut lines, fact)?;
        lines[begin..].iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        lines.push(b'\n');
    }
    Ok(lines)
}

fn lock(path: &Path) -> Result<File, TelegramError> {
    let opened = files::open_plain(OpenOptions::new().write(true).create(true), path);
    let file = opened.map_err(|error| disk(path, error))?;
    match files::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(TelegramError::Held),
        Err(fs::TryLockError::Error(error)) => Err(disk(path, error)),
    }
}

/// Takes away what a process left that ended while it put a file in place. We hold the lock, so no other process writes there.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(".tmp") {
            // What cannot be removed takes some room and is read by no program.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn open_or_create(path: &Path) -> io::Result<File> {
    let is_new = !files::is_there(path)?;
    let file = files::open_plain(OpenOptions::new().read(true).append(true).create(true), path)?;
    if is_new {
        files::sync_folder(path)?;
    }
    Ok(file)
}

/// The sum of the facts, and how many bytes their lines have.
fn replay(path: &Path, file: &File) -> Result<(DoorState, u64), TelegramError> {
    let mut state = DoorState::default();
    let (mut reader, mut good, mut line) = (BufReader::new(file), 0, Vec::new());
    for number in 1.. {
        line.clear();
        let mut bounded = reader.by_ref().take(DOOR_LINE_BYTES_MAX as u64);
        let count = bounded.read_until(b'\n', &mut line).map_err(|error| disk(path, error))?;
        if !line.ends_with(b"\n") {
            let is_endless = count == DOOR_LINE_BYTES_MAX;
            return match is_endless {
                true => Err(TelegramError::Damaged { path: path.to_owned(), line: number }),
                false => Ok((state, good)),
            };
        }
        let fact: DoorFact = serde_json::from_slice(&line)
            .map_err(|_| TelegramError::Damaged { path: path.to_owned(), line: number })?;
        state.apply(&fact);
        good += count as u64;
    }
    Ok((state, good))
}

/// Cuts what follows the last complete line. It was never acknowledged, and is kept beside as evidence.
fn cut_tail(path: &Path, mut file: &File, good: u64) -> io::Result<PathBuf> {
    use std::io::Seek as _;
    let (mut kept, place) = create_cut(path)?;
    file.seek(io::SeekFrom::Start(good))?;
    let copied = io::copy(&mut file, &mut kept).and_then(|_| kept.flush()).and_then(|()| kept.sync_all());
    if let Err(error) = copied {
        // Half a copy would look like a whole one.
        let _ = fs::remove_file(&place);
        return Err(error);
    }
    files::sync_folder(&place)?;
    file.set_len(good)?;
    file.sync_all()?;
    Ok(place)
}

fn create_cut(path: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0..DOOR_CUTS_MAX {
        let name = if number == 0 { CUT.to_owned() } else { format!("{CUT}.{number}") };
        let place = path.with_file_name(name);
        match files::open_plain(OpenOptions::new().write(true).create_new(true), &place) {
            Ok(file) => return Ok((file, place)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{DOOR_CUTS_MAX} cut ends are kept already")))
}
