//! The lines that Claude Code writes and reads, one JSON object each. Only the fields that Arbiter uses are read; an
//! unknown message is written to the logbook and ignored, because the set grows.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

/// A line from the process.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    /// A message about the process itself.
    System(System),
    /// One block of the model's answer.
    Assistant(Assistant),
    /// A message to the model: tool results, and our own messages acknowledged.
    User(User),
    /// A turn is over.
    Result(Box<TurnResult>),
    /// The answer while it streams.
    StreamEvent(StreamEvent),
    /// A request of the process to us.
    ControlRequest(ControlRequest),
    /// An answer to our request, or our own answer echoed.
    ControlResponse(ControlResponse),
    /// The process cancels its request.
    ControlCancelRequest {
        #[serde(default)]
        request_id: String,
    },
    KeepAlive {},
    /// What became of a message of ours in its queue; `acknowledged` and `result` say it better.
    CommandLifecycle {},
}

/// A message about the process itself.
#[derive(Debug, Clone, Deserialize)]
pub struct System {
    pub subtype: String,
    /// At a turn's start: the model.
    #[serde(default)]
    pub model: Option<String>,
    /// At a turn's start: the version of the program.
    #[serde(default)]
    pub claude_code_version: Option<String>,
    /// A request to the API failed and is made again: the number of the try.
    #[serde(default)]
    pub attempt: Option<u32>,
    /// The time until the next try, in milliseconds.
    #[serde(default)]
    pub retry_delay_ms: Option<f64>,
    #[serde(default)]
    pub error: Option<String>,
    /// The HTTP status of the API's answer.
    #[serde(default)]
    pub error_status: Option<u16>,
}

/// One block of the model's answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Assistant {
    pub message: AssistantMessage,
    /// Set in a subagent: the call it works for.
    #[serde(default)]
    pub parent_tool_use_id: Option<String>,
    /// Set on a message that the process made up because of an error.
    #[serde(default)]
    pub error: Option<String>,
}

/// An answer of the model.
#[derive(Debug, Clone, Deserialize)]
pub struct AssistantMessage {
    /// The answer's own id: each of its blocks comes with it.
    #[serde(default, deserialize_with = "if_known")]
    pub id: Option<String>,
    #[serde(default)]
    pub content: Vec<Block>,
    /// The tokens, as far as they are known when the answer begins.
    #[serde(default)]
    pub usage: Option<Usage>,
}

/// A part of a message.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// A tool call.
    ToolUse {
        /// The call's id.
        id: String,
        name: String,
        #[serde(default)]
        input: Value,
    },
    /// A kind of block that Arbiter does not read.
    #[serde(other)]
    Other,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct Usage {
    /// Tokens that were not in the cache.
    #[serde(default, deserialize_with = "if_known")]
    pub input_tokens: u64,
    /// Tokens written to the cache.
    #[serde(default, deserialize_with = "if_known")]
    pub cache_creation_input_tokens: u64,
    /// Tokens read from the cache.
    #[serde(default, deserialize_with = "if_known")]
    pub cache_read_input_tokens: u64,
    /// Tokens of the answer; only the last count of a stream is real.
    #[serde(default, deserialize_with = "if_known")]
    pub output_tokens: u64,
}

impl Usage {
    /// The size of the request.
    pub fn request(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_creation_input_tokens)
            .saturating_add(self.cache_read_input_tokens)
    }
}

/// A message to the model.
#[derive(Debug, Clone, Deserialize)]
pub struct User {
    pub message: UserMessage,
    /// Ours, where we sent the message.
    #[serde(default)]
    pub uuid: Option<String>,
    /// Whether it acknowledges a message of ours.
    #[serde(default, rename = "isReplay")]
    pub is_replay: bool,
    /// Set in a subagent: the call it works for.
    #[serde(default)]
    pub parent_tool_use_id: Option<String>,
    /// A tool's result in the tool's own form.
    #[serde(default)]
    pub tool_use_result: Option<Value>,
}

/// A message to the model.
#[derive(Debug, Clone, Deserialize)]
pub struct UserMessage {
    /// A text or a list of blocks.
    #[serde(default)]
    pub content: Value,
}

impl UserMessage {
    /// The tool results in it.
    pub fn tool_results(&self) -> impl Iterator<Item = ToolResult<'_>> {
        let blocks = self.content.as_array().into_iter().flatten();
        let results = blocks.filter(|block| block["type"] == "tool_result");
        results.filter_map(|block| {
            let call = block["tool_use_id"].as_str()?;
            let failed = block["is_error"].as_bool().unwrap_or(false);
            Some(ToolResult { call, failed, content: &block["content"] })
        })
    }
}

