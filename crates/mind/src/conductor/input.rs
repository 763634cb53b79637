//! The inputs of the two model calls, built from the state: all that a model is told. Building one costs the same after one
//! run and after a hundred thousand.

pub mod agents;
pub mod constraints;
pub mod moments;
pub mod window;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::agent::Richness;
use super::execution::{ErrorContext, Execution};
use super::limits;
use super::memory::{self, Note};
use super::next_move::DecisionPoint;
use super::plan::{Plan, PlanStep};
use super::state::ConductorState;
use super::texts::{both_ends, bounded, cut_visibly, fits};
use crate::id::Timestamp;
use crate::state::State;

pub use agents::{AgentDescription, Performance, ToolNames};
pub use constraints::Constraints;
pub use window::history_window;

/// What a selection is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectAgentInput {
    pub task: Arc<str>,
    #[serde(default, with = "moments")]
    pub plan: Option<Arc<Plan>>,
    /// What was done, the newest last.
    #[serde(with = "moments")]
    pub history: Vec<Arc<Execution>>,
    /// The last error, until the next success.
    #[serde(default, with = "moments")]
    pub last_error: Option<Arc<ErrorContext>>,
    /// Who can be chosen.
    #[serde(with = "moments")]
    pub available_agents: Vec<AgentDescription>,
    /// How far it may still go.
    #[serde(with = "moments")]
    pub constraints: Constraints,
    /// What the next agent will be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guidance: Vec<Arc<str>>,
    /// What earlier missions learned and this one may need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Arc<Note>>,
}

/// What an evaluation is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvaluateProgressInput {
    pub task: Arc<str>,
    #[serde(default, with = "moments")]
    pub plan: Option<Arc<Plan>>,
    /// The run that just ended; null if there was none.
    #[serde(default, with = "moments")]
    pub last_execution: Option<Arc<Execution>>,
    /// What was done, the newest last.
    #[serde(with = "moments")]
    pub history: Vec<Arc<Execution>>,
    /// How far it may still go.
    #[serde(with = "moments")]
    pub constraints: Constraints,
    /// What the next agent will be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guidance: Vec<Arc<str>>,
}

/// The input of one of the calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CallInput {
    /// Who works next.
    Select(SelectAgentInput),
    /// What became of the last run.
    Evaluate(EvaluateProgressInput),
}

/// The input of a call, as the mission stands at `now`.
pub fn input(state: &State, call: DecisionPoint, now: Timestamp) -> CallInput {
    let nothing = ConductorState::default();
    let conductor = state.conductor.as_ref().unwrap_or(&nothing);
    let task = task(state);
    let plan = conductor.plan.as_ref().map(bounded_plan);
    let constraints = constraints::constraints(state, conductor, call, now);
    let guidance = conductor.guidance.iter().map(|text| bounded(text, limits::SUMMARY_CHARS_MAX)).collect();
    let history = |window| {
        let shown = history_window(&conductor.history, &conductor.failed, window);
        shown.iter().map(window::in_history).collect()
    };
    match call {
        DecisionPoint::Select => CallInput::Select(SelectAgentInput {
            notes: notes(conductor, &task),
            history: history(limits::SELECT_WINDOW),
            last_error: conductor.last_error.as_ref().map(bounded_context),
            available_agents: agents::available(conductor),
            task,
            plan,
            constraints,
            guidance,
        }),
        DecisionPoint::Evaluate => CallInput::Evaluate(EvaluateProgressInput {
            last_execution: conductor.last().map(|run| {
                let richness = conductor.agent(&run.agent).map_or(Richness::Full, |agent| agent.input);
                window::as_last(run, richness)
            }),
            history: history(limits::EVALUATE_WINDOW),
            task,
            plan,
            constraints,
            guidance,
        }),
    }
}

impl CallInput {
    /// Which of the two calls it is for.
    pub fn call(&self) -> DecisionPoint {
        match self {
            CallInput::Select(_) => DecisionPoint::Select,
            CallInput::Evaluate(_) => DecisionPoint::Evaluate,
        }
    }
}

fn task(state: &State) -> Arc<str> {
    let Some(charter) = &state.charter else { return Arc::from("") };
    let text = &charter.scroll.text;
    if fits(text, limits::TASK_CHARS_MAX) {
        return text.clone();
    }
    Arc::from(cut_visibly(text, limits::TASK_CHARS_MAX, "the task"))
}

fn notes(conductor: &ConductorState, task: &str) -> Vec<Arc<Note>> {
    if conductor.notes.is_empty() {
        return Vec::new();
    }
    let step = conductor.plan.as_ref().and_then(|plan| plan.next()).map_or("", |step| &step.description);
    let text = format!("{task}\n{step}");
    memory::relevant(conductor.notes.iter(), &text, limits::NOTES_INPUT_CHARS_MAX)
        .into_iter()
        .cloned()
        .collect()
}

/// The plan with bounded texts, above all of what its steps led to. It is shared where they are short already.
fn bounded_plan(plan: &Arc<Plan>) -> Arc<Plan> {
    let max = limits::HISTORY_CHARS_MAX;
    let short = |text: &Option<Arc<str>>| text.as_ref().is_none_or(|text| fits(text, max));
    let (what, how) = (limits::STEP_CHARS_MAX, limits::FULL_CHARS_MAX);
    let step_fits = |step: &PlanStep| {
        let told =
            fits(&step.description, what) && step.instructions.as_ref().is_none_or(|text| fits(text, how));
        told && short(&step.output) && short(&step.error)
    };
    if fits(&plan.task, max) && plan.steps.iter().all(step_fits) {
        return plan.clone();
    }
    let steps = plan.steps.iter().map(|step| PlanStep {
        description: bounded(&step.description, what),
        instructions: step.instructions.as_ref().map(|text| bounded(text, how)),
        output: step.output.as_ref().map(|text| bounded(text, max)),
        error: step.error.as_ref().map(|text| bounded(text, max)),
        ..step.clone()
    });
    Arc::new(Plan { task: bounded(&plan.task, max), steps: steps.collect(), ..plan.as_ref().clone() })
}

fn bounded_context(error: &Arc<ErrorContext>) -> Arc<ErrorContext> {
    let (message, attempted) = (limits::FULL_CHARS_MAX, limits::SUMMARY_CHARS_MAX);
    if fits(&error.message, message) && fits(&error.attempted, attempted) {
        return error.clone();
    }
    Arc::new(ErrorContext {
        message: Arc::from(both_ends(&error.message, message)),
        attempted: bounded(&error.attempted, attempted),
        ..error.as_ref().clone()
    })
}
