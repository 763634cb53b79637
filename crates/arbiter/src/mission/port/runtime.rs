//! Where the sockets of running missions lie: a folder of the user's alone, outside of every work tree and hidden from
//! every agent. A folder that is another user's, or that others may enter, is not used.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use mind::digest;
use rustix::process::geteuid;

use crate::limits;
use crate::project::home::{UserFolders, make_folder};

/// The folders in which a socket may lie, the best one first. A process that runs a mission takes the first that can be
/// used; a process that looks for it looks in all, since its environment may have been another one.
pub fn folders() -> Vec<PathBuf> {
    folders_of(|name| std::env::var_os(name))
}

fn folders_of(lookup: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let given = lookup("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = PathBuf::from(format!("/run/user/{}", geteuid().as_raw()));
    let mut bases: Vec<PathBuf> = given.into_iter().chain([usual]).collect();
    bases.dedup();
    // One that is not the user's own, as `sudo` may leave it behind, is passed over.
    bases.retain(|base| is_ours(base));
    let state = UserFolders::find(lookup).ok().map(|places| places.state.join("run"));
    bases.into_iter().map(|base| base.join("arbiter")).chain(state).collect()
}

/// The names that a mission's socket and its key have in `runtime`: short, whatever the mission's folder is called,
/// since a socket's path may be no longer than about a hundred bytes.
pub(super) fn names(runtime: &Path, mission: &Path) -> Option<(PathBuf, PathBuf)> {
    let mission = fs::canonicalize(mission).ok()?;
    let name = &digest::of(mission.as_os_str().as_bytes())[..16];
    let socket = runtime.join(format!("{name}.sock"));
    let fits = socket.as_os_str().len() <= limits::SOCKET_PATH_BYTES_MAX;
    fits.then(|| (socket, runtime.join(format!("{name}.key"))))
}

/// Makes the folder, if need be, and sees to it that it is ours alone.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    make_folder(folder)?;
    if is_private(folder) {
        return Ok(());
    }
    let why = format!("{} is not a folder that only you may enter", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

/// A folder of ours that no other user may enter, and no link to one.
pub(super) fn is_private(folder: &Path) -> bool {
    is_ours(folder) && fs::symlink_metadata(folder).is_ok_and(|found| found.mode() & 0o077 == 0)
}

fn is_ours(folder: &Path) -> bool {
    let ours = |found: fs::Metadata| {
        found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o022 == 0
    };
    fs::symlink_metadata(folder).is_ok_and(ours)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_name_is_short_however_deep_the_mission_lies() {
        let world = tempfile::tempdir().unwrap();
        let deep = world.path().join("x".repeat(200)).join("y".repeat(200));
        fs::create_dir_all(&deep).unwrap();
        let (socket, key) = names(Path::new("/run/user/1000/arbiter"), &deep).unwrap();
        assert_eq!(socket.as_os_str().len(), 22 + 1 + 16 + 5);
        assert_ne!(socket, key);
        let other = names(Path::new("/run/user/1000/arbiter"), world.path()).unwrap();
        assert_ne!(other.0, socket);
        assert_eq!(names(&Path::new("/").join("z".repeat(100)), &deep), None);
    }

    #[test]
    fn a_folder_that_others_may_enter_or_that_is_a_link_is_refused() {
        let world = tempfile::tempdir().unwrap();
        let folder = world.path().join("run");
        make_private(&folder).unwrap();
        symlink(&folder, world.path().join("link")).unwrap();
        assert!(make_private(&world.path().join("link")).is_err());
        for mode in [0o701, 0o750, 0o777] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
            assert!(make_private(&folder).is_err(), "{mode:o}");
        }
        fs::write(world.path().join("file"), "").unwrap();
        assert!(make_private(&world.path().join("file")).is_err());
    }

    #[test]
    fn a_folder_of_another_user_is_refused() {
        let world = tempfile::tempdir().unwrap();
        let folder = world.path().join("run");
        make_private(&folder).unwrap();
        if std::os::unix::fs::chown(&folder, Some(12_345), None).is_err() {
            return sim::real::missing("root", "only root can give a folder away");
        }
        assert!(make_private(&folder).is_err());
    }

    #[test]
    fn the_users_runtime_folder_comes_first_if_it_is_theirs() {
        let world = tempfile::tempdir().unwrap();
        let lookup = |name: &str| match name {
            "XDG_RUNTIME_DIR" => Some(world.path().into()),
            "HOME" => Some("/home/user".into()),
            _ => None,
        };
        let last = Path::new("/home/user/.local/state/arbiter/run");
        let found = folders_of(lookup);
        assert_eq!(found.first(), Some(&world.path().join("arbiter")));
        assert_eq!(found.last().map(PathBuf::as_path), Some(last));
        fs::set_permissions(world.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!folders_of(lookup).contains(&world.path().join("arbiter")));
    }
}
