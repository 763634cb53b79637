//! The lock file beside a journal. It names the process that may write, and counts how often the lock was taken: the
//! fence. The file is never deleted, since a lock on a deleted file would let two writers in.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    os::unix::fs::FileExt,
    path::Path,
    process, thread,
};

use serde::{Deserialize, Serialize};

use crate::{
    JournalError, Result,
    disk::{again_if_interrupted, beside},
    limits,
};

/// The content is padded to this many bytes, so that a new holder overwrites the old with one small
/// write and no moment exists in which the fence is lost.
const CONTENT_BYTES: usize = 64;

/// The right to write; it ends when this is dropped or the process dies.
#[derive(Debug)]
pub(crate) struct Lock {
    /// The lock lasts as long as this file is open.
    _file: File,
    fence: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Holder {
    pid: u32,
    fence: u64,
}

impl Lock {
    /// Takes the lock of the journal at `path`.
    pub(crate) fn take(path: &Path) -> Result<Lock> {
        let lock_path = beside(path, "lock");
        let refused = |source| JournalError::disk(&lock_path, source);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = host::files::open_plain(&mut options, &lock_path).map_err(refused)?;
        if !try_for_a_while(&file).map_err(refused)? {
            let pid = read_holder(&file).map_err(refused)?.map_or(0, |holder| holder.pid);
            return Err(JournalError::Held { path: path.to_owned(), pid });
        }
        let fence = next_fence(&file, &lock_path)?;
        write_holder(&file, &Holder { pid: process::id(), fence }).map_err(refused)?;
        Ok(Lock { _file: file, fence })
    }

    /// The number of this taking: greater than that of every earlier holder.
    pub(crate) fn fence(&self) -> u64 {
        self.fence
    }
}

/// Which process holds the journal at `path` for writing, if one does; 0 if the lock does not say.
pub fn holder(path: &Path) -> Option<u32> {
    let file = host::files::open_plain(OpenOptions::new().read(true), &beside(path, "lock")).ok()?;
    match host::files::try_lock_shared(&file) {
        Err(TryLockError::WouldBlock) => {
            Some(read_holder(&file).ok().flatten().map_or(0, |holder| holder.pid))
        }
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

/// Another process may only be asking who holds the lock, or a child may be between fork and exec: both take a moment,
/// so this tries again for a while.
fn try_for_a_while(file: &File) -> io::Result<bool> {
    for _ in 0..limits::LOCK_TRIES {
        match host::files::try_lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(limits::LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

fn next_fence(file: &File, lock_path: &Path) -> Result<u64> {
    let refused = |source| JournalError::disk(lock_path, source);
    if file.metadata().map_err(refused)?.len() == 0 {
        return Ok(1);
    }
    match read_holder(file).map_err(refused)? {
        Some(before) => Ok(before.fence + 1),
        // To start again at 1 would let an old holder pass for a new one.
        None => Err(JournalError::Damaged {
            path: lock_path.to_owned(),
            line: 1,
            what: "it does not name the last holder".to_owned(),
        }),
    }
}

fn read_holder(file: &File) -> io::Result<Option<Holder>> {
    let (mut content, mut count) = ([0; CONTENT_BYTES], 0);
    while count < CONTENT_BYTES {
        match again_if_interrupted(|| file.read_at(&mut content[count..], count as u64))? {
            0 => break,
            more => count += more,
        }
    }
    Ok(serde_json::from_slice(&content[..count]).ok())
}

fn write_holder(file: &File, holder: &Holder) -> io::Result<()> {
    let json = serde_json::to_string(holder)?;
    let content = format!("{json:<width$}\n", width = CONTENT_BYTES - 1);
    file.write_all_at(content.as_bytes(), 0)?;
    // A fence that went back after a power loss would be none.
    file.sync_data()
}
