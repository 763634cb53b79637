//! A scenario of the scripted API: voices, their steps, and how a step can go wrong. Plain data, made in Rust or read
//! from YAML (`raw`); `cast` chooses the step for a request.

use serde::Deserialize;
use serde_json::Value;

pub use super::raw::ScenarioError;

/// Everything that the scripted API answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// A request belongs to the first of these that it fits.
    pub voices: Vec<Voice>,
    /// The answer to a request that no voice has a step for.
    pub off_script: OffScript,
    /// Goes into the ids of messages and tools. Give another one to an API that goes on with a session of an earlier
    /// API, so that no id stands twice in one conversation.
    pub ids: String,
}

/// The answer to a request that no voice has a step for. The request is logged in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OffScript {
    /// A plain message that says so, and the turn ends.
    #[default]
    Say,
    /// Status 500, which `claude` tries again.
    Error,
}

/// A voice: which requests it answers, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Voice {
    /// How the log calls it.
    pub name: String,
    /// The system prompt has this in it.
    pub system_contains: Option<String>,
    /// Whether a subagent asks.
    pub agent: Option<bool>,
    /// The first message of the conversation has this in it.
    pub prompt_contains: Option<String>,
    /// Of the sessions that fit all of the above, the nth to be heard, counted from 1.
    pub nth: Option<usize>,
    /// A request takes the first step that is not used up and whose `when` fits.
    pub steps: Vec<Step>,
}

/// A voice's answer to one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What came since the last answer, tool results included, has this in it.
    pub when: Option<String>,
    /// How many requests it serves.
    pub times: Times,
    /// Time before the first byte.
    pub delay_ms: u64,
    /// What is answered.
    pub act: Act,
}

/// How often a step serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// So many requests.
    Count(u32),
    /// Every request that gets to it.
    Forever,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A message, perhaps not to its end.
    Message(Message),
    /// An error with its status.
    Refusal(Refusal),
    /// Status 200 with something that is no message.
    Malformed(Malformed),
    /// No answer at all, until the client goes.
    Hang,
}

/// A message of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Message {
    pub blocks: Vec<Block>,
    /// What it costs.
    pub usage: Usage,
    /// Why it ends; without it `tool_use` or `end_turn`, as the blocks have it.
    pub stop_reason: Option<String>,
    /// How many deltas a block is sent in; 0 counts as 1.
    pub chunks: usize,
    /// Time between two deltas.
    pub chunk_delay_ms: u64,
    /// Where the answer breaks off.
    pub cut: Option<Cut>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Text(String),
    Thinking(String),
    /// A tool and its input.
    Tool {
        /// The tool's name.
        name: String,
        /// Its input. A text `{heard:NAME}` stands for what a tool said last in its JSON under that name.
        input: Value,
    },
    /// A tool whose input is written as it stands here, JSON or not. Without streaming it has to be JSON: else null.
    RawTool {
        /// The tool's name.
        name: String,
        /// What is sent for its input.
        text: String,
    },
}

/// Tokens, as the API counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Tokens that were not in the cache.
    pub input: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache.
    pub cache_creation: u64,
    pub output: u64,
}

/// An answer that breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    pub place: Place,
    /// And then what.
    pub how: How,
}

/// Where an answer breaks off. Blocks are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before the first byte.
    BeforeStart,
    /// After this block is complete.
    AfterBlock(usize),
    /// In the middle of this block.
    MidBlock(usize),
}

/// How an answer breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The connection is reset.
    #[default]
    Reset,
    /// The body ends as if it were whole; before the start, the connection is closed without a word.
    Close,
    /// Nothing more comes, and the connection stays.
    Silence,
    /// An `overloaded_error` event in the stream.
    Overloaded,
}

/// Something that is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Malformed {
    /// An event, or a body, that is not JSON.
    BadJson,
    /// A page, as of a proxy.
    Html,
    Empty,
}

/// An error of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub status: u16,
    /// The error's type; without it the one that goes with the status.
    pub kind: Option<String>,
    pub message: Option<String>,
    /// Headers, such as `retry-after`.
    pub headers: Vec<(String, String)>,
}

impl Scenario {
    /// A scenario of these voices.
    pub fn new(voices: impl IntoIterator<Item = Voice>) -> Scenario {
        let voices = voices.into_iter().collect();
        Scenario { voices, off_script: OffScript::default(), ids: "sim".to_owned() }
    }

