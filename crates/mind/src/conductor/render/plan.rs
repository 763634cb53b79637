//! The plan in words, for decisions and for agents. Positions are shown from 1.

use crate::conductor::plan::{Plan, PlanStatus, PlanStep, StepStatus, shown};
use crate::conductor::texts::{both_ends, cut_lines, inline, quoted, set_in, short};
use crate::limits::cut;

/// How much of a plan there is room for.
#[derive(Debug, Clone, Copy)]
pub struct PlanRoom {
    /// What steps led to is told.
    pub results: bool,
    /// Characters of the description of a step.
    pub description: usize,
    /// Steps before and after the current one.
    pub around: usize,
    /// Characters of the current step, with all it says.
    pub current: usize,
}

/// The plan with the status of every step, and the current one in full.
pub fn describe(plan: &Plan, room: &PlanRoom) -> String {
    format!("{}\n\n{}", list(plan, room), current(plan, room.current))
}

/// The plan with the status of every step.
pub fn list(plan: &Plan, room: &PlanRoom) -> String {
    let over = plan.steps.iter().filter(|step| step.status.is_over()).count();
    let count = plan.steps.len();
    let mut lines =
        vec![format!("Version {}, {}: {over} of {count} steps are over.", plan.version, status(plan.status))];
    let at = plan.current_step_index as usize;
    let first = at.saturating_sub(room.around).min(count);
    let end = at.saturating_add(room.around).saturating_add(1).min(count);
    if first > 0 {
        lines.push(format!("(Steps 1 to {first} are left out here.)"));
    }
    lines.extend(plan.steps[first..end].iter().map(|step| line(step, room)));
    if end < count {
        lines.push(format!("(Steps {} to {count} are left out here.)", end + 1));
    }
    lines.join("\n")
}

/// The current step with everything that it says; or that there is none, and why.
pub fn current(plan: &Plan, max: usize) -> String {
    match plan.step(plan.current_step_index) {
        Some(step) => {
            let title = format!("Current step: {} of {}.", shown(step.index), plan.steps.len());
            format!("{title}\n{}", describe_step(step, max))
        }
        None if plan.is_done() => format!("All {} steps are done.", plan.steps.len()),
        None => {
            let failed = plan.steps.iter().filter(|step| step.status == StepStatus::Failed);
            let failed: Vec<String> = failed.take(10).map(|step| shown(step.index).to_string()).collect();
            if failed.is_empty() {
                "No step can be begun: each waits for another.".to_owned()
            } else {
                format!("No step can be begun. Failed: {}.", failed.join(", "))
            }
        }
    }
}

/// One step with everything that it says.
pub fn describe_step(step: &PlanStep, max: usize) -> String {
    let mut text = format!("What: {}", short(&step.description, max));
    if let Some(instructions) = &step.instructions {
        text.push_str(&format!("\nHow:\n{}", set_in(&both_ends(instructions, max))));
    }
    let list = |text: &mut String, title: &str, items: Vec<String>| {
        if !items.is_empty() {
            text.push_str(&format!("\n{title}:"));
            items.iter().for_each(|item| text.push_str(&format!("\n- {item}")));
        }
    };
    list(
        &mut text,
        "It is done when",
        step.acceptance_criteria.iter().map(|item| short(item, max)).collect(),
    );
    let checks = step.checks.iter().map(|argv| inline(&argv.join(" ")));
    list(&mut text, "These commands should pass then", checks.collect());
    list(&mut text, "Files", step.affected_files.iter().map(|file| inline(file)).collect());
    if let Some(error) = step.error.as_ref().filter(|_| step.status == StepStatus::Failed) {
        text.push_str(&format!("\nIt failed:\n{}", quoted(error)));
    }
    cut_lines(&text, max, "the step")
}

fn line(step: &PlanStep, room: &PlanRoom) -> String {
    let mut line = format!(
        "{}. [{}] {}",
        shown(step.index),
        step_status(step.status),
        short(&step.description, room.description)
    );
    let mut asides = Vec::new();
    match (&step.executed_by, &step.suggested_agent) {
        (Some(agent), _) => asides.push(format!("by {}", inline(agent))),
        (None, Some(agent)) => asides.push(format!("for {}", inline(agent))),
        (None, None) => {}
    }
    if !step.depends_on.is_empty() && !step.status.is_over() {
        let steps: Vec<String> = step.depends_on.iter().take(10).map(|at| shown(*at).to_string()).collect();
        asides.push(format!("after {}", steps.join(", ")));
    }
    if !asides.is_empty() {
        line.push_str(&format!(" ({})", cut(&asides.join("; "), 100)));
    }
    let words = step.output.as_ref().filter(|_| step.status.is_over());
    let words = words.or(step.error.as_ref().filter(|_| step.status == StepStatus::Failed));
    if let Some(words) = words.filter(|_| room.results) {
        line.push_str(&format!("\n{}", quoted(words)));
    }
    line
}

fn step_status(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Pending => "pending",
        StepStatus::InProgress => "in progress",
        StepStatus::Complete => "complete",
        StepStatus::Failed => "failed",
        StepStatus::Skipped => "skipped",
    }
}

fn status(status: PlanStatus) -> &'static str {
    match status {
        PlanStatus::Draft => "not begun",
        PlanStatus::InProgress => "in progress",
        PlanStatus::Complete => "complete",
        PlanStatus::Failed => "failed",
        PlanStatus::Replanning => "being made anew",
    }
}
