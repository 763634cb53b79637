//! The lines between the house and an actor: one JSON object each, named by its `type`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the house tells an actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Told {
    /// Begin a turn, or go on with it, or say again how it ended.
    Deliver {
        /// Its number.
        turn: u32,
        /// Its name over all missions.
        key: String,
        /// What is said.
        text: String,
    },
    /// Hear this within the running turn.
    Steer {
        /// Its number.
        turn: u32,
        /// Its name over all missions.
        key: String,
        /// What is said.
        text: String,
    },
    /// Hear this after the next tool.
    Warn {
        /// How full the context is.
        percent: u8,
        /// What is said.
        text: String,
    },
    /// Whether a program that waits may run.
    Permit {
        /// The call's own id.
        call: String,
        /// It may.
        allowed: bool,
    },
    /// What the docket has to say to a call that waits.
    Reply {
        /// The call's own id.
        call: String,
        /// The answer.
        told: Value,
        /// It is a refusal.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
    },
    /// Stop the running turn.
    Interrupt {
        /// Which.
        turn: u32,
    },
    /// Leave. A closed input says the same.
    End,
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// By what is to be done about it.
    pub kind: FailKind,
    /// The words.
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
    /// However often it is asked, it is not answered.
    Refused,
}

/// What an actor reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Report {
    /// A delivered or steered text was heard.
    Heard {
        /// Which.
        turn: u32,
    },
    /// A tool began.
    ToolStarted {
        /// Its name.
        name: String,
        /// What it works on.
        detail: String,
    },
    /// It came back.
    ToolEnded {
        /// Whether it succeeded.
        ok: bool,
    },
    /// How full the context is.
    Gauge {
        /// Tokens in it.
        used: u64,
        /// Tokens it can hold.
        window: u64,
    },
    /// A warning was heard.
    Warned {
        /// Which.
        percent: u8,
    },
    /// The checklist is now this.
    Tasks {
        /// All of it.
        tasks: Vec<mind::session::Task>,
    },
    /// A little more of what it is saying. The whole comes with the turn's end.
    Live {
        /// The words.
        text: String,
    },
    /// What the turn took and cost.
    Spent {
        /// The name of this report: told again, it has the same.
        report: String,
        /// Tokens read.
        input: u64,
        /// Tokens written.
        output: u64,
        /// In millionths of a dollar.
        #[serde(default, skip_serializing_if = "is_zero")]
        cost_microusd: u64,
    },
    /// It is alive, and no more than that.
    Stirred,
    /// A program waits for a yes.
    Asks {
        /// The call's own id.
        call: String,
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// A tool of the docket is called, and waits for its answer.
    Pleads {
        /// The call's own id.
        call: String,
        /// The tool.
        tool: String,
        /// What it is given.
        #[serde(default)]
        given: Value,
    },
    /// It waits for a person, or no longer does.
    AwaitsHuman {
        /// Which of the two.
        waiting: bool,
    },
    /// The turn ended in an error.
    Failed {
        /// Which.
        turn: u32,
        /// Why.
        #[serde(flatten)]
        failed: Failed,
    },
    /// The turn is over.
    Rested {
        /// Which.
        turn: u32,
        /// It was stopped by an interrupt.
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
