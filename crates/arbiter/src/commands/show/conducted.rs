//! The lines of `show` about a conducted mission: who works, its plan, its last move, how far it may go.

use mind::conductor::plan::StepStatus;
use view::conducted::{ConductorView, brief};
use view::moves::MoveView;
use view::plan::PlanView;

use crate::clock;

/// Signs of a text that are told in a line.
const TEXT_CHARS: usize = 300;

/// The lines of a conducted mission; `over` says that nothing is tried again.
pub(super) fn describe(view: &ConductorView, over: bool) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(view.run.iter().map(|run| format!("agent     {run}")));
    lines.extend(view.plan.iter().flat_map(planned));
    lines.extend(view.last_decision.iter().flat_map(made));
    for limit in &view.spent {
        let name = if limit.name == "iterations" { "iteration" } else { limit.name };
        lines.push(format!("{name:<10}{}", limit.words()));
    }
    for objection in &view.objections {
        lines.push(format!("objects   {}: {}", objection.agent, objection.verdict));
        let issues = objection.issues.iter().map(|issue| brief(issue, TEXT_CHARS));
        lines.extend(issues.map(|issue| format!("          - {issue}")));
    }
    lines.extend(view.error.iter().map(|error| format!("error     {}", brief(error, TEXT_CHARS))));
    if let Some(at) = view.wakes_at.filter(|_| !over) {
        lines.push(format!("retrying  at {}", clock::local(at).strftime("%H:%M:%S")));
    }
    lines
}

fn planned(plan: &PlanView) -> Vec<String> {
    let mut lines = vec![format!("plan      {}, {}", plan.progress, plan.origin)];
    for step in &plan.steps {
        let who = step.agent.as_ref().map(|agent| format!(" ({agent})")).unwrap_or_default();
        let (mark, number) = (mark(step.status), step.number);
        lines.push(format!("step      [{mark}] {number} {}{who}", brief(&step.description, TEXT_CHARS)));
    }
    lines
}

fn made(made: &MoveView) -> Vec<String> {
    let (words, by, why) = (&made.words, &made.by, brief(&made.why, TEXT_CHARS));
    let mut lines = vec![format!("move      {words}, {by}: {why}")];
    let because = made.because.iter().map(|because| brief(because, TEXT_CHARS));
    lines.extend(because.map(|because| format!("          because {because}")));
    lines
}

fn mark(status: StepStatus) -> char {
    match status {
        StepStatus::Pending => ' ',
        StepStatus::InProgress => '~',
        StepStatus::Complete => 'x',
        StepStatus::Failed => '!',
        StepStatus::Skipped => '-',
    }
}
