//! Speaks with agents: processes and protocols.
//!
//! A session is started with [`Start`], obeys `mind::effect::SessionCommand`s given through its [`Handle`], and reports by
//! sending `mind::AgentEvent`s; whose they are is added outside. The room knows no policy: it carries words both ways and says when a process is gone. It
//! tells nothing of the clone: whoever takes the end of a turn in looks at it, and forgets the live words that led to it.

pub mod api;
pub mod claude;
mod driver;
mod handle;
pub mod limits;
mod lines;
pub mod live;
pub mod logbook;
pub mod rehearsal;
mod schema;
pub mod voice;

use std::path::PathBuf;
use std::sync::Arc;

use mind::lay::Lay;
use mind::policy::Policy;
use mind::session::Profile;
use sandbox::Housing;
use tokio::sync::watch;

pub use handle::{Handle, Refused};

/// What a session's process is started with.
#[derive(Debug, Clone)]
pub struct Start {
    /// Which of the session's lives it is.
    pub incarnation: u32,
    /// How this life is called in the logbook, and in reports that must be its own.
    pub life: Arc<str>,
    /// What was fixed when the session was summoned.
    pub profile: Arc<Profile>,
    /// It may have lived before: take up its conversation by its key. The house can have fallen between writing that a
    /// process starts and starting it, so a provider must cope with a key it has never seen, and begin anew then.
    pub resume: bool,
    /// It has said something in its conversation: if that is gone, the session is lost, and must not begin anew as if
    /// nothing had been said.
    pub spoke: bool,
    /// The mission, which every process of it carries in its environment.
    pub mission: Arc<str>,
    /// The mission's clone, where it works.
    pub folder: PathBuf,
    /// How far it is trusted, and what of the machine it may see.
    pub trust: Arc<Trust>,
    /// How many processes of the mission are still on their way out. The process starts when none is: no two may work
    /// in the clone at once. Orders given meanwhile wait.
    pub leaving: watch::Receiver<usize>,
    /// Where its raw lines are kept: `sessions/<n>.jsonl`.
    pub logbook: PathBuf,
    /// Where its words are shown while they come.
    pub live: live::SessionTail,
}

/// How far a mission's sessions are trusted.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// What runs, what asks.
    pub policy: Policy,
    /// What they may see, and where they may write.
    pub lay: Lay,
    /// The cage of their processes; without one they are started as they are.
    pub housing: Option<Housing>,
    /// Claude Code's own files in it.
    pub claude_files: Option<claude::files::ClaudeFiles>,
}
