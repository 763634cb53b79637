//! One session of one provider, set up for a test: everything that a start needs, with what tests seldom care about
//! already chosen. Its process is started and its tools are judged by the product's own parts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arbiter::mission::effect_runner::launcher::{ProcessPlace, SessionLauncher};
use arbiter::mission::effect_runner::tool_judge;
use mind::access::AccessMap;
use mind::policy::Policy;
use mind::session::{Gauge, Profile, Role};
use mind::{Address, SessionId};
use providers::SessionStart;
use providers::live::LiveTails;
use sandbox::AgentSandbox;
use tokio::sync::watch;

/// What a session is started with.
#[derive(Debug, Clone)]
pub struct SessionSeed {
    /// Which of its lives.
    pub incarnation: u32,
    /// What is fixed for all of them.
    pub profile: Profile,
    /// It takes up its conversation.
    pub resume: bool,
    /// It has said something in it.
    pub spoke: bool,
    /// How full its context was when an earlier process said so.
    pub gauge: Option<Gauge>,
    /// A budget counts what it uses.
    pub budgeted: bool,
    pub mission: Arc<str>,
    /// Where it works.
    pub folder: PathBuf,
    /// Where its raw lines are kept.
    pub logbook: PathBuf,
    /// What runs, what asks.
    pub policy: Policy,
    /// What it may see, where no sandbox says so.
    pub lay: AccessMap,
    /// What holds its process.
    pub sandbox: Option<AgentSandbox>,
    /// How many are still on their way out.
    pub leaving: watch::Receiver<usize>,
    /// Where its words are shown.
    pub live: LiveTails,
}

impl SessionSeed {
    /// The first process of session 1 in `world`, whose clone is `clone`: without a sandbox, and with no
    /// other process ending.
    #[must_use]
    pub fn new(world: &Path, role: Role) -> SessionSeed {
        SessionSeed {
            incarnation: 1,
            profile: Profile {
                casting: None,
                session: SessionId(1),
                role,
                number: 1,
                provider: "test".to_owned(),
                model: None,
                key: "k-1".to_owned(),
                prompt: Arc::from(""),
                scout: None,
            },
            resume: false,
            spoke: false,
            gauge: None,
            budgeted: false,
            mission: Arc::from("m1"),
            folder: world.join("clone"),
            logbook: world.join("sessions/1.jsonl"),
            policy: Policy::default(),
            lay: AccessMap::default(),
            sandbox: None,
            leaving: watch::channel(0).1,
            live: LiveTails::default(),
        }
    }

    /// What a provider starts it with.
    #[must_use]
    pub fn start(self) -> SessionStart {
        let address = Address { session: self.profile.session, incarnation: self.incarnation };
        let lay = self.sandbox.as_ref().map_or(self.lay, |sandbox| sandbox.lay.clone());
        SessionStart {
            incarnation: self.incarnation,
            life: Arc::from(address.to_string()),
            judge: tool_judge::of(&self.profile, self.policy, lay),
            live: self.live.of(address.session),
            profile: Arc::new(self.profile),
            resume: self.resume,
            spoke: self.spoke,
            gauge: self.gauge,
            budgeted: self.budgeted,
            launcher: Arc::new(SessionLauncher {
                mission: Arc::clone(&self.mission),
                place: self.sandbox.map_or(ProcessPlace::Unheld, ProcessPlace::Sandbox),
            }),
            mission: self.mission,
            folder: self.folder,
            leaving: self.leaving,
            logbook: self.logbook,
        }
    }
}
