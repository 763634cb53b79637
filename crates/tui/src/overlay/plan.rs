//! The quest log of a conducted mission: every step of its plan with all that is known of it, and every decision.

use mind::conductor::execution::Status;
use mind::conductor::plan::{Plan, Step, shown};
use mind::conductor::{Call, Podium, Record};
use ratatui::text::{Line, Span};
use view::clean::clean;
use view::conducted;
use view::when;

use super::panel::bar;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint, step_mark};

/// Decisions that are shown, the newest ones.
const DECISIONS_SHOWN: usize = 100;
/// Signs of one text of a step that are shown.
const TEXT_CHARS_MAX: usize = 2_000;

/// What stands on the page's frame.
pub(super) fn note(podium: &Podium, decisions: bool) -> String {
    match (&podium.plan, decisions) {
        (_, true) => match podium.decisions.len() {
            1 => "1 decision".to_owned(),
            count => format!("{count} decisions"),
        },
        (Some(plan), false) => conducted::progress(plan),
        (None, false) => String::new(),
    }
}

/// The plan, step by step.
pub(super) fn steps(podium: &Podium, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut page = Page { lines: Vec::new(), columns, theme };
    let Some(plan) = podium.plan.as_deref() else {
        page.blank();
        page.text(2, Tint::Dim, "No plan is made yet.");
        return page.lines;
    };
    let over = plan.steps.iter().filter(|step| step.status.is_over()).count();
    let percent = (over * 100).checked_div(plan.steps.len()).unwrap_or(100) as u64;
    let room = usize::from(columns.saturating_sub(4)).min(60);
    page.lines.push(Line::styled(format!("  {}", bar(percent, room, theme)), theme.style(Tint::Good)));
    page.blank();
    page.text(2, Tint::Dim, &origin(plan));
    for assumption in &plan.metadata.assumptions {
        page.named("assumes", assumption);
    }
    for step in &plan.steps {
        page.blank();
        page.step(step);
    }
    for (agent, objection) in &podium.objections {
        page.blank();
        page.text(2, Tint::Warn, &format!("{agent} objects: {}", conducted::verdict(&objection.verdict)));
        objection.issues.iter().for_each(|issue| page.named("issue", issue));
    }
    if let Some(error) = &podium.last_error {
        page.blank();
        page.text(2, Tint::Bad, &format!("The last error, of {}: {}", error.agent, error.message));
    }
    page.lines
}

/// Who made the plan, and how sure of it.
fn origin(plan: &Plan) -> String {
    let version = if plan.version > 1 { format!("version {}, ", plan.version) } else { String::new() };
    let sure = plan.metadata.confidence.map(|percent| format!(", {percent}% sure of it")).unwrap_or_default();
    format!("{version}made by {}{sure}", plan.created_by)
}

/// Every decision, the newest first, with what it led to.
pub(super) fn decisions(podium: &Podium, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut page = Page { lines: Vec::new(), columns, theme };
    if podium.decisions.is_empty() {
        page.blank();
        page.text(2, Tint::Dim, "Nothing is decided yet.");
        return page.lines;
    }
    for record in podium.decisions.iter().rev().take(DECISIONS_SHOWN) {
        if !page.lines.is_empty() {
            page.blank();
        }
        page.decision(record, podium);
    }
    let rest = podium.decisions.len().saturating_sub(DECISIONS_SHOWN);
    if rest > 0 {
        page.blank();
        page.text(2, Tint::Dim, &format!("{rest} earlier ones: `arbiter export` tells all"));
    }
    page.lines
}

struct Page<'a> {
    lines: Vec<Line<'static>>,
    columns: u16,
    theme: &'a Theme,
}

