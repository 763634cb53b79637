//! The storage in memory, for tests. A crash drops what was not synced, as a loss of power does: bytes of files and
//! names in folders each last from their own sync on, and a move lasts as a whole. Tests write to it as other programs
//! write to files.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use super::{About, Hear, Heard, Kind, LockHolder, Open, OpenFile, Storage, Watching};
use crate::files::petition_file::Stamp;

/// A storage in memory. Clones are the same storage.
#[derive(Debug, Clone)]
pub struct MemoryStorage {
    shared: Arc<Shared>,
    home: Arc<Path>,
}

#[derive(Debug, Default)]
struct Shared {
    kept: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    /// The file or folder of each name now.
    now: BTreeMap<PathBuf, MemoryNode>,
    /// The file or folder of each name after a crash.
    lasting: BTreeMap<PathBuf, MemoryNode>,
    /// Moves that are not synced yet.
    moves: Vec<(PathBuf, PathBuf)>,
    made: u64,
    crashes: u64,
    ears: Vec<Weak<MemoryEars>>,
}

#[derive(Debug, Clone)]
enum MemoryNode {
    Folder,
    File(Arc<Inode>),
}

/// A file, whatever its names are. It is dropped with its last name and its last open handle.
#[derive(Debug)]
struct Inode {
    number: u64,
    bytes: Mutex<Bytes>,
}

#[derive(Debug, Default)]
struct Bytes {
    now: Vec<u8>,
    lasting: Vec<u8>,
    /// So many bytes at the beginning are the same in both.
    same: usize,
    modified: Option<SystemTime>,
    is_locked: bool,
}

struct MemoryEars {
    folders: Vec<PathBuf>,
    hear: Hear,
}

impl std::fmt::Debug for MemoryEars {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryEars").field("folders", &self.folders).finish_non_exhaustive()
    }
}

impl Default for MemoryStorage {
    fn default() -> MemoryStorage {
        static MADE: AtomicU64 = AtomicU64::new(1);
        let home = format!("memory-{}", MADE.fetch_add(1, Ordering::Relaxed));
        MemoryStorage { shared: Arc::default(), home: Arc::from(Path::new(&home)) }
    }
}

impl MemoryStorage {
    /// The folder of the docket and its ledger. No other storage of this process has the same.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Drops everything that was not synced, as a loss of power does.
    pub fn crash(&self) {
        let mut kept = self.contents();
        kept.crashes += 1;
        kept.moves.clear();
        let lasting = kept.lasting.clone();
        let is_there = |path: &Path| {
            path.ancestors().skip(1).all(|above| above == Path::new("") || lasting.contains_key(above))
        };
        kept.now = lasting.clone().into_iter().filter(|(path, _)| is_there(path)).collect();
        kept.lasting = kept.now.clone();
        for node in kept.now.values() {
            if let MemoryNode::File(file) = node {
                file.crash();
            }
        }
    }

    /// Syncs everything, as the system does for files that are left alone for a while.
    pub fn sync(&self) {
        let mut kept = self.contents();
        kept.moves.clear();
        kept.lasting = kept.now.clone();
        for node in kept.now.values() {
            if let MemoryNode::File(file) = node {
                file.sync_bytes();
            }
        }
    }

