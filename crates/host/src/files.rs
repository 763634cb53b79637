//! Files of our own. They are written whole: a reader sees the old file or the new one, never a part; the bytes are first
//! written beside the target under a name that no program reads. They are for this user alone, whatever the umask says. What
//! is opened in their place and is no file (a pipe, a device) is refused, and never waited for.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Opens a file as `options` say, for this user alone if that makes it. A link is followed; a pipe, a device and a folder
/// are refused.
pub fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // A pipe would let us wait for its other end.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = options.mode(0o600).custom_flags(flags.bits().cast_signed()).open(path);
    let file = opened.map_err(|error| {
        // A pipe to be written that no process reads, a socket.
        let is_odd = error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error());
        if is_odd { not_plain() } else { error }
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

/// What is in the place of a file and is none.
pub(crate) fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file")
}

/// The bytes of a plain file of at most `bytes_max`; a longer one is refused.
pub fn read(path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
    read_bounded(&open_plain(OpenOptions::new().read(true), path)?, bytes_max)
}

/// The same for a text file.
pub fn read_text(path: &Path, bytes_max: usize) -> io::Result<String> {
    String::from_utf8(read(path, bytes_max)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

pub(crate) fn read_bounded(file: &File, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(bytes_max as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > bytes_max {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {bytes_max} bytes"),
        ));
    }
    Ok(bytes)
}

/// Puts a file in place of whatever file or link is there, also through a power cut.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, |draft, mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(draft, path)?;
        sync_folder(path)
    })
}

/// The same for a file that may be lost at a power cut.
pub fn replace_lightly(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, |draft, mut file| {
        file.write_all(bytes)?;
        fs::rename(draft, path)
    })
}

/// Puts a file where none is, also through a power cut. An existing file stays: the error is `AlreadyExists`.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, |draft, mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::hard_link(draft, path)?;
        fs::remove_file(draft)?;
        sync_folder(path)
    })
}

/// Makes a folder for this user alone, and the folders above it that are missing, also through a power cut. One that
/// exists stays as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut missing = Vec::new();
    for above in folder.ancestors().filter(|above| !above.as_os_str().is_empty()) {
        match fs::metadata(above) {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(above),
            Err(error) => return Err(error),
        }
    }
    for made in missing.into_iter().rev() {
        match DirBuilder::new().mode(0o700).create(made) {
            Ok(()) => sync_folder(made)?,
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && fs::metadata(made)?.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    match fs::metadata(folder)?.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Takes the lock of a file for this process alone, if no other process has it; a signal that comes meanwhile is no answer.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    again(|| file.try_lock())
}

/// The same, beside others that take it so.
pub fn try_lock_shared(file: &File) -> Result<(), TryLockError> {
    again(|| file.try_lock_shared())
}

fn again(lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    loop {
        match lock() {
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            answer => return answer,
        }
    }
}

/// Whether anything has this name, also a link that leads nowhere. A name that cannot be looked at is an error, never a
/// "no".
pub fn is_there(path: &Path) -> io::Result<bool> {
    is_known(fs::symlink_metadata(path)).map(|found| found.is_some())
}

/// Whether a folder is there, or a link to one.
pub fn is_folder(path: &Path) -> io::Result<bool> {
    is_known(fs::metadata(path)).map(|found| found.is_some_and(|found| found.is_dir()))
}

/// Whether a file is there, or a link to one.
pub fn is_file(path: &Path) -> io::Result<bool> {
    is_known(fs::metadata(path)).map(|found| found.is_some_and(|found| found.is_file()))
}

fn is_known(found: io::Result<Metadata>) -> io::Result<Option<Metadata>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an error says that nothing is there: not the name, or not the folder it would be in.
#[must_use]
pub fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Makes the names in the folder of `path` durable.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

fn with_draft(path: &Path, place: impl FnOnce(&Path, File) -> io::Result<()>) -> io::Result<()> {
    let draft = draft_of(path)?;
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft);
    let placed = made.and_then(|file| place(&draft, file));
    if placed.is_err() {
        // The first error is the one to report; the file left beside the target is read by no program.
        let _ = fs::remove_file(&draft);
    }
    placed
}

