//! A conducted mission on the screen: the plan, who works at what, the last move, and how far it may go. Beside the
//! conversation where there is room, else in a few rows below it.

use mind::conductor::ConductorState;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::clean::clean;
use view::conducted::{self, Limit, ObjectionView, brief, limits};
use view::moves::MoveView;
use view::plan::PlanView;
use view::status::{StatusLine, ending, status};

use super::layout::Layout;
use super::{clockwork, gauges, put};
use crate::text::wrap::{cut, width, wrap};
use crate::theme::{Theme, Tint, step_mark};
use crate::view_model::ViewModel;

/// From this height on there is a row for each thing.
const TALL: u16 = 20;
/// Rows that the plan has at least, with its title.
const PLAN_ROWS_MIN: usize = 4;
/// Rows that a reason takes beside the conversation.
const REASON_ROWS: usize = 4;
/// Signs of a step or a reason that are looked at.
const TEXT_CHARS: usize = 400;

/// How many rows stand below the conversation of a conducted mission.
pub(super) fn rows(height: u16, aside: bool) -> u16 {
    match (height >= TALL, aside) {
        (true, true) => 3,
        (true, false) => 5,
        (false, _) => 3,
    }
}

/// Draws the view.
pub(super) fn draw(
    places: &Layout,
    conductor: &ConductorState,
    model: &ViewModel<'_>,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let area = places.gauges;
    let columns = area.width;
    let counts = limits(model.state, clockwork::until(model));
    let mut lines = match area.height {
        0 | 1 => Vec::new(),
        2 => vec![now_line(columns, model, theme)],
        3 | 4 if places.side.is_some() => {
            vec![now_line(columns, model, theme), step_line(columns, model, conductor, &[], theme)]
        }
        3 | 4 => {
            let short = &counts[..counts.len().min(2)];
            vec![now_line(columns, model, theme), step_line(columns, model, conductor, short, theme)]
        }
        _ => vec![
            now_line(columns, model, theme),
            step_line(columns, model, conductor, &[], theme),
            move_line(columns, conductor, theme),
            counts_line(columns, &counts, theme),
        ],
    };
    lines.push(gauges::lowest(columns, model, theme));
    for (row, line) in lines.iter().enumerate() {
        put(buffer, area, row as u16, line);
    }
    if let Some(aside) = places.side {
        beside(aside, conductor, &counts, model, buffer, theme);
    }
}

/// Who works and how full its context is; else what is waited for.
fn now_line(columns: u16, model: &ViewModel<'_>, theme: &Theme) -> Line<'static> {
    let state = model.state;
    if state.ended.is_some() {
        let StatusLine { text, tone } = ending(state);
        return Line::styled(cut(&brief(&text, TEXT_CHARS), columns.into()), theme.style(tone.into()));
    }
    let player = state.active_agent().filter(|session| !state.paused && session.health.wait.is_none());
    if let Some(session) = player {
        return gauges::line(session, columns, state, theme);
    }
    let StatusLine { text, tone } = status(state, model.now);
    Line::styled(cut(&text, columns.into()), theme.style(tone.into()))
}

/// The step that is worked on, with counts at the right.
fn step_line(
    columns: u16,
    model: &ViewModel<'_>,
    conductor: &ConductorState,
    counts: &[Limit],
    theme: &Theme,
) -> Line<'static> {
    let right: Vec<Span<'static>> = counts
        .iter()
        .map(|count| {
            let name = if count.name == "failures" { theme.sign("✗", "failed ") } else { "run " };
            Span::styled(format!("  {name}{}", count.short()), theme.style(dimmed(count.tone.into())))
        })
        .collect();
    let taken: usize = right.iter().map(|span| width(&span.content)).sum();
    let room = usize::from(columns).saturating_sub(taken);
    let StatusLine { text, tone } = conducted::plan_line(conductor, model.state.ended.is_some());
    let text = if room < 40 { text.replacen(" of ", "/", 1) } else { text };
    let tint = tone.into();
    let left = cut(&text, room);
    let gap = room.saturating_sub(width(&left));
    let mut spans = vec![Span::styled(left, theme.style(tint)), Span::raw(" ".repeat(gap))];
    spans.extend(right);
    Line::from(spans)
}

/// The last move, by whom, why.
fn move_line(columns: u16, conductor: &ConductorState, theme: &Theme) -> Line<'static> {
    let Some(made) = conductor.decisions.last().map(|record| MoveView::of(record, conductor)) else {
        return Line::styled("no move is made yet", theme.style(Tint::Dim));
    };
    let (what, by) = (clean(&made.words).into_owned(), format!(", {}", made.by));
    let why = if made.why.is_empty() { String::new() } else { format!(": {}", made.why) };
    let room = usize::from(columns).saturating_sub(width(&what) + width(&by));
    Line::from(vec![
        Span::styled(what, theme.style(Tint::Key)),
        Span::styled(by, theme.style(Tint::Dim)),
        Span::styled(cut(&why, room), theme.style(Tint::Words)),
    ])
}

/// Limits in one row, as far as they fit. Cost and time stand in the status.
fn counts_line(columns: u16, counts: &[Limit], theme: &Theme) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut taken = 0;
    for count in counts.iter().filter(|count| !matches!(count.name, "cost" | "time")) {
        let text = format!("{} {}", count.name, count.words());
        let gap = if spans.is_empty() { 0 } else { 3 };
        if taken + gap + width(&text) > usize::from(columns) {
            continue;
        }
        taken += gap + width(&text);
        if gap > 0 {
            spans.push(Span::styled(format!(" {} ", theme.sign("·", "|")), theme.style(Tint::Frame)));
        }
        spans.push(Span::styled(text, theme.style(dimmed(count.tone.into()))));
    }
    Line::from(spans)
}

