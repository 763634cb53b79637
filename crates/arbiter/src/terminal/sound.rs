//! Sound: waves of the terminal's, played by whatever player the system has. A player that fails is tried once and then left
//! alone; while nothing is to be heard there is no process, and while sound is off there is no thread either.

mod limits;
mod minstrel;
pub mod players;
mod playing;
mod roll;
mod waves;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tui::decoration::sound::Effect;

pub use self::limits::Limits;
use self::minstrel::{Asked, Minstrel, Trouble, Wish};
use self::players::Player;
pub use self::roll::silence;

/// Whether sound is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// Where a person sits at this machine: not in CI, not over SSH.
    #[default]
    Auto,
    /// Everywhere.
    On,
    /// Never; `m` turns it on.
    Off,
}

impl Wanted {
    /// What it comes to with this environment, at a terminal or elsewhere.
    pub fn is_on(self, variable: impl Fn(&str) -> Option<OsString>, is_terminal: bool) -> bool {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "false");
        match self {
            Wanted::Auto => {
                is_terminal && !["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].into_iter().any(is_set)
            }
            Wanted::On => true,
            Wanted::Off => false,
        }
    }
}

/// Where and by what sound is made.
#[derive(Debug, Clone)]
pub struct Setting {
    /// It is on from the start.
    pub on: bool,
    /// Where players are looked for, as in PATH.
    pub path: OsString,
    /// Where waves lie.
    pub folder: PathBuf,
    /// How long anything may take.
    pub limits: Limits,
}

/// Who plays, if anybody does. When it is dropped, all is silent.
#[derive(Debug)]
pub struct Sound {
    desk: Mutex<Desk>,
}

impl Sound {
    /// Waves lie in `folder`. Nothing is started before something is to be heard.
    pub fn open(wanted: Wanted, folder: PathBuf) -> Sound {
        Sound::with(Setting {
            on: wanted.is_on(|name| std::env::var_os(name), io::stdout().is_terminal()),
            path: std::env::var_os("PATH").unwrap_or_default(),
            folder,
            limits: Limits::default(),
        })
    }

    /// The same, with everything said.
    pub fn with(setting: Setting) -> Sound {
        let desk = Desk {
            on: setting.on,
            setting,
            music: None,
            asked: 0,
            players: None,
            trouble: Arc::default(),
            minstrel: None,
            leaving: None,
        };
        Sound { desk: Mutex::new(desk) }
    }

    /// Sound is on; whether there is a player shows when something is to be heard.
    pub fn is_on(&self) -> bool {
        self.desk().on
    }

    /// Plays an effect. While one is being played another may wait, for a moment; the newest does.
    pub fn play(&self, effect: Effect) {
        self.desk().play(effect);
    }

    /// The theme begins, and begins again whenever it ends; or it stops.
    pub fn music(&self, plays: bool) {
        self.desk().music(plays);
    }

    /// Ends whatever is heard, and comes back when it is silent. What is asked for after it is heard again: the theme, too,
    /// if it is to play on.
    pub fn hush(&self) {
        self.desk().hush();
    }

    /// On or off; what the person is told.
    pub fn toggle(&mut self) -> String {
        self.desk().toggle()
    }

