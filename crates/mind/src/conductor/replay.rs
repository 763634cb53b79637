//! Recorded moves, chosen again offline: what the rules, the recorded replies of the model and the fallback say today, of
//! the mission as it stood then; perhaps under another policy.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::agent::{Agent, TransitionTarget};
use super::execution::RunStatus;
use super::move_record::{MoveAttempt, MoveRecord};
use super::next_move::{DecisionPoint, MoveSource, NextMove};
use super::reading::{self, ReplyTerms};
use super::state::ConductorState;
use super::{cache, fallback, legal, rules};
use crate::id::Timestamp;
use crate::state::State;

/// A decision that was made again.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Redecision {
    pub decision: NextMove,
    pub source: MoveSource,
    /// Which rule, or why it fell back.
    pub cause: Option<Arc<str>>,
}

/// Where a decision comes out differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The decision's number.
    pub number: u32,
    pub call: DecisionPoint,
    pub iteration: u32,
    /// As it was.
    pub before: Redecision,
    /// As it is now.
    pub after: Redecision,
}

impl Difference {
    /// The difference, if there is one: another kind of decision, or another agent. Words alone are none.
    pub fn between(record: &MoveRecord, after: Redecision) -> Option<Difference> {
        if same(&record.decision, &after.decision) {
            return None;
        }
        let before = Redecision {
            decision: record.decision.clone(),
            source: record.source,
            cause: record.cause.clone(),
        };
        Some(Difference {
            number: record.number,
            call: record.call,
            iteration: record.iteration,
            before,
            after,
        })
    }
}

fn same(one: &NextMove, other: &NextMove) -> bool {
    match (one, other) {
        (NextMove::SelectMode { mode, .. }, NextMove::SelectMode { mode: other, .. }) => mode == other,
        (one, other) => one.kind() == other.kind(),
    }
}

/// Chooses a recorded move again, as the mission stood before it. No model is called: where one replied, its last reply
/// is read anew.
pub fn redecide(
    before: &State,
    record: &MoveRecord,
    policy: Option<&ReplayPolicy>,
    now: Timestamp,
) -> Redecision {
    // What a human forced is no policy's to change.
    if record.source == MoveSource::Human {
        return Redecision {
            decision: record.decision.clone(),
            source: MoveSource::Human,
            cause: record.cause.clone(),
        };
    }
    let changed = policy.map(|policy| policy.apply(before));
    let state = changed.as_ref().unwrap_or(before);
    if let Some(ruled) = rules::rules(state, record.call, now) {
        return Redecision { decision: ruled.decision, source: MoveSource::Rules, cause: Some(ruled.cause) };
    }
    if let Some(decision) = cache::find(state, &asking(record)) {
        return Redecision { decision, source: MoveSource::Cache, cause: None };
    }
    let why = match record.replies.last() {
        Some(reply) => {
            let agents: Vec<&Agent> = state.conductor.iter().flat_map(ConductorState::eligible).collect();
            let terms = ReplyTerms { legal: &legal::legal(state, record.call), agents: &agents };
            match reading::read(None, &reply.raw, &terms) {
                Ok(decision) => return Redecision { decision, source: MoveSource::Model, cause: None },
                Err(faults) => format!("the recorded reply cannot be used: {}", faults.join("; ")),
            }
        }
        None => "no reply of a model is recorded".to_owned(),
    };
    let ruled = fallback::fallback(state, record.call, now);
    let cause = format!("{why}; {}", ruled.cause);
    Redecision { decision: ruled.decision, source: MoveSource::Fallback, cause: Some(Arc::from(cause)) }
}

/// The question that a record answers.
fn asking(record: &MoveRecord) -> MoveAttempt {
    MoveAttempt {
        number: record.number,
        call: record.call,
        attempt: 1,
        input: record.input.clone(),
        legal: record.legal.clone(),
        prompt: record.prompt.clone().unwrap_or_default(),
        shorter: false,
    }
}

/// Whether the run that a decision led to succeeded, by what the mission knows now. None if it led to no run, if the
/// run is not over or was ended by a human, or if another decision came before the run.
pub fn outcome_of(conductor: &ConductorState, record: &MoveRecord) -> Option<bool> {
    let iteration = leads_to(record)?;
    let later = conductor.decisions.get(record.number as usize);
    if later.is_some_and(|later| leads_to(later) == Some(iteration)) {
        return None;
    }
    let place = conductor.history.binary_search_by(|run| run.iteration.cmp(&iteration)).ok()?;
    match conductor.history.get(place)?.status {
        RunStatus::Success => Some(true),
        RunStatus::Failure | RunStatus::Timeout => Some(false),
        RunStatus::Cancelled => None,
    }
}

