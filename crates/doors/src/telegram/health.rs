//! How the door is, in a file for `status` on every door. It may be lost at a power cut: it is true for seconds only.

use std::path::{Path, PathBuf};

use mind::Timestamp;

use super::settings::DoorHealth;
use crate::limits::HEALTH_EVERY_MS;

const HEALTH: &str = "health.json";
const HEALTH_BYTES_MAX: usize = 16 * 1024;

/// Writes the health of the door: at once when something has changed, and now and then when only time went by.
#[derive(Debug)]
pub struct HealthFile {
    path: PathBuf,
    health: DoorHealth,
    written: Option<(DoorHealth, Timestamp)>,
}

impl HealthFile {
    pub fn new(folder: &Path) -> HealthFile {
        let health = DoorHealth { polled_at: None, trouble: None, bot: None };
        HealthFile { path: folder.join(HEALTH), health, written: None }
    }

    /// The bot's name.
    pub fn named(&mut self, bot: String) {
        self.health.bot = Some(bot);
    }

    /// The server answered a poll.
    pub fn polled(&mut self, now: Timestamp) {
        self.health.polled_at = Some(now);
    }

    /// What is wrong now, or that nothing is; and writes it if it is time.
    pub fn tell(&mut self, trouble: Option<String>, now: Timestamp) {
        self.health.trouble = trouble;
        let is_due = match &self.written {
            None => true,
            Some((written, at)) => {
                let is_same = written.trouble == self.health.trouble && written.bot == self.health.bot;
                !is_same || written.polled_at.is_none() || now.0.abs_diff(at.0) >= HEALTH_EVERY_MS
            }
        };
        if is_due {
            self.write(now);
        }
    }

    fn write(&mut self, now: Timestamp) {
        let Ok(bytes) = serde_json::to_vec(&self.health) else { return };
        // A full disk is told by the log of the door; the age of the last good poll shows that this file is old.
        if host::files::replace_lightly(&self.path, &bytes).is_ok() {
            self.written = Some((self.health.clone(), now));
        }
    }
}

/// How the door was when it last said so; none if it never did.
pub fn read_health(folder: &Path) -> Option<DoorHealth> {
    let bytes = host::files::read(&folder.join(HEALTH), HEALTH_BYTES_MAX).ok()?;
    serde_json::from_slice(&bytes).ok()
}
