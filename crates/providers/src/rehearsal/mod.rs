//! The provider `rehearsal`: built-in actors that play a whole mission from a script, without any account.
//!
//! Each session is a real child process ([`actor`]) that speaks JSON lines ([`wire`]), follows a [`Script`], keeps its
//! own conversation on disk, and really writes, runs and commits in the mission's clone.

pub mod actor;
mod decide;
pub mod script;
pub mod translate;
pub mod wire;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::access::Access;
use mind::charter::Capabilities;
use mind::effect::SessionCommand;
use mind::sandbox_needs::SandboxNeeds;
use mind::session::Role;
use mind::{AgentEvent, Timestamp};
use tokio::sync::mpsc;

use crate::driver::drive;
use crate::launch::ProgramCall;
use crate::protocol::{DriverAction, Protocol};
use crate::provider::Answering;
use crate::registry::ProviderEntry;
use crate::{Handle, ModelRequest, ProviderOptions, SessionProvider, SessionStart};

pub use script::{RehearsalScript, ScriptError};

/// This provider's row of the registry.
pub const ENTRY: ProviderEntry = ProviderEntry {
    name: "rehearsal",
    capabilities: Capabilities { steers: true, typed: true },
    works: true,
    plays_script: true,
    answers_by_process: false,
    is_real: false,
    resumes_by_hand: None,
    leavings: &[],
    open,
};

/// The script of `arbiter demo`.
pub const DEMO: &str = include_str!("../../rehearsals/demo.yaml");
/// The rehearsal of a conducted mission.
pub const DEMO_CONDUCTED: &str = include_str!("../../rehearsals/demo-conductor.yaml");

/// How rehearsals are played.
#[derive(Debug, Clone)]
pub struct RehearsalOptions {
    /// How to start an actor: a program and the arguments before the actor's own.
    pub argv: Vec<OsString>,
    pub script: PathBuf,
    pub store: PathBuf,
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

/// The provider, opened for one mission.
#[derive(Debug, Clone)]
pub struct Rehearsal {
    options: RehearsalOptions,
}

fn open(options: &ProviderOptions) -> Result<Arc<dyn SessionProvider>, String> {
    Ok(Arc::new(Rehearsal::new(options.rehearsal.clone())))
}

impl Rehearsal {
    /// Opens the provider with these options.
    #[must_use]
    pub fn new(options: RehearsalOptions) -> Rehearsal {
        Rehearsal { options }
    }
}

impl SessionProvider for Rehearsal {
    fn sandbox_needs(
        &self,
        _place: &Path,
        _clone: &Path,
        _mission: &str,
    ) -> Result<Option<SandboxNeeds>, String> {
        let RehearsalOptions { script, store, .. } = &self.options;
        let files = vec![(script.clone(), Access::Read), (store.clone(), Access::Write)];
        Ok(Some(SandboxNeeds { files, ..SandboxNeeds::default() }))
    }

    fn start(&self, start: SessionStart, events: mpsc::Sender<AgentEvent>) -> Handle {
        let protocol = Actor { options: self.options.clone(), start: start.clone() };
        Handle::spawn(|controls| drive(protocol, start, events, controls))
    }

    fn answer(&self, call: ModelRequest) -> Answering {
        let options = self.options.clone();
        Box::pin(async move { decide::decide(&options, call.number, call.attempt, &call.question).await })
    }
}

/// An actor's side of the protocol: every order is one line, every line one event.
struct Actor {
    options: RehearsalOptions,
    start: SessionStart,
}

impl Protocol for Actor {
    fn command(&mut self, resume: bool) -> Result<ProgramCall, String> {
        // The system refuses an empty argv, and the mission loop gets that error.
        let (options, start) = (&self.options, &self.start);
        let mut words = options.argv.iter().map(OsString::clone);
        let program = words.next().unwrap_or_default();
        let mut arguments: Vec<OsString> = words.collect();
        let role = match start.profile.role {
            Role::Arbiter => "arbiter",
            Role::Orchestrator => "orchestrator",
            Role::Verifier => "verifier",
            Role::Agent => "agent",
        };
        let mut say = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        say("--role", role.into());
        say("--number", start.profile.number.to_string().into());
        if start.profile.role == Role::Agent {
            say("--agent", start.profile.agent().to_string().into());
        }
        say("--key", start.profile.key.clone().into());
        say("--mission", start.mission.to_string().into());
        say("--script", options.script.clone().into());
        say("--store", options.store.clone().into());
        say("--folder", start.folder.clone().into());
        say("--pace", options.pace.to_string().into());
        arguments.extend(resume.then(|| "--resume".into()));
        Ok(ProgramCall { program, args: arguments, folder: start.folder.clone(), env: Vec::new() })
    }

    fn greet(&mut self, _now: Timestamp) -> Vec<DriverAction> {
        Vec::new()
    }

    fn obey(&mut self, order: SessionCommand, _now: Timestamp) -> Vec<DriverAction> {
        vec![DriverAction::Write(translate::say(&order))]
    }

    fn hear(&mut self, line: &str, now: Timestamp) -> Vec<DriverAction> {
        translate::deed(line, now).into_iter().collect()
    }

    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn ring(&mut self, _now: Timestamp) -> Vec<DriverAction> {
        Vec::new()
    }

    fn part(&mut self) -> Vec<DriverAction> {
        Vec::new()
    }

    fn is_busy(&self) -> bool {
        false
    }

    fn closed(&mut self, _last_word: &str) -> Option<bool> {
        None
    }
}
