//! A conducted mission in words: where it is, what it does now, how far it may go, which objections stand. Its plan is
//! `plan`, its moves are `moves`.

mod course;
mod limits;

use std::sync::Arc;

use mind::conductor::agent::verdict_in_words;
use mind::conductor::execution::ErrorContext;
use mind::conductor::plan::shown;
use mind::conductor::state::{Objection, RunKind};
use mind::conductor::{ConductorState, Limits, Phase};
use mind::state::Ended;
use mind::{State, Timestamp};
use serde::Serialize;

use crate::amount::counted;
use crate::clean::clean;
use crate::moves::MoveView;
use crate::plan::{self, PlanView};
use crate::status::StatusLine;
use crate::tone::Tone;

pub use course::{course, phase_word};
pub use limits::{Limit, limits};

/// Signs of a text that somebody else wrote, where it is told in passing.
pub const WORDS_CHARS_MAX: usize = 400;

/// A conducted mission; programs get the fields above `run`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConductorView {
    pub phase: PhaseView,
    /// The agent that is prepared or at work.
    pub agent: Option<Arc<str>>,
    /// The step it works on, counted from 1.
    pub step: Option<u32>,
    pub plan: Option<PlanView>,
    pub last_decision: Option<MoveView>,
    /// How many moves there were.
    pub decisions: usize,
    pub iterations: u32,
    /// In a row.
    pub failures: u32,
    pub tokens: Option<u64>,
    #[serde(rename = "cost_microusd")]
    pub cost_microusd: u64,
    pub limits: Limits,
    pub objections: Vec<ObjectionView>,
    pub last_error: Option<Arc<ErrorContext>>,
    pub wakes_at: Option<Timestamp>,
    pub dry_run: bool,
    /// "developer, step 2 of 5, iteration 4".
    #[serde(skip)]
    pub run: Option<String>,
    /// What it took, of what it may take.
    #[serde(skip)]
    pub spent: Vec<Limit>,
    /// "developer: the build broke".
    #[serde(skip)]
    pub error: Option<String>,
}

/// Where a conducted mission is: a phase, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PhaseView {
    Now(Phase),
    Ended(&'static str),
}

/// What an agent found wrong and has not taken back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectionView {
    pub agent: Arc<str>,
    pub objection: Arc<Objection>,
    /// "tester objects: some failures".
    #[serde(skip)]
    pub words: String,
    #[serde(skip)]
    pub verdict: String,
    #[serde(skip)]
    pub issues: Vec<String>,
}

impl ConductorView {
    /// A conducted mission at a moment; nothing of a council.
    #[must_use]
    pub fn of(state: &State, now: Timestamp) -> Option<ConductorView> {
        let (conductor, conducting) = (state.conductor.as_ref()?, state.conducting()?);
        let run = conductor.run.as_ref().filter(|_| state.ended.is_none());
        Some(ConductorView {
            phase: match &state.ended {
                None => PhaseView::Now(state.phase()?),
                Some(ended) => PhaseView::Ended(ended_word(ended)),
            },
            agent: run.map(|run| run.agent.clone()),
            step: run.and_then(|run| run.step).map(shown),
            plan: PlanView::of(conductor),
            last_decision: conductor.decisions.last().map(|record| MoveView::of(record, conductor)),
            decisions: conductor.decisions.len(),
            iterations: conductor.iterations,
            failures: conductor.failures,
            tokens: conductor.tokens,
            cost_microusd: state.cost_microusd(),
            limits: conducting.limits,
            objections: objections(conductor),
            last_error: conductor.last_error.clone(),
            wakes_at: conductor.wakes_at,
            dry_run: conducting.dry_run,
            run: run.map(|run| {
                let step = run.step.map(|step| format!(", {}", plan::place(step, conductor.plan.as_deref())));
                let (agent, step) = (clean(&run.agent), step.unwrap_or_default());
                format!("{agent}{step}, iteration {}", run.iteration)
            }),
            spent: limits(state, now),
            error: ConductorView::error(conductor),
        })
    }

    /// The last error until the next success, with the agent that made it: "developer: the build broke".
    #[must_use]
    pub fn error(conductor: &ConductorState) -> Option<String> {
        let error = conductor.last_error.as_ref()?;
        Some(format!("{}: {}", clean(&error.agent), clean(&brief(&error.message, 2_000))))
    }
}

/// The objections that stand.
#[must_use]
pub fn objections(conductor: &ConductorState) -> Vec<ObjectionView> {
    let view = |(agent, objection): (&Arc<str>, &Arc<Objection>)| {
        let said = brief(&verdict_in_words(&objection.verdict), 60);
        ObjectionView {
            agent: agent.clone(),
            objection: objection.clone(),
            words: clean(&format!("{agent} objects: {said}")).into_owned(),
            verdict: clean(&said).into_owned(),
            issues: objection.issues.iter().map(|issue| clean(&brief(issue, 2_000)).into_owned()).collect(),
        }
    };
    conductor.objections.iter().map(view).collect()
}

impl ObjectionView {
    /// With the number of its issues: "tester objects: some failures, 2 issues".
    #[must_use]
    pub fn counted(&self) -> String {
        match self.issues.len() {
            0 => self.words.clone(),
            count => format!("{}, {}", self.words, counted(count, "issue")),
        }
    }
}

/// How a mission ended, in one word.
#[must_use]
pub fn ended_word(ended: &Ended) -> &'static str {
    match ended {
        Ended::Completed(_) => "complete",
        Ended::Cancelled(_) => "cancelled",
        Ended::Failed(_) => "failed",
        Ended::Exhausted(_) => "exhausted",
        Ended::PlanOnly { .. } => "planned",
    }
}

/// What a run does, beside the steps of the plan.
#[must_use]
pub fn errand(kind: RunKind) -> Option<&'static str> {
    match kind {
        RunKind::Work => None,
        RunKind::Keep => Some("keeps notes for later missions"),
        RunKind::Verify => Some("judges the claim"),
    }
}

/// What happens to the plan now, in one line: the step that is worked on, the errand of a run, or how far it is.
#[must_use]
pub fn plan_line(conductor: &ConductorState, over: bool) -> StatusLine {
    let errand = conductor.run.as_ref().and_then(|run| Some(format!("{} {}", run.agent, errand(run.kind)?)));
    let step = plan::step_now(conductor).filter(|_| !over);
    let (text, tone) = match (errand, step, conductor.plan.as_deref()) {
        (Some(errand), _, _) => (errand, Tone::Plain),
        (None, Some(step), plan) => {
            let description = brief(&step.description, WORDS_CHARS_MAX);
            (format!("{}: {description}", plan::place(step.index, plan)), Tone::Plain)
        }
        (None, None, Some(plan)) if plan.is_done() => {
            (format!("all {} are done", counted(plan.steps.len(), "step")), Tone::Good)
        }
        (None, None, Some(plan)) => (format!("plan: {}", plan::progress(plan)), Tone::Plain),
        (None, None, None) => ("no plan yet".to_owned(), Tone::Quiet),
    };
    StatusLine::new(clean(&text), tone)
}

/// A text on one line, as far as it is told in passing.
#[must_use]
pub fn brief(text: &str, chars: usize) -> String {
    // A long text is not walked to its end for the few signs that are shown of it.
    let head = mind::limits::cut(text, chars.saturating_mul(2));
    let words: Vec<&str> = head.split_whitespace().collect();
    mind::limits::cut(&words.join(" "), chars)
}
