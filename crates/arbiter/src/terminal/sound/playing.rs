//! One player at work: a process with nothing to read and nobody to talk to, that ends in time or is ended.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;
use tokio::time::{Instant, sleep_until, timeout};

use super::players::Player;
use super::roll;

/// A process that plays. Dropping it ends it.
#[derive(Debug)]
pub struct Playing {
    /// Who plays.
    pub player: Player,
    child: Child,
    group: Pid,
    /// Whoever ends before did not play.
    least: Instant,
    /// Whoever has not ended by then hangs.
    most: Instant,
}

impl Playing {
    /// Starts it. Its environment is ours, for that says where the loudspeakers are; its folder is that of the file.
    pub fn start(player: Player, file: &Path, least: Duration, most: Duration) -> io::Result<Playing> {
        let mut command = player.command(file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(folder) = file.parent() {
            command.current_dir(folder);
        }
        let began = Instant::now();
        let (child, group) = roll::start(&mut command)?;
        Ok(Playing { player, child, group, least: began + least, most: began + most })
    }

    /// Waits for its end, and says what was wrong with it. May be dropped and asked again.
    pub async fn over(&mut self) -> Result<(), String> {
        let status = tokio::select! {
            biased;
            status = self.child.wait() => status,
            () = sleep_until(self.most) => return Err("hangs".to_owned()),
        };
        // What it left behind would be heard uncounted, and after us. While one of them lives the group's number is theirs;
        // if none does, nobody has taken it within this moment.
        let _ = kill_process_group(self.group, Signal::KILL);
        roll::forget(self.group);
        match status {
            Ok(status) if !status.success() => Err(format!("fails ({status})", status = Shown(status))),
            Ok(_) if Instant::now() < self.least => Err("ends before the music does".to_owned()),
            Ok(_) => Ok(()),
            Err(error) => Err(format!("is lost: {error}")),
        }
    }

    /// Ends it now. False if the system could not within `farewell`.
    pub async fn end(mut self, farewell: Duration) -> bool {
        self.strike();
        timeout(farewell, self.child.wait()).await.is_ok()
    }

    /// While it is not reaped its number is its own.
    fn strike(&self) {
        if self.child.id().is_some() {
            let _ = kill_process_group(self.group, Signal::KILL);
        }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.strike();
        roll::forget(self.group);
    }
}

/// How a process ended, in a few letters.
struct Shown(ExitStatus);

impl std::fmt::Display for Shown {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.code() {
            Some(code) => write!(out, "exit code {code}"),
            None => write!(out, "{}", self.0),
        }
    }
}
