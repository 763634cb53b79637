//! A scripted API, options that lead to it, and a question.

use std::sync::Arc;
use std::time::Duration;

use mind::conductor::move_record::{ModelCall, ModelReply, ReplyEnd};
use providers::api::{ApiDialect, ApiKey, Memory, ModelOptions, ask};
use serde_json::{Value, json};
use sim::api::{Act, Api, Message, Refusal, Scenario, Step, Voice};

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// Both dialects.
pub const KINDS: [ApiDialect; 2] = [ApiDialect::Anthropic, ApiDialect::OpenAi];
/// A key that must be seen in one header and nowhere else.
pub const SECRET: &str = "sk-test-4f2a9c";

/// An API that answers so, whoever asks.
pub fn api(steps: impl IntoIterator<Item = Step>) -> Api {
    Api::start(Scenario::new([Voice::new("model", steps)]))
}

/// Options that lead to it.
pub fn options(kind: ApiDialect, api: &Api) -> ModelOptions {
    let base_url = match kind {
        ApiDialect::Anthropic => api.url(),
        ApiDialect::OpenAi => api.chat_url(),
    };
    leading_to(kind, base_url)
}

pub fn leading_to(kind: ApiDialect, base_url: String) -> ModelOptions {
    let (model, memory) = ("model-of-the-options".to_owned(), Memory::default());
    ModelOptions {
        kind,
        base_url,
        key: ApiKey::new(SECRET),
        model,
        max_tokens: 700,
        price: None,
        temperature: None,
        memory,
    }
}

pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["SELECT", "COMPLETE"]},
            "agent": {"type": "string"},
            "confidence": {"type": "integer", "minimum": 0, "maximum": 100}
        },
        "required": ["action", "confidence"]
    })
}

pub fn question() -> ModelCall {
    ModelCall {
        provider: Arc::from("api"),
        model: None,
        max_tokens: 300,
        temperature_milli: None,
        system: Arc::from("You decide who is next."),
        prompt: Arc::from("The plan has one step."),
        schema: Arc::new(schema()),
    }
}

/// Puts the question once to an API that does this.
pub async fn asked(kind: ApiDialect, step: Step) -> ModelReply {
    let api = api([step.forever()]);
    ask(&options(kind, &api), &question(), PATIENCE).await
}

/// A step whose message ends so.
pub fn ending(text: &str, stop_reason: &str) -> Step {
    let Act::Message(message) = Step::say(text).act else { panic!("a message") };
    Step::new(Act::Message(Message { stop_reason: Some(stop_reason.to_owned()), ..message }))
}

/// A step that refuses with these words.
pub fn refusing(status: u16, kind: Option<&str>, message: &str) -> Step {
    let (kind, message) = (kind.map(str::to_owned), Some(message.to_owned()));
    Step::new(Act::Refusal(Refusal { status, kind, message, headers: Vec::new() }))
}

pub fn said(answer: &ModelReply) -> (Option<Value>, String, bool) {
    match &answer.end {
        ReplyEnd::Said { output, text, cut } => (output.clone(), text.to_string(), *cut),
        end @ (ReplyEnd::Unavailable { .. } | ReplyEnd::Refused { .. }) => {
            panic!("it said nothing: {end:?}")
        }
    }
}
