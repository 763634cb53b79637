//! The guard of a child process: neither the child nor anything it started outlives the guard, however the guard ends.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{ExitStatus, Stdio};
use std::thread;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::{sleep, timeout};

use crate::limits::{HUNT_PAUSE, HUNT_ROUNDS_MAX, LEAVE_TIME_MAX, REAP_TIME_MAX, TERM_TIME_MAX};
use crate::process_tree::{ProcessTree, unique_mark};

/// A running child in a process group of its own. Dropping the guard kills the child and every descendant.
#[derive(Debug)]
pub struct ChildGuard {
    child: Child,
    root: Pid,
    kin: ProcessTree,
    ended: bool,
}

/// The three pipes of a process that speaks a protocol. The two that are believed are sockets: what a process runs can
/// open its pipes anew through `/proc` and speak in its place, but not its sockets.
#[derive(Debug)]
pub struct SpeakingPipes {
    pub stdin: UnixStream,
    pub stdout: UnixStream,
    pub stderr: ChildStderr,
}

impl ChildGuard {
    /// Starts `command`. Git's variables are taken out of its environment, because every git below it would
    /// use another repository.
    pub fn spawn(mut command: Command) -> io::Result<ChildGuard> {
        for (name, _) in std::env::vars_os() {
            let is_set_by_us = command.as_std().get_envs().any(|(set, _)| set == name);
            if name.as_encoded_bytes().starts_with(b"GIT_") && !is_set_by_us {
                command.env_remove(name);
            }
        }
        let mark = unique_mark();
        let child = command.env(&mark, "1").process_group(0).kill_on_drop(true).spawn()?;
        let root = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let root = root.ok_or_else(|| io::Error::other("the process has no number"))?;
        Ok(ChildGuard { child, root, kin: ProcessTree::of(root, &mark), ended: false })
    }

    /// Starts `command` as a process that speaks a protocol with us.
    pub fn spawn_speaking(mut command: Command) -> io::Result<(ChildGuard, SpeakingPipes)> {
        let (stdin, theirs) = socket_pair()?;
        command.stdin(theirs);
        let (stdout, theirs) = socket_pair()?;
        command.stdout(theirs).stderr(Stdio::piped());
        // Its ends of the sockets are closed here with the command, so that we hear when it closes them.
        let mut guard = ChildGuard::spawn(command)?;
        let stderr = guard.child.stderr.take().ok_or_else(|| io::Error::other("the process has no pipes"))?;
        Ok((guard, SpeakingPipes { stdin, stdout, stderr }))
    }

    /// The child, for its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for the child alone; its descendants may live on until `end`.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Its input was closed, so it should leave; if it does not, it is ended step by step.
    pub async fn leave(&mut self) {
        if timeout(LEAVE_TIME_MAX, self.child.wait()).await.is_err() {
            let _ = kill_process_group(self.root, Signal::TERM);
            let _ = timeout(TERM_TIME_MAX, self.child.wait()).await;
        }
        self.end().await;
    }

    /// Asks it to stop now and waits a moment: a program that is asked can remove its lock files. `end` follows.
    pub async fn stop(&mut self) {
        let _ = kill_process_group(self.root, Signal::TERM);
        let _ = timeout(TERM_TIME_MAX, self.child.wait()).await;
    }

    /// Waits until it is gone by itself, and ends what it leaves behind. May be dropped and called again.
    pub async fn gone(&mut self) {
        let _ = self.child.wait().await;
        self.end().await;
    }

    /// It closed its output, so it is about to exit: returns how it ended, if that can be learned.
    pub async fn reap(&mut self) -> Option<ExitStatus> {
        let status = timeout(REAP_TIME_MAX, self.child.wait()).await;
        self.end().await;
        status.ok().and_then(Result::ok)
    }

    /// Kills the child and all its descendants, and returns how many could not be ended.
    pub async fn end(&mut self) -> usize {
        let mut alive = 0;
        for _ in 0..HUNT_ROUNDS_MAX {
            let kin = self.kin.clone();
            // A runtime that is going down runs no more blocking work; the drop below still strikes.
            alive = tokio::task::spawn_blocking(move || kin.strike()).await.unwrap_or(0);
            if alive == 0 {
                break;
            }
            sleep(HUNT_PAUSE).await;
        }
        let _ = timeout(REAP_TIME_MAX, self.child.wait()).await;
        self.ended = true;
        alive
    }
}

/// A way to a process: our end, and the end that it gets.
fn socket_pair() -> io::Result<(UnixStream, OwnedFd)> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    Ok((UnixStream::from_std(ours)?, theirs.into()))
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        if self.ended || self.kin.strike() == 0 {
            return;
        }
        // A process that was just forking is found by a later strike; the runtime need not wait for that.
        let kin = self.kin.clone();
        let _ = thread::Builder::new().name("process-hunt".into()).spawn(move || {
            for _ in 0..HUNT_ROUNDS_MAX {
                thread::sleep(HUNT_PAUSE);
                if kin.strike() == 0 {
                    return;
                }
            }
        });
    }
}
