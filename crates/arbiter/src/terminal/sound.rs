//! Sound: tunes of the terminal's, played by whatever player the system has. A player that fails is tried once and then left
//! alone; while nothing is to be heard there is no process, and while sound is off there is no thread either.

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

/// Where and by what sound is made.
#[derive(Debug, Clone)]
pub struct SoundSetting {
    /// It is on.
    pub on: bool,
    /// Where players are looked for, as in PATH.
    pub path: OsString,
    /// Where waves lie.
    pub folder: PathBuf,
    /// How long anything may take.
    pub limits: SoundLimits,
}

/// What is heard. When it is dropped, all is silent.
#[derive(Debug)]
pub struct Sound {
    setting: SoundSetting,
    /// The theme is to be heard whenever sound is on: since when.
    music: Option<Instant>,
    /// None until they were looked for.
    players: Option<Vec<Player>>,
    /// Plays while there is something to be heard.
    thread: Option<SoundThread>,
    /// Why nothing can be heard until the person asks again.
    obstacle: Option<String>,
    /// What the person was not told yet.
    untold: Option<String>,
}

impl Sound {
    /// Players are those of PATH, waves lie in `folder`. Nothing is started before something is to be heard.
    pub fn open(on: bool, folder: PathBuf) -> Sound {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Sound::with(SoundSetting { on, path, folder, limits: SoundLimits::default() })
    }

    /// The same, with everything said.
    pub fn with(setting: SoundSetting) -> Sound {
        Sound { setting, music: None, players: None, thread: None, obstacle: None, untold: None }
    }

    /// Sound is on; whether there is a player shows when something is to be heard.
    pub fn is_on(&self) -> bool {
        self.setting.on
    }

    /// Plays an effect. While one is being played another may wait, for a moment; the newest does.
    pub fn play(&mut self, effect: SoundEffect) {
        let patience = self.setting.limits.waiting_max;
        self.wish(|wish| match wish.effect {
            // A demon that leaves with the mission does not speak over its last word.
            Some((last, at)) if last.is_last_word() && !effect.is_last_word() && at.elapsed() < patience => {}
            Some(_) | None => wish.effect = Some((effect, Instant::now())),
        });
    }

    /// The theme begins, and begins again whenever it ends; or it stops.
    pub fn music(&mut self, plays: bool) {
        // What is wished already is not wished anew: a screen that asks at every key asks for the same music.
        let music = plays.then(|| self.music.unwrap_or_else(Instant::now));
        self.music = music;
        // No thread is begun to be silent.
        if plays || self.thread.is_some() {
            self.wish(|wish| wish.music = music);
        }
    }

    /// Ends whatever is heard, and comes back when it is silent. What is asked for after it is heard again: the theme, too,
    /// if it is to play on.
    pub fn hush(&mut self) {
        let Some((wishes, over)) = self.thread.take() else { return };
        drop(wishes);
        // A player that the system cannot even kill does not keep us.
        if let Ok(why) = over.recv_timeout(limits::FAREWELL) {
            self.fails(why);
        }
    }

    /// On or off; what the person is told.
    pub fn toggle(&mut self) -> String {
        let was_heard = self.setting.on && self.obstacle().is_none();
        self.hush();
        self.setting.on = false;
        if was_heard {
            return "sound off".to_owned();
        }
        // A person who asks may have mended it.
        (self.players, self.obstacle, self.untold) = (None, None, None);
        if let Some(why) = self.obstacle() {
            return why;
        }
        self.setting.on = true;
        self.music(self.music.is_some());
        "sound on".to_owned()
    }

    /// What the person should know of the player, once.
    pub fn trouble(&mut self) -> Option<String> {
        self.settle();
        self.untold.take()
    }

    /// Tells the thread, begun if need be, unless sound is off or cannot be.
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

    /// Why nothing can be heard, if nothing can.
    fn obstacle(&mut self) -> Option<String> {
        self.settle();
        let players = self.players.get_or_insert_with(|| players::find(&self.setting.path));
        self.obstacle.clone().or_else(|| players::willing(players).err())
    }

    /// Hears why the thread left, if it did.
    fn settle(&mut self) {
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

/// What plays here, or what to install so that something does.
pub fn describe(path: &OsStr) -> String {
    let told = |player: &Player| format!("{} at {}", player.name, player.program().display());
    players::find(path).first().map_or(players::NONE.to_owned(), told)
}