    /// What the person should know of the player, once.
    pub fn trouble(&self) -> Option<String> {
        self.desk().trouble.take()
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Desk {
    setting: Setting,
    on: bool,
    /// The theme is to be heard whenever sound is on: for which time.
    music: Option<u64>,
    /// How many things were asked for.
    asked: u64,
    /// None until somebody looked.
    players: Option<Vec<Player>>,
    trouble: Arc<Trouble>,
    minstrel: Option<Minstrel>,
    /// Closed when the last one who was sent away is gone.
    leaving: Option<Receiver<()>>,
}

impl Desk {
    fn play(&mut self, effect: Effect) {
        self.asked += 1;
        let asked = Asked { number: self.asked, effect, at: Instant::now() };
        let patience = self.setting.limits.waiting_max;
        let Some(minstrel) = self.minstrel() else { return };
        minstrel.wish(|wish| match &wish.effect {
            // A demon that leaves with the mission does not speak over its last word.
            Some(last)
                if last.effect.is_last_word() && !effect.is_last_word() && last.at.elapsed() < patience => {}
            Some(_) | None => wish.effect = Some(asked),
        });
    }

    fn music(&mut self, plays: bool) {
        self.asked += 1;
        // What is wished already is not wished anew: whoever asks at every key asks for the same music.
        self.music = plays.then_some(self.music.unwrap_or(self.asked));
        self.tell_music();
    }

    fn tell_music(&mut self) {
        let music = self.music;
        // Nobody is called to be told to be silent.
        if music.is_none() && self.minstrel.is_none() {
            return;
        }
        if let Some(minstrel) = self.minstrel() {
            minstrel.wish(|wish| wish.music = music);
        }
    }

    fn toggle(&mut self) -> String {
        if self.on && self.obstacle().is_none() {
            self.on = false;
            self.dismiss();
            return "sound off".to_owned();
        }
        // A person who asks may have mended it.
        self.players = None;
        self.trouble.forget();
        if let Some(why) = self.obstacle() {
            self.on = false;
            self.dismiss();
            return why;
        }
        self.on = true;
        self.tell_music();
        "sound on".to_owned()
    }

    /// Whoever plays, called if need be; nobody if sound is off or cannot be.
    fn minstrel(&mut self) -> Option<&Minstrel> {
        if !self.on || self.obstacle().is_some() {
            return None;
        }
        if self.minstrel.as_ref().is_none_or(Minstrel::is_gone) {
            self.dismiss();
            let players = self.players.clone().unwrap_or_default();
            let trouble = Arc::clone(&self.trouble);
            let wish = Wish { music: self.music, effect: None };
            match Minstrel::call(players, &self.setting, wish, trouble, self.leaving.take()) {
                Ok(minstrel) => self.minstrel = Some(minstrel),
                Err(error) => self.trouble.tell(format!("no sound: {error}")),
            }
        }
        self.minstrel.as_ref()
    }

    /// Why nothing can be heard, if nothing can.
    fn obstacle(&mut self) -> Option<String> {
        let players = self.players.get_or_insert_with(|| players::find(&self.setting.path));
        self.trouble.lasting().or_else(|| players::obstacle(players))
    }

    fn dismiss(&mut self) {
        if let Some(minstrel) = self.minstrel.take() {
            self.leaving = Some(minstrel.dismiss());
        }
    }

    fn hush(&mut self) {
        self.dismiss();
        if let Some(leaving) = &self.leaving {
            // A player that the system cannot even kill does not keep us.
            let _ = leaving.recv_timeout(self.setting.limits.farewell * 2);
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.hush();
    }
}

/// What plays here, or what to install so that something does.
pub fn describe(path: &OsStr) -> Result<String, String> {
    let players = players::find(path);
    match players.first() {
        Some(player) => Ok(format!("{} at {}", player.name(), player.program().display())),
        None => Err(players::NONE.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_on(wanted: Wanted, set: &[(&str, &str)], is_terminal: bool) -> bool {
        let variable =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        wanted.is_on(variable, is_terminal)
    }

    #[test]
    fn by_itself_sound_is_on_only_where_a_person_sits_at_the_machine() {
        assert!(is_on(Wanted::Auto, &[], true));
        assert!(is_on(Wanted::Auto, &[("CI", "false"), ("SSH_TTY", "")], true));
        assert!(!is_on(Wanted::Auto, &[], false));
        for name in ["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"] {
            assert!(!is_on(Wanted::Auto, &[(name, "1")], true), "{name}");
        }
    }

    #[test]
    fn who_says_on_or_off_is_obeyed_everywhere() {
        for set in [&[][..], &[("CI", "1"), ("SSH_TTY", "/dev/pts/1")]] {
            for is_terminal in [false, true] {
                assert!(is_on(Wanted::On, set, is_terminal));
                assert!(!is_on(Wanted::Off, set, is_terminal));
            }
        }
    }
}
