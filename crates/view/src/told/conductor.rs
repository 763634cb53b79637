//! What the facts of a conducted mission tell.

use mind::State;
use mind::conductor::agent::verdict_in_words;
use mind::conductor::execution::{ErrorContext, Execution, RunStatus};
use mind::conductor::move_record::MoveAttempt;
use mind::conductor::plan::{Plan, StepStatus, shown};
use mind::conductor::state::{ConductorState, Run};
use mind::conductor::{ConductorFact, MoveRecord, MoveSource, NextMove};

use super::FactView;
use crate::actor::actor_words;
use crate::amount::counted;
use crate::conducted::{self, WORDS_CHARS_MAX, brief};
use crate::moves::{self, MoveView};
use crate::plan;
use crate::receipt::short_commit;
use crate::remark::{Remark, RemarkDetail, RemarkKind, RemarkSubject};
use crate::when;

/// Steps of a plan that are told; the page shows all.
const STEPS_TOLD: usize = 30;
/// Issues of a verdict that are told.
const ISSUES_TOLD: usize = 10;
/// Changed files that are told.
const FILES_TOLD: usize = 6;

/// What one fact tells, between the state `before` it and the `state` that holds it.
pub(super) fn tell(fact: &ConductorFact, before: &State, state: &State) -> Vec<FactView> {
    let (Some(was), Some(conductor)) = (&before.conductor, &state.conductor) else { return Vec::new() };
    let plan = conductor.plan.as_deref();
    match fact {
        // A message says so.
        ConductorFact::Agents(_) => Vec::new(),
        ConductorFact::Notes(notes) => {
            work(format!("{} known from earlier missions", counted(notes.len(), "note")))
        }
        ConductorFact::ModelAsked(asking) => work(asked(asking)),
        ConductorFact::ReplyMisread(reply) => {
            let faults = brief(&reply.faults.join("; "), WORDS_CHARS_MAX);
            let is_last = conductor.replies.len() as u32 > mind::conductor::limits::ASKED_AGAIN_MAX;
            let next = if is_last { "the fixed order chooses" } else { "it is asked again" };
            trouble(format!("the model's answer cannot be used ({faults}); {next}"))
        }
        ConductorFact::Unavailable { why, until } => {
            let left = when::span(until.0.saturating_sub(state.now.0));
            trouble(format!(
                "the conductor's model cannot be reached: {}; retrying in {left}",
                brief(why, 200)
            ))
        }
        ConductorFact::Decided(record) => decided(record, was),
        ConductorFact::Guided(text) => {
            work(format!("the next agent is told: {}", brief(text, WORDS_CHARS_MAX)))
        }
        ConductorFact::RunPrepared(run) => work(format!("{} is being prepared", run.agent)),
        ConductorFact::RunBegan { .. } => {
            conductor.run.as_ref().map(|run| began(run, plan)).unwrap_or_default()
        }
        ConductorFact::RunEnding(_) => {
            let agent = conductor.run.as_ref().map_or("the agent", |run| run.agent.as_ref());
            work(format!("{agent} is done; what it changed is being inspected"))
        }
        ConductorFact::RunEnded { execution: Some(execution), objection, .. } => {
            ended(execution, objection.is_some())
        }
        ConductorFact::RunEnded { execution: None, error, .. } => {
            error.as_deref().map(wrong).unwrap_or_default()
        }
        ConductorFact::Planned(plan) => planned(plan),
        ConductorFact::Step { index, status, words, .. } => step(*index, *status, words.as_deref(), plan),
        ConductorFact::AskedHuman { .. } => notice("the mission waits for your answer".to_owned()),
        ConductorFact::AnswerUsed { .. } => Vec::new(),
        // The claim itself is a message, once it stands before the gate.
        ConductorFact::Claimed { .. } => work("completion is claimed".to_owned()),
        ConductorFact::TurnedBack { why } => {
            // What a check said stands above already.
            let first = why.lines().next().unwrap_or_default();
            one(remark(RemarkKind::Setback, format!("turned back: {}", brief(first, WORDS_CHARS_MAX))))
        }
        ConductorFact::Verified { commit: Some(commit) } => {
            good(format!("the verifier passed commit {}", short_commit(commit)))
        }
        ConductorFact::Verified { commit: None } => trouble("the verifier did not pass the work".to_owned()),
        ConductorFact::Remembered(note) => notice(format!("remembered: {}", brief(&note.title, 200))),
        ConductorFact::Steered { by, what } => {
            notice(format!("{} (by {})", brief(what, WORDS_CHARS_MAX), actor_words(by)))
        }
        ConductorFact::Rerouted { provider } => {
            trouble(format!("the provider does not answer; from now on {provider} is used"))
        }
        ConductorFact::Selecting | ConductorFact::Spent { .. } => Vec::new(),
    }
}