/// What is far from its end needs no eye.
fn dimmed(tint: Tint) -> Tint {
    if tint == Tint::Words { Tint::Dim } else { tint }
}

/// Everything, beside the conversation: the plan above, the rest at the bottom.
fn beside(
    area: Rect,
    conductor: &ConductorState,
    counts: &[Limit],
    model: &ViewModel<'_>,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let mut below = vec![Line::default()];
    below.extend(course_lines(area.width, model, theme));
    below.extend(objection_lines(area.width, conductor, theme));
    below.push(Line::default());
    below.extend(move_lines(area.width, conductor, theme));
    below.push(Line::default());
    below.extend(counts.iter().map(|count| limit_line(count, theme)));
    let room = usize::from(area.height);
    // The step at work is seen even where there is hardly room.
    let rows = room.saturating_sub(below.len()).max(PLAN_ROWS_MIN);
    let plan = plan_lines(conductor, area.width, rows, theme);
    let lines = plan.into_iter().chain(below);
    for (row, line) in lines.take(room).enumerate() {
        put(buffer, area, row as u16, &line);
    }
}

/// The plan in so many rows. What is over makes room for what is not.
fn plan_lines(conductor: &ConductorState, columns: u16, rows: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut title = vec![Span::styled("The plan", theme.style(Tint::Title))];
    let Some(plan) = PlanView::of(conductor) else {
        return vec![Line::from(title), Line::styled("No plan is made yet.", theme.style(Tint::Dim))];
    };
    let version =
        if plan.plan.version > 1 { format!(", version {}", plan.plan.version) } else { String::new() };
    title.push(Span::styled(format!("  {}{version}", plan.progress), theme.style(Tint::Dim)));
    let room = rows.saturating_sub(1);
    let (all, at) = step_lines(&plan, columns, theme);
    // A step before the one at work stays in sight.
    let from = at.saturating_sub(room / 2).min(all.len().saturating_sub(room));
    let mut lines = vec![Line::from(title)];
    lines.extend(all.into_iter().skip(from).take(room));
    lines
}

/// Every step, and where the one that is worked on begins.
fn step_lines(plan: &PlanView, columns: u16, theme: &Theme) -> (Vec<Line<'static>>, usize) {
    let mut lines = Vec::new();
    let mut at = 0;
    for step in &plan.steps {
        let (mark, tint) = step_mark(step.status, theme);
        if step.current {
            at = lines.len();
        }
        let words = if step.status.is_over() { Tint::Dim } else { Tint::Words };
        let description = brief(&step.description, TEXT_CHARS);
        let mut spans = vec![
            Span::styled(format!("{mark} "), theme.style(tint)),
            Span::styled(format!("{} {description}", step.number), theme.style(words)),
        ];
        if let Some(agent) = &step.agent {
            spans.push(Span::styled(format!(" ({agent})"), theme.style(Tint::Dim)));
        }
        lines.extend(wrap(spans, columns, 4));
    }
    (lines, at)
}

/// What it does now, and for which step.
fn course_lines(columns: u16, model: &ViewModel<'_>, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("Now", theme.style(Tint::Title))];
    let StatusLine { text, tone } = status(model.state, model.now);
    let text = clean(&brief(&text, TEXT_CHARS)).into_owned();
    lines.extend(wrap(vec![Span::styled(text, theme.style(tone.into()))], columns, 0));
    lines
}

/// Which agents found something wrong and have not taken it back.
fn objection_lines(columns: u16, conductor: &ConductorState, theme: &Theme) -> Vec<Line<'static>> {
    let objections = conducted::objections(conductor);
    let told = objections.iter().take(3).map(ObjectionView::counted);
    told.map(|text| Line::styled(cut(&text, columns.into()), theme.style(Tint::Warn))).collect()
}

fn move_lines(columns: u16, conductor: &ConductorState, theme: &Theme) -> Vec<Line<'static>> {
    let title = Span::styled("Last move", theme.style(Tint::Title));
    let Some(made) = conductor.decisions.last().map(|record| MoveView::of(record, conductor)) else {
        return vec![Line::from(title), Line::styled("No move is made yet.", theme.style(Tint::Dim))];
    };
    let number = Span::styled(format!("  number {}", made.number), theme.style(Tint::Dim));
    let mut lines = vec![Line::from(vec![title, number])];
    lines.extend(wrap(
        vec![
            Span::styled(clean(&made.words).into_owned(), theme.style(Tint::Key)),
            Span::styled(format!(", {}", made.by), theme.style(Tint::Dim)),
        ],
        columns,
        2,
    ));
    let why = brief(&made.why, TEXT_CHARS);
    let mut reason = wrap(vec![Span::styled(why, theme.style(Tint::Words))], columns, 0);
    if reason.len() > REASON_ROWS {
        reason.truncate(REASON_ROWS - 1);
        reason.push(Line::styled(
            theme.sign("… t shows all of it", "... t shows all of it"),
            theme.style(Tint::Dim),
        ));
    }
    lines.extend(reason);
    lines
}

fn limit_line(limit: &Limit, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("{:<12}", limit.name), theme.style(Tint::Dim)),
        Span::styled(limit.words(), theme.style(limit.tone.into())),
    ])
}
