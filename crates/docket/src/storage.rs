//! What the docket is kept on: names, bytes, syncs and locks, and nothing of what they mean. Files are one storage, memory is
//! another; whatever stands above is the same for both, so that both pass the same suite of crashes and races.

mod files;
pub(crate) mod memory;

use std::any::Any;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub(crate) use files::Files;

use crate::files::petition_file::Stamp;

/// Where names and bytes are kept.
pub(crate) trait Storage: fmt::Debug + Send + Sync {
    /// Two storages of the same identity are the same.
    fn identity(&self) -> usize;

    /// Which start of the machine this is: what was not synced before the last one may be lost.
    fn boot(&self) -> String;

    /// What stands there, itself and not what it may point to.
    fn about(&self, path: &Path) -> io::Result<About>;

    /// The names in a folder, in any order.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Opens a file.
    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn OpenFile>>;

    /// Opens a file to be written at its end, makes it if it is not there, and waits until nobody else holds it so. It is
    /// held until the last of what is returned is dropped, or its process dies.
    fn lock(&self, path: &Path) -> io::Result<Arc<dyn OpenFile>>;

    /// Makes a folder, and all above it.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Moves a file, over one that is there.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a folder last.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// Tells `hear` of changes in these folders until what is returned is dropped. None if that cannot be.
    fn watch(&self, folders: &[PathBuf], hear: Hear) -> Option<Watching>;
}

/// A file that is open.
pub(crate) trait OpenFile: fmt::Debug + Send + Sync {
    fn about(&self) -> io::Result<About>;

    /// Reads some bytes; 0 at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Writes at the end.
    fn append(&self, bytes: &[u8]) -> io::Result<()>;

    /// Takes everything from `length` on away.
    fn cut(&self, length: u64) -> io::Result<()>;

    /// Makes its bytes last.
    fn sync(&self) -> io::Result<()>;

    /// Says when it was written.
    fn set_modified(&self, at: SystemTime) -> io::Result<()>;
}

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// To be read.
    Read,
    /// To be read, whoever wrote it: never through a link, never waiting for a pipe.
    ReadForeign,
    /// To be written; it must not be there.
    New,
    /// To be written from its beginning.
    Empty,
    /// To be written at its end.
    Append,
}

/// What can be known without reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct About {
    pub kind: Kind,
    pub stamp: Stamp,
    pub modified: Option<SystemTime>,
    /// Whose it is.
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

/// Something changed in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    /// What has these names.
    Names(Vec<String>),
    /// Something that has no name, or nobody knows what.
    Lost,
}

/// Who is told of changes. It must not block.
pub(crate) type Hear = Box<dyn Fn(Heard) + Send + Sync>;

/// Hears until it is dropped.
pub(crate) struct Watching {
    /// Every change is told.
    pub is_sure: bool,
    _ears: Box<dyn Any + Send>,
}

impl fmt::Debug for Watching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watching").field("is_sure", &self.is_sure).finish_non_exhaustive()
    }
}
