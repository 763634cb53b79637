//! The storage of the real disk, in a folder that other programs use too.

use std::fs::{self, DirBuilder, File, FileTimes, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use notify::{RecursiveMode, Watcher};

use super::{About, Hear, Heard, Kind, LockHolder, Open, OpenFile, Storage, Watching, holder};
use crate::files::petition_file::Stamp;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Files;

impl Storage for Files {
    fn identity(&self) -> usize {
        0
    }

    fn boot(&self) -> String {
        static BOOT: OnceLock<String> = OnceLock::new();
        // Empty where the system has no boot id.
        let boot = || fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        BOOT.get_or_init(|| boot().trim().to_owned()).clone()
    }

    fn about(&self, path: &Path) -> io::Result<About> {
        fs::symlink_metadata(path).map(|about| about_of(&about))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn open(&self, path: &Path, how: Open) -> io::Result<Arc<dyn OpenFile>> {
        let mut options = OpenOptions::new();
        let options = match how {
            Open::Read => options.read(true),
            Open::ReadForeign => {
                let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
                let options = options.read(true).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
                return Ok(Arc::new(options.open(path)?));
            }
            Open::New => options.write(true).create_new(true),
            Open::Empty => options.write(true).create(true).truncate(true),
            Open::Append => options.append(true).create(true),
        };
        Ok(Arc::new(host::files::open_plain(options, path)?))
    }

    /// The lock file is never deleted by us. If another program replaced it while we waited, our lock is on the old
    /// file and worth nothing, so the new one is tried.
    fn try_lock(&self, path: &Path) -> io::Result<Option<Arc<dyn OpenFile>>> {
        loop {
            let file =
                host::files::open_plain(OpenOptions::new().read(true).append(true).create(true), path)?;
            match host::files::try_lock(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let held = file.metadata()?;
            match fs::metadata(path) {
                Ok(named) if (named.dev(), named.ino()) == (held.dev(), held.ino()) => {
                    return Ok(Some(Arc::new(file)));
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
    }

    fn holder(&self, path: &Path) -> Option<LockHolder> {
        holder::of(path)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn watch(&self, folders: &[PathBuf], hear: Hear) -> Option<Watching> {
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Some(heard) = heard(event) {
                hear(heard);
            }
        })
        .ok()?;
        // Folders are watched and never files: a watch on a file is lost when the file is replaced.
        if !folders.iter().all(|at| watcher.watch(at, RecursiveMode::NonRecursive).is_ok()) {
            return None;
        }
        let is_sure = !folders.is_empty() && folders.iter().all(|at| is_local(at));
        Some(Watching { is_sure, _ears: Box::new(watcher) })
    }
}

impl OpenFile for File {
    fn about(&self) -> io::Result<About> {
        self.metadata().map(|about| about_of(&about))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self;
        file.write_all(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn set_modified(&self, at: SystemTime) -> io::Result<()> {
        self.set_times(FileTimes::new().set_modified(at))
    }
}

fn about_of(about: &Metadata) -> About {
    let kind = if about.is_file() {
        Kind::File
    } else if about.is_dir() {
        Kind::Folder
    } else {
        Kind::Other
    };
    let stamp = Stamp { s: about.mtime(), ns: about.mtime_nsec(), size: about.size(), inode: about.ino() };
    About { kind, stamp, modified: about.modified().ok(), owner: about.uid() }
}

/// What an event of the system means; none if no file changed.
fn heard(event: notify::Result<notify::Event>) -> Option<Heard> {
    let Ok(event) = event else { return Some(Heard::Lost) };
    if event.need_rescan() {
        return Some(Heard::Lost);
    }
    if event.kind.is_access() {
        return None;
    }
    let names = event.paths.iter().filter_map(|path| path.file_name()?.to_str());
    Some(Heard::Names(names.map(str::to_owned).collect()))
}

/// Whether every change on this file system goes through this machine, which then reports it.
#[cfg(target_os = "linux")]
fn is_local(path: &Path) -> bool {
    // ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS.
    const LOCAL: [i64; 7] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0xf2f5_2010, 0x2fc1_2fc1];
    rustix::fs::statfs(path).is_ok_and(|about| LOCAL.contains(&about.f_type))
}

#[cfg(not(target_os = "linux"))]
fn is_local(_: &Path) -> bool {
    false
}
