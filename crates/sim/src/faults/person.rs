//! A person who acts beside a command while it runs: by default, one who answers whatever waits in the inbox, always with the
//! first option, and submits.

use std::fs;
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use super::limits;
use super::world::FaultWorld;

/// Answers until it is dropped.
#[derive(Debug)]
pub struct Person {
    leaves: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Person {
    /// Looks into the inbox.
    pub fn attend(world: &FaultWorld) -> Person {
        // A command that runs nothing, to take the world's place and environment from.
        let bare = world.command::<&str>(&[]);
        let pending = world.home().join(".arbiter/queue/pending");
        Person::every(limits::GLANCE, move || {
            // As cheap as a look at a folder, while nothing waits there.
            if fs::read_dir(&pending).is_ok_and(|mut files| files.next().is_some()) {
                look(&bare);
            }
        })
    }

    /// Somebody who acts again and again, until dropped.
    pub fn every(pause: Duration, mut act: impl FnMut() + Send + 'static) -> Person {
        let (leaves, stays) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            while stays.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                act();
            }
        });
        Person { leaves: Some(leaves), thread: Some(thread) }
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.leaves = None;
        if let Some(thread) = self.thread.take() {
            // A person who fell has answered nothing more, which the mission tells.
            let _ = thread.join();
        }
    }
}

/// Answers every decision that is open.
fn look(bare: &Command) {
    let inbox = told(bare, &["inbox", "--json"]);
    for petition in inbox["petitions"].as_array().into_iter().flatten() {
        let Some(id) = petition["id"].as_str() else { continue };
        let status = told(bare, &["status", id, "--json"]);
        for (name, decision) in status["decisions"].as_object().into_iter().flatten() {
            let Some(key) = decision["options"][0]["key"].as_str() else { continue };
            told(bare, &["answer", id, name, key, "--submit", "--json"]);
        }
    }
}

fn told(bare: &Command, words: &[&str]) -> Value {
    let mut command = Command::new(bare.get_program());
    command.env_clear().envs(bare.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = bare.get_current_dir() {
        command.current_dir(folder);
    }
    let output = command.args(bare.get_args()).args(words).output();
    output.ok().and_then(|output| serde_json::from_slice(&output.stdout).ok()).unwrap_or(Value::Null)
}