/// The iteration that a decision begins.
fn leads_to(record: &MoveRecord) -> Option<u32> {
    let next = match record.call {
        DecisionPoint::Select => record.iteration,
        DecisionPoint::Evaluate => record.iteration.saturating_add(1),
    };
    match record.decision {
        NextMove::SelectMode { .. }
        | NextMove::Continue { .. }
        | NextMove::Retry { .. }
        | NextMove::Replan { .. } => Some(next),
        NextMove::Complete { .. }
        | NextMove::SkipStep { .. }
        | NextMove::AskHuman { .. }
        | NextMove::Fail { .. } => None,
    }
}

/// Changed settings under which recorded moves are chosen again.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReplayPolicy {
    /// How far the mission may go.
    pub limits: LimitsPolicy,
    /// The default agent.
    pub agents: AgentsPolicy,
    /// Who comes after whom, by agent.
    pub transitions: BTreeMap<String, TransitionsPolicy>,
}

/// Limits of the mission that differ.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct LimitsPolicy {
    /// Runs of agents.
    pub max_iterations: Option<u32>,
    /// Failures in a row.
    pub max_failures: Option<u32>,
    /// How long the mission may take.
    pub deadline_ms: Option<u64>,
    /// What it may cost, in dollars.
    pub budget_usd: Option<f64>,
    /// Tokens it may take.
    pub budget_tokens: Option<u64>,
}

/// Settings of agents that differ.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AgentsPolicy {
    /// Who works first.
    pub default: Option<String>,
}

/// Transitions of one agent that differ.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TransitionsPolicy {
    /// After a success.
    pub on_success: Option<TransitionTarget>,
    /// After a failure.
    pub on_failure: Option<TransitionTarget>,
    /// When it has had its iterations.
    pub on_max_iterations: Option<TransitionTarget>,
    /// After these verdicts.
    pub custom: BTreeMap<String, TransitionTarget>,
}

impl ReplayPolicy {
    /// Names in the policy that no agent of the mission has.
    pub fn unknown(&self, conductor: &ConductorState) -> Vec<String> {
        let targets = self.transitions.values().flat_map(|changes| {
            let fixed = [&changes.on_success, &changes.on_failure, &changes.on_max_iterations];
            fixed.into_iter().flatten().chain(changes.custom.values())
        });
        let named = targets.filter_map(|target| match target {
            TransitionTarget::Agent(name) => Some(name.to_string()),
            TransitionTarget::Complete | TransitionTarget::Arbiter => None,
        });
        let mut names: Vec<String> =
            self.transitions.keys().cloned().chain(self.agents.default.clone()).chain(named).collect();
        names.retain(|name| conductor.agent(name).is_none());
        names.sort();
        names.dedup();
        names
    }

    /// The same mission under this policy.
    pub fn apply(&self, state: &State) -> State {
        let mut state = state.clone();
        if let Some(conducting) =
            state.charter.as_mut().map(Arc::make_mut).and_then(|charter| charter.conducting.as_deref_mut())
        {
            if let Some(name) = &self.agents.default {
                conducting.default_agent = Arc::from(name.as_str());
            }
            let (limits, given) = (&mut conducting.limits, &self.limits);
            limits.max_iterations = given.max_iterations.unwrap_or(limits.max_iterations);
            limits.max_failures = given.max_failures.unwrap_or(limits.max_failures);
            limits.deadline_ms = given.deadline_ms.or(limits.deadline_ms);
            let budget = given.budget_usd.map(|dollars| (dollars * 1e6) as u64);
            limits.budget_microusd = budget.or(limits.budget_microusd);
            limits.budget_tokens = given.budget_tokens.or(limits.budget_tokens);
        }
        if let Some(conductor) = state.conductor.as_mut().filter(|_| !self.transitions.is_empty()) {
            let agents = conductor.agents.iter().cloned().map(|agent| self.change(agent));
            conductor.agents = agents.collect();
        }
        state
    }

    fn change(&self, mut agent: Agent) -> Agent {
        let Some(changes) = self.transitions.get(agent.name.as_ref()) else { return agent };
        let transitions = &mut agent.transitions;
        let set = |target: &mut TransitionTarget, given: &Option<TransitionTarget>| {
            if let Some(given) = given {
                *target = given.clone();
            }
        };
        set(&mut transitions.on_success, &changes.on_success);
        set(&mut transitions.on_failure, &changes.on_failure);
        set(&mut transitions.on_max_iterations, &changes.on_max_iterations);
        for (when, target) in &changes.custom {
            transitions.custom.retain(|custom| custom.when.as_ref() != when);
            let when = Arc::from(when.as_str());
            transitions.custom.push(super::agent::VerdictTransition {
                when,
                target: target.clone(),
                reason: None,
            });
        }
        agent
    }
}
