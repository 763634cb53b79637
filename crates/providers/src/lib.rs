//! Speaks with agents: processes and protocols, and the clone a mission works in.
//!
//! A session is started with [`Start`], obeys [`Order`]s given through its [`Handle`], and reports by sending
//! `mind::Event::Agent`. The room knows no policy: it carries words both ways and says when a process is gone.

pub mod api;
pub mod cage;
pub mod claude;
mod driver;
mod handle;
pub mod limits;
mod lines;
pub mod live;
pub mod logbook;
mod process;
pub mod rehearsal;
mod schema;
pub mod voice;
pub mod wary;
pub mod workshop;

use std::path::PathBuf;
use std::sync::Arc;

use cage::{Cage, Housing};
use mind::effect::Again;
use mind::lay::Lay;
use mind::policy::Policy;
use mind::session::Profile;
use mind::{Address, TurnId};
use tokio::sync::watch;

pub use handle::{Handle, Refused};

/// What a session's process is started with.
#[derive(Debug, Clone)]
pub struct Start {
    /// Which life of which session: every event carries it.
    pub address: Address,
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
    pub live: live::Tails,
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
    /// The cage in which git looks at their clone.
    pub git: Option<Arc<Cage>>,
}

/// What a running session is told.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Begin a turn. A key that was delivered before continues, or answers as it did.
    Deliver {
        /// Which turn.
        turn: TurnId,
        /// The same turn for the provider, unique over all missions.
        key: String,
        /// What is said.
        text: Arc<str>,
        /// It was given before, and may have been heard.
        again: Option<Again>,
    },
    /// Fold a text into the running turn.
    Steer {
        /// Its number.
        turn: TurnId,
        /// The same number for the provider.
        key: String,
        /// What is said.
        text: Arc<str>,
    },
    /// Tell the model after its next tool call.
    Warn {
        /// Which, in percent.
        percent: u8,
        /// What is said.
        text: Arc<str>,
    },
    /// Whether a tool that waits may run.
    Permit {
        /// The call's own id.
        call: Arc<str>,
        /// It may.
        allowed: bool,
        /// What the model is told with a no.
        why: Arc<str>,
    },
    /// A tool that wants something of the docket is answered.
    Reply {
        /// The call's own id.
        call: Arc<str>,
        /// The answer, as JSON.
        told: serde_json::Value,
        /// It is a refusal.
        refused: bool,
    },
    /// Stop the running turn.
    Interrupt {
        /// Which.
        turn: TurnId,
    },
    /// End the process and all its descendants.
    End,
}
