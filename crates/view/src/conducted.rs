//! A conducted mission in words: its plan, what it does now, what was decided, how far it may go. The screen, its pages
//! and the commands say it alike.

mod course;
mod limits;

use std::sync::Arc;

use mind::conductor::plan::{Plan, Step, StepStatus, shown};
use mind::conductor::podium::RunKind;
use mind::conductor::{Call, Decision, Podium, Record, Source};

pub use course::{course, phase_word};
pub use limits::{Limit, limits};
pub use mind::conductor::agent::verdict_in_words as verdict;

/// Signs of a text that somebody else wrote, where it is told in passing.
pub const WORDS_CHARS_MAX: usize = 400;

/// How far a step is.
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
pub fn progress(plan: &Plan) -> String {
    let count = |status| plan.steps.iter().filter(|step| step.status == status).count();
    let done = format!("{} of {} done", count(StepStatus::Complete), plan.steps.len());
    match count(StepStatus::Skipped) {
        0 => done,
        skipped => format!("{done}, {skipped} skipped"),
    }
}

/// The step that is worked on, or the one that is next.
pub fn step_now(podium: &Podium) -> Option<&Step> {
    let plan = podium.plan.as_deref()?;
    let worked_on = podium.run.as_ref().and_then(|run| run.step).and_then(|step| plan.step(step));
    worked_on.or_else(|| plan.next())
}

/// A step's place: "step 2 of 5".
pub fn place(step: u32, plan: Option<&Plan>) -> String {
    match plan {
        Some(plan) => format!("step {} of {}", shown(step), plan.steps.len()),
        None => format!("step {}", shown(step)),
    }
}

/// A move of the conductor, as people say it: "developer tries again".
#[must_use]
pub fn decided(record: &Record, podium: &Podium) -> String {
    match &record.decision {
        Decision::SelectMode { mode, .. } => format!("{mode} works next"),
        Decision::Continue { .. } => match last_agent(record, podium) {
            Some(agent) => format!("{agent} goes on"),
            None => "it goes on".to_owned(),
        },
        Decision::Retry { .. } => match last_agent(record, podium) {
            Some(agent) => format!("{agent} tries again"),
            None => "it is tried again".to_owned(),
        },
        Decision::Complete { .. } => "completion is claimed".to_owned(),
        Decision::SkipStep { .. } => "the step is skipped".to_owned(),
        Decision::Replan { .. } => "a new plan is made".to_owned(),
        Decision::AskHuman { .. } => "you are asked".to_owned(),
        Decision::Fail { .. } => "the mission is given up".to_owned(),
    }
}

/// The agent that ran last before a move.
fn last_agent(record: &Record, podium: &Podium) -> Option<Arc<str>> {
    let newest = match record.call {
        Call::Select => record.iteration.saturating_sub(1),
        Call::Evaluate => record.iteration,
    };
    let last = podium.history.iter().rev().find(|execution| execution.iteration <= newest);
    last.map(|execution| execution.agent.clone())
}

/// By whom it was decided.
pub fn decided_by(source: Source) -> &'static str {
    match source {
        Source::Rules => "by rules",
        Source::Cache => "by an earlier answer of the model",
        Source::Model => "by the model",
        Source::Fallback => "by the fallback",
        Source::Human => "by a human",
    }
}

/// What a run does, beside the steps of the plan.
pub fn errand(kind: RunKind) -> Option<&'static str> {
    match kind {
        RunKind::Work => None,
        RunKind::Keep => Some("keeps notes for later missions"),
        RunKind::Verify => Some("judges the claim"),
    }
}

/// A text on one line, as far as it is told in passing.
pub fn brief(text: &str, chars: usize) -> String {
    // A long text is not walked to its end for the few signs that are shown of it.
    let head = mind::limits::cut(text, chars.saturating_mul(2));
    let words: Vec<&str> = head.split_whitespace().collect();
    mind::limits::cut(&words.join(" "), chars)
}
