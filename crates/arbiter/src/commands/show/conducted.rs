//! A conducted mission for `show`: its plan, who works, what was decided, how far it may go.

use mind::conductor::plan::{Plan, StepStatus, shown};
use mind::conductor::{Podium, Record};
use mind::state::Ended;
use mind::{State, Timestamp};
use serde_json::{Value, json};
use view::conducted::{self, brief};

use crate::clock;

/// Signs of a text that are told in a line.
const TEXT_CHARS: usize = 300;

/// The lines of a conducted mission; none of a council. `now` is none where nobody runs it: nothing moves then.
pub fn describe(state: &State, now: Option<Timestamp>) -> Vec<String> {
    let Some(conductor) = &state.podium else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(course) = now.and_then(|now| conducted::course(state, now)) {
        lines.push(format!("course    {}", course.text));
    }
    if let Some(run) = &conductor.run {
        let step = run.step.map(|step| format!(", {}", conducted::place(step, conductor.plan.as_deref())));
        let (step, iteration) = (step.unwrap_or_default(), run.iteration);
        lines.push(format!("agent     {}{step}, iteration {iteration}", run.agent));
    }
    lines.extend(conductor.plan.iter().flat_map(|plan| planned(plan)));
    lines.extend(conductor.decisions.last().into_iter().flat_map(|record| decided(record, conductor)));
    for limit in conducted::limits(state, now.unwrap_or(state.now)) {
        let in_a_row = if limit.name == "failures" { " in a row" } else { "" };
        let name = if limit.name == "iterations" { "iteration" } else { limit.name };
        lines.push(format!("{name:<10}{}{in_a_row}", limit.words()));
    }
    for (agent, objection) in &conductor.objections {
        lines.push(format!("objects   {agent}: {}", brief(&conducted::verdict(&objection.verdict), 60)));
        let issues = objection.issues.iter().map(|issue| brief(issue, TEXT_CHARS));
        lines.extend(issues.map(|issue| format!("          - {issue}")));
    }
    if let Some(error) = &conductor.last_error {
        lines.push(format!("error     {}: {}", error.agent, brief(&error.message, TEXT_CHARS)));
    }
    if let Some(at) = conductor.wakes_at.filter(|_| state.ended.is_none()) {
        lines.push(format!("next try  at {}", clock::local(at).strftime("%H:%M:%S")));
    }
    lines
}

fn planned(plan: &Plan) -> Vec<String> {
    let sure = plan.metadata.confidence.map(|percent| format!(", {percent}% sure")).unwrap_or_default();
    let (progress, version, by) = (conducted::progress(plan), plan.version, &plan.created_by);
    let mut lines = vec![format!("plan      {progress}, version {version}, by {by}{sure}")];
    for step in &plan.steps {
        let who = step.executed_by.as_ref().or(step.suggested_agent.as_ref());
        let who = who.map(|agent| format!(" ({agent})")).unwrap_or_default();
        let (mark, number) = (mark(step.status), shown(step.index));
        lines.push(format!("step      [{mark}] {number} {}{who}", brief(&step.description, TEXT_CHARS)));
    }
    lines
}

fn decided(record: &Record, conductor: &Podium) -> Vec<String> {
    let (what, by) = (conducted::decided(record, conductor), conducted::decided_by(record.source));
    let words = brief(record.decision.words(), TEXT_CHARS);
    let mut lines = vec![format!("decided   {what}, {by}: {words}")];
    let cause = record.cause.iter().map(|cause| brief(cause, TEXT_CHARS));
    lines.extend(cause.map(|cause| format!("          because {cause}")));
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

/// Where it is; a mission that is over has a final state.
fn phase(state: &State) -> Value {
    match &state.ended {
        None => json!(state.phase()),
        Some(Ended::Completed(_)) => json!("complete"),
        Some(Ended::Failed(_)) => json!("failed"),
        Some(Ended::Exhausted(_)) => json!("exhausted"),
        Some(Ended::Cancelled(_)) => json!("cancelled"),
        Some(Ended::PlanOnly { .. }) => json!("planned"),
    }
}

/// The same for programs; null for a council.
pub fn as_value(state: &State) -> Value {
    let (Some(conductor), Some(conducting)) = (&state.podium, state.conducting()) else { return Value::Null };
    let run = conductor.run.as_ref().filter(|_| state.ended.is_none());
    json!({
        "phase": phase(state),
        "agent": run.map(|run| run.agent.clone()),
        "step": run.and_then(|run| run.step).map(shown),
        "plan": conductor.plan.as_deref(),
        "lastDecision": conductor.decisions.last().map(|record| decision(record, conductor)),
        "decisions": conductor.decisions.len(),
        "iterations": conductor.iterations,
        "failures": conductor.failures,
        "tokens": conductor.tokens,
        "cost_microusd": state.cost_microusd(),
        "limits": conducting.limits,
        "objections": conductor.objections.iter()
            .map(|(agent, objection)| json!({"agent": agent, "objection": objection.as_ref()}))
            .collect::<Vec<_>>(),
        "lastError": conductor.last_error.as_deref(),
        "wakesAt": conductor.wakes_at,
        "dryRun": conducting.dry_run,
    })
}

fn decision(record: &Record, conductor: &Podium) -> Value {
    json!({
        "number": record.number, "call": record.call, "iteration": record.iteration,
        "decision": record.decision, "source": record.source, "cause": record.cause,
        "words": conducted::decided(record, conductor),
    })
}
