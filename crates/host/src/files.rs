//! Writes files whole: a reader sees the old file or the new one, never a part. The bytes are first written beside the
//! target under a name that no program reads, for this user alone unless the function's name says otherwise.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Puts a file in place of whatever file or link is there, also through a power cut.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, 0o600, |draft, mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(draft, path)?;
        sync_folder(path)
    })
}

/// The same for a file that may be lost at a power cut, with the user's default permissions.
pub fn replace_lightly(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, 0o666, |draft, mut file| {
        file.write_all(bytes)?;
        fs::rename(draft, path)
    })
}

/// Puts a file where none is, also through a power cut. An existing file stays: the error is `AlreadyExists`.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_draft(path, 0o600, |draft, mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::hard_link(draft, path)?;
        fs::remove_file(draft)?;
        sync_folder(path)
    })
}

/// Makes the names in the folder of `path` durable.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

fn with_draft(path: &Path, mode: u32, place: impl FnOnce(&Path, File) -> io::Result<()>) -> io::Result<()> {
    let draft = draft_of(path)?;
    let made = OpenOptions::new().write(true).create_new(true).mode(mode).open(&draft);
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
