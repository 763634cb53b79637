//! The desk of a merge: a folder on the disk of the work tree, where new files wait and old ones are kept until the merge is
//! whole. One process at a time has it. What is on it says how far a merge came whose process was killed.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::limits::{GIT_WORD, MOVE_PLAN_BYTES_MAX};
use super::patience;
use super::tree_move::{FileKind, FileMove};

/// A desk that this process has.
#[derive(Debug)]
pub(super) struct Desk {
    folder: PathBuf,
    root: PathBuf,
    /// Whoever holds its lock has the desk.
    _held: File,
    lock: PathBuf,
}

/// What a merge set out to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MovePlan {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) moves: Vec<FileMove>,
}

impl Desk {
    /// Takes the desk of the work tree at `root`, whose own git folder is `door`.
    pub(super) fn take(door: &Path, root: &Path) -> Result<Self, WorkspaceError> {
        let device = |path: &Path| {
            fs::metadata(path)
                .map(|found| found.dev())
                .map_err(|source| WorkspaceError::Unreadable { path: path.to_path_buf(), source })
        };
        // Files change places only within one disk.
        let folder = if device(door)? == device(root)? {
            door.join("arbiter-merge")
        } else {
            root.join(".arbiter/merge")
        };
        let lock = folder.with_extension("held");
        fs::create_dir_all(lock.parent().unwrap_or(root)).map_err(WorkspaceError::disk(&lock))?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        let held = host::files::open_plain(&mut options, &lock).map_err(WorkspaceError::disk(&lock))?;
        match host::files::try_lock(&held) {
            Ok(()) => Ok(Self { folder, root: root.to_path_buf(), _held: held, lock }),
            Err(TryLockError::WouldBlock) => Err(WorkspaceError::Engaged {
                root: root.to_path_buf(),
                state: "is being merged into by another arbiter".into(),
                instead: "wait for its end, then try again".into(),
            }),
            Err(TryLockError::Error(error)) => Err(WorkspaceError::disk(&lock)(error)),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where new files wait.
    pub(super) fn new_files(&self) -> PathBuf {
        self.folder.join("new")
    }

    /// Where old files are kept.
    pub(super) fn old_files(&self) -> PathBuf {
        self.folder.join("old")
    }

    /// The index that the tree will have.
    pub(super) fn index(&self) -> PathBuf {
        self.folder.join("index")
    }

    /// Makes a folder.
    pub(super) fn make(&self, folder: &Path) -> Result<(), WorkspaceError> {
        fs::create_dir_all(folder).map_err(WorkspaceError::disk(folder))
    }

    /// Has the disk keep all that was written: git syncs no file of a work tree, and the desk is cleared after this.
    pub(super) async fn make_durable(&self) -> Result<(), WorkspaceError> {
        let root = self.root.clone();
        let sync = tokio::task::spawn_blocking(move || sync_disk(&root));
        let synced = patience::with_a_word("have the disk keep the files", GIT_WORD, sync).await;
        synced.map_err(io::Error::other).and_then(|synced| synced).map_err(WorkspaceError::disk(&self.root))
    }

    /// What a merge whose process was killed had begun, if it had moved anything.
    pub(super) fn unfinished(&self) -> Result<Option<MovePlan>, WorkspaceError> {
        match host::files::read(&self.plan_file(), MOVE_PLAN_BYTES_MAX) {
            Ok(bytes) => MovePlan::read(&bytes).map(Some).ok_or_else(|| WorkspaceError::Unreadable {
                path: self.plan_file(),
                source: io::ErrorKind::InvalidData.into(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(WorkspaceError::Unreadable { path: self.plan_file(), source }),
        }
    }

    /// Writes down what is to be moved: from here on a killed merge can be put back or finished.
    pub(super) fn begin(&self, plan: &MovePlan) -> Result<(), WorkspaceError> {
        self.make(&self.old_files())?;
        host::files::replace(&self.plan_file(), &plan.text()).map_err(WorkspaceError::disk(&self.plan_file()))
    }

    /// Nothing is moved any more.
    pub(super) fn clear(&self) -> Result<(), WorkspaceError> {
        // The plan goes first: without it there is nothing to be put back.
        for removed in [fs::remove_file(self.plan_file()), fs::remove_dir_all(&self.folder)] {
            match removed {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(WorkspaceError::disk(&self.folder)(error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Takes the lock of the user's index as git does. The same file stays on the desk, which proves whose lock it is.
    pub(super) fn lock_index(&self, index: &Path) -> Result<(), WorkspaceError> {
        let (mark, lock) = (self.folder.join("lock"), lock_of(index));
        fs::write(&mark, "").map_err(WorkspaceError::disk(&mark))?;
        fs::hard_link(&mark, &lock).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                is_locked(&lock)
            } else {
                WorkspaceError::disk(&lock)(error)
            }
        })
    }

    /// Puts the new index in the place of the old one, which ends the lock.
    pub(super) fn place_index(&self, index: &Path) -> Result<(), WorkspaceError> {
        let (made, lock) = (self.folder.join("made"), lock_of(index));
        let place = || {
            // A merge that is finished after a death may have come further than this before.
            let waits = self.index().try_exists()?;
            if waits {
                if lock.try_exists()? && !is_same(&self.folder.join("lock"), &lock)? {
                    return Ok(false);
                }
                match fs::hard_link(self.index(), &made) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                    Ok(()) | Err(_) => {}
                }
                fs::rename(self.index(), &lock)?;
            }
            if is_same(&made, &lock)? {
                fs::rename(&lock, index)?;
                return Ok(true);
            }
            // Whoever took the lock away from us in between, the new index is not in its place.
            Ok(!waits)
        };
        if place().map_err(WorkspaceError::disk(index))? { Ok(()) } else { Err(is_locked(&lock)) }
    }

    /// Gives the lock of the user's index back, if it is ours.
    pub(super) fn unlock_index(&self, index: &Path) -> Result<(), WorkspaceError> {
        let lock = lock_of(index);
        let unlock = || {
            if is_same(&self.folder.join("lock"), &lock)? || is_same(&self.folder.join("made"), &lock)? {
                fs::remove_file(&lock)?;
            }
            Ok(())
        };
        unlock().map_err(WorkspaceError::disk(&lock))
    }

    fn plan_file(&self) -> PathBuf {
        self.folder.join("plan")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock);
    }
}

/// Syncs the disk that a folder is on.
#[cfg(target_os = "linux")]
fn sync_disk(folder: &Path) -> io::Result<()> {
    let folder = File::open(folder)?;
    rustix::io::retry_on_intr(|| rustix::fs::syncfs(&folder)).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn sync_disk(_: &Path) -> io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

fn lock_of(index: &Path) -> PathBuf {
    let mut lock = index.as_os_str().to_owned();
    lock.push(".lock");
    PathBuf::from(lock)
}

/// In git's own words, which tell how it is removed.
fn is_locked(lock: &Path) -> WorkspaceError {
    let said = format!("Unable to create '{}': File exists", lock.display());
    WorkspaceError::Git { doing: "lock the index".into(), said }
}

/// Whether both names stand for one file. What is not there is no file; what cannot be looked at is an error.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let identity = |path: &Path| match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some((found.dev(), found.ino()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let one = identity(one)?;
    Ok(one.is_some() && one == identity(other)?)
}

impl MovePlan {
    /// Fields that end with a zero byte: the commits, then for each file what it was, what it becomes, and its path.
    fn text(&self) -> Vec<u8> {
        let letter = |kind| match kind {
            FileKind::Nothing => b'-',
            FileKind::File => b'f',
            FileKind::Submodule => b's',
        };
        let mut text = format!("{}\0{}\0", self.from, self.to).into_bytes();
        for file in &self.moves {
            text.extend([letter(file.old), letter(file.new)]);
            text.extend(file.path.as_os_str().as_bytes());
            text.push(0);
        }
        text
    }

    fn read(text: &[u8]) -> Option<Self> {
        let mut fields = text.strip_suffix(b"\0")?.split(|byte| *byte == 0);
        let mut name = || fields.next().and_then(|field| String::from_utf8(field.to_vec()).ok());
        let (from, to) = (name()?, name()?);
        let kind = |letter: u8| match letter {
            b'-' => Some(FileKind::Nothing),
            b'f' => Some(FileKind::File),
            b's' => Some(FileKind::Submodule),
            _ => None,
        };
        let moves = fields.map(|field| {
            let [old, new, path @ ..] = field else { return None };
            Some(FileMove {
                old: kind(*old)?,
                new: kind(*new)?,
                path: PathBuf::from(OsStr::from_bytes(path)),
            })
        });
        Some(Self { from, to, moves: moves.collect::<Option<_>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let file = |path: &str, old, new| FileMove { path: path.into(), old, new };
        let moves = vec![
            file("a\nb", FileKind::Nothing, FileKind::File),
            file("c/d", FileKind::File, FileKind::Nothing),
            file("m", FileKind::Submodule, FileKind::Submodule),
        ];
        let plan = MovePlan { from: "f".into(), to: "t".into(), moves };
        assert_eq!(MovePlan::read(&plan.text()), Some(plan));
        assert_eq!(MovePlan::read(b""), None);
        let empty = MovePlan { from: "f".into(), to: "t".into(), moves: Vec::new() };
        assert_eq!(MovePlan::read(&empty.text()), Some(empty));
    }

    #[test]
    fn whose_lock_it_is_cannot_be_said_of_a_file_that_cannot_be_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let name = |name: &str| folder.path().join(name);
        fs::write(name("one"), "").unwrap();
        fs::hard_link(name("one"), name("other")).unwrap();
        assert!(is_same(&name("one"), &name("other")).unwrap());
        assert!(!is_same(&name("one"), &name("none")).unwrap());
        assert!(!is_same(&name("none"), &name("none")).unwrap());
        assert!(is_same(&name("one"), &name("one/inside")).is_err());
    }
}
