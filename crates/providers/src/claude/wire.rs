//! What Claude Code says and is told, one JSON object per line. Only what we use is read; everything else in a message
//! we know is passed over, and a message we do not know is kept in the logbook and ignored: the set grows.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

/// A line from the process.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    /// News of the process itself.
    System(System),
    /// One block of the model's answer.
    Assistant(Assistant),
    /// What the model is told: tool results, and our own messages acknowledged.
    User(User),
    /// A turn is over.
    Result(Box<TurnResult>),
    /// The answer while it streams.
    StreamEvent(StreamEvent),
    /// The process asks us.
    ControlRequest(ControlRequest),
    /// An answer to what we asked, or our own answer echoed.
    ControlResponse(ControlResponse),
    /// What it asked is no longer wanted.
    ControlCancelRequest {
        /// Which.
        #[serde(default)]
        request_id: String,
    },
    /// Nothing.
    KeepAlive {},
}

/// News of the process itself.
#[derive(Debug, Clone, Deserialize)]
pub struct System {
    /// What kind.
    pub subtype: String,
    /// At a turn's start: the model.
    #[serde(default)]
    pub model: Option<String>,
    /// A request to the API failed and is made again: which try this is.
    #[serde(default)]
    pub attempt: Option<u32>,
    /// When it is made again.
    #[serde(default)]
    pub retry_delay_ms: Option<f64>,
    /// What failed.
    #[serde(default)]
    pub error: Option<String>,
    /// The status of the API's answer.
    #[serde(default)]
    pub error_status: Option<u16>,
}

/// One block of the model's answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Assistant {
    /// The answer, with this one block.
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
    /// Its blocks.
    #[serde(default)]
    pub content: Vec<Block>,
    /// What it took, as far as is known when the answer begins.
    #[serde(default)]
    pub usage: Option<Usage>,
}

/// A part of a message.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// A tool is called.
    ToolUse {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
        /// What it is given.
        #[serde(default)]
        input: Value,
    },
    /// Anything else.
    #[serde(other)]
    Other,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct Usage {
    /// Not from the cache.
    #[serde(default, deserialize_with = "if_known")]
    pub input_tokens: u64,
    /// Written to the cache.
    #[serde(default, deserialize_with = "if_known")]
    pub cache_creation_input_tokens: u64,
    /// Read from the cache.
    #[serde(default, deserialize_with = "if_known")]
    pub cache_read_input_tokens: u64,
    /// Of the answer; only the last count of a stream is real.
    #[serde(default, deserialize_with = "if_known")]
    pub output_tokens: u64,
}

impl Usage {
    /// How large the request was.
    pub fn request(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_creation_input_tokens)
            .saturating_add(self.cache_read_input_tokens)
    }
}

/// What the model is told.
#[derive(Debug, Clone, Deserialize)]
pub struct User {
    /// The message.
    pub message: UserMessage,
    /// Its id; ours, where we sent it.
    #[serde(default)]
    pub uuid: Option<String>,
    /// It acknowledges a message of ours.
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

/// A tool came back.
#[derive(Debug, Clone, Copy)]
pub struct ToolResult<'a> {
    /// Which call.
    pub call: &'a str,
    /// It failed or was denied.
    pub failed: bool,
    /// What the model is told.
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

/// A turn is over. Whether it succeeded is said by `is_error` alone.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TurnResult {
    /// The kind of end.
    #[serde(default)]
    pub subtype: String,
    /// It failed, or was interrupted.
    #[serde(default)]
    pub is_error: bool,
    /// The model's last words, or the error's.
    #[serde(default)]
    pub result: Option<String>,
    /// The typed output, if there was one.
    #[serde(default)]
    pub structured_output: Option<Value>,
    /// What the API answered, if that ended the turn.
    #[serde(default, deserialize_with = "if_known")]
    pub api_error_status: Option<u16>,
    /// Why the model stopped.
    #[serde(default, deserialize_with = "if_known")]
    pub stop_reason: Option<String>,
    /// Why the turn ended.
    #[serde(default, deserialize_with = "if_known")]
    pub terminal_reason: Option<String>,
    /// What the process has cost so far, subagents included.
    #[serde(default, deserialize_with = "if_known")]
    pub total_cost_usd: f64,
    /// What the turn took on the main thread, over all its requests.
    #[serde(default, deserialize_with = "if_known")]
    pub usage: Usage,
    /// The line's own name.
    #[serde(default, deserialize_with = "if_known")]
    pub uuid: Option<String>,
    /// What each model has taken so far.
    #[serde(default, rename = "modelUsage", deserialize_with = "if_known")]
    pub model_usage: BTreeMap<String, ModelUsage>,
    /// Errors that kept the turn from beginning.
    #[serde(default, deserialize_with = "if_known")]
    pub errors: Vec<String>,
    /// Set on a turn that nobody asked for.
    #[serde(default)]
    pub origin: Option<Value>,
}

/// A field that a turn can do without: in a form that we do not know it counts as absent, and the turn ends all the same.
fn if_known<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(field: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(field)?).unwrap_or_default())
}

