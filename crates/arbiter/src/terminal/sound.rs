//! Sound: effects and music, played by a player program of the system. A player that fails is not tried again; without a
//! sound to play there is no process, and while sound is off there is no thread either.

mod limits;
pub mod players;
mod playing;
mod thread;
mod waves;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::mpsc::TryRecvError;
use std::time::Instant;

use tui::decoration::SoundEffect;

pub use self::limits::SoundLimits;
use self::players::Player;
pub use self::playing::silence;
use self::thread::{SoundRequest, SoundThread};

/// The settings of sound.
#[derive(Debug, Clone)]
pub struct SoundSetting {
    pub on: bool,
    /// Where players are searched, as in PATH.
    pub path: OsString,
    /// The folder of the sound files.
    pub folder: PathBuf,
    pub limits: SoundLimits,
}

/// The sound of one screen. When it is dropped, all players are ended.
#[derive(Debug)]
pub struct Sound {
    setting: SoundSetting,
    /// Since when the theme is wanted, if it is.
    music: Option<Instant>,
    /// None until they were searched.
    players: Option<Vec<Player>>,
    /// Runs while there is something to play.
    thread: Option<SoundThread>,
    /// Why nothing can be played, until the person turns sound on again.
    obstacle: Option<String>,
    /// A problem that the person was not told yet.
    untold: Option<String>,
}

impl Sound {
    /// With the players of PATH and the sound files in `folder`. Nothing is started before the first sound.
    pub fn open(on: bool, folder: PathBuf) -> Sound {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Sound::with(SoundSetting { on, path, folder, limits: SoundLimits::default() })
    }

    /// With these settings.
    pub fn with(setting: SoundSetting) -> Sound {
        Sound { setting, music: None, players: None, thread: None, obstacle: None, untold: None }
    }

    /// Whether sound is on. Whether there is a player shows only with the first sound.
    pub fn is_on(&self) -> bool {
        self.setting.on
    }

    /// Plays an effect. While one is being played, the newest other waits for a moment.
    pub fn play(&mut self, effect: SoundEffect) {
        let patience = self.setting.limits.waiting_max;
        self.wish(|wish| match wish.effect {
            // The sound of a leaving demon must not cover that of the mission's end.
            Some((last, at)) if last.is_last_word() && !effect.is_last_word() && at.elapsed() < patience => {}
            Some(_) | None => wish.effect = Some((effect, Instant::now())),
        });
    }

    /// Starts the theme, which repeats, or stops it.
    pub fn music(&mut self, plays: bool) {
        // A screen asks at every key: music that plays already is not started again.
        let music = plays.then(|| self.music.unwrap_or_else(Instant::now));
        self.music = music;
        // Silence needs no thread.
        if plays || self.thread.is_some() {
            self.wish(|wish| wish.music = music);
        }
    }

    /// Ends all players, and returns when it is silent. Later sounds are played again, the theme too if it is wanted.
    pub fn hush(&mut self) {
        let Some((wishes, over)) = self.thread.take() else { return };
        drop(wishes);
        // A player that cannot be killed is not waited for.
        if let Ok(why) = over.recv_timeout(limits::FAREWELL) {
            self.fails(why);
        }
    }

    /// Turns sound on or off; returns a message for the person.
    pub fn toggle(&mut self) -> String {
        let was_heard = self.setting.on && self.obstacle().is_none();
        self.hush();
        self.setting.on = false;
        if was_heard {
            return "sound off".to_owned();
        }
        // The person may have installed a player meanwhile.
        (self.players, self.obstacle, self.untold) = (None, None, None);
        if let Some(why) = self.obstacle() {
            return why;
        }
        self.setting.on = true;
        self.music(self.music.is_some());
        "sound on".to_owned()
    }

    /// A problem of the player, reported once.
    pub fn trouble(&mut self) -> Option<String> {
        self.read_end();
        self.untold.take()
    }

    /// Sends a request to the thread, which is started if needed, unless sound is off or impossible.
    fn wish(&mut self, change: impl FnOnce(&mut SoundRequest)) {
        if !self.setting.on || self.obstacle().is_some() {
            return;
        }
        if self.thread.is_none() {
            let players = self.players.clone().unwrap_or_default();
            match thread::begin(
                players,
                self.setting.clone(),
                SoundRequest { music: self.music, effect: None },
            ) {
                Ok(thread) => self.thread = Some(thread),
                Err(error) => self.fails(format!("no sound: {error}")),
            }
        }
        if let Some((wishes, _)) = &self.thread {
            wishes.send_modify(change);
        }
    }

    /// Why nothing can be played, if so.
    fn obstacle(&mut self) -> Option<String> {
        self.read_end();
        let players = self.players.get_or_insert_with(|| players::find(&self.setting.path));
        self.obstacle.clone().or_else(|| players::willing(players).err())
    }

    /// Reads why the thread ended, if it did.
    fn read_end(&mut self) {
        match self.thread.as_ref().map(|(_, over)| over.try_recv()) {
            Some(Ok(why)) => self.fails(why),
            Some(Err(TryRecvError::Disconnected)) => self.thread = None,
            Some(Err(TryRecvError::Empty)) | None => {}
        }
    }

    fn fails(&mut self, why: String) {
        (self.obstacle, self.untold) = (Some(why.clone()), Some(why));
    }
}

impl Drop for Sound {
    fn drop(&mut self) {
        self.hush();
    }
}

/// The player for `doctor`, or what to install.
pub fn describe(path: &OsStr) -> String {
    let told = |player: &Player| format!("{} at {}", player.name, player.program().display());
    players::find(path).first().map_or(players::NONE.to_owned(), told)
}