    /// The bytes of a file.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.contents().file(path)?;
        let bytes = file.bytes().now.clone();
        Ok(bytes)
    }

    /// Another program writes a file, in place of one that may be there.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut kept = self.contents();
        let file = kept.make();
        file.bytes().now = bytes.to_vec();
        kept.place(path, file)?;
        kept.notify(&[path]);
        Ok(())
    }

    /// Another program moves a file.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Storage::rename(self, from, to)
    }

    /// Another program removes a file, or a folder with everything in it.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let mut kept = self.contents();
        if !kept.now.contains_key(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        kept.now.retain(|name, _| !name.starts_with(path));
        kept.notify(&[path]);
        Ok(())
    }

    /// Another program makes a folder, and its parents.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        Storage::make_folder(self, path)
    }

    /// Whether anything has this name.
    pub fn exists(&self, path: &Path) -> bool {
        self.contents().now.contains_key(path)
    }

    /// The names in a folder, in order.
    pub fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        Storage::names(self, folder)
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for MemoryStorage {
    fn identity(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    fn boot(&self) -> String {
        format!("memory {}", self.contents().crashes)
    }

    fn about(&self, path: &Path) -> io::Result<About> {
        let kept = self.contents();
        match kept.now.get(path) {
            Some(MemoryNode::File(file)) => Ok(file.about()),
            Some(MemoryNode::Folder) => Ok(about(Kind::Folder, 0, 0, None)),
            None if path == Path::new("") => Ok(about(Kind::Folder, 0, 0, None)),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let kept = self.contents();
        kept.folder(folder)?;
        let within = kept.now.keys().filter(|path| path.parent() == Some(folder));
        Ok(within.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect())
    }

    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn OpenFile>> {
        let mut kept = self.contents();
        let file = match (kept.file(path), how) {
            (Ok(_), Open::New) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Ok(file), Open::Empty) => {
                file.cut(0);
                file
            }
            (Ok(file), Open::Read | Open::ReadForeign | Open::Append) => file,
            (Err(error), Open::Read | Open::ReadForeign) => return Err(error),
            (Err(error), Open::New | Open::Empty | Open::Append) => {
                if error.kind() != io::ErrorKind::NotFound {
                    return Err(error);
                }
                let file = kept.make();
                kept.place(path, Arc::clone(&file))?;
                file
            }
        };
        Ok(file)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Arc<dyn OpenFile>>> {
        let mut kept = self.contents();
        let file = match kept.file(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let file = kept.make();
                kept.place(path, Arc::clone(&file))?;
                file
            }
            Err(error) => return Err(error),
        };
        if std::mem::replace(&mut file.bytes().is_locked, true) {
            return Ok(None);
        }
        let (path, shared) = (path.to_owned(), Arc::clone(&self.shared));
        Ok(Some(Arc::new(MemoryLock { file, path, shared })))
    }

    fn holder(&self, _: &Path) -> Option<LockHolder> {
        None
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let mut kept = self.contents();
        for above in path.ancestors().filter(|above| *above != Path::new("")) {
            match kept.now.get(above) {
                Some(MemoryNode::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                Some(MemoryNode::Folder) => {}
                None => drop(kept.now.insert(above.to_owned(), MemoryNode::Folder)),
            }
        }
        kept.notify(&[path]);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut kept = self.contents();
        let file = kept.file(from)?;
        kept.place(to, file)?;
        kept.now.remove(from);
        kept.moves.push((from.to_owned(), to.to_owned()));
        kept.notify(&[from, to]);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut kept = self.contents();
        kept.file(path)?;
        kept.now.remove(path);
        kept.notify(&[path]);
        Ok(())
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let mut kept = self.contents();
        if path != Path::new("") {
            kept.folder(path)?;
        }
        let within = |name: &Path| name.parent() == Some(path);
        let mut names: BTreeSet<PathBuf> =
            kept.now.keys().chain(kept.lasting.keys()).filter(|name| within(name)).cloned().collect();
        for (from, to) in std::mem::take(&mut kept.moves) {
            if within(&from) || within(&to) {
                names.extend([from, to]);
            } else {
                kept.moves.push((from, to));
            }
        }
        for name in names {
            match kept.now.get(&name).cloned() {
                Some(node) => drop(kept.lasting.insert(name, node)),
                None => drop(kept.lasting.remove(&name)),
            }
        }
        Ok(())
    }

    fn watch(&self, folders: &[PathBuf], hear: Hear) -> Option<Watching> {
        let ears = Arc::new(MemoryEars { folders: folders.to_vec(), hear });
        let mut kept = self.contents();
        kept.ears.retain(|ears| ears.strong_count() > 0);
        kept.ears.push(Arc::downgrade(&ears));
        Some(Watching { is_sure: true, _ears: Box::new(ears) })
    }
}

impl Contents {
    fn make(&mut self) -> Arc<Inode> {
        self.made += 1;
        let bytes = Bytes { modified: Some(host::now()), ..Bytes::default() };
        Arc::new(Inode { number: self.made, bytes: Mutex::new(bytes) })
    }

    /// Lets a name stand for a file.
    fn place(&mut self, path: &Path, file: Arc<Inode>) -> io::Result<()> {
        self.folder(path.parent().unwrap_or(Path::new("")))?;
        if matches!(self.now.get(path), Some(MemoryNode::Folder)) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        self.now.insert(path.to_owned(), MemoryNode::File(file));
        Ok(())
    }

    fn file(&self, path: &Path) -> io::Result<Arc<Inode>> {
        match self.now.get(path) {
            Some(MemoryNode::File(file)) => Ok(Arc::clone(file)),
            Some(MemoryNode::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn folder(&self, path: &Path) -> io::Result<()> {
        match self.now.get(path) {
            _ if path == Path::new("") => Ok(()),
            Some(MemoryNode::Folder) => Ok(()),
            Some(MemoryNode::File(_)) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn notify(&self, paths: &[&Path]) {
        for ears in self.ears.iter().filter_map(Weak::upgrade) {
            let is_heard =
                |path: &&&Path| path.parent().is_some_and(|at| ears.folders.iter().any(|one| one == at));
            let names = paths.iter().filter(is_heard).filter_map(|path| path.file_name()?.to_str());
            let names: Vec<String> = names.map(str::to_owned).collect();
            if !names.is_empty() {
                (ears.hear)(Heard::Names(names));
            }
        }
    }
}

impl Inode {
    fn bytes(&self) -> MutexGuard<'_, Bytes> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn about(&self) -> About {
        let bytes = self.bytes();
        about(Kind::File, self.number, bytes.now.len(), bytes.modified)
    }

    fn cut(&self, length: usize) {
        let mut bytes = self.bytes();
        bytes.now.truncate(length);
        bytes.same = bytes.same.min(length);
    }

    /// Syncs the bytes.
    fn sync_bytes(&self) {
        let mut bytes = self.bytes();
        let Bytes { now, lasting, same, .. } = &mut *bytes;
        lasting.truncate(*same);
        lasting.extend_from_slice(&now[*same..]);
        *same = now.len();
    }

    /// Drops the bytes that were not synced.
    fn crash(&self) {
        let mut bytes = self.bytes();
        bytes.now = bytes.lasting.clone();
        bytes.same = bytes.now.len();
    }
}

fn about(kind: Kind, inode: u64, size: usize, modified: Option<SystemTime>) -> About {
    let since = modified.and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok()).unwrap_or_default();
    let (s, ns) = (i64::try_from(since.as_secs()).unwrap_or(0), i64::from(since.subsec_nanos()));
    let stamp = Stamp { s, ns, size: size as u64, inode };
    About { kind, stamp, modified, owner: rustix::process::getuid().as_raw() }
}

impl OpenFile for Inode {
    fn about(&self) -> io::Result<About> {
        Ok(self.about())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let bytes = self.bytes();
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.now.len());
        let read = buffer.len().min(bytes.now.len() - from);
        buffer[..read].copy_from_slice(&bytes.now[from..from + read]);
        Ok(read)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut kept = self.bytes();
        kept.now.extend_from_slice(bytes);
        kept.modified = Some(host::now());
        Ok(())
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.cut(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_bytes();
        Ok(())
    }

    fn set_modified(&self, at: SystemTime) -> io::Result<()> {
        self.bytes().modified = Some(at);
        Ok(())
    }
}

/// A file that is locked.
#[derive(Debug)]
struct MemoryLock {
    file: Arc<Inode>,
    path: PathBuf,
    shared: Arc<Shared>,
}

impl OpenFile for MemoryLock {
    fn about(&self) -> io::Result<About> {
        Ok(self.file.about())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        OpenFile::cut(&*self.file, length)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()?;
        self.shared.kept.lock().unwrap_or_else(PoisonError::into_inner).notify(&[&self.path]);
        Ok(())
    }

    fn set_modified(&self, at: SystemTime) -> io::Result<()> {
        self.file.set_modified(at)
    }
}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.file.bytes().is_locked = false;
    }
}
