//! Batches one by one, for tests that choose which events are ready together. The file that `ARBITER_STANDSTILL` names says
//! how many batches the mission loop may take; without the file it runs freely. The loop reports its progress in a second
//! file with the ending `.told`. Only a build with the feature `die-at` honours it.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// How often the loop looks whether it may go on.
const LOOK: Duration = Duration::from_millis(5);

/// How many batches may be taken, and how many were.
#[derive(Debug)]
pub struct Standstill {
    file: Option<PathBuf>,
    taken: u64,
    told: String,
}

impl Standstill {
    /// Reads `ARBITER_STANDSTILL`; a build without the feature never waits.
    pub fn from_environment() -> Standstill {
        let wish = cfg!(feature = "die-at").then(|| std::env::var_os("ARBITER_STANDSTILL")).flatten();
        Standstill { file: wish.map(PathBuf::from), taken: 0, told: String::new() }
    }

    /// Waits until one more batch may be taken. `inbox` tells how many events wait, and whether the loop is to stop.
    pub async fn before_batch(&mut self, inbox: impl Fn() -> (usize, bool)) {
        while self.file.as_ref().and_then(allowed).is_some_and(|allowed| allowed <= self.taken) {
            let (waiting, stopping) = inbox();
            self.tell(format!("{} {waiting} {stopping}", self.taken));
            tokio::time::sleep(LOOK).await;
        }
        self.taken += 1;
    }

    /// Replaced whole, so that the test never reads half a number. A failure shows in the test that waits for it.
    fn tell(&mut self, words: String) {
        let Some(file) = self.file.as_ref().filter(|_| words != self.told) else { return };
        if host::files::replace_lightly(&file.with_extension("told"), words.as_bytes()).is_ok() {
            self.told = words;
        }
    }
}

fn allowed(file: &PathBuf) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}
