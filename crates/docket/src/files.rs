//! Everything that we change on the disk goes through here, one step after another: new folders and files, whole
//! replacements, moves, syncs. For tests the steps can be counted, and end.

pub(crate) mod names;
pub(crate) mod paper;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use crate::error::DocketError;
use crate::files::paper::Stamp;

/// The hand that writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Disk {
    /// How many steps are left; for ever if none.
    steps: Option<Arc<AtomicI64>>,
    /// It goes on after the step that failed.
    goes_on: bool,
    /// How often the ledger was synced.
    syncs: Arc<AtomicU64>,
}

impl Disk {
    /// It stops after so many steps, as if the process had died there.
    pub fn faltering(steps: i64) -> Disk {
        Disk { steps: Some(Arc::new(AtomicI64::new(steps))), ..Disk::default() }
    }

    /// Only the step after so many fails, as on a disk that is full for a moment.
    pub fn stumbling(steps: i64) -> Disk {
        Disk { goes_on: true, ..Disk::faltering(steps) }
    }

    /// Makes a folder that is ours alone, if it is not there.
    pub fn folder(&self, path: &Path) -> Result<(), DocketError> {
        if path.is_dir() {
            return Ok(());
        }
        let missing: Vec<&Path> = path.ancestors().take_while(|above| !above.is_dir()).collect();
        self.step(path, || DirBuilder::new().recursive(true).mode(0o700).create(path))?;
        for above in missing.iter().filter_map(|made| made.parent()).filter(|above| above.is_dir()) {
            self.sync_folder(above)?;
        }
        Ok(())
    }

    /// Writes a new file and syncs it. What was left there by somebody who died is replaced.
    pub fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Stamp, DocketError> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DocketError::disk(path)(error));
            }
            Ok(()) | Err(_) => {}
        }
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(path);
        let file = file.map_err(DocketError::disk(path))?;
        self.append(path, &file, bytes)?;
        let marked = self.mark(path, &file, bytes)?;
        self.step(path, || file.sync_all())?;
        Ok(marked)
    }

    /// Replaces a small file of ours that can be made anew: it is not synced.
    pub fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), DocketError> {
        let beside = path.with_extension("new");
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside);
        let file = file.map_err(DocketError::disk(&beside))?;
        self.append(&beside, &file, bytes)?;
        self.rename(&beside, path)
    }

    /// Writes at a file's end. When steps are counted it takes two: writes are torn in the middle.
    pub fn append(&self, path: &Path, mut file: &File, bytes: &[u8]) -> Result<(), DocketError> {
        let (first, second) = bytes.split_at(if self.steps.is_some() { bytes.len() / 2 } else { 0 });
        if !first.is_empty() {
            self.step(path, || file.write_all(first))?;
        }
        self.step(path, || file.write_all(second))
    }

    /// Moves a file, over one that is there.
    pub fn rename(&self, from: &Path, to: &Path) -> Result<(), DocketError> {
        self.step(to, || fs::rename(from, to))
    }

    /// Removes a file of ours, if it is there.
    pub fn remove(&self, path: &Path) -> Result<(), DocketError> {
        self.step(path, || match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        })
    }

    /// Makes moves within a folder last.
    pub fn sync_folder(&self, path: &Path) -> Result<(), DocketError> {
        self.step(path, || File::open(path)?.sync_all())
    }

    /// Makes what was written to a file last.
    pub fn sync_data(&self, path: &Path, file: &File) -> Result<(), DocketError> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        self.step(path, || file.sync_data())
    }

    /// How often the ledger was synced.
    pub fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// Takes everything from `length` on out of a file.
    pub fn cut(&self, path: &Path, file: &File, length: u64) -> Result<(), DocketError> {
        self.step(path, || {
            file.set_len(length)?;
            file.sync_all()
        })
    }

    /// Gives a file that we wrote a time of change which no other write gives it: the clock of files is coarse, and a file
    /// that is overwritten at once by another program would look the same.
    fn mark(&self, path: &Path, file: &File, bytes: &[u8]) -> Result<Stamp, DocketError> {
        let refused = || DocketError::disk(path);
        let written = file.metadata().and_then(|about| about.modified()).map_err(refused())?;
        let digits = bytes.iter().fold(1u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)));
        let mark = Duration::from_nanos(u64::from(digits % 999_983) + 1);
        self.step(path, || file.set_modified(written.checked_sub(mark).unwrap_or(written)))?;
        Ok(Stamp::of(&file.metadata().map_err(refused())?))
    }

    fn step(&self, path: &Path, act: impl FnOnce() -> io::Result<()>) -> Result<(), DocketError> {
        let left = self.steps.as_ref().map(|steps| steps.fetch_sub(1, Ordering::SeqCst));
        if left.is_some_and(|left| left == 0 || (left < 0 && !self.goes_on)) {
            return Err(DocketError::disk(path)(io::Error::other("the hand that writes is gone")));
        }
        act().map_err(DocketError::disk(path))
    }
}
