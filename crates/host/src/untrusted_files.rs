//! Files in folders where an agent may write: read and replaced without following a link, without waiting at a pipe,
//! and without reading more than the caller asked for.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, renameat, unlinkat};
use rustix::io::retry_on_intr;

use crate::files;

/// The bytes of a plain file of at most `bytes_max`. A link, a pipe, a folder and a longer file are refused. Only the
/// last part of the path is judged: the caller knows the folder.
pub fn read(path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
    files::read_bounded(&open_plain(path)?, bytes_max)
}

/// The same for a text file.
pub fn read_text(path: &Path, bytes_max: usize) -> io::Result<String> {
    String::from_utf8(read(path, bytes_max)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The last bytes of a plain file, at most `bytes_max` of them. A link, a pipe and a folder are refused.
pub fn read_tail(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut file = open_plain(path)?;
    let length = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(length.saturating_sub(bytes_max)))?;
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a file was not read for what it is: a link, a pipe, a folder, too long or no text. Every other error may be over
/// in a moment.
#[must_use]
pub fn is_odd(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let is_link = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    is_link || matches!(error.kind(), Kind::InvalidInput | Kind::InvalidData | Kind::FileTooLarge)
}

fn open_plain(path: &Path) -> io::Result<File> {
    // A pipe without a writer would block us for ever.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?);
    if !file.metadata()?.is_file() {
        return Err(files::not_plain());
    }
    Ok(file)
}

/// Puts a file with this text into `parent`/`folder`, which is made if it is not there: the old text or the new one is
/// there, never a part. A link in the place of the folder is refused; one in the place of the file is replaced.
pub fn replace(parent: &Path, folder: &str, name: &str, text: &[u8]) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // From here on the folders are open: no process can put a link in their place.
    let parent = retry_on_intr(|| openat(CWD, parent, flags, Mode::empty()))?;
    match mkdirat(&parent, folder, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let folder = retry_on_intr(|| openat(&parent, folder, flags, Mode::empty()))?;
    let making = format!(".{name}.making");
    match unlinkat(&folder, &making, AtFlags::empty()) {
        Ok(()) | Err(rustix::io::Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(retry_on_intr(|| openat(&folder, &making, flags, Mode::from_raw_mode(0o666)))?);
    file.write_all(text)?;
    file.sync_all()?;
    renameat(&folder, &making, &folder, name)?;
    File::from(folder).sync_all()
}

/// Whether a real folder is at `path`, and no link to one. What cannot be looked at is none that could be entered.
#[must_use]
pub fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_a_plain_file_of_bounded_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "text").unwrap();
        symlink(at("plain"), at("link")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        assert_eq!(read_text(&at("plain"), 4).unwrap(), "text");
        assert_eq!(read(&at("plain"), 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(&at("pipe"), 9).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(read(folder.path(), 9).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert!(read(&at("link"), 9).is_err() && read(Path::new("/dev/zero"), 9).is_err());
    }

    #[test]
    fn the_tail_of_a_plain_file_is_read_however_long_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "a long text").unwrap();
        symlink(at("plain"), at("link")).unwrap();
        assert_eq!(read_tail(&at("plain"), 4).unwrap(), b"text");
        assert_eq!(read_tail(&at("plain"), 100).unwrap(), b"a long text");
        assert!(read_tail(&at("link"), 9).is_err() && read_tail(Path::new("/dev/zero"), 9).is_err());
        assert!(read_tail(folder.path(), 9).is_err());
    }

    #[test]
    fn what_is_written_stays_where_it_was_meant() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("clone/.ours")).unwrap();
        fs::write(at("precious"), "mine").unwrap();
        for name in ["clone/.ours/file", "clone/.ours/.file.making"] {
            symlink(at("precious"), at(name)).unwrap();
        }
        replace(&at("clone"), ".ours", "file", b"one").unwrap();
        replace(&at("clone"), "new", "file", b"two").unwrap();
        assert_eq!(read(&at("clone/.ours/file"), 9).unwrap(), b"one");
        assert_eq!(read(&at("clone/new/file"), 9).unwrap(), b"two");
        assert_eq!(fs::read(at("precious")).unwrap(), b"mine");
        symlink(folder.path(), at("clone/led")).unwrap();
        replace(&at("clone"), "led", "precious", b"three").unwrap_err();
        assert_eq!(fs::read(at("precious")).unwrap(), b"mine");
    }
}
