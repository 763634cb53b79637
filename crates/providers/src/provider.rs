//! What every provider does for a mission: it starts sessions, and answers a model call. It knows no policy, no sandbox
//! and no git, and not whose events it sends: that is added outside.

use std::fmt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use mind::AgentEvent;
use mind::conductor::record::{Answer, AnswerEnd, Question};
use mind::sandbox_needs::SandboxNeeds;
use tokio::sync::mpsc;

use crate::launch::Launcher;
use crate::{Handle, Start, api, claude, rehearsal};

/// One provider, opened for one mission.
pub trait SessionProvider: fmt::Debug + Send + Sync {
    /// Makes its files for a mission ready below `place`, and tells what a sandbox around its processes has to give them;
    /// nothing if it has no processes.
    fn sandbox_needs(
        &self,
        place: &Path,
        clone: &Path,
        mission: &str,
    ) -> Result<Option<SandboxNeeds>, String>;

    /// Starts a session. What becomes of it arrives as events; also that it could not be started.
    fn start(&self, start: Start, events: mpsc::Sender<AgentEvent>) -> Handle;

    /// Answers one model call. Dropped, the answer ends whatever was started for it.
    fn answer(&self, call: ModelCall) -> Answering;
}

/// One question to a model, and where it is put.
#[derive(Debug, Clone)]
pub struct ModelCall {
    /// Which decision it is for.
    pub number: u32,
    /// Which asking of it.
    pub attempt: u32,
    /// The question.
    pub question: Arc<Question>,
    /// A folder to stand in; nothing is read there.
    pub folder: PathBuf,
    /// Starts a process, if one is needed.
    pub launcher: Arc<dyn Launcher>,
}

/// An answer that is on its way.
pub type Answering = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// What the providers of a mission are opened with.
#[derive(Debug, Clone)]
pub struct ProviderOptions {
    /// How Claude Code is run; none if it is not on this machine.
    pub claude: Option<claude::Options>,
    /// How a model is spoken to directly.
    pub api: api::ApiOptions,
    /// How rehearsals are played.
    pub rehearsal: rehearsal::Options,
    /// Takes remarks that change nothing, for a person to read afterwards.
    pub notes: NoteSink,
}

/// Takes remarks; a library has no screen to print them on.
#[derive(Clone)]
pub struct NoteSink(Arc<dyn Fn(String) + Send + Sync>);

impl NoteSink {
    /// A sink that does this with each.
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

/// An answer that is none, because nothing can be asked.
#[must_use]
pub fn refused(why: impl Into<Arc<str>>) -> Answering {
    let end = AnswerEnd::Refused { why: why.into() };
    Box::pin(std::future::ready(Answer { end, latency_ms: 0, tokens: None, cost_microusd: 0 }))
}
