//! Speaks with agents: processes and protocols.
//!
//! A provider (`registry` has a row for each) starts a session with [`Start`]; the session obeys
//! `mind::effect::SessionCommand`s given through its [`Handle`], and reports by sending `mind::AgentEvent`s. The room knows no
//! policy, no sandbox and no git: it carries words both ways and says when a process is gone.

pub mod api;
pub mod claude;
mod driver;
mod handle;
pub mod judge;
pub mod launch;
pub mod limits;
mod lines;
pub mod live;
pub mod logbook;
pub mod provider;
pub mod registry;
pub mod rehearsal;
mod schema;
#[cfg(feature = "scripted")]
pub mod scripted;
pub mod voice;

use std::path::PathBuf;
use std::sync::Arc;

use mind::session::Profile;
use tokio::sync::watch;

pub use handle::{Handle, Refused};
pub use provider::{ModelCall, NoteSink, ProviderOptions, SessionProvider};
pub use registry::{Provider, Providers, UnknownProvider};

use judge::ToolJudge;
use launch::Launcher;

/// What a session is started with.
#[derive(Debug, Clone)]
pub struct Start {
    /// Which of the session's lives it is.
    pub incarnation: u32,
    /// How this life is called in the logbook, and in reports that must be its own.
    pub life: Arc<str>,
    /// What was fixed when the session was summoned.
    pub profile: Arc<Profile>,
    /// It may have lived before: take up its conversation by its key. The program can have fallen between writing that a
    /// process starts and starting it, so a provider must cope with a key it has never seen, and begin anew then.
    pub resume: bool,
    /// It has said something in its conversation: if that is gone, the session is lost, and must not begin anew as if
    /// nothing had been said.
    pub spoke: bool,
    /// The mission, by its name.
    pub mission: Arc<str>,
    /// The mission's clone, where it works.
    pub folder: PathBuf,
    /// Asked before every tool.
    pub judge: ToolJudge,
    /// Starts its process.
    pub launcher: Arc<dyn Launcher>,
    /// How many processes of the mission are still on their way out. The process starts when none is: no two may work
    /// in the clone at once. Orders given meanwhile wait.
    pub leaving: watch::Receiver<usize>,
    /// Where its raw lines are kept: `sessions/<n>.jsonl`.
    pub logbook: PathBuf,
    /// Where its words are shown while they come.
    pub live: live::SessionTail,
}
