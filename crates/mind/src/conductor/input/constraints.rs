//! The limits of the mission and how much of each is used, as a model is told.

use serde::{Deserialize, Serialize};

use crate::conductor::next_move::DecisionPoint;
use crate::conductor::state::ConductorState;
use crate::id::Timestamp;
use crate::state::State;

/// What bounds a mission, and how much of it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Constraints {
    /// Runs of agents.
    pub max_iterations: u32,
    /// At a selection the one about to run, at an evaluation the one that just ran.
    pub current_iteration: u32,
    /// After the current one.
    pub iterations_remaining: u32,
    /// Failures in a row.
    pub consecutive_failures: u32,
    /// This many in a row end the mission.
    pub max_consecutive_failures: u32,
    /// Null if no provider reported tokens.
    pub estimated_tokens_used: Option<u64>,
    /// Since the opening.
    pub time_elapsed_ms: u64,
    /// In milliseconds; null if nothing is known.
    pub estimated_time_remaining: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// Tokens it may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_tokens: Option<u64>,
    /// What it may cost, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_microusd: Option<u64>,
    /// What it has cost; told if there is a budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_microusd: Option<u64>,
}

/// The constraints of a call at `now`.
pub fn constraints(
    state: &State,
    conductor: &ConductorState,
    call: DecisionPoint,
    now: Timestamp,
) -> Constraints {
    let limits = state.limits().unwrap_or_default();
    let current_iteration = match call {
        DecisionPoint::Select => conductor.iterations.saturating_add(1),
        DecisionPoint::Evaluate => conductor.iterations,
    };
    let iterations_remaining = limits.max_iterations.saturating_sub(current_iteration);
    let elapsed = now.0.saturating_sub(state.opened_at.0);
    let mean = conductor.busy_ms.checked_div(conductor.history.len() as u64);
    let by_mean = mean.map(|mean| mean.saturating_mul(u64::from(iterations_remaining)));
    Constraints {
        max_iterations: limits.max_iterations,
        current_iteration,
        iterations_remaining,
        consecutive_failures: conductor.failures,
        max_consecutive_failures: limits.max_failures,
        estimated_tokens_used: conductor.tokens,
        time_elapsed_ms: elapsed,
        estimated_time_remaining: limits.deadline_ms.map(|all| all.saturating_sub(elapsed)).or(by_mean),
        deadline: limits.deadline_ms.map(|all| Timestamp(state.opened_at.0.saturating_add(all))),
        budget_tokens: limits.budget_tokens,
        budget_microusd: limits.budget_microusd,
        spent_microusd: limits.budget_microusd.map(|_| state.cost_microusd()),
    }
}
