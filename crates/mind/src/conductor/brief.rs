//! What an agent is told: the task, the plan, its step, what others reported, guidance, notes; within a budget.

use std::sync::Arc;

use super::agent::Agent;
use super::podium::Run;
use crate::id::Timestamp;
use crate::state::State;

/// The prompt of a run.
pub fn brief(_state: &State, _run: &Run, _agent: &Agent, _now: Timestamp) -> Arc<str> {
    Arc::from("")
}
