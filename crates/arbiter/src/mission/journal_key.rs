//! The key that seals this user's journals: 32 random bytes in ARBITER_HOME, readable by the user alone. No work tree and
//! no sandbox shows it, so no agent can forge a journal. It is made once, when the first mission is opened, and never
//! again while a mission exists that was sealed with it.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{FileStore, JournalKey, LogStore};
use mind::id::MissionId;
use ring::rand::{SecureRandom as _, SystemRandom};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::retry_on_intr;

use crate::cli_error::{CliError, ExitCode};
use crate::project::home::{Project, UserFolders, make_folder};
use crate::project::registry::{Registry, RegistryError};

/// The first journal format with seals.
const FORMAT_SEALED: u32 = 2;
/// The mode bits that the file must not have.
const MODE_TOO_LOOSE: u32 = 0o7177;

/// Why the key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The key is gone, and a mission exists that was sealed with it. With another key that mission could not be read.
    #[error("the key {} is missing, and mission {mission} was sealed with it", path.display())]
    Lost {
        path: PathBuf,
        /// One of the missions that need it.
        mission: MissionId,
        registry: PathBuf,
    },
    /// The key is missing, and the list of missions that may need it cannot be read.
    #[error("the key {} is missing, and the list of missions cannot be read: {source}", path.display())]
    Unlisted { path: PathBuf, source: RegistryError },
    /// Other users could read it, or have written it.
    #[error("the key {} has mode {mode:o}, which is looser than 600", path.display())]
    Loose { path: PathBuf, mode: u32 },
    /// The file belongs to another user.
    #[error("the key {} belongs to user {owner}, not to you", path.display())]
    NotOurs { path: PathBuf, owner: u32 },
    /// The path is a link or a folder, or the file has the wrong size.
    #[error("{} is no key: {why}", path.display())]
    NotAKey { path: PathBuf, why: String },
    /// The system refused.
    #[error("cannot make or read the key {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl KeyError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            KeyError::Lost { registry, .. } => Some(format!(
                "restore it from a backup; without it no earlier mission can be read. To begin anew without them, \
                 move {} away",
                registry.display()
            )),
            KeyError::Unlisted { .. } => Some(
                "a key is made only where no mission needs an earlier one: see to that list, or set ARBITER_HOME to \
                 another folder"
                    .into(),
            ),
            KeyError::Loose { path, .. } => Some(format!(
                "`chmod 600 {}`, if no other user had it: with it journals can be forged",
                path.display()
            )),
            KeyError::NotOurs { .. } => {
                Some("restore your own from a backup, or set ARBITER_HOME to a folder of your own".into())
            }
            KeyError::NotAKey { .. } => Some("restore it from a backup".into()),
            KeyError::Disk { path, source } => crate::project::home::disk_hint(path, source.kind()),
        }
    }

    fn disk(path: &Path) -> impl FnOnce(io::Error) -> KeyError + use<> {
        let path = path.to_path_buf();
        move |source| KeyError::Disk { path, source }
    }
}

impl From<KeyError> for CliError {
    fn from(error: KeyError) -> CliError {
        let mut cli_error = CliError::of(ExitCode::Failed, &error);
        cli_error.hint = error.hint();
        cli_error
    }
}

/// The user's journals, to be read. Without a key, and without a mission of the user's own that needs one, every journal in
/// a project is another user's: it is checked against a random key, and refused.
pub fn journals(places: &UserFolders) -> Result<Arc<dyn LogStore>, KeyError> {
    let path = places.journal_key();
    let key = match read(&path)? {
        Some(key) => key,
        None => {
            refuse_if_lost(places, &path)?;
            JournalKey::new(&random(&path)?)
        }
    };
    Ok(Arc::new(FileStore::new(key)))
}

/// The user's journals, to be written: a key is made if there is none and none was lost.
pub fn journals_to_write(places: &UserFolders) -> Result<Arc<dyn LogStore>, KeyError> {
    let path = places.journal_key();
    let key = match read(&path)? {
        Some(key) => key,
        None => {
            refuse_if_lost(places, &path)?;
            make(&path)?
        }
    };
    Ok(Arc::new(FileStore::new(key)))
}

/// Reads the key at `path`, if there is one.
pub fn read(path: &Path) -> Result<Option<JournalKey>, KeyError> {
    // Follows no link, and does not wait for a pipe.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match retry_on_intr(|| openat(CWD, path, flags, Mode::empty())) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(rustix::io::Errno::LOOP) => {
            return Err(KeyError::NotAKey { path: path.to_owned(), why: "it is a link".into() });
        }
        Err(error) => return Err(KeyError::disk(path)(error.into())),
    };
    let metadata = file.metadata().map_err(KeyError::disk(path))?;
    let not_a_key = |why: &str| KeyError::NotAKey { path: path.to_owned(), why: why.to_owned() };
    if !metadata.is_file() {
        return Err(not_a_key("it is not a plain file"));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(KeyError::NotOurs { path: path.to_owned(), owner: metadata.uid() });
    }
    if metadata.mode() & MODE_TOO_LOOSE != 0 {
        return Err(KeyError::Loose { path: path.to_owned(), mode: metadata.mode() & 0o7777 });
    }
    let mut bytes = Vec::new();
    file.take(JournalKey::BYTES as u64 + 1).read_to_end(&mut bytes).map_err(KeyError::disk(path))?;
    match <&[u8; JournalKey::BYTES]>::try_from(bytes.as_slice()) {
        Ok(bytes) => Ok(Some(JournalKey::new(bytes))),
        Err(_) if bytes.len() < JournalKey::BYTES => {
            Err(not_a_key(&format!("it has {} bytes of {}", bytes.len(), JournalKey::BYTES)))
        }
        Err(_) => Err(not_a_key(&format!("it has more than {} bytes", JournalKey::BYTES))),
    }
}