fn asked(asking: &MoveAttempt) -> String {
    let what = moves::call_words(asking.call);
    match asking.attempt {
        0 | 1 => format!("the model is asked {what}"),
        attempt => format!("the model is asked {what}, for the {attempt}. time"),
    }
}

/// Which move was made, by whom, why.
fn decided(record: &MoveRecord, before: &ConductorState) -> Vec<FactView> {
    let MoveView { words, by, why, because, .. } = MoveView::of(record, before);
    let because = because.filter(|_| record.source == MoveSource::Fallback);
    let because = because.map(|because| format!(" ({})", brief(&because, 160))).unwrap_or_default();
    let why = brief(&why, WORDS_CHARS_MAX);
    let colon = if why.is_empty() { "" } else { ": " };
    let fails = matches!(record.decision, NextMove::Fail { .. });
    let kind = if fails { RemarkKind::Setback } else { RemarkKind::Notice };
    one(remark(kind, format!("next move, {by}{because}: {words}{colon}{why}")))
}

fn began(run: &Run, plan: Option<&Plan>) -> Vec<FactView> {
    let agent = &run.agent;
    if let Some(errand) = conducted::errand(run.kind) {
        return notice(format!("{agent} {errand}"));
    }
    let step = run.step.and_then(|step| plan?.step(step));
    notice(match step {
        Some(step) if run.mends => format!(
            "{agent} mends {}: {} (iteration {})",
            plan::place(step.index, plan),
            brief(&step.description, 200),
            run.iteration
        ),
        Some(step) => format!(
            "{agent} begins {}: {} (iteration {})",
            plan::place(step.index, plan),
            brief(&step.description, 200),
            run.iteration
        ),
        None if plan.is_some_and(|plan| !plan.is_done()) => {
            format!(
                "{agent} begins, beside the plan: no step of it is this agent's (iteration {})",
                run.iteration
            )
        }
        None => format!("{agent} begins (iteration {})", run.iteration),
    })
}

/// A run that is over: a verdict is what matters of it, else how it ended.
fn ended(execution: &Execution, objects: bool) -> Vec<FactView> {
    let agent = &execution.agent;
    let summary = brief(&execution.output.summary, WORDS_CHARS_MAX);
    let colon = if summary.is_empty() { "" } else { ": " };
    let took = execution.duration_ms.map(|ms| format!(" after {}", when::clock(ms))).unwrap_or_default();
    let why = execution.error.as_ref().map(|error| brief(&error.message, WORDS_CHARS_MAX));
    let why = why.filter(|why| !why.is_empty()).unwrap_or_else(|| summary.clone());
    let (kind, text) = match (execution.status, &execution.verdict) {
        (RunStatus::Success, Some(verdict)) => {
            let kind = if objects { RemarkKind::Trouble } else { RemarkKind::Good };
            (kind, format!("{agent}: {}{colon}{summary}", brief(&verdict_in_words(verdict), 60)))
        }
        (RunStatus::Success, None) => (RemarkKind::Good, format!("{agent}: success{took}{colon}{summary}")),
        (RunStatus::Failure, _) => (RemarkKind::Trouble, format!("{agent}: failure{took}: {why}")),
        (RunStatus::Timeout, _) => {
            (RemarkKind::Trouble, format!("{agent} took too long and was ended{took}: {why}"))
        }
        (RunStatus::Cancelled, _) => (RemarkKind::Notice, format!("{agent} was stopped{took}")),
    };
    let mut remark = remark(kind, text);
    let issues = execution.issues.iter().take(ISSUES_TOLD);
    remark.details.extend(issues.map(|issue| RemarkDetail::Item(brief(issue, WORDS_CHARS_MAX))));
    remark.details.extend(more(execution.issues.len(), ISSUES_TOLD));
    let files = execution.output.files_modified.as_deref().unwrap_or_default();
    if !files.is_empty() {
        let told: Vec<&str> = files.iter().take(FILES_TOLD).map(AsRef::as_ref).collect();
        let rest = files.len().saturating_sub(FILES_TOLD);
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let changed = format!("changed {}{rest}", brief(&told.join(", "), WORDS_CHARS_MAX));
        remark.details.push(RemarkDetail::Aside(changed));
    }
    one(remark)
}

