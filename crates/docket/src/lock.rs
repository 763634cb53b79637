//! One lock for the whole docket, held while something is changed: about a millisecond. The system drops it when a process
//! dies. Its file is never deleted, since a lock on a deleted file would let two in.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
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
        let refused = || DocketError::disk(path);
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(refused())?;
        file.lock().map_err(refused())?;
        Ok(Lock { _file: file })
    }
}
