//! The lock of a mission's clone, a file beside it. A journal's own lock lies in the project, so a copied project has
//! another one; the clone is one for all copies, and one process at a time works in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::{process, thread};

use super::error::WorkspaceError;
use super::limits::{CLONE_LOCK_PAUSE, CLONE_LOCK_TRIES, MARK_BYTES_MAX};

/// The right to work in a clone; it ends when this is dropped or the process dies.
#[derive(Debug)]
pub struct CloneLock {
    path: PathBuf,
    /// The lock lasts as long as this file is open.
    _file: File,
}

impl CloneLock {
    /// Takes the lock of the clone in `folder`, whether or not that folder stands.
    pub fn take(folder: &Path) -> Result<CloneLock, WorkspaceError> {
        let mut path = folder.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        if let Some(clones) = path.parent() {
            host::files::make_folder(clones).map_err(WorkspaceError::disk(clones))?;
        }
        // Another process may only be starting a program, between fork and exec, or removing its lock: both take a moment.
        for _ in 0..CLONE_LOCK_TRIES {
            let file = open(&path).map_err(WorkspaceError::disk(&path))?;
            match host::files::try_lock(&file) {
                Ok(()) if is_in_place(&file, &path).map_err(WorkspaceError::disk(&path))? => {
                    // A full disk must not keep anybody from the command that makes room.
                    let _ = name_holder(&file);
                    return Ok(CloneLock { path, _file: file });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => thread::sleep(CLONE_LOCK_PAUSE),
                Err(TryLockError::Error(source)) => return Err(WorkspaceError::Disk { path, source }),
            }
        }
        Err(WorkspaceError::InUse { folder: folder.to_path_buf(), pid: holder(&path) })
    }

    /// Removes the file with the clone that it locked. A process that waits for it looks whether it is still in place.
    pub fn remove(self) -> Result<(), WorkspaceError> {
        fs::remove_file(&self.path).map_err(WorkspaceError::disk(&self.path))
    }
}

fn open(path: &Path) -> io::Result<File> {
    host::files::open_plain(OpenOptions::new().read(true).write(true).create(true).truncate(false), path)
}

/// Whether the locked file is the one that other processes would open: it may have been removed in between.
fn is_in_place(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Writes which process holds the lock, for the message of another; the lock itself needs no word.
fn name_holder(file: &File) -> io::Result<()> {
    file.set_len(0)?;
    file.write_all_at(format!("{}\n", process::id()).as_bytes(), 0)
}

/// The process that the file names, if it does.
fn holder(path: &Path) -> Option<u32> {
    host::files::read_text(path, MARK_BYTES_MAX).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_again_after_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let clone = folder.path().join("clones/m1");
        let held = CloneLock::take(&clone).unwrap();
        let refused = CloneLock::take(&clone).unwrap_err();
        assert!(
            matches!(refused, WorkspaceError::InUse { pid, .. } if pid == Some(process::id())),
            "{refused}"
        );
        let other = CloneLock::take(&folder.path().join("clones/m2")).unwrap();
        drop(held);
        CloneLock::take(&clone).unwrap().remove().unwrap();
        other.remove().unwrap();
        assert_eq!(fs::read_dir(folder.path().join("clones")).unwrap().count(), 0, "nothing is left");
    }

    #[test]
    fn a_lock_that_was_removed_with_its_clone_lets_no_two_in() {
        let folder = tempfile::tempdir().unwrap();
        let clone = folder.path().join("m1");
        let (first, path) = (CloneLock::take(&clone).unwrap(), folder.path().join("m1.lock"));
        let waiting = open(&path).unwrap();
        first.remove().unwrap();
        waiting.try_lock().unwrap();
        assert!(!is_in_place(&waiting, &path).unwrap(), "its holder has the lock of nothing");
        let second = CloneLock::take(&clone).unwrap();
        assert!(is_in_place(&second._file, &path).unwrap());
    }
}