fn wrong(error: &ErrorContext) -> Vec<FactView> {
    trouble(format!("{}: {}", error.agent, brief(&error.message, WORDS_CHARS_MAX)))
}

fn planned(plan: &Plan) -> Vec<FactView> {
    let version = if plan.version > 1 { format!(", version {}", plan.version) } else { String::new() };
    let sure = plan.metadata.confidence.map(|percent| format!(", {percent}% sure")).unwrap_or_default();
    let text = format!("the plan{version}: {}{sure}", counted(plan.steps.len(), "step"));
    let mut remark = remark(RemarkKind::Notice, text);
    for step in plan.steps.iter().take(STEPS_TOLD) {
        let who = step.suggested_agent.as_ref().map(|agent| format!(" ({agent})")).unwrap_or_default();
        let over = match step.status {
            StepStatus::Complete | StepStatus::Skipped | StepStatus::Failed => {
                format!(" [{}]", plan::status_word(step.status))
            }
            StepStatus::Pending | StepStatus::InProgress => String::new(),
        };
        let text = format!("{}{who}{over}", brief(&step.description, 200));
        remark.details.push(RemarkDetail::Numbered(shown(step.index), text));
    }
    remark.details.extend(more(plan.steps.len(), STEPS_TOLD));
    one(remark)
}

fn step(index: u32, status: StepStatus, words: Option<&str>, plan: Option<&Plan>) -> Vec<FactView> {
    let place = plan::place(index, plan);
    let name = plan.and_then(|plan| plan.step(index)).map(|step| brief(&step.description, 200));
    let name = name.map(|name| format!(": {name}")).unwrap_or_default();
    let why = words.map(|words| format!(": {}", brief(words, WORDS_CHARS_MAX))).unwrap_or_default();
    match status {
        // Who begins it says so.
        StepStatus::InProgress => Vec::new(),
        StepStatus::Pending => work(format!("{place} is to be done again{name}")),
        StepStatus::Complete => good(format!("{place} is done{name}")),
        // Why it failed was told with the run that failed.
        StepStatus::Failed => work(format!("{place} failed{why}")),
        // Who decided that said why.
        StepStatus::Skipped => notice(format!("{place} is skipped{name}")),
    }
}

/// That there are more than were told.
fn more(count: usize, told: usize) -> Option<RemarkDetail> {
    let rest = count.saturating_sub(told);
    (rest > 0).then(|| RemarkDetail::Aside(format!("and {rest} more")))
}

fn remark(kind: RemarkKind, text: String) -> Remark {
    Remark::new(kind, RemarkSubject::Conductor, text)
}

fn one(remark: Remark) -> Vec<FactView> {
    vec![FactView::Remark(remark)]
}

fn notice(text: String) -> Vec<FactView> {
    one(remark(RemarkKind::Notice, text))
}

fn work(text: String) -> Vec<FactView> {
    one(remark(RemarkKind::Work, text))
}

fn good(text: String) -> Vec<FactView> {
    one(remark(RemarkKind::Good, text))
}

fn trouble(text: String) -> Vec<FactView> {
    one(remark(RemarkKind::Trouble, text))
}
