//! The agents that a selection can choose from, and how each did so far.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::conductor::agent::Agent;
use crate::conductor::state::{AgentTrackRecord, ConductorState};
use crate::id::Timestamp;

/// What an agent is said to be for, if its file does not say.
pub const UNDESCRIBED: &str = "No description";
/// Every tool that its provider offers.
pub const EVERY_TOOL: &str = "*";

/// An agent as a selection is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentDescription {
    /// By which it is chosen.
    pub name: Arc<str>,
    /// How people call it.
    pub display_name: Arc<str>,
    /// When it is the right one.
    pub when_to_use: Arc<str>,
    /// What it may use.
    pub tools: ToolNames,
    /// How it did; absent if no run of it succeeded or failed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recent_performance: Option<Performance>,
}

/// What an agent may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolNames {
    /// These; [`EVERY_TOOL`] if none are named.
    pub allowed: Vec<Arc<str>>,
    pub blocked: Vec<Arc<str>>,
}

/// How an agent did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Performance {
    pub last_success: Option<Timestamp>,
    /// When it last failed or took too long.
    pub last_failure: Option<Timestamp>,
    /// Successes in a hundred runs.
    pub success_rate: f64,
    /// Runs in a row that a success took, on average; none without a success.
    pub iteration_average: Option<f64>,
}

/// The agents that can be chosen, as an input tells of them.
pub fn available(conductor: &ConductorState) -> Vec<AgentDescription> {
    conductor.eligible().map(|agent| describe(agent, conductor.form.get(&agent.name))).collect()
}

fn describe(agent: &Agent, form: Option<&AgentTrackRecord>) -> AgentDescription {
    AgentDescription {
        name: agent.name.clone(),
        display_name: agent.display_name.clone(),
        when_to_use: agent.when_to_use.clone().unwrap_or_else(|| Arc::from(UNDESCRIBED)),
        tools: ToolNames {
            allowed: agent.tools.allowed.clone().unwrap_or_else(|| vec![Arc::from(EVERY_TOOL)]),
            blocked: agent.tools.blocked.clone(),
        },
        recent_performance: form.and_then(performance),
    }
}

fn performance(form: &AgentTrackRecord) -> Option<Performance> {
    let success_rate = ratio(100 * u64::from(form.successes), form.successes.saturating_add(form.failures))?;
    Some(Performance {
        last_success: form.last_success,
        last_failure: form.last_failure,
        success_rate,
        iteration_average: ratio(u64::from(form.runs_to_success), form.successes),
    })
}

/// With two decimals: so it is the same number after it was written and read.
fn ratio(of: u64, by: u32) -> Option<f64> {
    (by > 0).then(|| (of as f64 / f64::from(by) * 100.0).round() / 100.0)
}
