//! The provider `api`: models called directly over HTTP, without a program between, by Anthropic's Messages and
//! OpenAI's Chat Completions (which local servers speak too). [`ask`] makes one model call, for decisions; `session`
//! runs the Arbiter's conversation.

mod anthropic;
mod call;
mod conversation;
mod error;
mod memory;
mod openai;
mod options;
mod request;
mod session;
mod sse;
mod strict;
mod until;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mind::AgentEvent;
use mind::charter::Capabilities;
use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};
use mind::sandbox_needs::SandboxNeeds;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::limits::API_TIME_MAX;
use crate::provider::{Answering, refused};
use crate::registry::ProviderEntry;
use crate::{Handle, ModelRequest, ProviderOptions, SessionProvider, SessionStart};

use call::Call;
use request::{Reading, Request, Stop};

pub use error::Trouble;
pub use memory::Memory;
pub use options::{ApiDialect, ApiKey, ModelOptions};

/// This provider's row of the registry.
pub const ENTRY: ProviderEntry = ProviderEntry {
    name: "api",
    capabilities: Capabilities { steers: false, typed: true },
    works: false,
    plays_script: false,
    answers_by_process: false,
    is_real: false,
    resumes_by_hand: None,
    leavings: &[],
    open,
};

/// The models of one mission.
#[derive(Debug, Clone, Default)]
pub struct ApiOptions {
    /// For sessions; none if no configuration names a model.
    pub sessions: Option<ModelOptions>,
    pub decisions: Option<ModelOptions>,
    /// How long one decision may take.
    pub patience: Duration,
}

/// The provider, opened for one mission.
#[derive(Debug, Clone)]
pub struct ApiProvider {
    options: ApiOptions,
}

fn open(options: &ProviderOptions) -> Result<Arc<dyn SessionProvider>, String> {
    Ok(Arc::new(ApiProvider::new(options.api.clone())))
}

impl ApiProvider {
    /// Opens the provider with these options.
    #[must_use]
    pub fn new(options: ApiOptions) -> ApiProvider {
        ApiProvider { options }
    }
}

impl SessionProvider for ApiProvider {
    fn sandbox_needs(
        &self,
        _place: &Path,
        _clone: &Path,
        _mission: &str,
    ) -> Result<Option<SandboxNeeds>, String> {
        Ok(None)
    }

    fn start(&self, start: SessionStart, events: mpsc::Sender<AgentEvent>) -> Handle {
        let options = self.options.sessions.clone();
        Handle::spawn(|controls| session::live(options, start, events, controls))
    }

    fn answer(&self, call: ModelRequest) -> Answering {
        let patience = self.options.patience;
        match self.options.decisions.clone() {
            Some(options) => {
                Box::pin(
                    async move { ask_until(&options, &call.question, patience, call.dropped.given()).await },
                )
            }
            None => refused("no model is configured for decisions"),
        }
    }
}

/// Selects the cryptography of all connections. A program calls it first; it is called here again, to be sure.
pub fn install_tls() {
    // It fails only if it was called before.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Makes one model call with this time limit. What the question names goes before what the options name.
pub async fn ask(options: &ModelOptions, question: &ModelCall, patience: Duration) -> ModelReply {
    ask_until(options, question, patience, std::future::pending()).await
}

/// The same; when `dropped` comes first, the call ends there, and the reply says what it used.
async fn ask_until(
    options: &ModelOptions,
    question: &ModelCall,
    patience: Duration,
    dropped: impl Future<Output = ()>,
) -> ModelReply {
    let began = Instant::now();
    let deadline = began + patience.min(API_TIME_MAX);
    let temperature = question.temperature_milli.map(|milli| milli as f32 / 1000.0);
    let request = Request {
        model: question.model.as_deref().unwrap_or(&options.model),
        max_tokens: if question.max_tokens == 0 { options.max_tokens } else { question.max_tokens },
        temperature: temperature.or(options.temperature),
        system: &question.system,
        texts: vec![question.prompt.to_string()],
        schema: &question.schema,
        goes_on: false,
    };
    let mut reading = Reading::default();
    let said = async {
        let mut call = Call::open(options, &request, deadline, &mut reading).await?;
        while call.next().await?.is_some() {}
        call.finish()
    };
    let said = tokio::select! {
        said = said => said,
        () = dropped => Err(Trouble::passing("its answer is needed no more")),
    };
    // An answer that broke off was paid for too.
    let usage = reading.usage(options.price_of(request.model));
    let end = match said {
        Ok(()) => {
            let output = request::typed(&reading.text, &question.schema);
            let cut = reading.stop == Some(Stop::Cut);
            ReplyEnd::Said { output, text: Arc::from(reading.text), cut }
        }
        Err(trouble) => trouble.into(),
    };
    let latency_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let cost_microusd = usage.map_or(0, |usage| usage.cost_microusd);
    ModelReply { end, latency_ms, tokens: usage.map(|usage| usage.tokens), cost_microusd }
}
