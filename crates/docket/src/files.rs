//! Everything that we change goes through here, one step after another: new folders and files, whole replacements, moves,
//! syncs. For tests the steps can be counted, and end.

pub(crate) mod names;
pub(crate) mod petition_file;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use crate::error::DocketError;
use crate::files::petition_file::Stamp;
use crate::storage::{About, Files, Kind, Open, OpenFile, Storage};

/// The hand that writes.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    storage: Arc<dyn Storage>,
    /// How many steps are left; for ever if none.
    steps: Option<Arc<AtomicI64>>,
    /// It goes on after the step that failed.
    goes_on: bool,
    /// How often the ledger was synced.
    syncs: Arc<AtomicU64>,
}

impl Default for Disk {
    fn default() -> Disk {
        Disk::on(Arc::new(Files))
    }
}

impl Disk {
    /// Writes there.
    pub fn on(storage: Arc<dyn Storage>) -> Disk {
        Disk { storage, steps: None, goes_on: false, syncs: Arc::default() }
    }

    /// It stops after so many steps, as if the process had died there.
    pub fn faltering(&self, steps: i64) -> Disk {
        Disk { steps: Some(Arc::new(AtomicI64::new(steps))), ..Disk::on(Arc::clone(&self.storage)) }
    }

    /// Only the step after so many fails, as on a disk that is full for a moment.
    pub fn stumbling(&self, steps: i64) -> Disk {
        Disk { goes_on: true, ..self.faltering(steps) }
    }

    pub fn storage(&self) -> &dyn Storage {
        &*self.storage
    }

    /// What stands there, itself and not what it may point to.
    pub fn about(&self, path: &Path) -> io::Result<About> {
        self.storage.about(path)
    }

    /// Whether anything has this name.
    pub fn exists(&self, path: &Path) -> bool {
        self.about(path).is_ok()
    }

    /// Whether it is a folder. One that somebody put elsewhere, and left a link for, is one, too.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.about(path).is_ok_and(|about| match about.kind {
            Kind::Folder => true,
            Kind::Other => self.storage.names(path).is_ok(),
            Kind::File => false,
        })
    }

    /// The names in a folder, in order; none if it cannot be read.
    pub fn names(&self, folder: &Path) -> Vec<String> {
        let mut names = self.storage.names(folder).unwrap_or_default();
        names.sort();
        names
    }

    /// All bytes of a file of ours.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.storage.open(path, Open::Read)?;
        let mut bytes = Vec::with_capacity(usize::try_from(file.about()?.length()).unwrap_or(0) + 1);
        io::Read::read_to_end(&mut ReadFrom { file: &*file, offset: 0 }, &mut bytes)?;
        Ok(bytes)
    }

    /// Makes a folder that is ours alone, if it is not there.
    pub fn folder(&self, path: &Path) -> Result<(), DocketError> {
        if self.is_folder(path) {
            return Ok(());
        }
        let missing: Vec<&Path> = path.ancestors().take_while(|above| !self.is_folder(above)).collect();
        self.step(path, || self.storage.make_folder(path))?;
        for above in missing.iter().filter_map(|made| made.parent()).filter(|above| self.is_folder(above)) {
            self.sync_folder(above)?;
        }
        Ok(())
    }

    /// Writes a new file and syncs it. What was left there by somebody who died is replaced.
    pub fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Stamp, DocketError> {
        match self.storage.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DocketError::disk(path)(error));
            }
            Ok(()) | Err(_) => {}
        }
        let file = self.storage.open(path, Open::New).map_err(DocketError::disk(path))?;
        self.append(path, &*file, bytes)?;
        let marked = self.mark(path, &*file, bytes)?;
        self.step(path, || file.sync())?;
        Ok(marked)
    }

    /// Replaces a small file of ours that can be made anew: it is not synced.
    pub fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), DocketError> {
        let beside = path.with_extension("new");
        let file = self.storage.open(&beside, Open::Empty).map_err(DocketError::disk(&beside))?;
        self.append(&beside, &*file, bytes)?;
        self.rename(&beside, path)
    }

    /// Writes at a file's end. When steps are counted it takes two: writes are torn in the middle.
    pub fn append(&self, path: &Path, file: &dyn OpenFile, bytes: &[u8]) -> Result<(), DocketError> {
        let (first, second) = bytes.split_at(if self.steps.is_some() { bytes.len() / 2 } else { 0 });
        if !first.is_empty() {
            self.step(path, || file.append(first))?;
        }
        self.step(path, || file.append(second))
    }

    /// Moves a file, over one that is there.
    pub fn rename(&self, from: &Path, to: &Path) -> Result<(), DocketError> {
        self.step(to, || self.storage.rename(from, to))
    }

    /// Removes a file of ours, if it is there.
    pub fn remove(&self, path: &Path) -> Result<(), DocketError> {
        self.step(path, || match self.storage.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        })
    }

    /// Makes moves within a folder last.
    pub fn sync_folder(&self, path: &Path) -> Result<(), DocketError> {
        self.step(path, || self.storage.sync_folder(path))
    }

    /// Makes what was written to a file last.
    pub fn sync_data(&self, path: &Path, file: &dyn OpenFile) -> Result<(), DocketError> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        self.step(path, || file.sync())
    }

    /// How often the ledger was synced.
    pub fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// Takes everything from `length` on out of a file.
    pub fn cut(&self, path: &Path, file: &dyn OpenFile, length: u64) -> Result<(), DocketError> {
        self.step(path, || {
            file.cut(length)?;
            file.sync()
        })
    }

    /// Gives a file that we wrote a time of change which no other write gives it: the clock of files is coarse, and a file
    /// that is overwritten at once by another program would look the same.
    fn mark(&self, path: &Path, file: &dyn OpenFile, bytes: &[u8]) -> Result<Stamp, DocketError> {
        let refused = || DocketError::disk(path);
        let written = file
            .about()
            .map_err(refused())?
            .modified
            .ok_or_else(|| refused()(io::ErrorKind::Unsupported.into()))?;
        let digits = bytes.iter().fold(1u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)));
        let mark = Duration::from_nanos(u64::from(digits % 999_983) + 1);
        self.step(path, || file.set_modified(written.checked_sub(mark).unwrap_or(written)))?;
        Ok(file.about().map_err(refused())?.stamp)
    }

    fn step(&self, path: &Path, act: impl FnOnce() -> io::Result<()>) -> Result<(), DocketError> {
        let left = self.steps.as_ref().map(|steps| steps.fetch_sub(1, Ordering::SeqCst));
        if left.is_some_and(|left| left == 0 || (left < 0 && !self.goes_on)) {
            return Err(DocketError::disk(path)(io::Error::other("the hand that writes is gone")));
        }
        act().map_err(DocketError::disk(path))
    }
}

/// A file, read from a place on.
pub(crate) struct ReadFrom<'a> {
    pub file: &'a dyn OpenFile,
    pub offset: u64,
}

impl io::Read for ReadFrom<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}