/// A tool's result.
#[derive(Debug, Clone, Copy)]
pub struct ToolResult<'a> {
    pub call: &'a str,
    /// Whether the call failed or was denied.
    pub failed: bool,
    /// The text for the model.
    pub content: &'a Value,
}

/// The words of a message's content, which is a text or a list of blocks.
pub fn text_of(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let blocks = content.as_array().into_iter().flatten();
    let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

/// A turn is over. Only `is_error` says whether it succeeded.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TurnResult {
    #[serde(default)]
    pub subtype: String,
    /// Whether the turn failed or was interrupted.
    #[serde(default)]
    pub is_error: bool,
    /// The model's last words, or the text of the error.
    #[serde(default)]
    pub result: Option<String>,
    /// The typed output, if there was one.
    #[serde(default)]
    pub structured_output: Option<Value>,
    /// The HTTP status of the API, if that ended the turn.
    #[serde(default, deserialize_with = "if_known")]
    pub api_error_status: Option<u16>,
    #[serde(default, deserialize_with = "if_known")]
    pub stop_reason: Option<String>,
    #[serde(default, deserialize_with = "if_known")]
    pub terminal_reason: Option<String>,
    /// The cost of the process so far, subagents included.
    #[serde(default, deserialize_with = "if_known")]
    pub total_cost_usd: f64,
    /// The tokens of the turn on the main thread, over all its requests.
    #[serde(default, deserialize_with = "if_known")]
    pub usage: Usage,
    /// The unique name of this line.
    #[serde(default, deserialize_with = "if_known")]
    pub uuid: Option<String>,
    /// The tokens of each model so far.
    #[serde(default, rename = "modelUsage", deserialize_with = "if_known")]
    pub model_usage: BTreeMap<String, ModelUsage>,
    /// Errors that kept the turn from beginning.
    #[serde(default, deserialize_with = "if_known")]
    pub errors: Vec<String>,
    /// Set on a turn that neither a person nor Arbiter began.
    #[serde(default)]
    pub origin: Option<Value>,
}

/// A field that a turn can do without: in an unknown form it counts as absent, and the turn ends all the same.
fn if_known<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(field: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(field)?).unwrap_or_default())
}

/// The tokens of one model.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ModelUsage {
    /// Tokens read, and not from the cache.
    #[serde(default, rename = "inputTokens", deserialize_with = "if_known")]
    pub input_tokens: u64,
    #[serde(default, rename = "outputTokens", deserialize_with = "if_known")]
    pub output_tokens: u64,
    /// Tokens read from the cache.
    #[serde(default, rename = "cacheReadInputTokens", deserialize_with = "if_known")]
    pub cache_read_input_tokens: u64,
    /// Tokens written to the cache.
    #[serde(default, rename = "cacheCreationInputTokens", deserialize_with = "if_known")]
    pub cache_creation_input_tokens: u64,
    #[serde(default, rename = "contextWindow")]
    pub context_window: Option<u64>,
}

/// A piece of a streamed answer.
#[derive(Debug, Clone, Deserialize)]
pub struct StreamEvent {
    pub event: Stream,
    /// Set in a subagent: the call it works for.
    #[serde(default)]
    pub parent_tool_use_id: Option<String>,
}

/// A piece of a streamed answer, as the API sends it.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Stream {
    /// The answer begins, with the size of the request.
    MessageStart {
        /// The answer so far.
        message: Started,
    },
    /// A part of it begins.
    ContentBlockStart { content_block: BlockStart },
    /// A part of the answer goes on.
    ContentBlockDelta { delta: Delta },
    /// A part of the answer is complete.
    ContentBlockStop {},
    /// The answer ends, with its real count of tokens.
    MessageDelta {
        /// The usage of the whole request.
        #[serde(default)]
        usage: Option<Usage>,
        #[serde(default, deserialize_with = "if_known")]
        delta: StopReason,
    },
    /// A kind of event that Arbiter does not read.
    #[serde(other)]
    Other,
}

/// Why an answer ends.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct StopReason {
    /// In the API's own word.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

/// A part of an answer that begins.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BlockStart {
    Text {},
    /// A tool is called.
    ToolUse {
        #[serde(default)]
        name: String,
    },
    /// A kind of part that Arbiter does not read.
    #[serde(other)]
    Other,
}

/// The new piece of a part of an answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delta {
    TextDelta {
        #[serde(default)]
        text: String,
    },
    /// A piece of a tool's input.
    InputJsonDelta {
        /// JSON that may be cut anywhere.
        #[serde(default)]
        partial_json: String,
    },
    /// A kind of piece that Arbiter does not read.
    #[serde(other)]
    Other,
}

