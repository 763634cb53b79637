//! A process that speaks with us for a long time: started, asked to leave, and ended with all its descendants.

use std::io;
use std::process::{ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
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

/// The three pipes of a process.
pub(crate) struct Pipes {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
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
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.env(&mark, "1").process_group(0).kill_on_drop(true).spawn()?;
        let root = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(root), (Some(stdin), Some(stdout), Some(stderr))) = (root, pipes) else {
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
    async fn end(&mut self) {
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

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            self.kin.strike();
        }
    }
}
