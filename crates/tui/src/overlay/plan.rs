//! The pages of a conducted mission's quest log: every step of its plan with all that is known of it, and every move.

use mind::conductor::ConductorState;
use ratatui::text::{Line, Span};
use view::amount::counted;
use view::clean::clean;
use view::conducted::{self, ConductorView};
use view::moves::MoveView;
use view::plan::{PlanView, StepView};

use super::panel::bar;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint, step_mark};

/// Moves that are shown, the newest ones.
const MOVES_SHOWN: usize = 100;

/// What stands on the page's frame.
pub(super) fn note(conductor: &ConductorState, moves: bool) -> String {
    match (&conductor.plan, moves) {
        (_, true) => counted(conductor.decisions.len(), "move"),
        (Some(plan), false) => view::plan::progress(plan),
        (None, false) => String::new(),
    }
}

/// The plan, step by step.
pub(super) fn steps(conductor: &ConductorState, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut page = Page { lines: Vec::new(), columns, theme };
    let Some(plan) = PlanView::of(conductor) else {
        page.blank();
        page.text(2, Tint::Dim, "No plan is made yet.");
        return page.lines;
    };
    let over = plan.steps.iter().filter(|step| step.status.is_over()).count();
    let percent = (over * 100).checked_div(plan.steps.len()).unwrap_or(100) as u64;
    let room = usize::from(columns.saturating_sub(4)).min(60);
    page.lines.push(Line::styled(format!("  {}", bar(percent, room, theme)), theme.style(Tint::Good)));
    page.blank();
    page.text(2, Tint::Dim, &plan.origin);
    plan.assumptions.iter().for_each(|assumption| page.named("assumes", assumption));
    for step in &plan.steps {
        page.blank();
        page.step(step);
    }
    for objection in conducted::objections(conductor) {
        page.blank();
        page.text(2, Tint::Warn, &objection.words);
        objection.issues.iter().for_each(|issue| page.named("issue", issue));
    }
    if let Some(error) = ConductorView::error(conductor) {
        page.blank();
        page.text(2, Tint::Bad, &format!("The last error, of {error}"));
    }
    page.lines
}

/// Every move, the newest first, with what it led to.
pub(super) fn moves(conductor: &ConductorState, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut page = Page { lines: Vec::new(), columns, theme };
    if conductor.decisions.is_empty() {
        page.blank();
        page.text(2, Tint::Dim, "No move is made yet.");
        return page.lines;
    }
    for record in conductor.decisions.iter().rev().take(MOVES_SHOWN) {
        if !page.lines.is_empty() {
            page.blank();
        }
        page.made(&MoveView::of(record, conductor));
    }
    let rest = conductor.decisions.len().saturating_sub(MOVES_SHOWN);
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

    /// A text so far to the right.
    fn text(&mut self, indent: u16, tint: Tint, text: &str) {
        let blanks = " ".repeat(usize::from(indent));
        let spans = vec![Span::raw(blanks), Span::styled(text.to_owned(), self.theme.style(tint))];
        self.lines.extend(wrap(spans, self.columns, indent));
    }

    /// A named text under a step or a move.
    fn named(&mut self, name: &str, text: &str) {
        let spans = vec![
            Span::styled(format!("      {name}: "), self.theme.style(Tint::Dim)),
            Span::styled(text.to_owned(), self.theme.style(Tint::Words)),
        ];
        self.lines.extend(wrap(spans, self.columns, 8));
    }

    fn step(&mut self, step: &StepView) {
        let (mark, tint) = step_mark(step.status, self.theme);
        let words = if step.status.is_over() { Tint::Dim } else { Tint::Words };
        let spans = vec![
            Span::styled(format!("  {mark} "), self.theme.style(tint)),
            Span::styled(format!("{} {}", step.number, step.description), self.theme.style(words)),
        ];
        self.lines.extend(wrap(spans, self.columns, 6));
        self.text(6, Tint::Dim, &step.standing);
        step.details.iter().for_each(|(name, text)| self.named(name, text));
    }

    fn made(&mut self, made: &MoveView) {
        let spans = vec![
            Span::styled(format!("  {:>3} ", made.number), self.theme.style(Tint::Dim)),
            Span::styled(clean(&made.words).into_owned(), self.theme.style(Tint::Key)),
            Span::styled(format!(", {}, {}", made.by, made.when), self.theme.style(Tint::Dim)),
        ];
        self.lines.extend(wrap(spans, self.columns, 6));
        self.text(6, Tint::Words, &made.why);
        let named = [("because", &made.because), ("model", &made.asked), ("then", &made.outcome)];
        for (name, text) in named {
            text.iter().for_each(|text| self.named(name, text));
        }
    }
}