impl Page<'_> {
    fn blank(&mut self) {
        self.lines.push(Line::default());
    }

    /// A text of somebody, so far to the right.
    fn text(&mut self, indent: u16, tint: Tint, text: &str) {
        let text = one_line(text);
        let blanks = " ".repeat(usize::from(indent));
        let spans = vec![Span::raw(blanks), Span::styled(text, self.theme.style(tint))];
        self.lines.extend(wrap(spans, self.columns, indent));
    }

    /// A named text under a step.
    fn named(&mut self, name: &str, text: &str) {
        let spans = vec![
            Span::styled(format!("      {name}: "), self.theme.style(Tint::Dim)),
            Span::styled(one_line(text), self.theme.style(Tint::Words)),
        ];
        self.lines.extend(wrap(spans, self.columns, 8));
    }

    fn step(&mut self, step: &Step) {
        let (mark, tint) = step_mark(step.status, self.theme);
        let words = if step.status.is_over() { Tint::Dim } else { Tint::Words };
        let spans = vec![
            Span::styled(format!("  {mark} "), self.theme.style(tint)),
            Span::styled(
                format!("{} {}", shown(step.index), one_line(&step.description)),
                self.theme.style(words),
            ),
        ];
        self.lines.extend(wrap(spans, self.columns, 6));
        let mut state = conducted::status_word(step.status).to_owned();
        match (&step.executed_by, &step.suggested_agent) {
            (Some(agent), _) => state.push_str(&format!(" by {agent}")),
            (None, Some(agent)) => state.push_str(&format!(", meant for {agent}")),
            (None, None) => {}
        }
        if let (Some(from), Some(to)) = (step.started_at, step.completed_at) {
            state.push_str(&format!(", took {}", when::span(to.0.saturating_sub(from.0))));
        }
        self.text(6, Tint::Dim, &state);
        if !step.depends_on.is_empty() {
            let needs: Vec<String> = step.depends_on.iter().map(|index| shown(*index).to_string()).collect();
            self.named("after", &needs.join(", "));
        }
        step.instructions.iter().for_each(|text| self.named("how", text));
        step.acceptance_criteria.iter().for_each(|text| self.named("done when", text));
        step.checks.iter().for_each(|argv| self.named("check", &argv.join(" ")));
        if !step.affected_files.is_empty() {
            self.named("files", &step.affected_files.join(", "));
        }
        step.output.iter().for_each(|text| self.named("came of it", text));
        step.error.iter().for_each(|text| self.named("went wrong", text));
    }

    fn decision(&mut self, record: &Record, podium: &Podium) {
        let asked = match record.call {
            Call::Select => "before",
            Call::Evaluate => "after",
        };
        let spans = vec![
            Span::styled(format!("  {:>3} ", record.number), self.theme.style(Tint::Dim)),
            Span::styled(
                clean(&conducted::decided(record, podium)).into_owned(),
                self.theme.style(Tint::Key),
            ),
            Span::styled(
                format!(", {}, {asked} iteration {}", conducted::decided_by(record.source), record.iteration),
                self.theme.style(Tint::Dim),
            ),
        ];
        self.lines.extend(wrap(spans, self.columns, 6));
        self.text(6, Tint::Words, record.decision.words());
        record.cause.iter().for_each(|cause| self.named("because", cause));
        if !record.replies.is_empty() {
            let took: u64 = record.replies.iter().map(|reply| reply.latency_ms).sum();
            let times = match record.replies.len() {
                1 => "once".to_owned(),
                count => format!("{count} times"),
            };
            self.named("model", &format!("asked {times}, {}.{} s", took / 1000, took % 1000 / 100));
        }
        if let Some((status, agent)) = outcome(record, podium) {
            self.named("then", &format!("{agent}: {status}"));
        }
    }
}

/// How the run that followed ended.
fn outcome<'a>(record: &Record, podium: &'a Podium) -> Option<(&'static str, &'a str)> {
    let next = match record.call {
        Call::Select => record.iteration,
        Call::Evaluate => record.iteration.saturating_add(1),
    };
    let run = podium.history.iter().rev().find(|execution| execution.iteration == next)?;
    let status = match run.status {
        Status::Success => "success",
        Status::Failure => "failure",
        Status::Timeout => "took too long",
        Status::Cancelled => "was stopped",
    };
    Some((status, &run.agent))
}

fn one_line(text: &str) -> String {
    clean(&conducted::brief(text, TEXT_CHARS_MAX)).into_owned()
}
