//! The prompt of a run: the task, the plan, the agent's step, reports of others, guidance, notes; within a budget.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::agent::{Agent, AgentDuty};
use super::execution::{Execution, RunStatus};
use super::limits;
use super::memory;
use super::plan::{Plan, PlanStep};
use super::render::plan::{PlanRoom, describe_step, list};
use super::render::{notes, runs};
use super::state::{ConductorState, Run, RunKind};
use super::texts::{both_ends, clean, cut_visibly, fits, inline, item, quoted};
use crate::charter::Charter;
use crate::id::Timestamp;
use crate::prompt::{self, PromptContext};
use crate::state::State;
use crate::talk::Speaker;

/// The prompt of a run.
pub fn brief(state: &State, run: &Run, agent: &Agent, _now: Timestamp) -> Arc<str> {
    let (Some(charter), Some(conductor)) = (state.charter.as_deref(), state.conductor.as_ref()) else {
        return Arc::from("");
    };
    let mut text: Arc<str> = Arc::from("");
    for room in ROOMS {
        text = match run.kind {
            RunKind::Work => work(charter, conductor, run, agent, &words(state, &room), &room),
            RunKind::Keep => note_taking(charter, conductor, &room),
            RunKind::Verify => verify(charter, conductor, run, &words(state, &room), &room),
        };
        if fits(&text, limits::BRIEF_CHARS_MAX) {
            break;
        }
    }
    text
}

/// How much of each part there is room for, in characters.
struct Room {
    task: usize,
    reports: usize,
    report: usize,
    guidance: usize,
    notes: usize,
    plan: PlanRoom,
}

const WIDE: Room = Room {
    task: limits::BRIEF_CHARS_MAX / 2,
    reports: limits::REPORTS_MAX,
    report: limits::REPORT_CHARS_MAX,
    guidance: 20_000,
    notes: limits::NOTES_BRIEF_CHARS_MAX,
    plan: PlanRoom { results: true, description: 1_000, around: usize::MAX, current: 12_000 },
};

/// From everything to the least.
const ROOMS: [Room; 4] = [
    WIDE,
    Room { report: 1_000, ..WIDE },
    Room {
        report: 600,
        reports: 6,
        notes: 3_000,
        guidance: 10_000,
        plan: PlanRoom { results: false, description: 300, around: 30, current: 12_000 },
        ..WIDE
    },
    Room {
        task: 15_000,
        report: 400,
        reports: 4,
        notes: 1_000,
        guidance: 6_000,
        plan: PlanRoom { results: false, description: 100, around: 10, current: 10_000 },
    },
];

fn work(
    charter: &Charter,
    conductor: &ConductorState,
    run: &Run,
    agent: &Agent,
    words: &str,
    room: &Room,
) -> Arc<str> {
    let plan = conductor.plan.as_deref();
    let step = plan.zip(run.step).and_then(|(plan, index)| plan.step(index));
    let told = reports(conductor, step);
    let wanted = step.map_or("", |step| &step.description);
    let about = format!("{}\n{wanted}", both_ends(&charter.scroll.text, limits::TASK_CHARS_MAX));
    let known: Vec<_> = if agent.memory {
        memory::relevant(conductor.notes.iter(), &about, room.notes).into_iter().cloned().collect()
    } else {
        Vec::new()
    };
    let values = [
        ("task", task(charter, room)),
        ("words", words.to_owned()),
        ("plan", plan_text(plan, room)),
        ("step", step_text(conductor, run, agent, step, room)),
        ("reports", report_texts(&told, room)),
        ("guidance", guidance(conductor, run, room)),
        ("notes", notes(&known, room.notes)),
    ];
    fill(charter, "conduct-brief.md", &values)
}

fn note_taking(charter: &Charter, conductor: &ConductorState, room: &Room) -> Arc<str> {
    let first = conductor.history.len().saturating_sub(room.reports);
    let told: Vec<_> = (first..conductor.history.len()).filter_map(|at| conductor.history.get(at)).collect();
    let titles = conductor.notes.iter().map(|note| format!("- {}", inline(&both_ends(&note.title, 200))));
    let titles: Vec<String> = titles.collect();
    let known = if titles.is_empty() { "None.".to_owned() } else { titles.join("\n") };
    let values = [
        ("task", task(charter, room)),
        ("reports", report_texts(&told, room)),
        ("notes", both_ends(&known, room.notes)),
    ];
    fill(charter, "conduct-keep.md", &values)
}

fn verify(charter: &Charter, conductor: &ConductorState, run: &Run, words: &str, room: &Room) -> Arc<str> {
    let mut claims = Vec::new();
    if let Some(summary) = &conductor.claim {
        claims.push(format!("The claim:\n{}", quoted(&both_ends(summary, room.report))));
    }
    claims.push(report_texts(&reports(conductor, None), room));
    let commit = run.before.as_ref().map_or("HEAD".to_owned(), |tree| inline(&tree.commit));
    let values = [
        ("commit", commit),
        ("task", task(charter, room)),
        ("words", words.to_owned()),
        ("plan", plan_text(conductor.plan.as_deref(), room)),
        ("reports", claims.join("\n\n")),
    ];
    fill(charter, "conduct-verify.md", &values)
}

