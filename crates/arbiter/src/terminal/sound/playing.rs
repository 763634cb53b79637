//! One running player: a process without input and without the terminal, which ends in time or is killed. All players of
//! the program are listed, so that a program that must end at once can kill them.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;
use tokio::time::{Instant, timeout_at};

use super::limits::{TRIES, TRY_PAUSE};
use super::players::{self, Player};

/// The groups of processes that play now; none at all when no player is started any more.
static HEARD: Mutex<Option<Vec<Pid>>> = Mutex::new(Some(Vec::new()));

/// Kills every player, for a program that ends at once. None is started after it.
pub fn silence() {
    is_tried(|| HEARD.try_lock().map(|mut heard| heard.take().into_iter().flatten().for_each(kill)).is_ok());
}

fn kill(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}

/// Tries until it succeeds, up to a limit.
fn is_tried(mut is_done: impl FnMut() -> bool) -> bool {
    (0..TRIES).any(|_| {
        let done = is_done();
        if !done {
            thread::sleep(TRY_PAUSE);
        }
        done
    })
}

/// A player process. Dropping it kills the process and waits until it is gone.
#[derive(Debug)]
pub struct Playing {
    player: Player,
    child: Child,
    group: Pid,
    /// A player that ends before did not play; one that has not ended by the second hangs.
    span: (Instant, Instant),
    /// The user's lock for music, released only when the player is gone.
    pub place: Option<File>,
}

impl Playing {
    /// Starts the player, with our environment, which says where the loudspeakers are, and in the folder of the file. It has
    /// a process group of its own, so Ctrl+C and Ctrl+Z at the terminal do not reach it.
    pub fn start(player: &Player, file: &Path, least: Duration, most: Duration) -> io::Result<Playing> {
        let mut command = player.command(file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.current_dir(file.parent().unwrap_or(file)).process_group(0).kill_on_drop(true);
        let began = Instant::now();
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = heard.as_mut().ok_or_else(|| io::Error::other("the program is leaving"))?;
        let child = command.spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let group = group.ok_or_else(|| io::Error::other("the player has no number"))?;
        heard.push(group);
        let span = (began + least, began + most);
        Ok(Playing { player: player.clone(), child, group, span, place: None })
    }

    /// Waits for its end; a player that failed is not tried again. The future may be dropped and called again.
    pub async fn over(&mut self) {
        let ended = timeout_at(self.span.1, self.child.wait()).await;
        // Children of the player would play on, even after the program. While one of them lives, the group's number is
        // theirs; if none does, no other process has taken the number so soon.
        kill(self.group);
        let why = match ended {
            Ok(Ok(status)) if !status.success() => match status.code() {
                Some(code) => format!("fails (exit code {code})"),
                None => format!("fails ({status})"),
            },
            Ok(Ok(_)) if Instant::now() < self.span.0 => "ends before the music does".to_owned(),
            Ok(Ok(_)) => return,
            Ok(Err(error)) => format!("is lost: {error}"),
            Err(_) => "hangs".to_owned(),
        };
        players::leave_alone(&self.player, why);
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        // Until the process is reaped, its number is not used again.
        if self.child.id().is_some() {
            kill(self.group);
            if !is_tried(|| !matches!(self.child.try_wait(), Ok(None))) {
                players::leave_alone(&self.player, "cannot be ended".to_owned());
            }
        }
        let mut heard = HEARD.lock().unwrap_or_else(PoisonError::into_inner);
        heard.iter_mut().for_each(|heard| heard.retain(|group| *group != self.group));
    }
}
