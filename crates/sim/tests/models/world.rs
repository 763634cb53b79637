//! A scripted API, options that lead to it, and a question.

use std::sync::Arc;
use std::time::Duration;

use mind::conductor::record::{Answer, AnswerEnd, Question};
use providers::api::{Key, Kind, Memory, Options, ask};
use serde_json::{Value, json};
use sim::api::{Act, Api, Message, Refusal, Scenario, Step, Voice};

/// How long anything may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// Both dialects.
pub const KINDS: [Kind; 2] = [Kind::Anthropic, Kind::OpenAi];
/// A key that must be seen in one header and nowhere else.
pub const SECRET: &str = "sk-test-4f2a9c";

/// An API that answers so, whoever asks.
pub fn api(steps: impl IntoIterator<Item = Step>) -> Api {
    Api::start(Scenario::new([Voice::new("model", steps)]))
}

/// Options that lead to it.
pub fn options(kind: Kind, api: &Api) -> Options {
    let base_url = match kind {
        Kind::Anthropic => api.url(),
        Kind::OpenAi => api.chat_url(),
    };
    leading_to(kind, base_url)
}

pub fn leading_to(kind: Kind, base_url: String) -> Options {
    let (model, memory) = ("model-of-the-options".to_owned(), Memory::default());
    Options { kind, base_url, key: Key::new(SECRET), model, max_tokens: 700, temperature: None, memory }
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

pub fn question() -> Question {
    Question {
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
pub async fn asked(kind: Kind, step: Step) -> Answer {
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

pub fn said(answer: &Answer) -> (Option<Value>, String, bool) {
    match &answer.end {
        AnswerEnd::Said { output, text, cut } => (output.clone(), text.to_string(), *cut),
        end @ (AnswerEnd::Unavailable { .. } | AnswerEnd::Refused { .. }) => {
            panic!("it said nothing: {end:?}")
        }
    }
}
