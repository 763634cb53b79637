//! The trait of every provider: it starts sessions, and answers model calls. A provider knows no policy, no sandbox and
//! no git, and not whose events it sends: the caller adds that.

use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use mind::AgentEvent;
use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};
use mind::sandbox_needs::SandboxNeeds;
use tokio::sync::{mpsc, watch};

use crate::launch::Launcher;
use crate::{Handle, SessionStart, api, claude, rehearsal};

/// One provider, opened for one mission.
pub trait SessionProvider: fmt::Debug + Send + Sync {
    /// Makes its files for a mission below `place`, and returns what a sandbox around its processes must give them;
    /// none if it has no processes.
    fn sandbox_needs(
        &self,
        place: &Path,
        clone: &Path,
        mission: &str,
    ) -> Result<Option<SandboxNeeds>, String>;

    /// Starts a session. Everything that happens arrives as events, also that it could not start.
    fn start(&self, start: SessionStart, events: mpsc::Sender<AgentEvent>) -> Handle;

    /// Answers one model call. Once its answer is needed no more it ends, and says what it used; dropping the answer ends
    /// everything that was started for it.
    fn answer(&self, call: ModelRequest) -> Answering;
}

/// One model call.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// The decision that it is for.
    pub number: u32,
    /// The number of this attempt.
    pub attempt: u32,
    pub question: Arc<ModelCall>,
    /// A folder to run in; nothing is read there.
    pub folder: PathBuf,
    pub launcher: Arc<dyn Launcher>,
    pub dropped: CallDropped,
}

/// Tells a model call, and everybody who waits for it, that its answer is needed no more.
#[derive(Debug, Clone)]
pub struct CallDropped(watch::Receiver<bool>);

impl CallDropped {
    /// A signal that is not given yet, and what gives it by sending `true`.
    #[must_use]
    pub fn new() -> (watch::Sender<bool>, CallDropped) {
        let (drop, dropped) = watch::channel(false);
        (drop, CallDropped(dropped))
    }

    /// Whether it was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for it; for ever where it can come no more.
    pub async fn given(&self) {
        if self.0.clone().wait_for(|dropped| *dropped).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// A pending answer.
pub type Answering = Pin<Box<dyn Future<Output = ModelReply> + Send>>;

/// The settings of the providers of a mission.
#[derive(Debug, Clone)]
pub struct ProviderOptions {
    /// None if Claude Code is not on this machine.
    pub claude: Option<claude::ClaudeOptions>,
    pub api: api::ApiOptions,
    pub rehearsal: rehearsal::RehearsalOptions,
    /// Receives remarks that change nothing, for a person to read afterwards.
    pub notes: NoteSink,
}

/// Receives remarks; a library has no screen to print them on.
#[derive(Clone)]
pub struct NoteSink(Arc<dyn Fn(String) + Send + Sync>);

impl NoteSink {
    /// A receiver that calls this function.
    pub fn new(take: impl Fn(String) + Send + Sync + 'static) -> NoteSink {
        NoteSink(Arc::new(take))
    }

    pub(crate) fn take(&self, remark: String) {
        (self.0)(remark);
    }
}

impl Default for NoteSink {
    fn default() -> NoteSink {
        NoteSink::new(drop)
    }
}

impl fmt::Debug for NoteSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoteSink")
    }
}

/// A refusal, because no model can be asked.
#[must_use]
pub fn refused(why: impl Into<Arc<str>>) -> Answering {
    let end = ReplyEnd::Refused { why: why.into() };
    Box::pin(std::future::ready(ModelReply { end, latency_ms: 0, tokens: None, cost_microusd: 0 }))
}
