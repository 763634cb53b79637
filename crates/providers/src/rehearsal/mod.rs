//! The rehearsal provider: a built-in cast that plays a whole mission without any account.
//!
//! Each session is a real child process ([`actor`]) that speaks JSON lines ([`wire`]), follows a [`Script`], keeps its
//! own conversation on disk, and really writes, runs and commits in the mission's clone.

pub mod actor;
pub mod script;
pub mod translate;
pub mod wire;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use mind::session::Role;
use mind::{Event, Timestamp};
use tokio::process::Command;
use tokio::sync::mpsc;

use crate::driver::drive;
use crate::voice::{Deed, Voice};
use crate::{Handle, Order, Start};

pub use script::{Script, ScriptError};

/// The script of `arbiter demo`.
pub const DEMO: &str = include_str!("../../rehearsals/demo.yaml");

/// How rehearsals are played.
#[derive(Debug, Clone)]
pub struct Options {
    /// How to start an actor: a program and the words before the actor's own arguments.
    pub argv: Vec<OsString>,
    /// The script.
    pub script: PathBuf,
    /// Where actors keep their conversations.
    pub store: PathBuf,
    /// How fast.
    pub pace: Pace,
}

/// How fast a rehearsal is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// Without any pause.
    #[default]
    Fast,
    /// So that a person can follow: pauses as written, and a breath between steps and sentences.
    Human,
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pace::Fast => "fast",
            Pace::Human => "human",
        })
    }
}

/// Starts a session. What becomes of it arrives as events; also that it could not be started.
pub fn start(options: &Options, start: Start, events: mpsc::Sender<Event>) -> Handle {
    let voice = Actor { options: options.clone(), start: start.clone() };
    Handle::spawn(|reins| drive(voice, start, events, reins))
}

/// An actor's voice: every order is one line, every line one event.
struct Actor {
    options: Options,
    start: Start,
}

impl Voice for Actor {
    fn command(&mut self, resume: bool) -> Result<Command, String> {
        // An empty argv is refused by the system, and the house hears of it.
        let (options, start) = (&self.options, &self.start);
        let mut words = options.argv.iter();
        let mut command = Command::new(words.next().map_or(OsString::new(), OsString::clone));
        let role = match start.profile.role {
            Role::Arbiter => "arbiter",
            Role::Orchestrator => "orchestrator",
            Role::Verifier => "verifier",
        };
        command.args(words).args(["--role", role]);
        command.args(["--number", &start.profile.number.to_string()]);
        command.args(["--key", &start.profile.key]);
        command.args(["--mission", &start.mission]);
        command.arg("--script").arg(&options.script);
        command.arg("--store").arg(&options.store);
        command.arg("--folder").arg(&start.folder);
        command.args(["--pace", &options.pace.to_string()]);
        if resume {
            command.arg("--resume");
        }
        Ok(command)
    }

    fn greet(&mut self, _now: Timestamp) -> Vec<Deed> {
        Vec::new()
    }

    fn obey(&mut self, order: Order, _now: Timestamp) -> Vec<Deed> {
        vec![Deed::Write(translate::say(&order))]
    }

    fn hear(&mut self, line: &str, _now: Timestamp) -> Vec<Deed> {
        translate::hear(line).map(Deed::Tell).into_iter().collect()
    }

    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn ring(&mut self, _now: Timestamp) -> Vec<Deed> {
        Vec::new()
    }

    fn part(&mut self) -> Vec<Deed> {
        Vec::new()
    }

    fn is_busy(&self) -> bool {
        false
    }

    fn closed(&mut self, _last_word: &str) -> Option<bool> {
        None
    }
}