fn fill(charter: &Charter, file: &str, values: &[(&str, String)]) -> Arc<str> {
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    prompt::render_with(charter, file, &PromptContext::default(), &values)
}

fn task(charter: &Charter, room: &Room) -> String {
    clean(&cut_visibly(charter.scroll.text.trim_end(), room.task, "the task"))
}

/// What the human said to earlier agents, the newest last: it holds for all who come after them.
fn words(state: &State, room: &Room) -> String {
    let recent = state.talk.iter().rev().take(limits::WORDS_BACK_MAX);
    let said = recent.filter(|message| matches!(message.from, Speaker::Human(_)));
    let mut said: Vec<_> = said.filter(|message| !state.unheard.contains(&message.id)).collect();
    said.truncate(limits::WORDS_SHOWN_MAX);
    if said.is_empty() {
        return "Nothing else.".to_owned();
    }
    let each = room.guidance / 2 / said.len();
    said.iter().rev().map(|message| item(&both_ends(&message.text, each))).collect::<Vec<_>>().join("\n")
}

fn plan_text(plan: Option<&Plan>, room: &Room) -> String {
    plan.map_or("No plan yet.".to_owned(), |plan| list(plan, &room.plan))
}

fn step_text(
    conductor: &ConductorState,
    run: &Run,
    agent: &Agent,
    step: Option<&PlanStep>,
    room: &Room,
) -> String {
    if agent.part == Some(AgentDuty::Planner) {
        return match conductor.plan {
            Some(_) => "Make the rest of the plan anew. Steps that are complete or skipped are kept: do not repeat them.",
            None => "Make the plan for the task.",
        }
        .to_owned();
    }
    let Some(step) = step else {
        return match conductor.plan {
            Some(_) => "No step is yours in particular: see to what the guidance and the reports ask for.",
            None => "There is no plan: the task as a whole is yours.",
        }
        .to_owned();
    };
    let told = describe_step(step, room.plan.current);
    if run.mends { format!("{told}\n\nOthers objected to this step: mend what they found.") } else { told }
}

/// The runs that matter for a step, in order: the last success of each step that it rests on and of each agent, and the
/// last failure. Only the newest part of the history is looked at.
fn reports<'a>(conductor: &'a ConductorState, step: Option<&PlanStep>) -> Vec<&'a Arc<Execution>> {
    let (mut agents, mut steps, mut failed) = (BTreeSet::new(), BTreeSet::new(), false);
    let mut found = Vec::new();
    for run in conductor.history.iter().rev().take(limits::REPORTS_BACK_MAX) {
        let matters = match run.status {
            RunStatus::Success => {
                let rests = run.step.filter(|at| step.is_some_and(|step| step.depends_on.contains(at)));
                let newest_of_step = rests.is_some_and(|at| steps.insert(at));
                agents.insert(run.agent.clone()) || newest_of_step
            }
            RunStatus::Failure | RunStatus::Timeout => !std::mem::replace(&mut failed, true),
            RunStatus::Cancelled => false,
        };
        if matters {
            found.push(run);
        }
    }
    found.reverse();
    found
}

fn report_texts(told: &[&Arc<Execution>], room: &Room) -> String {
    if told.is_empty() {
        return "Nothing yet.".to_owned();
    }
    let left_out = told.len().saturating_sub(room.reports);
    let texts: Vec<String> = told.iter().skip(left_out).map(|run| runs::last(run, room.report)).collect();
    texts.join("\n\n")
}

/// What the next run is told, and what verdicts still object to, unless it is told already.
fn guidance(conductor: &ConductorState, run: &Run, room: &Room) -> String {
    let mut texts: Vec<String> = conductor.guidance.iter().map(|text| text.to_string()).collect();
    for (by, objection) in conductor.objections.iter().filter(|(by, _)| **by != run.agent) {
        let issues = objection.issues.iter().map(|issue| inline(issue));
        let new = issues.filter(|issue| !texts.iter().any(|told| told.contains(issue)));
        let new: Vec<String> = new.map(|issue| quoted(&format!("- {issue}"))).collect();
        if !new.is_empty() || objection.issues.is_empty() && conductor.guidance.is_empty() {
            texts.push(format!("{by} objects ({}).\n{}", inline(&objection.verdict), new.join("\n")));
        }
    }
    if texts.is_empty() {
        return "None.".to_owned();
    }
    let each = room.guidance / texts.len();
    texts.iter().map(|text| item(&both_ends(text, each))).collect::<Vec<_>>().join("\n")
}
