//! Holds a child process so that neither it nor anything it started outlives the leash, however the leash ends.

use std::io;
use std::process::ExitStatus;
use std::thread;

use rustix::process::Pid;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::gate;
use super::kin::{Kin, unique_mark};
use super::limits::{HUNT_PAUSE, HUNT_ROUNDS_MAX, REAP_TIME_MAX};

/// A running child. Dropping it kills the child and every descendant.
#[derive(Debug)]
pub(super) struct Leash {
    child: Child,
    kin: Kin,
    ended: bool,
}

impl Leash {
    /// Starts a `gate::command` in a process group of its own. Git's variables are taken out of what it inherits: they would
    /// point every git below it at another repository.
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        for (name, _) in std::env::vars_os() {
            let is_set_by_us = command.as_std().get_envs().any(|(set, _)| set == name);
            if name.as_encoded_bytes().starts_with(b"GIT_") && !is_set_by_us {
                command.env_remove(name);
            }
        }
        let mark = unique_mark();
        command.env(&mark, "1").process_group(0).kill_on_drop(true);
        let child = command.spawn()?;
        let root = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let root = root.ok_or_else(|| io::Error::other("the process has no number"))?;
        let mut leash = Self { child, kin: Kin::of(root, &mark), ended: false };
        gate::open(&mut leash.child)?;
        Ok(leash)
    }

    /// The child, for its pipes.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for the child alone; its descendants may live on until `end`.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills the child and all its descendants, and says how many could not be ended.
    pub(super) async fn end(&mut self) -> usize {
        let mut alive = 0;
        for _ in 0..HUNT_ROUNDS_MAX {
            alive = self.strike().await;
            if alive == 0 {
                break;
            }
            sleep(HUNT_PAUSE).await;
        }
        let _ = timeout(REAP_TIME_MAX, self.child.wait()).await;
        self.ended = true;
        alive
    }

    async fn strike(&self) -> usize {
        let kin = self.kin.clone();
        // A runtime that is going down runs no more blocking work; the drop below still strikes.
        tokio::task::spawn_blocking(move || kin.strike()).await.unwrap_or(0)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        if self.ended || self.kin.strike() == 0 {
            return;
        }
        // Whoever was just forking is found by a later strike; the runtime need not wait for that.
        let kin = self.kin.clone();
        let _ = thread::Builder::new().name("workshop-hunt".into()).spawn(move || {
            for _ in 0..HUNT_ROUNDS_MAX {
                thread::sleep(HUNT_PAUSE);
                if kin.strike() == 0 {
                    return;
                }
            }
        });
    }
}
