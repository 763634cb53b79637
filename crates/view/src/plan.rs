//! The plan of a conducted mission in words: how far it is, who made it, each step with what belongs to it.

use std::sync::Arc;

use mind::conductor::ConductorState;
use mind::conductor::plan::{Plan, PlanStep, StepStatus, shown};
use serde::Serialize;

use crate::clean::clean;
use crate::conducted::brief;
use crate::receipt::command_line;
use crate::when;

/// Signs of one text of a step that are told.
const TEXT_CHARS_MAX: usize = 2_000;

/// A plan; programs get it as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PlanView {
    pub plan: Arc<Plan>,
    /// "2 of 5 done, 1 skipped".
    #[serde(skip)]
    pub progress: String,
    /// "version 2, made by planner, 82% sure of it".
    #[serde(skip)]
    pub origin: String,
    #[serde(skip)]
    pub assumptions: Vec<String>,
    #[serde(skip)]
    pub steps: Vec<StepView>,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepView {
    /// Counted from 1.
    pub number: u32,
    pub status: StepStatus,
    /// "done by developer, took 3m".
    pub standing: String,
    /// It is worked on, or it is the next.
    pub current: bool,
    pub description: String,
    /// Who did it, else who is meant to.
    pub agent: Option<String>,
    /// What else is known of it, each with its name: "after", "how", "done when", "check", "files", "came of it",
    /// "went wrong".
    pub details: Vec<(&'static str, String)>,
}

impl PlanView {
    /// The plan, if there is one.
    #[must_use]
    pub fn of(conductor: &ConductorState) -> Option<PlanView> {
        let plan = conductor.plan.as_ref()?;
        let current = step_now(conductor).map(|step| step.index);
        Some(PlanView {
            progress: progress(plan),
            origin: origin(plan),
            assumptions: plan.metadata.assumptions.iter().map(|text| one_line(text)).collect(),
            steps: plan.steps.iter().map(|step| StepView::of(step, current == Some(step.index))).collect(),
            plan: Arc::clone(plan),
        })
    }
}

impl StepView {
    fn of(step: &PlanStep, current: bool) -> StepView {
        let agent = step.executed_by.as_ref().or(step.suggested_agent.as_ref());
        StepView {
            number: shown(step.index),
            status: step.status,
            standing: standing(step),
            current,
            description: one_line(&step.description),
            agent: agent.map(|agent| clean(agent).into_owned()),
            details: details(step),
        }
    }

    /// What is known of it under this name.
    pub fn detail(&self, name: &str) -> impl Iterator<Item = &str> {
        self.details.iter().filter(move |(known, _)| *known == name).map(|(_, text)| text.as_str())
    }
}

/// How far a step is.
#[must_use]
pub fn status_word(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Pending => "to be done",
        StepStatus::InProgress => "being done",
        StepStatus::Complete => "done",
        StepStatus::Failed => "failed",
        StepStatus::Skipped => "skipped",
    }
}

/// How many steps are over, of how many.
#[must_use]
pub fn progress(plan: &Plan) -> String {
    let count = |status| plan.steps.iter().filter(|step| step.status == status).count();
    let done = done_of(count(StepStatus::Complete), plan.steps.len());
    match count(StepStatus::Skipped) {
        0 => done,
        skipped => format!("{done}, {skipped} skipped"),
    }
}

/// "2 of 5 done", of steps and of tasks.
#[must_use]
pub fn done_of(done: usize, all: usize) -> String {
    format!("{done} of {all} done")
}

/// The step that is worked on, or the one that is next.
#[must_use]
pub fn step_now(conductor: &ConductorState) -> Option<&PlanStep> {
    let plan = conductor.plan.as_deref()?;
    let worked_on = conductor.run.as_ref().and_then(|run| run.step).and_then(|step| plan.step(step));
    worked_on.or_else(|| plan.next())
}

/// A step's place: "step 2 of 5".
#[must_use]
pub fn place(step: u32, plan: Option<&Plan>) -> String {
    match plan {
        Some(plan) => format!("step {} of {}", shown(step), plan.steps.len()),
        None => format!("step {}", shown(step)),
    }
}

fn origin(plan: &Plan) -> String {
    let version = if plan.version > 1 { format!("version {}, ", plan.version) } else { String::new() };
    let sure = plan.metadata.confidence.map(|percent| format!(", {percent}% sure of it")).unwrap_or_default();
    format!("{version}made by {}{sure}", clean(&plan.created_by))
}

fn standing(step: &PlanStep) -> String {
    let mut standing = status_word(step.status).to_owned();
    match (&step.executed_by, &step.suggested_agent) {
        (Some(agent), _) => standing.push_str(&format!(" by {}", clean(agent))),
        (None, Some(agent)) => standing.push_str(&format!(", meant for {}", clean(agent))),
        (None, None) => {}
    }
    if let (Some(from), Some(to)) = (step.started_at, step.completed_at) {
        standing.push_str(&format!(", took {}", when::span(to.0.saturating_sub(from.0))));
    }
    standing
}

fn details(step: &PlanStep) -> Vec<(&'static str, String)> {
    let mut details = Vec::new();
    if !step.depends_on.is_empty() {
        let before: Vec<String> = step.depends_on.iter().map(|index| shown(*index).to_string()).collect();
        details.push(("after", before.join(", ")));
    }
    details.extend(step.instructions.iter().map(|text| ("how", one_line(text))));
    details.extend(step.acceptance_criteria.iter().map(|text| ("done when", one_line(text))));
    details.extend(step.checks.iter().map(|argv| ("check", brief(&command_line(argv), TEXT_CHARS_MAX))));
    if !step.affected_files.is_empty() {
        details.push(("files", one_line(&step.affected_files.join(", "))));
    }
    details.extend(step.output.iter().map(|text| ("came of it", one_line(text))));
    details.extend(step.error.iter().map(|text| ("went wrong", one_line(text))));
    details
}

fn one_line(text: &str) -> String {
    clean(&brief(text, TEXT_CHARS_MAX)).into_owned()
}
