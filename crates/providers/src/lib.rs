//! Providers: the programs and protocols by which Arbiter talks to agents and models.
//!
//! A provider (`registry` has a row for each) starts a session with [`SessionStart`]; the session obeys
//! `mind::effect::SessionCommand`s given through its [`Handle`], and reports by sending `mind::AgentEvent`s. This crate
//! knows no policy, no sandbox and no git: it carries messages both ways and reports when a process is gone.

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
pub mod prices;
pub mod protocol;
pub mod provider;
pub mod registry;
pub mod rehearsal;
mod schema;
#[cfg(feature = "scripted")]
pub mod scripted;

use std::path::PathBuf;
use std::sync::Arc;

use mind::session::{Gauge, Profile};
use tokio::sync::watch;

pub use handle::{Handle, Refused};
pub use provider::{CallDropped, ModelRequest, NoteSink, ProviderOptions, SessionProvider};
pub use registry::{Provider, Providers, UnknownProvider};

use judge::ToolJudge;
use launch::Launcher;

/// What a session is started with.
#[derive(Debug, Clone)]
pub struct SessionStart {
    /// The number of this process among those of the session.
    pub incarnation: u32,
    /// The name of this process in the logbook, and in reports that must be its own.
    pub life: Arc<str>,
    /// What was fixed when the session was summoned.
    pub profile: Arc<Profile>,
    /// Whether the session may have had a process before: then resume its conversation by its key. Arbiter can have
    /// died between recording that a process starts and starting it, so a provider must accept a key it has never seen,
    /// and begin anew then.
    pub resume: bool,
    /// Whether the session has said something in its conversation. If that conversation is lost, the session is lost,
    /// and must not begin anew as if nothing had been said.
    pub spoke: bool,
    /// How full its context was when an earlier process said so. A window that was named holds until this process names
    /// its own.
    pub gauge: Option<Gauge>,
    /// A budget counts what it uses: usage is told inside a turn too, where the provider can.
    pub budgeted: bool,
    pub mission: Arc<str>,
    /// The mission's clone, in which the session works.
    pub folder: PathBuf,
    /// Judges every tool call.
    pub judge: ToolJudge,
    /// Starts the session's process.
    pub launcher: Arc<dyn Launcher>,
    /// How many processes of the mission are still ending. The session's process starts when none is: no two may work
    /// in the clone at once. Orders given meanwhile wait.
    pub leaving: watch::Receiver<usize>,
    /// The logbook: `sessions/<n>.jsonl`.
    pub logbook: PathBuf,
    /// Where its words are shown while they stream.
    pub live: live::SessionTail,
}