/// Makes the key at `path`, durably. If several processes do so at once, all get the same key.
pub fn make(path: &Path) -> Result<JournalKey, KeyError> {
    put_in_place(path, &random(path)?).map_err(KeyError::disk(path))?;
    let vanished = || KeyError::disk(path)(io::ErrorKind::NotFound.into());
    read(path)?.ok_or_else(vanished)
}

/// Writes the file whole or not at all; an existing one stays.
fn put_in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_folder(path.parent().unwrap_or(Path::new("/")))?;
    match host::files::create(path, bytes) {
        // Another process was faster, but may not have synced the folder yet.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => host::files::sync_folder(path),
        placed => placed,
    }
}

/// Refuses to make a key if a mission of the user's was sealed with an earlier one.
fn refuse_if_lost(places: &UserFolders, path: &Path) -> Result<(), KeyError> {
    let registry = places.registry();
    let listing = Registry::new(registry.clone())
        .list()
        .map_err(|source| KeyError::Unlisted { path: path.to_owned(), source })?;
    let is_sealed = |entry: &crate::project::registry::RegistryEntry| {
        let journal = Project { root: entry.project.clone() }.mission(&entry.id).journal();
        matches!(journal::format_of(&journal), Ok(Some(format)) if format >= FORMAT_SEALED)
    };
    match listing.entries.into_iter().find(is_sealed) {
        // Another process may have opened its first mission meanwhile.
        Some(_) if read(path)?.is_some() => Ok(()),
        Some(entry) => Err(KeyError::Lost { path: path.to_owned(), mission: entry.id, registry }),
        None => Ok(()),
    }
}

fn random(path: &Path) -> Result<[u8; JournalKey::BYTES], KeyError> {
    let mut bytes = [0; JournalKey::BYTES];
    let refused = |_| KeyError::disk(path)(io::Error::other("the system has no random bytes"));
    SystemRandom::new().fill(&mut bytes).map_err(refused)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn home() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("home/journal.key");
        (folder, path)
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn it_is_made_once_for_the_user_alone() {
        let (_folder, path) = home();
        assert!(read(&path).unwrap().is_none());
        make(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!((bytes.len(), fs::metadata(&path).unwrap().mode() & 0o7777), (32, 0o600));
        assert_ne!(bytes, [0; 32]);
        make(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes, "the first stands");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn it_is_not_made_while_the_list_of_missions_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let places = UserFolders::find(|name| (name == "HOME").then(|| folder.path().into())).unwrap();
        fs::create_dir_all(places.registry().parent().unwrap()).unwrap();
        fs::write(places.registry(), "no folder").unwrap();
        let refused = journals_to_write(&places).map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("the list of missions"), "{refused}");
        assert!(refused.hint().is_some_and(|hint| hint.contains("ARBITER_HOME")));
        assert!(journals(&places).is_err());
        assert!(read(&places.journal_key()).unwrap().is_none(), "no key was made");
    }

    #[test]
    fn many_who_make_it_at_once_get_the_same() {
        let (folder, path) = home();
        let journal = folder.path().join("journal.jsonl");
        let keys: Vec<JournalKey> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..16).map(|_| scope.spawn(|| make(&path).unwrap())).collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        drop(journal::Journal::create(&journal, "m", &keys[0]).unwrap());
        for key in &keys {
            journal::Reader::open(&journal, key).unwrap();
        }
    }

    #[test]
    fn one_that_others_could_have_is_refused() {
        let (_folder, path) = home();
        make(&path).unwrap();
        for loose in [0o640, 0o604, 0o660, 0o700, 0o601, 0o4600] {
            mode(&path, loose);
            let error = read(&path).unwrap_err();
            assert!(matches!(error, KeyError::Loose { mode, .. } if mode == loose), "{error}");
            assert!(error.hint().unwrap().contains("chmod 600"));
        }
        for fine in [0o600, 0o400] {
            mode(&path, fine);
            assert!(read(&path).unwrap().is_some());
        }
    }

    #[test]
    fn what_is_no_key_is_refused_and_left_alone() {
        let (folder, path) = home();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for (bytes, why) in
            [(&[1; 31][..], "31 bytes of 32"), (&[], "0 bytes of 32"), (&[1; 33], "more than 32")]
        {
            fs::write(&path, bytes).unwrap();
            mode(&path, 0o600);
            let error = make(&path).unwrap_err();
            assert!(matches!(&error, KeyError::NotAKey { .. }) && error.to_string().contains(why), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::remove_file(&path).unwrap();
        let elsewhere = folder.path().join("elsewhere");
        make(&elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        assert!(matches!(read(&path), Err(KeyError::NotAKey { .. })));
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(matches!(read(&path), Err(KeyError::NotAKey { .. })));
    }

    #[test]
    fn another_users_key_is_refused() {
        let (_folder, path) = home();
        make(&path).unwrap();
        let stranger = rustix::fs::Uid::from_raw(12345);
        if rustix::fs::chown(&path, Some(stranger), None).is_err() {
            return sim::real::missing("root", "only root can give a file away");
        }
        let error = read(&path).unwrap_err();
        assert!(matches!(error, KeyError::NotOurs { owner: 12345, .. }), "{error}");
    }
}