/// An answer that begins.
#[derive(Debug, Clone, Deserialize)]
pub struct Started {
    /// The model that answers, by the API's own name for it.
    #[serde(default, deserialize_with = "if_known")]
    pub model: Option<String>,
    #[serde(default)]
    pub usage: Option<Usage>,
}

/// A request of the process to us.
#[derive(Debug, Clone, Deserialize)]
pub struct ControlRequest {
    /// The answer must carry this id.
    pub request_id: String,
    pub request: ControlQuestion,
}

/// What a request asks for.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "subtype", rename_all = "snake_case")]
pub enum ControlQuestion {
    /// One of our hooks is due.
    HookCallback { callback_id: String, input: HookInput },
    /// A tool needs a permission.
    CanUseTool {
        tool_name: String,
        /// Set in a subagent.
        #[serde(default)]
        agent_id: Option<String>,
        /// The call's own id, as in the hook before it.
        #[serde(default, deserialize_with = "if_known")]
        tool_use_id: Option<String>,
        #[serde(default)]
        input: Value,
    },
    /// A message for an MCP server that we host.
    McpMessage {
        server_name: String,
        /// A JSON-RPC message.
        message: Value,
    },
    /// A request that Arbiter does not know.
    #[serde(other)]
    Other,
}

/// What a hook is about.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct HookInput {
    /// The kind of hook.
    #[serde(default)]
    pub hook_event_name: String,
    /// Set in a subagent.
    #[serde(default)]
    pub agent_id: Option<String>,
    /// The tool, in a hook before a tool.
    #[serde(default)]
    pub tool_name: Option<String>,
    /// The call's own id, in a hook before a tool.
    #[serde(default, deserialize_with = "if_known")]
    pub tool_use_id: Option<String>,
    /// The tool's input, in a hook before a tool.
    #[serde(default)]
    pub tool_input: Value,
    /// The tools, in a hook after a batch of tools.
    #[serde(default, deserialize_with = "if_known")]
    pub tool_calls: Vec<BatchCall>,
}

/// One tool of a batch that has come back.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchCall {
    #[serde(default)]
    pub tool_name: String,
}

/// An answer to our request, or our own answer echoed.
#[derive(Debug, Clone, Deserialize)]
pub struct ControlResponse {
    pub response: Response,
}

/// The content of an answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Response {
    /// `success` or `error`.
    #[serde(default)]
    pub subtype: String,
    /// The id of the request that it answers.
    #[serde(default)]
    pub request_id: String,
    #[serde(default)]
    pub error: Option<String>,
    #[serde(default, deserialize_with = "if_known")]
    pub response: ControlAnswer,
}

/// What a request was answered with, as far as Arbiter reads it.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ControlAnswer {
    /// The size of the model's window.
    #[serde(default, rename = "maxTokens", deserialize_with = "if_known")]
    pub max_tokens: Option<u64>,
    /// The usage of the process so far.
    #[serde(default, deserialize_with = "if_known")]
    pub session: Option<SessionTotals>,
}

/// The usage of a process so far, subagents included.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct SessionTotals {
    #[serde(default, deserialize_with = "if_known")]
    pub total_cost_usd: f64,
    /// The tokens of each model so far.
    #[serde(default, deserialize_with = "if_known")]
    pub model_usage: BTreeMap<String, ModelUsage>,
}

/// The line that gives a message to the model. The program would take a text that begins like one of its commands for
/// that command, and the model would never get it.
pub fn message(uuid: &str, text: &str) -> String {
    let text = if text.starts_with('/') { format!("\n{text}") } else { text.to_owned() };
    let content = json!({"role": "user", "content": text});
    let line = json!({"type": "user", "message": content, "parent_tool_use_id": null, "session_id": "", "uuid": uuid});
    line.to_string()
}

/// The line that sends the process a request.
pub fn request(id: &str, request: &impl Serialize) -> String {
    json!({"type": "control_request", "request_id": id, "request": request}).to_string()
}

/// The line that answers a request of the process.
pub fn answer(request_id: &str, response: &Value) -> String {
    let inner = json!({"subtype": "success", "request_id": request_id, "response": response});
    json!({"type": "control_response", "response": inner}).to_string()
}

/// The line that refuses a request of the process.
pub fn refuse(request_id: &str, why: &str) -> String {
    let inner = json!({"subtype": "error", "request_id": request_id, "error": why});
    json!({"type": "control_response", "response": inner}).to_string()
}
