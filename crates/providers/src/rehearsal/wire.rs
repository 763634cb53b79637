//! The lines between Arbiter and an actor: one JSON object each, named by its `type`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line from Arbiter to an actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Told {
    /// Begin a turn, continue it, or report its end again.
    Deliver {
        turn: u32,
        /// The key of the turn, unique over all missions.
        key: String,
        text: String,
    },
    /// Hear this interjection within the running turn.
    Steer {
        turn: u32,
        /// The key of the interjection, unique over all missions.
        key: String,
        text: String,
    },
    /// Hear this warning after the next tool.
    Warn {
        /// How full the context is.
        percent: u8,
        text: String,
    },
    /// Whether the program that waits for a permission may run.
    Permit { call: String, allowed: bool },
    /// The docket's answer to a call that waits.
    Reply {
        call: String,
        told: Value,
        /// Whether it is a refusal.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
    },
    /// Stop the running turn.
    Interrupt { turn: u32 },
    /// Leave. A closed input says the same.
    End,
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// By what is to be done about it.
    pub kind: FailKind,
    pub why: String,
    /// When a limit ends, in milliseconds since 1970, if it names a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailKind {
    /// Trying again helps.
    Transient,
    /// A rate or usage limit.
    Limit,
    /// Only a person can mend it.
    Login,
    /// The same request is refused again, however often it is made.
    Refused,
}

/// A line from an actor to Arbiter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Report {
    /// A delivered text or an interjection was heard.
    Heard { turn: u32 },
    /// A tool began.
    ToolStarted {
        name: String,
        /// What the tool works on.
        detail: String,
    },
    /// A tool came back.
    ToolEnded { ok: bool },
    /// How full the context is.
    Gauge {
        /// Tokens in the context.
        used: u64,
        /// Tokens that the context can hold.
        window: u64,
    },
    /// A warning was heard.
    Warned { percent: u8 },
    /// The whole checklist, after a change.
    Tasks { tasks: Vec<mind::session::Task> },
    /// A few more words of the answer. The whole comes with the turn's end.
    Live { text: String },
    /// The tokens and the cost of the turn.
    Spent {
        /// The name of this report: a repeated report has the same.
        report: String,
        input: u64,
        output: u64,
        /// In millionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        cost_microusd: u64,
    },
    /// A sign of life.
    Stirred,
    /// A program waits for a permission.
    Asks {
        call: String,
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// A call of a docket tool, which waits for its answer.
    Pleads {
        call: String,
        tool: String,
        #[serde(default)]
        given: Value,
    },
    /// The session waits for a person, or no longer does.
    AwaitsHuman { waiting: bool },
    /// The turn ended in an error.
    Failed {
        turn: u32,
        #[serde(flatten)]
        failed: Failed,
    },
    /// The turn is over.
    Rested {
        turn: u32,
        /// Whether an interrupt stopped it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        interrupted: bool,
        /// The typed output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<Value>,
        /// The plain words.
        #[serde(default)]
        text: String,
    },
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}
