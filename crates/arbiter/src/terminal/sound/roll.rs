//! What the whole program knows of its players: who is being heard, and who is left alone until the program ends, whoever
//! asks. A program that must leave at once ends everybody here.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

/// How often the roll is asked for before a program leaves without it.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

static ROLL: Mutex<Roll> = Mutex::new(Roll { alone: BTreeMap::new(), heard: Vec::new(), is_over: false });

struct Roll {
    /// Programs that failed, and how.
    alone: BTreeMap<PathBuf, String>,
    /// The groups of processes that play now.
    heard: Vec<Pid>,
    /// Nobody is started any more.
    is_over: bool,
}

/// Ends everybody at once, for a program that leaves without farewell. Nobody is started after it.
pub fn silence() {
    for _ in 0..TRIES {
        if let Ok(mut roll) = ROLL.try_lock() {
            roll.is_over = true;
            for group in std::mem::take(&mut roll.heard) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            return;
        }
        thread::sleep(PAUSE);
    }
}

/// Starts a player in a group of its own: neither Ctrl+C nor Ctrl+Z at the terminal is for it.
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Pid)> {
    let mut roll = roll();
    if roll.is_over {
        return Err(io::Error::other("the program is leaving"));
    }
    let child = command.process_group(0).kill_on_drop(true).spawn()?;
    let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let group = group.ok_or_else(|| io::Error::other("the player has no number"))?;
    roll.heard.push(group);
    Ok((child, group))
}

/// It is gone, and its number is anybody's.
pub(super) fn forget(group: Pid) {
    roll().heard.retain(|heard| *heard != group);
}

/// This player is not asked again.
pub(super) fn leave_alone(program: &Path, why: String) {
    roll().alone.insert(program.to_path_buf(), why);
}

/// Why it is not asked, if it is not.
pub(super) fn why_left_alone(program: &Path) -> Option<String> {
    roll().alone.get(program).cloned()
}

fn roll() -> MutexGuard<'static, Roll> {
    ROLL.lock().unwrap_or_else(PoisonError::into_inner)
}
