//! The rows below the conversation of a council: who works, how full each context is, the tool in use.

use mind::State;
use mind::session::{Gauge, Role, Session};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::actor::speaker_words;
use view::clean::clean;
use view::session::{doing, fullness_tone, percent_words};
use view::status::{StatusLine, status};
use view::tone::Tone;

use super::{clockwork, put};
use crate::text::wrap::{cut, width};
use crate::theme::{Theme, Tint};
use crate::transcript::pieces::tint_of;
use crate::view_model::ViewModel;

/// From this height on each session has a row of its own.
const TALL: u16 = 16;

/// How many rows the gauges take on a terminal of this height.
pub fn rows(height: u16) -> u16 {
    if height >= TALL { 3 } else { 2 }
}

/// Draws the gauges, and the line below them.
pub fn draw(area: Rect, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) {
    let state = model.state;
    // Who was at work when it ended is at work no more.
    let worker = state.worker().filter(|_| state.ended.is_none());
    match area.height {
        0 => {}
        1 => put(buffer, area, 0, &lowest(area.width, model, theme)),
        2 => {
            let one = turn(state).or(worker).or(state.arbiter()).filter(|_| state.ended.is_none());
            let line = one.map_or_else(|| waits(model, theme), |one| line(one, area.width, state, theme));
            put(buffer, area, 0, &line);
            put(buffer, area, 1, &lowest(area.width, model, theme));
        }
        _ => {
            if let Some(arbiter) = state.arbiter() {
                put(buffer, area, 0, &line(arbiter, area.width, state, theme));
            }
            let below = worker.map_or_else(|| waits(model, theme), |one| line(one, area.width, state, theme));
            put(buffer, area, 1, &below);
            put(buffer, area, 2, &lowest(area.width, model, theme));
        }
    }
}

/// One session: its name, a line, its gauge.
pub(super) fn line(session: &Session, columns: u16, state: &State, theme: &Theme) -> Line<'static> {
    let speaker = session.profile.speaker();
    let name = Span::styled(speaker_words(&speaker), theme.style(tint_of(&speaker)));
    let mut right = match &session.context.gauge {
        Some(gauge) => gauge_spans(gauge, session.context.burn, state, cells(columns), theme),
        None => vec![Span::styled("not measured yet", theme.style(Tint::Dim))],
    };
    let taken: usize = right.iter().map(|span| width(&span.content)).sum();
    let room = usize::from(columns).saturating_sub(width(&name.content) + taken + 2);
    let mut spans = vec![name, Span::raw(" ")];
    spans.push(Span::styled(theme.sign("─", "-").repeat(room), theme.style(Tint::Frame)));
    spans.push(Span::raw(" "));
    spans.append(&mut right);
    Line::from(spans)
}

/// How many cells a bar has.
fn cells(columns: u16) -> usize {
    match columns {
        0..100 => 10,
        100..150 => 20,
        _ => 30,
    }
}

/// A bar, with what the next turn is likely to take, and the percent.
pub fn gauge_spans(
    gauge: &Gauge,
    burn: Option<u64>,
    state: &State,
    cells: usize,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let cell = |tokens: u64| {
        let window = gauge.window.max(1);
        // Something is never drawn as nothing.
        (tokens.saturating_mul(cells as u64).div_ceil(window) as usize).min(cells)
    };
    let used = cell(gauge.used);
    let next = cell(gauge.used.saturating_add(burn.unwrap_or(0))).max(used);
    let paint = theme.style(fullness_tone(gauge, state).into());
    vec![
        Span::styled(theme.sign("█", "#").repeat(used), paint),
        Span::styled(theme.sign("▒", "+").repeat(next - used), paint),
        Span::styled(theme.sign("░", ".").repeat(cells - next), theme.style(Tint::Dim)),
        Span::styled(format!("{:>5}", percent_words(gauge)), paint),
    ]
}

/// No session works: what the mission waits for.
fn waits(model: &ViewModel<'_>, theme: &Theme) -> Line<'static> {
    let StatusLine { text, tone } = status(model.state, model.now);
    Line::styled(text, theme.style(tone.into()))
}

/// The tool in use at the left, cost and time at the right.
pub(super) fn lowest(columns: u16, model: &ViewModel<'_>, theme: &Theme) -> Line<'static> {
    let right = clockwork::parts(model, usize::from(columns), theme);
    let taken: usize = right.iter().map(|span| width(&span.content)).sum();
    let room = usize::from(columns).saturating_sub(taken + 1);
    let (text, tint) = tool(model, theme);
    let left = cut(&text, room);
    let gap = usize::from(columns).saturating_sub(width(&left) + taken);
    let mut spans = vec![Span::styled(left, theme.style(tint)), Span::raw(" ".repeat(gap))];
    spans.extend(right);
    Line::from(spans)
}

/// Which session has the turn: one that waits for a person first, then the Arbiter.
fn turn(state: &State) -> Option<&Session> {
    let busy = |session: &&Session| session.turns.current.is_some();
    let sessions = [state.arbiter(), state.worker(), state.active_agent()];
    let mut busy = sessions.into_iter().flatten().filter(busy);
    let first = busy.next();
    busy.find(|session| session.awaits_person()).or(first)
}

/// The tool in use, and how many the session has called.
fn tool(model: &ViewModel<'_>, theme: &Theme) -> (String, Tint) {
    let state = model.state;
    let session = turn(state).or(state.worker()).or(state.active_agent());
    let Some(session) = session.filter(|_| state.ended.is_none()) else {
        return (String::new(), Tint::Dim);
    };
    // Where two sit, it is said who has the turn.
    let whose = match (session.profile.role, state.worker()) {
        (Role::Arbiter, Some(_)) => " Arbiter",
        (Role::Arbiter | Role::Orchestrator | Role::Verifier | Role::Agent, _) => "",
    };
    let sign = format!("{}{whose}", theme.sign("◈", "*"));
    let count = session.tool_use.calls;
    let StatusLine { text, tone } = doing(session, state, model.now);
    let waits = session.awaits_person() || session.health.wait.is_some();
    match session.tool_use.running.last().filter(|_| !waits) {
        Some(tool) => {
            let detail = clean(&tool.detail).replace('\n', " ");
            let count = if session.tool_use.running.len() > 1 {
                format!("({count}, {} at once)", session.tool_use.running.len())
            } else {
                format!("({count})")
            };
            (format!("{sign} {} {count} {detail}", clean(&tool.name)), Tint::Words)
        }
        None => {
            (format!("{sign} {text} ({count})"), if tone == Tone::Wanted { Tint::Wanted } else { Tint::Dim })
        }
    }
}
