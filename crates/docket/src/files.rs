//! Every write of the docket, one step after another: new folders and files, whole replacements, moves, syncs. Tests
//! can count the steps and make one fail.

pub(crate) mod names;
pub(crate) mod petition_file;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::error::{DocketError, HeldLock};
use crate::files::petition_file::Stamp;
use crate::limits;
use crate::storage::{About, Files, Kind, Open, OpenFile, Storage};

/// The docket's writer.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    storage: Arc<dyn Storage>,
    /// How many steps are left; no limit if none.
    steps: Option<Arc<AtomicI64>>,
    /// Only the one step fails, and the writer goes on after it.
    goes_on: bool,
    /// How many looks are left until one fails; none fails if none.
    looks: Option<Arc<AtomicI64>>,
    syncs: Arc<AtomicU64>,
}

impl Default for Disk {
    fn default() -> Disk {
        Disk::on(Arc::new(Files))
    }
}

impl Disk {
    pub fn on(storage: Arc<dyn Storage>) -> Disk {
        Disk { storage, steps: None, goes_on: false, looks: None, syncs: Arc::default() }
    }

    /// The writer stops after so many steps, as if the process had died there.
    pub fn faltering(&self, steps: i64) -> Disk {
        Disk { steps: Some(Arc::new(AtomicI64::new(steps))), ..Disk::on(Arc::clone(&self.storage)) }
    }

    /// Only the step after so many fails, as on a disk that is full for a moment.
    pub fn stumbling(&self, steps: i64) -> Disk {
        Disk { goes_on: true, ..self.faltering(steps) }
    }

    /// Only the look after so many fails: a name, a folder or a file that cannot be read for a moment.
    pub fn blinking(&self, looks: i64) -> Disk {
        Disk { looks: Some(Arc::new(AtomicI64::new(looks))), ..Disk::on(Arc::clone(&self.storage)) }
    }

    /// Whether the step or look that was to fail was reached.
    pub fn has_stumbled(&self) -> bool {
        let is_past = |left: &Arc<AtomicI64>| left.load(Ordering::SeqCst) < 0;
        self.steps.as_ref().is_some_and(is_past) || self.looks.as_ref().is_some_and(is_past)
    }

    pub fn storage(&self) -> &dyn Storage {
        &*self.storage
    }

    /// The kind, size and times of `path` itself, not of what a link there leads to.
    pub fn about(&self, path: &Path) -> io::Result<About> {
        self.look(|| self.storage.about(path))
    }

    /// Opens a file to be read.
    pub fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn OpenFile>> {
        self.look(|| self.storage.open(path, how))
    }

    /// Whether anything has this name. A look that gets no answer is no "no".
    pub fn is_there(&self, path: &Path) -> Result<bool, DocketError> {
        match self.about(path) {
            Ok(_) => Ok(true),
            Err(error) if is_absence(&error) => Ok(false),
            Err(error) => Err(DocketError::disk(path)(error)),
        }
    }

    /// Whether it is a folder. A link to a folder counts as one.
    pub fn is_folder(&self, path: &Path) -> Result<bool, DocketError> {
        match self.about(path) {
            Ok(About { kind: Kind::Folder, .. }) => Ok(true),
            Ok(About { kind: Kind::File, .. }) => Ok(false),
            Ok(About { kind: Kind::Other, .. }) => match self.look(|| self.storage.names(path)) {
                Ok(_) => Ok(true),
                Err(error) if is_absence(&error) => Ok(false),
                Err(error) => Err(DocketError::disk(path)(error)),
            },
            Err(error) if is_absence(&error) => Ok(false),
            Err(error) => Err(DocketError::disk(path)(error)),
        }
    }

