//! The course of a conducted mission: its plan, every run, and who decided what and why.

use mind::State;
use mind::conductor::execution::{Execution, Status};
use mind::conductor::plan::{Plan, Step, shown};
use mind::conductor::{Call, Podium, Record};
use view::conducted;

use super::markdown::{code, plain, quote, table};
use super::report::moment;
use crate::clock;

/// The sections of a conducted mission; nothing of a council.
pub(super) fn course(state: &State) -> Option<String> {
    let conductor = state.podium.as_ref()?;
    let mut text = String::from("## Plan\n\n");
    match &conductor.plan {
        Some(plan) => text.push_str(&told(plan)),
        None => text.push_str("No plan was made.\n\n"),
    }
    text.push_str("## Runs\n\n");
    text.push_str(&runs(conductor));
    text.push_str("## Who decided what\n\n");
    text.push_str(&decided(conductor));
    if !conductor.objections.is_empty() {
        text.push_str("## Objections that stand\n\n");
        for (agent, objection) in &conductor.objections {
            text.push_str(&format!(
                "- {}: {}\n",
                plain(agent),
                plain(&conducted::verdict(&objection.verdict))
            ));
            text.extend(objection.issues.iter().map(|issue| format!("  - {}\n", plain(issue))));
        }
        text.push('\n');
    }
    Some(text)
}

fn told(plan: &Plan) -> String {
    let sure = plan.metadata.confidence.map(|percent| format!(", {percent}% sure of it")).unwrap_or_default();
    let mut text = format!(
        "Version {}, made by {}{sure}; {}.\n\n",
        plan.version,
        plain(&plan.created_by),
        conducted::progress(plan)
    );
    text.extend(plan.metadata.assumptions.iter().map(|assumed| format!("- assumes: {}\n", plain(assumed))));
    if !plan.metadata.assumptions.is_empty() {
        text.push('\n');
    }
    let row = |step: &Step| {
        let after: Vec<String> = step.depends_on.iter().map(|index| shown(*index).to_string()).collect();
        let who = step.executed_by.as_ref().or(step.suggested_agent.as_ref());
        let came = step.error.as_ref().or(step.output.as_ref());
        vec![
            shown(step.index).to_string(),
            plain(&step.description),
            conducted::status_word(step.status).to_owned(),
            who.map(|agent| plain(agent)).unwrap_or_default(),
            after.join(", "),
            came.map(|text| plain(text)).unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = plan.steps.iter().map(row).collect();
    text.push_str(&table(&["step", "what", "state", "agent", "after", "came of it"], &rows));
    text
}

fn runs(conductor: &Podium) -> String {
    if conductor.history.is_empty() {
        return "None.\n\n".to_owned();
    }
    let row = |run: &Execution| {
        let said = run.error.as_ref().map_or(&run.output.summary, |error| &error.message);
        let files = run.output.files_modified.as_deref().unwrap_or_default();
        vec![
            run.iteration.to_string(),
            moment(run.started_at),
            plain(&run.agent),
            run.step.map(|step| shown(step).to_string()).unwrap_or_default(),
            status(run.status).to_owned(),
            run.verdict.as_ref().map(|verdict| plain(&conducted::verdict(verdict))).unwrap_or_default(),
            run.duration_ms.map(clock::span).unwrap_or_default(),
            run.tokens.map(|tokens| tokens.total.to_string()).unwrap_or_default(),
            files.iter().map(|file| code(file)).collect::<Vec<_>>().join(", "),
            plain(said),
        ]
    };
    let rows: Vec<Vec<String>> = conductor.history.iter().map(|run| row(run)).collect();
    let head =
        ["iteration", "began", "agent", "step", "status", "verdict", "took", "tokens", "changed", "said"];
    table(&head, &rows)
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Success => "success",
        Status::Failure => "failure",
        Status::Timeout => "took too long",
        Status::Cancelled => "stopped",
    }
}

fn decided(conductor: &Podium) -> String {
    if conductor.decisions.is_empty() {
        return "Nothing was decided.\n\n".to_owned();
    }
    conductor.decisions.iter().map(|record| decision(record, conductor)).collect()
}

fn decision(record: &Record, conductor: &Podium) -> String {
    let call = match record.call {
        Call::Select => "before",
        Call::Evaluate => "after",
    };
    let mut text = format!(
        "### d{}: {}, {}, {call} iteration {}\n\n",
        record.number,
        plain(&conducted::decided(record, conductor)),
        conducted::decided_by(record.source),
        record.iteration
    );
    if let Some(cause) = &record.cause {
        text.push_str(&format!("Because: {}\n\n", plain(cause)));
    }
    text.push_str(&quote(record.decision.words(), 1));
    for reply in record.replies.iter().filter(|reply| !reply.faults.is_empty()) {
        let faults: Vec<String> = reply.faults.iter().map(|fault| plain(fault)).collect();
        text.push_str(&format!("An answer could not be used: {}.\n\n", faults.join("; ")));
    }
    text
}
