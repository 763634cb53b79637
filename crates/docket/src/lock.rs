//! One lock for the whole docket, held while something is changed: about a millisecond. The system drops it when a process
//! dies. Its file is never deleted by us, and whoever finds that somebody else did it takes the lock on the new one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use crate::error::DocketError;

/// The right to change something.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Holding the file open is holding the lock.
    _file: File,
}

impl Lock {
    /// Waits until nobody else holds it.
    pub fn take(path: &Path) -> Result<Lock, DocketError> {
        let file = locked(path).map_err(DocketError::disk(path))?;
        Ok(Lock { _file: file })
    }
}

/// Opens a file that is written at its end, makes it if it is not there, and waits until nobody else holds it. Whoever
/// waited while somebody put another file in its place holds nothing, and waits for the new one.
pub(crate) fn locked(path: &Path) -> io::Result<File> {
    loop {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).mode(0o600).open(path)?;
        file.lock()?;
        let held = file.metadata()?;
        match fs::metadata(path) {
            Ok(named) if (named.dev(), named.ino()) == (held.dev(), held.ino()) => return Ok(file),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
}