    /// The names in a folder, in order; none if there is no such folder.
    pub fn names(&self, folder: &Path) -> Result<Vec<String>, DocketError> {
        let mut names = match self.look(|| self.storage.names(folder)) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(DocketError::disk(folder)(error)),
        };
        names.sort();
        Ok(names)
    }

    /// All bytes of a file that only the docket writes.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.open(path, Open::Read)?;
        let mut bytes = Vec::with_capacity(usize::try_from(file.about()?.length()).unwrap_or(0) + 1);
        io::Read::read_to_end(&mut ReadFrom { file: &*file, offset: 0 }, &mut bytes)?;
        Ok(bytes)
    }

    /// Makes a folder and its parents, if they are not there, and syncs their names.
    pub fn folder(&self, path: &Path) -> Result<(), DocketError> {
        let mut missing = Vec::new();
        for above in path.ancestors() {
            if self.is_folder(above)? {
                break;
            }
            missing.push(above);
        }
        if missing.is_empty() {
            return Ok(());
        }
        self.step(path, || self.storage.make_folder(path))?;
        for above in missing.iter().filter_map(|made| made.parent()) {
            if self.is_folder(above)? {
                self.sync_folder(above)?;
            }
        }
        Ok(())
    }

    /// Syncs the name of a folder and of every folder above it that is this user's. A process that made them may have
    /// died before it synced them.
    pub fn sync_name(&self, path: &Path) -> Result<(), DocketError> {
        let mine = self.about(path).map_err(DocketError::disk(path))?.owner;
        for above in path.ancestors().skip(1) {
            match self.about(above) {
                Ok(about) if about.owner == mine && self.is_folder(above)? => {}
                // Not ours, so not made by us.
                Ok(_) => return Ok(()),
                // The end of a relative path has no name.
                Err(error) if is_absence(&error) => return Ok(()),
                Err(error) => return Err(DocketError::disk(above)(error)),
            }
            match self.step(above, || self.storage.sync_folder(above)) {
                Err(DocketError::Disk { source, .. }) if cannot_sync(&source) => {}
                synced => synced?,
            }
        }
        Ok(())
    }

    /// Takes the lock of a file; waits while another holds it, tells `wait` of that, and ends at its bound. Who waits
    /// holds the lock of the file `next`, if it is free: so the process that has the lock sees that it is wanted.
    pub fn lock(
        &self,
        path: &Path,
        next: Option<&Path>,
        wait: LockWait,
    ) -> Result<Arc<dyn OpenFile>, DocketError> {
        let began = Instant::now();
        let (mut pause, mut is_told) = (limits::LOCK_PAUSE_MIN, false);
        let mut place = None;
        loop {
            if let Some(file) = self.storage.try_lock(path).map_err(DocketError::disk(path))? {
                return Ok(file);
            }
            let waited = began.elapsed();
            let held = || HeldLock { path: path.to_owned(), holder: self.storage.holder(path), waited };
            if waited >= wait.at_most {
                return Err(DocketError::Held(held()));
            }
            if waited >= limits::LOCK_TOLD_AFTER && !is_told {
                (wait.tell)(&held());
                is_told = true;
            }
            if place.is_none() {
                // Without it the lock is waited for as well, only longer.
                place = next.and_then(|next| self.storage.try_lock(next).ok().flatten());
            }
            std::thread::sleep(pause);
            let longest = if place.is_some() { limits::LOCK_PAUSE_NEXT } else { limits::LOCK_PAUSE_MAX };
            pause = (pause * 2).min(longest);
        }
    }

    /// Whether somebody waits who holds the lock of `next`.
    pub fn is_waited_for(&self, next: &Path) -> bool {
        // Where no process ever waited, the file is not made.
        self.storage.about(next).is_ok() && matches!(self.storage.try_lock(next), Ok(None))
    }

    /// Writes a new file and syncs it. A file that a dead process left under this name is replaced.
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

    /// Replaces a small file that can be rebuilt: it is not synced.
    pub fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), DocketError> {
        let beside = path.with_extension("new");
        let file = self.storage.open(&beside, Open::Empty).map_err(DocketError::disk(&beside))?;
        self.append(&beside, &*file, bytes)?;
        self.rename(&beside, path)
    }

    /// Writes at a file's end. When steps are counted it takes two, because writes are torn in the middle.
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

    /// Removes a file of the docket, if it is there.
    pub fn remove(&self, path: &Path) -> Result<(), DocketError> {
        self.step(path, || match self.storage.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        })
    }

    /// Syncs a folder, so that moves within it last.
    pub fn sync_folder(&self, path: &Path) -> Result<(), DocketError> {
        self.step(path, || self.storage.sync_folder(path))
    }

    /// Syncs a file.
    pub fn sync_data(&self, path: &Path, file: &dyn OpenFile) -> Result<(), DocketError> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        self.step(path, || file.sync())
    }

    /// How often the ledger was synced.
    pub fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }

    /// Cuts a file to `length` bytes.
    pub fn cut(&self, path: &Path, file: &dyn OpenFile, length: u64) -> Result<(), DocketError> {
        self.step(path, || {
            file.cut(length)?;
            file.sync()
        })
    }

    /// Gives a file that we wrote a time of change that no other write gives it. The clock of files is coarse: a file
    /// that another program overwrites at once would look unchanged.
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

    fn look<T>(&self, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if self.looks.as_ref().is_some_and(|looks| looks.fetch_sub(1, Ordering::SeqCst) == 0) {
            return Err(io::Error::other("a test stopped the look here"));
        }
        act()
    }

    fn step(&self, path: &Path, act: impl FnOnce() -> io::Result<()>) -> Result<(), DocketError> {
        let left = self.steps.as_ref().map(|steps| steps.fetch_sub(1, Ordering::SeqCst));
        if left.is_some_and(|left| left == 0 || (left < 0 && !self.goes_on)) {
            return Err(DocketError::disk(path)(io::Error::other("a test stopped the writes here")));
        }
        act().map_err(DocketError::disk(path))
    }
}

/// Nothing is there: not the name, or not the folder it would be in.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A folder that cannot be opened by us, or whose file system has no sync for folders.
fn cannot_sync(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::PermissionDenied | Kind::InvalidInput | Kind::Unsupported)
}

/// How a lock is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LockWait {
    pub at_most: Duration,
    /// Called once, after [`limits::LOCK_TOLD_AFTER`].
    pub tell: fn(&HeldLock),
}

impl LockWait {
    /// Not at all.
    pub const NONE: LockWait = LockWait { at_most: Duration::ZERO, tell: |_| {} };
}

impl Default for LockWait {
    fn default() -> LockWait {
        LockWait { at_most: limits::LOCK_WAIT_MAX, tell: |_| {} }
    }
}

/// A file, read from an offset on.
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
