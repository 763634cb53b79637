//! The scenario of the fake Claude Code, as YAML has it: its settings, and the outcome of each turn.
//!
//! ```yaml
//! manners: { stops: false }
//! turns:
//!   - when: build it
//!     does:
//!       - run: make
//!       - task: Mend the door
//!     says: { kind: progress, expects_response: false, message: Built. }
//! ```

use serde::Deserialize;
use serde_json::Value;

/// A whole scenario.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scenario {
    pub manners: Manners,
    /// Lines that are said right after `initialize` was answered.
    pub greets: Vec<String>,
    /// A message takes the first turn that it fits.
    pub turns: Vec<Turn>,
}

/// How it behaves. As it stands here it behaves as the real one does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manners {
    /// What becomes of `initialize`.
    pub initialize: Answer,
    /// It reads what it is told.
    pub reads: bool,
    /// It begins a turn for a message that it has acknowledged.
    pub begins: bool,
    /// It stops when it is interrupted.
    pub stops: bool,
    /// It leaves when its input is closed, or at SIGTERM.
    pub leaves: bool,
    /// Every new session's id is taken already.
    pub in_use: bool,
    /// No session is known, whatever was said to it.
    pub forgets: bool,
    /// It exits with code 1 after so many turns.
    pub turns_max: Option<u32>,
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It is answered.
    Given,
    /// It is refused.
    Refused,
    Withheld,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Turn {
    /// The message has this in it.
    pub when: String,
    pub does: Vec<Step>,
    /// The typed output; without it the turn ends in plain words.
    pub says: Option<Value>,
    /// Tokens of the last request.
    pub used: u64,
    /// What the turn costs.
    pub cost_usd: f64,
    /// The line that ends the turn, if not the usual one.
    pub ends: Option<Value>,
}

/// One step of a turn.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The tool Bash, with its hooks; the command is really run.
    Run(String),
    /// The same, but the host is asked by `can_use_tool`.
    Ask(String),
    /// The tool TaskCreate.
    Task(String),
    /// A tool of the host's own server.
    Call(Call),
    /// Time passes, in milliseconds.
    Pause(u64),
    /// A line, whatever it is.
    Line(String),
    /// The same line many times.
    Flood(Flood),
    /// A message of so many bytes.
    Long(usize),
    /// Lines on stderr, so many.
    Complain(u32),
    /// Half a result; then it exits with this code.
    Break(i32),
    /// It exits at once with this code.
    Exit(i32),
    /// It becomes a shell that runs this, on the same pipes.
    Become(String),
    /// A child in a session of its own that holds our pipes and lives for long; its number goes into this file.
    Daemon(String),
}

/// A call of one of the host's tools.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub tool: String,
    #[serde(default)]
    pub arguments: Value,
}

/// A line many times.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flood {
    pub lines: u32,
    pub line: String,
}

impl Scenario {
    /// Reads the scenario that the environment names.
    pub fn load(path: &str) -> Result<Scenario, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        serde_saphyr::from_str(&text).map_err(|error| format!("{path}: {error}"))
    }

    /// What is done for a message.
    pub fn turn(&self, text: &str) -> Turn {
        self.turns.iter().find(|turn| text.contains(&turn.when)).cloned().unwrap_or_default()
    }
}

impl Default for Manners {
    fn default() -> Manners {
        Manners {
            initialize: Answer::Given,
            reads: true,
            begins: true,
            stops: true,
            leaves: true,
            in_use: false,
            forgets: false,
            turns_max: None,
        }
    }
}
