//! The player programs: which of them are installed, their arguments, and which failed and are not tried again.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{Access, access};
use tokio::process::Command;

/// The message where no player is installed.
pub const NONE: &str = "no player found: install pw-play, paplay, aplay, sox or ffplay";

/// Players and their arguments before the file, in the order of preference: those of the system's own sound come first.
const KINDS: [(&str, &[&str]); 6] = [
    ("pw-play", &[]),
    ("paplay", &[]),
    ("aplay", &["-q"]),
    ("afplay", &[]),
    ("play", &["-q"]),
    ("ffplay", &["-nodisp", "-autoexit", "-loglevel", "quiet"]),
];

/// Programs that failed, and how; shared by the ceremony and the mission after it.
static LEFT_ALONE: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());

/// A program that plays files.
#[derive(Debug, Clone)]
pub struct Player {
    pub name: &'static str,
    before: &'static [&'static str],
    program: PathBuf,
}

impl Player {
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The command that plays `file`, without a shell.
    pub(super) fn command(&self, file: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.before).arg(file);
        command
    }
}

/// The installed players, the best first. A relative folder of PATH is skipped: it could be the repository's.
pub fn find(path: &OsStr) -> Vec<Player> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect();
    let here = |(name, before)| {
        let mut places = folders.iter().map(|folder| folder.join(name));
        let program = places.find(|place| place.is_file() && access(place, Access::EXEC_OK).is_ok())?;
        Some(Player { name, before, program })
    };
    KINDS.into_iter().filter_map(here).collect()
}

/// Marks a player as failed: it is not tried again.
pub(super) fn leave_alone(player: &Player, why: String) {
    left_alone().insert(player.program.clone(), why);
}

/// The first player that has not failed, or why there is none.
pub(super) fn willing(players: &[Player]) -> Result<&Player, String> {
    let left_alone = left_alone();
    let mut obstacle = NONE.to_owned();
    for player in players {
        let Some(why) = left_alone.get(&player.program) else { return Ok(player) };
        obstacle = format!("no sound: {} {why}", player.name);
    }
    Err(obstacle)
}

fn left_alone() -> MutexGuard<'static, BTreeMap<PathBuf, String>> {
    LEFT_ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn put(folder: &Path, name: &str, mode: u32) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(name), "#!/bin/sh\n").unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_closest_to_the_system_comes_first_wherever_it_lies() {
        let world = tempfile::tempdir().unwrap();
        let (one, two) = (world.path().join("one"), world.path().join("two"));
        put(&one, "ffplay", 0o755);
        put(&one, "aplay", 0o644);
        put(&two, "aplay", 0o755);
        put(&two, "paplay", 0o755);
        fs::create_dir(two.join("pw-play")).unwrap();
        let path = std::env::join_paths([&one, &two]).unwrap();
        let found = find(&path);
        let places: Vec<_> = found.iter().map(|player| player.program()).collect();
        assert_eq!(places, [two.join("paplay"), two.join("aplay"), one.join("ffplay")]);
    }

    #[test]
    fn a_relative_folder_of_path_is_passed_over() {
        // From where the tests run, this is a folder that exists.
        assert!(Path::new("src").is_dir());
        let world = tempfile::tempdir().unwrap();
        let here = std::env::current_dir().unwrap();
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        put(world.path(), "aplay", 0o755);
        let relative = up.join(world.path().strip_prefix("/").unwrap());
        assert!(relative.join("aplay").is_file());
        assert!(find(relative.as_os_str()).is_empty());
        assert!(find(OsStr::new(":.:")).is_empty());
        assert_eq!(find(world.path().as_os_str()).len(), 1);
    }

    #[test]
    fn each_is_told_in_its_own_words() {
        let world = tempfile::tempdir().unwrap();
        KINDS.iter().for_each(|(name, _)| put(world.path(), name, 0o755));
        let said: Vec<String> = find(world.path().as_os_str())
            .iter()
            .map(|player| {
                let command = player.command(Path::new("/w/a.wav"));
                let words = command.as_std().get_args().map(|word| word.to_string_lossy().into_owned());
                [player.name.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
            })
            .collect();
        let expected = [
            "pw-play /w/a.wav",
            "paplay /w/a.wav",
            "aplay -q /w/a.wav",
            "afplay /w/a.wav",
            "play -q /w/a.wav",
            "ffplay -nodisp -autoexit -loglevel quiet /w/a.wav",
        ];
        assert_eq!(said, expected);
    }
}