/// A name beside `path` that no other process and no other thread has.
fn draft_of(path: &Path) -> io::Result<PathBuf> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}-{:016x}.tmp", std::process::id(), crate::dice()));
    Ok(folder_of(path).join(draft))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_whole_file_replaces_a_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for replace in [replace, replace_lightly] {
            let path = at("file");
            replace(&path, b"one").unwrap();
            replace(&path, b"two").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"two");
        }
        replace(&at("private"), b"").unwrap();
        assert_eq!(mode(&at("private")), 0o600);
        // What cannot be put in place leaves nothing behind.
        fs::create_dir(at("taken")).unwrap();
        for place in [replace, replace_lightly, create] {
            assert!(place(&at("taken"), b"three").is_err());
            assert!(place(&at(".."), b"three").is_err());
        }
        assert_eq!(names(folder.path()), ["file", "private", "taken"]);
    }

    #[test]
    fn what_is_no_file_is_neither_opened_nor_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "text").unwrap();
        symlink(at("plain"), at("link")).unwrap();
        symlink("/dev/zero", at("zeros")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        for odd in ["zeros", "pipe", "."] {
            let mut ways = [false; 4].map(|_| OpenOptions::new());
            ways[0].read(true);
            ways[1].read(true).append(true);
            ways[2].append(true).create(true);
            ways[3].write(true).create(true).truncate(true);
            for mut way in ways {
                assert!(open_plain(&mut way, &at(odd)).is_err(), "{odd} {way:?}");
            }
            assert_eq!(read(&at(odd), 9).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
        assert_eq!(read_text(&at("link"), 4).unwrap(), "text");
        assert_eq!(read(&at("plain"), 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(&at("none"), 3).unwrap_err().kind(), io::ErrorKind::NotFound);
        open_plain(OpenOptions::new().append(true).create(true), &at("new")).unwrap();
        assert_eq!(mode(&at("new")), 0o600);
    }

    #[test]
    fn a_folder_is_made_with_those_above_it_and_an_existing_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        make_folder(&deep).unwrap();
        make_folder(&deep).unwrap();
        assert_eq!((mode(&deep), mode(&folder.path().join("a"))), (0o700, 0o700));
        fs::write(deep.join("file"), "").unwrap();
        assert!(make_folder(&deep.join("file")).is_err() && make_folder(&deep.join("file/d")).is_err());
    }

    #[test]
    fn what_cannot_be_looked_at_is_no_no() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        symlink("loop", at("loop")).unwrap();
        symlink("nowhere", at("link")).unwrap();
        assert!(is_there(&at("file")).unwrap() && is_file(&at("file")).unwrap());
        assert!(is_there(&at("link")).unwrap() && !is_file(&at("link")).unwrap());
        assert!(is_folder(folder.path()).unwrap() && !is_folder(&at("file")).unwrap());
        assert!(!is_there(&at("none")).unwrap() && !is_there(&at("file/below")).unwrap());
        assert!(is_folder(&at("loop")).is_err() && is_there(&at("loop/below")).is_err());
    }

    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, precious) = (folder.path().join("file"), folder.path().join("precious"));
        fs::write(&precious, "mine").unwrap();
        symlink(&precious, &path).unwrap();
        replace(&path, b"ours").unwrap();
        assert_eq!(
            (fs::read(&path).unwrap(), fs::read(&precious).unwrap()),
            (b"ours".into(), b"mine".into())
        );
    }

    #[test]
    fn a_file_is_created_where_none_is_and_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        create(&path, b"one").unwrap();
        assert_eq!(create(&path, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"one".into(), 0o600));
        assert_eq!(names(folder.path()), ["key"]);
    }
}