    /// Reads a scenario from YAML.
    pub fn from_yaml(text: &str) -> Result<Scenario, ScenarioError> {
        super::raw::read(text)
    }
}

impl Voice {
    /// A voice that answers every request; its fields narrow that down.
    pub fn new(name: impl Into<String>, steps: impl IntoIterator<Item = Step>) -> Voice {
        Voice { name: name.into(), steps: steps.into_iter().collect(), ..Voice::default() }
    }

    /// Only where the system prompt has `text` in it.
    #[must_use]
    pub fn system_contains(self, text: impl Into<String>) -> Voice {
        Voice { system_contains: Some(text.into()), ..self }
    }

    /// Only where the first message has `text` in it.
    #[must_use]
    pub fn prompt_contains(self, text: impl Into<String>) -> Voice {
        Voice { prompt_contains: Some(text.into()), ..self }
    }

    /// Only subagents, or only sessions themselves.
    #[must_use]
    pub fn agent(self, agent: bool) -> Voice {
        Voice { agent: Some(agent), ..self }
    }

    /// Only the nth session that fits, counted from 1.
    #[must_use]
    pub fn nth(self, nth: usize) -> Voice {
        Voice { nth: Some(nth), ..self }
    }
}

impl Step {
    /// A step that does `act` once, at once, whatever came.
    pub fn new(act: Act) -> Step {
        Step { when: None, times: Times::Count(1), delay_ms: 0, act }
    }

    /// Says a text.
    pub fn say(text: impl Into<String>) -> Step {
        Step::message([Block::Text(text.into())])
    }

    /// Calls a tool.
    pub fn tool(name: impl Into<String>, input: Value) -> Step {
        Step::message([Block::Tool { name: name.into(), input }])
    }

    /// Says several blocks.
    pub fn message(blocks: impl IntoIterator<Item = Block>) -> Step {
        Step::new(Act::Message(Message { blocks: blocks.into_iter().collect(), ..Message::default() }))
    }

    /// Refuses with a status.
    pub fn status(status: u16) -> Step {
        Step::new(Act::Refusal(Refusal { status, kind: None, message: None, headers: Vec::new() }))
    }

    /// Only when what came last has `text` in it.
    #[must_use]
    pub fn when(self, text: impl Into<String>) -> Step {
        Step { when: Some(text.into()), ..self }
    }

    /// Serves so many requests.
    #[must_use]
    pub fn times(self, count: u32) -> Step {
        Step { times: Times::Count(count), ..self }
    }

    /// Serves every request that gets to it.
    #[must_use]
    pub fn forever(self) -> Step {
        Step { times: Times::Forever, ..self }
    }

    /// Waits before the first byte.
    #[must_use]
    pub fn delay_ms(self, delay_ms: u64) -> Step {
        Step { delay_ms, ..self }
    }

    /// Costs this; of a message only.
    #[must_use]
    pub fn usage(self, usage: Usage) -> Step {
        self.with_message(|message| message.usage = usage)
    }

    /// Breaks off; of a message only.
    #[must_use]
    pub fn cut(self, place: Place, how: How) -> Step {
        self.with_message(|message| message.cut = Some(Cut { place, how }))
    }

    /// Comes in so many deltas, with a time between them; of a message only.
    #[must_use]
    pub fn chunks(self, chunks: usize, chunk_delay_ms: u64) -> Step {
        self.with_message(|message| {
            message.chunks = chunks;
            message.chunk_delay_ms = chunk_delay_ms;
        })
    }

    /// Sends a header; of a refusal only.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Step {
        match &mut self.act {
            Act::Refusal(refusal) => refusal.headers.push((name.into(), value.into())),
            act @ (Act::Message(_) | Act::Malformed(_) | Act::Hang) => panic!("{act:?} has no headers"),
        }
        self
    }

    fn with_message(mut self, change: impl FnOnce(&mut Message)) -> Step {
        match &mut self.act {
            Act::Message(message) => change(message),
            act @ (Act::Refusal(_) | Act::Malformed(_) | Act::Hang) => panic!("{act:?} is no message"),
        }
        self
    }
}

impl Default for Usage {
    fn default() -> Usage {
        Usage { input: 100, cache_read: 0, cache_creation: 0, output: 10 }
    }
}
