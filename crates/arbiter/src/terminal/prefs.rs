//! The user's settings of the terminal: from their own file, the environment and flags, and the character that was chosen
//! in the ceremony. A setting that cannot be read counts as not set: it never keeps a mission from starting.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::Path;

use tui::manner::{Character, Manner, Motion};

use crate::project::config::{CeremonyWanted, Config, ConfigTerms, MotionWanted, SoundWanted, read_file};
use crate::project::home::{self, UserFolders};
use crate::project::project_files::ProjectFiles;
use crate::project::trust::Standing;
use crate::terminal::sound::Sound;

/// The variable that says how much moves by itself.
const MOTION: &str = "ARBITER_MOTION";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalPrefs {
    pub manner: Manner,
    pub ceremony: CeremonyWanted,
    /// The ceremony was shown before.
    pub seen: bool,
    pub sound: SoundWanted,
}

impl TerminalPrefs {
    /// Reads the user's own file, as far as it can be read.
    pub fn read(
        places: &UserFolders,
        mute: bool,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> TerminalPrefs {
        let terms = ConfigTerms {
            user_config: places.user_config.as_deref(),
            home: places.user.as_deref(),
            arbiter_home: &places.home,
            providers: &[],
            standing: Standing::Untrusted,
        };
        // Faults of the file are reported by the command itself.
        let (said, _) = Config::read(&ProjectFiles::none(), &terms);
        TerminalPrefs::of(&said, places, mute, variable)
    }

    /// Takes the settings of a configuration that was read already.
    pub fn of(
        said: &Config,
        places: &UserFolders,
        mute: bool,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> TerminalPrefs {
        let remembered = recall(&places.character());
        let motion = match variable(MOTION).as_deref().and_then(|value| value.to_str()) {
            Some("reduced") => Motion::Reduced,
            Some("full") => Motion::Full,
            Some(_) | None => match said.motion.value {
                MotionWanted::Full => Motion::Full,
                MotionWanted::Reduced => Motion::Reduced,
            },
        };
        let character = remembered.flatten().unwrap_or_default();
        TerminalPrefs {
            manner: Manner { scene: said.scene.value, motion, character },
            ceremony: said.ceremony.value,
            seen: remembered.is_some(),
            sound: if mute { SoundWanted::Off } else { said.sound.value },
        }
    }

    /// Whether `arbiter` alone begins with the ceremony.
    #[must_use]
    pub fn wants_ceremony(&self) -> bool {
        match self.ceremony {
            CeremonyWanted::Always => true,
            CeremonyWanted::Once => !self.seen,
            CeremonyWanted::Never => false,
        }
    }

    /// The sound; no thread and no process is started yet.
    #[must_use]
    pub fn sound(&self, places: &UserFolders) -> Sound {
        let is_on = self.wants_sound(|name| std::env::var_os(name), io::stdout().is_terminal());
        Sound::open(is_on, places.sounds())
    }

    /// Whether sound is on from the start, by this environment.
    fn wants_sound(&self, variable: impl Fn(&str) -> Option<OsString>, is_terminal: bool) -> bool {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "false");
        match self.sound {
            SoundWanted::Auto => {
                is_terminal && !["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].into_iter().any(is_set)
            }
            SoundWanted::On => true,
            SoundWanted::Off => false,
        }
    }
}

/// The chosen character: none without a file, `Some(None)` if the file names no known character.
fn recall(file: &Path) -> Option<Option<Character>> {
    match read_file(file, file) {
        Ok(None) => None,
        Ok(Some(bytes)) => Some(str::from_utf8(&bytes).ok().and_then(Character::named)),
        Err(_) => Some(None),
    }
}

/// Saves the chosen character, and with it that the ceremony was shown.
pub fn remember(places: &UserFolders, character: Character) -> io::Result<()> {
    home::make_folder(&places.home)?;
    host::files::replace(&places.character(), format!("{}\n", character.name().to_lowercase()).as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn places(folder: &Path) -> UserFolders {
        UserFolders {
            home: folder.join("home"),
            state: folder.join("state"),
            user_config: Some(folder.join("config.yaml")),
            user: None,
        }
    }

    fn read(places: &UserFolders) -> TerminalPrefs {
        TerminalPrefs::read(places, false, |_| None)
    }

    #[test]
    fn whoever_says_nothing_has_everything_once() {
        let folder = tempfile::tempdir().unwrap();
        let prefs = read(&places(folder.path()));
        assert_eq!(prefs, TerminalPrefs::default());
        assert!(prefs.wants_ceremony() && prefs.manner.scene);
        assert_eq!((prefs.manner.motion, prefs.sound), (Motion::Full, SoundWanted::Auto));
    }

    #[test]
    fn the_file_the_environment_and_the_flag_are_heard() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let file = "ceremony: never\nscene: off\nmotion: reduced\nsound: on\n";
        fs::write(places.user_config.as_ref().unwrap(), file).unwrap();
        let said = read(&places);
        assert!(!said.wants_ceremony() && !said.manner.scene);
        assert_eq!((said.manner.motion, said.sound), (Motion::Reduced, SoundWanted::On));
        assert_eq!(TerminalPrefs::read(&places, true, |_| None).sound, SoundWanted::Off);
        let full = TerminalPrefs::read(&places, false, |name| (name == MOTION).then(|| "full".into()));
        assert_eq!(full.manner.motion, Motion::Full);
        fs::remove_file(places.user_config.as_ref().unwrap()).unwrap();
        let reduced = TerminalPrefs::read(&places, false, |name| (name == MOTION).then(|| "reduced".into()));
        assert_eq!(reduced.manner.motion, Motion::Reduced);
    }

    #[test]
    fn a_file_that_is_wrong_is_heard_as_far_as_it_is_right() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let config = places.user_config.clone().unwrap();
        fs::write(&config, "ceremony: sometimes\nnonsense: 1\nmotion: reduced\n").unwrap();
        let prefs = read(&places);
        assert_eq!((prefs.ceremony, prefs.manner.motion), (CeremonyWanted::Once, Motion::Reduced));
        for broken in ["motion: [", "\u{0}", "- a\n- b\n"] {
            fs::write(&config, broken).unwrap();
            assert_eq!(read(&places), TerminalPrefs::default(), "{broken:?}");
        }
        fs::remove_file(&config).unwrap();
        fs::create_dir(&config).unwrap();
        assert_eq!(read(&places), TerminalPrefs::default());
    }

    #[test]
    fn a_character_is_remembered_and_the_ceremony_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        remember(&places, Character::Cat).unwrap();
        assert_eq!(fs::read_to_string(places.character()).unwrap(), "cat\n");
        let prefs = read(&places);
        assert!(prefs.seen && !prefs.wants_ceremony());
        assert_eq!(prefs.manner.character, Character::Cat);
        for odd in [&b"nobody\n"[..], b"", b"\xff\xfe", b"knight\nwitch\n"] {
            fs::write(places.character(), odd).unwrap();
            let prefs = read(&places);
            assert!(prefs.seen, "{odd:?}");
            assert_eq!(prefs.manner.character, Character::default(), "{odd:?}");
        }
        fs::remove_file(places.character()).unwrap();
        fs::create_dir(places.character()).unwrap();
        assert!(read(&places).seen);
    }
    fn wants_sound(sound: SoundWanted, set: &[(&str, &str)], is_terminal: bool) -> bool {
        let variable =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        TerminalPrefs { sound, ..TerminalPrefs::default() }.wants_sound(variable, is_terminal)
    }

    #[test]
    fn by_itself_sound_is_on_only_where_a_person_sits_at_the_machine() {
        let auto = SoundWanted::Auto;
        assert!(wants_sound(auto, &[], true));
        assert!(wants_sound(auto, &[("CI", "false"), ("SSH_TTY", "")], true));
        assert!(!wants_sound(auto, &[], false));
        for name in ["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"] {
            assert!(!wants_sound(auto, &[(name, "1")], true), "{name}");
        }
    }

    #[test]
    fn who_says_on_or_off_is_obeyed_everywhere() {
        for set in [&[][..], &[("CI", "1"), ("SSH_TTY", "/dev/pts/1")]] {
            for is_terminal in [false, true] {
                assert!(wants_sound(SoundWanted::On, set, is_terminal));
                assert!(!wants_sound(SoundWanted::Off, set, is_terminal));
            }
        }
    }
}
