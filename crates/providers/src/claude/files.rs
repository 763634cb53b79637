//! The files that Claude Code needs. It gets a configuration folder of the mission's own, in which it may write
//! whatever it likes; what must outlive the mission there is a link: the clone's conversations, so that a person can
//! resume them by hand, and the mission's task list. The user's own folder stays hidden, so no command can plant a hook
//! in it or read other projects' conversations.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use mind::access::Access;

use crate::claude::Settings;

/// The folder of a project whose files it obeys unasked.
pub const PROJECT_FOLDER: &str = ".claude";
/// What it may leave in a clone: the worktrees of subagents, and what a person allowed it.
pub const LEAVINGS: [&str; 2] = ["/.claude/worktrees/", "/.claude/settings.local.json"];
/// The file of a project that tells it how to work there.
pub const RULES_FILE: &str = "CLAUDE.md";

/// Where it keeps a login.
const LOGIN: &str = ".credentials.json";

/// What of the user's own folder it reads if the user's settings count.
const USERS: [&str; 8] =
    ["settings.json", "CLAUDE.md", "agents", "commands", "skills", "plugins", "output-styles", "rules"];

/// The longest name it gives a folder's conversations before it shortens it.
const SLUG_CHARS_MAX: usize = 200;

/// The longest login that is carried back.
const LOGIN_BYTES_MAX: usize = 64 * 1024;

/// Claude Code's own files, ready for a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeFiles {
    /// The mission's own configuration folder.
    pub config: PathBuf,
    /// The access that a sandbox must give.
    pub views: Vec<(PathBuf, Access)>,
    /// The variables to set for its process.
    pub environment: Vec<(OsString, OsString)>,
    users: PathBuf,
    is_login_lent: bool,
}

/// Makes `config`, the mission's own configuration folder, ready: its links are made anew, whatever became of them.
/// `users` is the user's own folder, `list` the name of the mission's task list. With `is_login_given` it is given a key
/// or a token by other ways, and the user's login is not copied.
pub fn claude_files(
    users: &Path,
    config: &Path,
    clone: &Path,
    list: &str,
    settings: Settings,
    is_login_given: bool,
) -> io::Result<ClaudeFiles> {
    let clone = fs::canonicalize(clone)?;
    make(users)?;
    make(config)?;
    let (users, config) = (fs::canonicalize(users)?, fs::canonicalize(config)?);
    let mut views = vec![(users.clone(), Access::Hidden), (config.clone(), Access::Write)];
    // Beside the folder, where no variable names it, is the file with everything it knows of the user's projects.
    if let Some(above) = users.parent() {
        views.push((above.join(".claude.json"), Access::Hidden));
    }
    let mut link = |place: PathBuf, view: Access| -> io::Result<()> {
        let shelf = config.join(&place).parent().map_or_else(|| config.clone(), Path::to_path_buf);
        // An agent inside the sandbox may have replaced it.
        if shelf.is_symlink() {
            remove(&shelf)?;
        }
        make(&shelf)?;
        remove(&config.join(&place))?;
        symlink(users.join(&place), config.join(&place))?;
        views.push((users.join(place), view));
        Ok(())
    };
    for place in [Path::new("projects").join(slug(&clone)), Path::new("tasks").join(list)] {
        make(&users.join(&place))?;
        link(place, Access::Write)?;
    }
    for place in USERS {
        match settings {
            Settings::Project if host::files::is_there(&users.join(place))? => {
                link(place.into(), Access::Read)?
            }
            Settings::Project | Settings::Isolated => remove(&config.join(place))?,
        }
    }
    let environment = vec![("CLAUDE_CONFIG_DIR".into(), config.clone().into_os_string())];
    let files = ClaudeFiles { config, views, environment, users, is_login_lent: !is_login_given };
    match is_login_given {
        true => remove(&files.config.join(LOGIN))?,
        false => files.lend_login()?,
    }
    Ok(files)
}

impl ClaudeFiles {
    /// Copies the user's login in, unless the mission's copy is newer: then it is carried back first.
    pub fn lend_login(&self) -> io::Result<()> {
        if !self.is_login_lent {
            return Ok(());
        }
        self.return_login()?;
        match host::files::read(&self.users.join(LOGIN), LOGIN_BYTES_MAX) {
            Ok(login) => host::files::replace(&self.config.join(LOGIN), &login),
            Err(error) if error.kind() == io::ErrorKind::NotFound => remove(&self.config.join(LOGIN)),
            Err(error) => Err(error),
        }
    }

