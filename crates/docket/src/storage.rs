//! The storage below the docket: names, bytes, syncs and locks, and nothing of what they mean. Files are one storage,
//! memory is another; the code above is the same for both, so that both pass the same suite of crashes and races.

mod files;
mod holder;
pub(crate) mod memory;

use std::any::Any;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub(crate) use files::Files;

use crate::files::petition_file::Stamp;

/// A place for named files.
pub(crate) trait Storage: fmt::Debug + Send + Sync {
    /// Two storage values of the same identity are the same storage.
    fn identity(&self) -> usize;

    /// The boot id of the machine: writes that were not synced before the last boot may be lost.
    fn boot(&self) -> String;

    /// The kind, size and times of `path` itself, not of what a link there leads to.
    fn about(&self, path: &Path) -> io::Result<About>;

    /// The names in a folder, in any order.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Opens a file.
    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn OpenFile>>;

    /// Opens a file for appending, makes it if it is not there, and takes its lock; none if another holds it. The lock is
    /// held until the last clone of the returned file is dropped, or the process dies.
    fn try_lock(&self, path: &Path) -> io::Result<Option<Arc<dyn OpenFile>>>;

    /// The process that holds a file's lock, if the system tells.
    fn holder(&self, path: &Path) -> Option<LockHolder>;

    /// Makes a folder, and its parents.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Moves a file, over one that is there.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Syncs a folder, so that the names in it last.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Calls `hear` with changes in these folders until the returned watch is dropped. None where no watch is possible.
    fn watch(&self, folders: &[PathBuf], hear: Hear) -> Option<Watching>;
}

/// A file that is open.
pub(crate) trait OpenFile: fmt::Debug + Send + Sync {
    fn about(&self) -> io::Result<About>;

    /// Reads some bytes; 0 at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Writes at the end.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file to `length` bytes.
    fn cut(&self, length: u64) -> io::Result<()>;

    /// Syncs the file's bytes.
    fn sync(&self) -> io::Result<()>;

    /// Sets the time of the last change.
    fn set_modified(&self, at: SystemTime) -> io::Result<()>;
}

/// The process that holds a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockHolder {
    pub pid: u32,
    /// It was stopped (by Ctrl+Z, a debugger): it goes on only when it is let.
    pub is_stopped: bool,
}

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// To be read.
    Read,
    /// To be read, though another program may have written it: never through a link, never waiting for a pipe.
    ReadForeign,
    /// To be written; it must not be there.
    New,
    /// To be written from its beginning.
    Empty,
    /// To be written at its end.
    Append,
}

/// What is known of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct About {
    pub kind: Kind,
    pub stamp: Stamp,
    pub modified: Option<SystemTime>,
    /// The system's number of the owner.
    pub owner: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    /// A link, a pipe and the like.
    Other,
}

impl About {
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }

    pub fn length(&self) -> u64 {
        self.stamp.size
    }
}

/// A change in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Files of these names changed.
    Names(Vec<String>),
    /// A change without a name: any file may have changed.
    Lost,
}

/// The callback for changes. It must not block.
pub(crate) type Hear = Box<dyn Fn(Heard) + Send + Sync>;

/// A watch, which ends when it is dropped.
pub(crate) struct Watching {
    /// Whether every change is reported.
    pub is_sure: bool,
    _ears: Box<dyn Any + Send>,
}

impl fmt::Debug for Watching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watching").field("is_sure", &self.is_sure).finish_non_exhaustive()
    }
}
