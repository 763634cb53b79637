//! One `arbiter serve` for each ARBITER_HOME: the lock is the kernel's, so it ends with the process, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Another process that only looks holds the lock for less than this.
const LOOK_TIME_MAX: Duration = Duration::from_millis(40);
const TRIES: u32 = 5;
/// The longest process number that is read.
const PID_BYTES_MAX: u64 = 32;

/// The held lock.
#[derive(Debug)]
pub struct ServeLock {
    _file: File,
}

/// Why it is not held.
#[derive(Debug, thiserror::Error)]
pub enum ServeLockError {
    #[error("`arbiter serve` runs already for {}: process {pid}", home.display())]
    Held { home: PathBuf, pid: String },
    #[error("cannot use {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl ServeLock {
    /// Takes the lock of this ARBITER_HOME.
    pub fn take(home: &Path) -> Result<ServeLock, ServeLockError> {
        let path = file_of(home);
        let disk = |source| ServeLockError::Disk { path: path.clone(), source };
        host::files::make_folder(home).map_err(disk)?;
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).clone();
        let mut file = options.open(&path).map_err(disk)?;
        for _ in 0..TRIES {
            match host::files::try_lock(&file) {
                Ok(()) => {
                    file.set_len(0).and_then(|()| file.rewind()).map_err(disk)?;
                    writeln!(file, "{}", std::process::id()).map_err(disk)?;
                    return Ok(ServeLock { _file: file });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK_TIME_MAX),
                Err(TryLockError::Error(error)) => return Err(disk(error)),
            }
        }
        Err(ServeLockError::Held { home: home.to_path_buf(), pid: pid_in(&file) })
    }
}

/// The process that serves this ARBITER_HOME, if one does.
#[must_use]
pub fn holder(home: &Path) -> Option<String> {
    let file = File::open(file_of(home)).ok()?;
    match host::files::try_lock_shared(&file) {
        Err(TryLockError::WouldBlock) => Some(pid_in(&file)),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn file_of(home: &Path) -> PathBuf {
    home.join("serve.lock")
}

fn pid_in(mut file: &File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.take(PID_BYTES_MAX).read_to_string(&mut text));
    let pid = text.trim();
    let is_pid = read.is_ok() && !pid.is_empty() && pid.bytes().all(|sign| sign.is_ascii_digit());
    if is_pid { pid.to_owned() } else { "unknown".to_owned() }
}
