//! The sections of a report about a conducted mission: its plan, every run, every move with who chose it and why.

use mind::State;
use mind::conductor::ConductorState;
use mind::conductor::agent::verdict_in_words;
use mind::conductor::execution::Execution;
use mind::conductor::plan::shown;
use view::conducted;
use view::moves::{MoveView, run_words};
use view::plan::{PlanView, StepView, status_word};

use super::markdown::{code, plain, quote, table};
use super::report::moment;
use crate::clock;

/// The sections of a conducted mission; nothing of a council.
pub(super) fn course(state: &State) -> Option<String> {
    let conductor = state.conductor.as_ref()?;
    let mut text = String::from("## Plan\n\n");
    match PlanView::of(conductor) {
        Some(plan) => text.push_str(&planned(&plan)),
        None => text.push_str("No plan was made.\n\n"),
    }
    text.push_str("## Runs\n\n");
    text.push_str(&runs(conductor));
    text.push_str("## Moves\n\n");
    if conductor.decisions.is_empty() {
        text.push_str("No move was made.\n\n");
    }
    text.extend(conductor.decisions.iter().map(|record| made(&MoveView::of(record, conductor))));
    let objections = conducted::objections(conductor);
    if !objections.is_empty() {
        text.push_str("## Objections that stand\n\n");
        for objection in objections {
            text.push_str(&format!("- {}\n", plain(&objection.words)));
            text.extend(objection.issues.iter().map(|issue| format!("  - {}\n", plain(issue))));
        }
        text.push('\n');
    }
    Some(text)
}

fn planned(plan: &PlanView) -> String {
    let mut text = format!("{}; {}.\n\n", plain(&sentence(&plan.origin)), plan.progress);
    text.extend(plan.assumptions.iter().map(|assumed| format!("- assumes: {}\n", plain(assumed))));
    if !plan.assumptions.is_empty() {
        text.push('\n');
    }
    let row = |step: &StepView| {
        let one = |name| step.detail(name).next().map(plain).unwrap_or_default();
        let wrong = one("went wrong");
        vec![
            step.number.to_string(),
            plain(&step.description),
            status_word(step.status).to_owned(),
            step.agent.as_deref().map(plain).unwrap_or_default(),
            one("after"),
            if wrong.is_empty() { one("came of it") } else { wrong },
        ]
    };
    let rows: Vec<Vec<String>> = plan.steps.iter().map(row).collect();
    text.push_str(&table(&["step", "what", "state", "agent", "after", "came of it"], &rows));
    text
}

fn runs(conductor: &ConductorState) -> String {
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
            run_words(run.status).to_owned(),
            run.verdict.as_ref().map(|said| plain(&verdict_in_words(said))).unwrap_or_default(),
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

fn made(made: &MoveView) -> String {
    let (number, words, by, when) = (made.number, plain(&made.words), plain(&made.by), &made.when);
    let mut text = format!("### Move {number}: {words}, {by}, {when}\n\n");
    text.extend(made.because.iter().map(|because| format!("Because: {}\n\n", plain(because))));
    text.push_str(&quote(&made.reason, 1));
    let misread = made.misread.iter();
    text.extend(
        misread.map(|faults| format!("An answer of the model could not be used: {}.\n\n", plain(faults))),
    );
    text
}

/// With a capital at the beginning.
fn sentence(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}
