//! A process that speaks with us for a long time: started, asked to leave, and ended with all its descendants.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::{sleep, timeout};

use crate::limits::{HUNT_PAUSE, HUNT_ROUNDS_MAX, LEAVE_TIME_MAX, REAP_TIME_MAX, TERM_TIME_MAX};
use crate::workshop::kin::{Kin, unique_mark};

/// A running process in a group of its own. Dropping it kills it and every descendant.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    root: Pid,
    kin: Kin,
    ended: bool,
}

/// The three ways to a process. The two that are believed are sockets: what a process runs can open its pipes anew
/// through `/proc` and speak in its place, but not its sockets.
pub(crate) struct Pipes {
    pub(crate) stdin: UnixStream,
    pub(crate) stdout: UnixStream,
    pub(crate) stderr: ChildStderr,
}

impl Process {
    /// Starts `command`. Git's variables are taken out of what it inherits: they would point every git below it at
    /// another repository.
    pub(crate) fn spawn(mut command: Command) -> io::Result<(Process, Pipes)> {
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                command.env_remove(name);
            }
        }
        let mark = unique_mark();
        let (stdin, theirs) = way()?;
        command.stdin(theirs);
        let (stdout, theirs) = way()?;
        command.stdout(theirs).stderr(Stdio::piped());
        let mut child = command.env(&mark, "1").process_group(0).kill_on_drop(true).spawn()?;
        // Its ends of the ways are closed here with it, so that we hear when it closes them.
        drop(command);
        let root = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let (Some(root), Some(stderr)) = (root, child.stderr.take()) else {
            return Err(io::Error::other("the process has no number or no pipes"));
        };
        let process = Process { child, root, kin: Kin::of(root, &mark), ended: false };
        Ok((process, Pipes { stdin, stdout, stderr }))
    }

    /// Its input was closed, so it should leave; if it does not, it is made to, step by step.
    pub(crate) async fn leave(&mut self) {
        if timeout(LEAVE_TIME_MAX, self.child.wait()).await.is_err() {
            let _ = kill_process_group(self.root, Signal::TERM);
            let _ = timeout(TERM_TIME_MAX, self.child.wait()).await;
        }
        self.end().await;
    }

    /// Waits until it is gone by itself, and ends whatever it leaves behind. May be dropped and asked again.
    pub(crate) async fn gone(&mut self) {
        let _ = self.child.wait().await;
        self.end().await;
    }

    /// It closed its output, so it is on its way out: how it ended, if that can be learned.
    pub(crate) async fn reap(&mut self) -> Option<ExitStatus> {
        let status = timeout(REAP_TIME_MAX, self.child.wait()).await;
        self.end().await;
        status.ok().and_then(Result::ok)
    }

    /// Kills the process and all its descendants.
    pub(crate) async fn end(&mut self) {
        for _ in 0..HUNT_ROUNDS_MAX {
            let kin = self.kin.clone();
            // A runtime that is going down runs no more blocking work; the drop below still strikes.
            let struck = tokio::task::spawn_blocking(move || kin.strike()).await;
            if struck.unwrap_or(0) == 0 {
                break;
            }
            sleep(HUNT_PAUSE).await;
        }
        let _ = timeout(REAP_TIME_MAX, self.child.wait()).await;
        self.ended = true;
    }
}

/// A way to a process: our end, and the end that it gets.
fn way() -> io::Result<(UnixStream, OwnedFd)> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    Ok((UnixStream::from_std(ours)?, theirs.into()))
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended || self.kin.strike() == 0 {
            return;
        }
        // Whoever was just forking is found by a later strike; the runtime need not wait for that.
        let kin = self.kin.clone();
        let _ = std::thread::Builder::new().name("process-hunt".into()).spawn(move || {
            for _ in 0..HUNT_ROUNDS_MAX {
                std::thread::sleep(HUNT_PAUSE);
                if kin.strike() == 0 {
                    return;
                }
            }
        });
    }
}