/// What one model has taken.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ModelUsage {
    /// Read, and not from the cache.
    #[serde(default, rename = "inputTokens", deserialize_with = "if_known")]
    pub input_tokens: u64,
    /// Written.
    #[serde(default, rename = "outputTokens", deserialize_with = "if_known")]
    pub output_tokens: u64,
    /// Read from the cache.
    #[serde(default, rename = "cacheReadInputTokens", deserialize_with = "if_known")]
    pub cache_read_input_tokens: u64,
    /// Written to the cache.
    #[serde(default, rename = "cacheCreationInputTokens", deserialize_with = "if_known")]
    pub cache_creation_input_tokens: u64,
    /// Its window.
    #[serde(default, rename = "contextWindow")]
    pub context_window: Option<u64>,
}

/// A piece of a streamed answer.
#[derive(Debug, Clone, Deserialize)]
pub struct StreamEvent {
    /// The piece.
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
    ContentBlockStart {
        /// Which kind of part.
        content_block: Opened,
    },
    /// It goes on.
    ContentBlockDelta {
        /// What is new of it.
        delta: Delta,
    },
    /// It is complete.
    ContentBlockStop {},
    /// The answer ends, with its real count of tokens.
    MessageDelta {
        /// The whole request's usage.
        #[serde(default)]
        usage: Option<Usage>,
        /// Why it ends.
        #[serde(default, deserialize_with = "if_known")]
        delta: Ending,
    },
    /// Anything else.
    #[serde(other)]
    Other,
}

/// Why an answer ends.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Ending {
    /// In the API's own word.
    #[serde(default)]
    pub stop_reason: Option<String>,
}

/// A part of an answer that begins.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Opened {
    /// Words.
    Text {},
    /// A tool is called.
    ToolUse {
        /// The tool.
        #[serde(default)]
        name: String,
    },
    /// Anything else.
    #[serde(other)]
    Other,
}

/// What is new of a part of an answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Delta {
    /// Words.
    TextDelta {
        /// A few of them.
        #[serde(default)]
        text: String,
    },
    /// What a tool is given.
    InputJsonDelta {
        /// A piece of it, cut anywhere.
        #[serde(default)]
        partial_json: String,
    },
    /// Anything else.
    #[serde(other)]
    Other,
}

/// An answer that begins.
#[derive(Debug, Clone, Deserialize)]
pub struct Started {
    /// What the request took.
    #[serde(default)]
    pub usage: Option<Usage>,
}

/// The process asks us.
#[derive(Debug, Clone, Deserialize)]
pub struct ControlRequest {
    /// The answer must carry it.
    pub request_id: String,
    /// What it asks.
    pub request: Asked,
}

/// What the process asks.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "subtype", rename_all = "snake_case")]
pub enum Asked {
    /// One of our hooks is due.
    HookCallback {
        /// Which.
        callback_id: String,
        /// What it is about.
        input: HookInput,
    },
    /// May this tool run?
    CanUseTool {
        /// The tool.
        tool_name: String,
        /// Set in a subagent.
        #[serde(default)]
        agent_id: Option<String>,
        /// What it is given.
        #[serde(default)]
        input: Value,
    },
    /// A message for an MCP server that we host.
    McpMessage {
        /// Which server.
        server_name: String,
        /// A JSON-RPC message.
        message: Value,
    },
    /// Anything else.
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
    /// Before a tool: which.
    #[serde(default)]
    pub tool_name: Option<String>,
    /// Before a tool: what it is given.
    #[serde(default)]
    pub tool_input: Value,
    /// After a batch of tools: which.
    #[serde(default, deserialize_with = "if_known")]
    pub tool_calls: Vec<BatchCall>,
}

/// One tool of a batch that has come back.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchCall {
    /// The tool.
    #[serde(default)]
    pub tool_name: String,
}

/// An answer to what we asked, or our own answer echoed.
#[derive(Debug, Clone, Deserialize)]
pub struct ControlResponse {
    /// The answer.
    pub response: Response,
}

/// An answer.
#[derive(Debug, Clone, Deserialize)]
pub struct Response {
    /// `success` or `error`.
    #[serde(default)]
    pub subtype: String,
    /// To which request.
    #[serde(default)]
    pub request_id: String,
    /// What went wrong.
    #[serde(default)]
    pub error: Option<String>,
}

/// The line that gives a message to the model. A text that begins like a command would be taken for one, and reach
/// nobody.
pub fn message(uuid: &str, text: &str) -> String {
    let text = if text.starts_with('/') { format!("\n{text}") } else { text.to_owned() };
    let content = json!({"role": "user", "content": text});
    let line = json!({"type": "user", "message": content, "parent_tool_use_id": null, "session_id": "", "uuid": uuid});
    line.to_string()
}

/// The line that asks the process for something.
pub fn request(id: &str, request: &impl Serialize) -> String {
    json!({"type": "control_request", "request_id": id, "request": request}).to_string()
}

/// The line that answers what the process asked.
pub fn answer(request_id: &str, response: &Value) -> String {
    let inner = json!({"subtype": "success", "request_id": request_id, "response": response});
    json!({"type": "control_response", "response": inner}).to_string()
}

/// The line that says that we cannot answer.
pub fn refuse(request_id: &str, why: &str) -> String {
    let inner = json!({"subtype": "error", "request_id": request_id, "error": why});
    json!({"type": "control_response", "response": inner}).to_string()
}
