//! What an agent's run ends in: a typed answer. Its schema is the agent's own and ours; reading it names every fault.

use std::sync::Arc;

use serde_json::{Value, json};

use super::agent::Agent;
use super::memory::Note;

/// What an agent answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentAnswer {
    /// It did what it was asked.
    pub success: bool,
    /// What it did.
    pub summary: Arc<str>,
    /// What stood in the way.
    pub failure: Option<Arc<str>>,
    /// Its verdict.
    pub verdict: Option<Arc<str>>,
    /// What it found wrong.
    pub issues: Vec<Arc<str>>,
    /// What later missions should know.
    pub notes: Vec<Note>,
}

/// What an agent's turn must end in.
pub fn schema(_agent: &Agent) -> Value {
    json!({"type": "object"})
}

/// Reads an agent's answer.
pub fn read(_agent: &Agent, _output: Option<&Value>, _text: &str) -> Result<AgentAnswer, Vec<String>> {
    Ok(AgentAnswer::default())
}