    /// Carries a renewed login back to the user's own folder, and says whether there was one: a renewed login makes the
    /// one before it void. To be called when a session ends, too.
    ///
    /// The agent's commands cannot reach the copy where the kernel can tell them apart from it; where it cannot, a forged
    /// one could be written. So it is taken only if one was lent, if it outlasts the user's own, and of it only the tokens
    /// that a renewal changes.
    pub fn return_login(&self) -> io::Result<bool> {
        if !self.is_login_lent {
            return Ok(false);
        }
        let Some(login) = read_file(&self.config.join(LOGIN)) else { return Ok(false) };
        let own = host::files::read(&self.users.join(LOGIN), LOGIN_BYTES_MAX).unwrap_or_default();
        match (expiry(&login), expiry(&own)) {
            (Some(new), Some(old)) if new > old => {
                let Some(renewed) = renewed(&own, &login) else { return Ok(false) };
                host::files::replace(&self.users.join(LOGIN), &renewed)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// The name under which it keeps the conversations of a folder. It shortens a very long one in its own way: those
/// conversations stay in the mission's folder.
fn slug(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    let units = text.encode_utf16().map(|unit| char::from_u32(u32::from(unit)).unwrap_or('-'));
    units.map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '-' }).take(SLUG_CHARS_MAX).collect()
}

/// Reads a file that an agent inside the sandbox may have replaced by anything: a link is not followed, a pipe
/// is not waited for.
fn read_file(path: &Path) -> Option<Vec<u8>> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path).ok()?;
    let mut bytes = Vec::new();
    file.metadata().ok().filter(fs::Metadata::is_file)?;
    file.take(LOGIN_BYTES_MAX as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The user's own login with the tokens of a renewed one.
fn renewed(own: &[u8], login: &[u8]) -> Option<Vec<u8>> {
    let login: serde_json::Value = serde_json::from_slice(login).ok()?;
    let mut own: serde_json::Value = serde_json::from_slice(own).ok()?;
    for token in ["accessToken", "refreshToken", "expiresAt"] {
        own["claudeAiOauth"][token] = login["claudeAiOauth"][token].clone();
    }
    serde_json::to_vec(&own).ok()
}

/// When a login expires; none if it is no login.
fn expiry(login: &[u8]) -> Option<u64> {
    let login: serde_json::Value = serde_json::from_slice(login).ok()?;
    let login = login.get("claudeAiOauth")?;
    login.get("refreshToken")?.as_str().filter(|token| !token.is_empty())?;
    login.get("expiresAt")?.as_u64()
}

fn make(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Removes what is at a path: a file or a link as such, a folder with all that is in it.
fn remove(place: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(place) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(place),
        Ok(_) => fs::remove_file(place),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        _folder: tempfile::TempDir,
        root: PathBuf,
    }

    impl World {
        fn new() -> World {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().canonicalize().unwrap();
            for place in ["clone.d", "users/agents"] {
                fs::create_dir_all(root.join(place)).unwrap();
            }
            World { _folder: folder, root }
        }

        fn files(&self, settings: Settings, is_login_given: bool) -> ClaudeFiles {
            let (users, config) = (self.root.join("users"), self.root.join("mission/claude"));
            claude_files(&users, &config, &self.root.join("clone.d"), "m1", settings, is_login_given).unwrap()
        }

        fn login(&self, folder: &str, expiry: u64) {
            let text = format!(r#"{{"claudeAiOauth":{{"refreshToken":"r{expiry}","expiresAt":{expiry}}}}}"#);
            fs::write(self.root.join(folder).join(LOGIN), text).unwrap();
        }

        fn expiry(&self, folder: &str) -> Option<u64> {
            expiry(&fs::read(self.root.join(folder).join(LOGIN)).unwrap_or_default())
        }
    }

    #[test]
    fn conversations_and_tasks_are_the_users_and_the_rest_is_the_missions() {
        let world = World::new();
        let files = world.files(Settings::Isolated, true);
        let projects = fs::read_dir(files.config.join("projects")).unwrap().next().unwrap().unwrap();
        assert!(projects.file_name().to_string_lossy().ends_with("-clone-d"));
        fs::write(projects.path().join("s.jsonl"), "x").unwrap();
        let users = world.root.join("users/projects").join(projects.file_name());
        assert!(users.join("s.jsonl").exists());
        assert!(files.views.contains(&(users, Access::Write)));
        assert!(files.views.contains(&(world.root.join("users/tasks/m1"), Access::Write)));
        assert!(files.views.contains(&(world.root.join("users"), Access::Hidden)));
        assert!(!files.config.join("agents").exists());
    }

    #[test]
    fn what_was_planted_inside_is_gone_at_the_next_start() {
        let world = World::new();
        let files = world.files(Settings::Isolated, true);
        fs::write(files.config.join("settings.json"), "{}").unwrap();
        fs::remove_file(files.config.join("tasks/m1")).unwrap();
        fs::create_dir_all(files.config.join("tasks/m1")).unwrap();
        symlink("/etc/passwd", files.config.join(LOGIN)).unwrap();
        let files = world.files(Settings::Project, true);
        assert!(!files.config.join("settings.json").exists());
        assert!(files.config.join("tasks/m1").is_symlink() && files.config.join("agents").is_symlink());
        assert!(!files.config.join(LOGIN).is_symlink());
    }

    #[test]
    fn a_renewed_login_is_carried_back_and_a_false_one_is_not() {
        let world = World::new();
        world.login("users", 10);
        let files = world.files(Settings::Isolated, false);
        assert_eq!(world.expiry("mission/claude"), Some(10));
        fs::write(files.config.join(LOGIN), "{}").unwrap();
        assert!(!files.return_login().unwrap());
        world.login("mission/claude", 5);
        assert!(!files.return_login().unwrap());
        world.login("mission/claude", 20);
        assert!(files.return_login().unwrap());
        assert_eq!(world.expiry("users"), Some(20));
        world.login("users", 30);
        world.files(Settings::Isolated, false);
        assert_eq!(world.expiry("mission/claude"), Some(30));
    }

    #[test]
    fn a_folders_name_is_as_the_program_makes_it() {
        assert_eq!(slug(Path::new("/home/user/a_b.c é")), "-home-user-a-b-c--");
    }
}
