//! The status at the right of the lowest row: what waits for the person, what is waited for, cost and time; and how often
//! the times on the screen have to be drawn again.

use mind::charter::Way;
use mind::petition::Petition;
use mind::session::Session;
use mind::{State, Timestamp, WaitingOn};
use ratatui::text::Span;
use view::amount::money;
use view::conducted::limits;
use view::owed::own_decisions;
use view::session::countdown;
use view::session::model_wait_words;
use view::status::waiting_words;
use view::tone::Tone;
use view::when;

use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::view_model::{ViewModel, asked_elsewhere};

/// From this width on it is told how much of what it may take a conducted mission took.
const BUDGET_COLUMNS: usize = 60;

const MINUTE_MS: u64 = 60_000;

/// How many decisions wait for the human.
pub fn waiting(state: &State, petitions: &[Petition]) -> usize {
    own_decisions(state) + asked_elsewhere(state, petitions).count()
}

/// The same, of what is shown.
pub fn waiting_here(model: &ViewModel<'_>) -> usize {
    own_decisions(model.state) + model.asked_elsewhere().count()
}

/// The parts that fit, the most important ones first; drawn from left to right with gaps.
pub fn parts(model: &ViewModel<'_>, columns: usize, theme: &Theme) -> Vec<Span<'static>> {
    let state = model.state;
    let mut parts: Vec<(String, Tint)> = Vec::new();
    if !model.runs && !model.over {
        parts.push(("not running".to_owned(), Tint::Wanted));
    }
    if let count @ 1.. = waiting_here(model) {
        parts.push((waiting_words(count), Tint::Wanted));
    }
    if state.paused && state.ended.is_none() {
        parts.push(("paused".to_owned(), Tint::Warn));
    }
    let waits = state.live_sessions().filter_map(|session| countdown(session, model.now, model.zone));
    parts.extend(waits.map(|text| (text, Tint::Warn)));
    // With more room the line above tells it.
    parts.extend(recovering(model).filter(|_| columns < BUDGET_COLUMNS));
    let took = until(model).0.saturating_sub(state.opened_at.0);
    let elapsed = match clockwork(model) {
        Clockwork::Rests { since } => when::since(since, model.now, model.zone),
        Clockwork::Minutes => when::span(took),
        Clockwork::Stopped | Clockwork::Seconds => when::clock(took),
    };
    let cost = state.cost_microusd();
    if state.way() == Way::Conductor && columns >= BUDGET_COLUMNS {
        let limits = limits(state, until(model)).into_iter();
        let spent = limits.filter(|limit| matches!(limit.name, "cost" | "time")).rev();
        parts.extend(spent.map(|limit| {
            (limit.words(), if limit.tone == Tone::Plain { Tint::Dim } else { limit.tone.into() })
        }));
        if let Clockwork::Rests { .. } = clockwork(model) {
            parts.push((elapsed, Tint::Dim));
        }
    } else if state.charter.is_some() {
        parts.push((elapsed, Tint::Dim));
    }
    if cost > 0 && (state.way() == Way::Council || columns < BUDGET_COLUMNS) {
        parts.push((money(cost), Tint::Dim));
    }
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut taken = 0;
    for (text, tint) in parts {
        let gap = if spans.is_empty() { 0 } else { 2 };
        // Half of the line is left for the tool.
        if taken + gap + width(&text) > (columns * 2 / 3).max(16) {
            break;
        }
        taken += gap + width(&text);
        if gap > 0 {
            spans.push(Span::raw("  "));
        }
        spans.push(Span::styled(text, theme.style(tint)));
    }
    spans
}

/// The moment up to which the mission's time is counted: while it waits for the human, until it began to.
pub fn until(model: &ViewModel<'_>) -> Timestamp {
    match clockwork(model) {
        Clockwork::Stopped | Clockwork::Rests { .. } => model.state.now,
        Clockwork::Minutes | Clockwork::Seconds => model.now.max(model.state.now),
    }
}

/// How the times on the screen move. A screen on which nothing happens is not written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clockwork {
    /// Not at all: the mission is over, or no process runs it.
    Stopped,
    /// It waits for the human since then, and a moment is shown instead of a span.
    Rests {
        /// When it began to wait.
        since: Timestamp,
    },
    /// It waits for a time that is minutes away.
    Minutes,
    Seconds,
}

/// How the times of this mission move now.
pub fn clockwork(model: &ViewModel<'_>) -> Clockwork {
    let state = model.state;
    if state.ended.is_some() || !model.runs {
        return Clockwork::Stopped;
    }
    let works = |session: &Session| session.turns.current.is_some() && !session.awaits_person();
    if state.waiting_on() == WaitingOn::Human && !state.live_sessions().any(works) {
        let question = state.question.and_then(|id| state.message(id)).map(|message| message.at);
        let asked = state.open_permissions().map(|(_, ask)| ask.at);
        return Clockwork::Rests { since: question.into_iter().chain(asked).min().unwrap_or(state.now) };
    }
    let mut waits = waits(state).map(|until| until.0.saturating_sub(model.now.0)).peekable();
    if waits.peek().is_some() && waits.all(|left| left >= MINUTE_MS) {
        Clockwork::Minutes
    } else {
        Clockwork::Seconds
    }
}

/// When what is shown changes by time alone, in milliseconds from now; nothing if it does not.
pub fn changes_in(model: &ViewModel<'_>) -> Option<u64> {
    match clockwork(model) {
        Clockwork::Stopped => None,
        Clockwork::Seconds => Some(1000),
        Clockwork::Minutes => {
            let left = waits(model.state).map(|until| until.0.saturating_sub(model.now.0)).min()?;
            Some(left % MINUTE_MS + 1)
        }
        // From another day on the day is shown.
        Clockwork::Rests { .. } => {
            let now = when::at(model.now, model.zone);
            let midnight = now.tomorrow().and_then(|tomorrow| tomorrow.start_of_day()).ok()?;
            let left = midnight.timestamp().as_millisecond() - now.timestamp().as_millisecond();
            u64::try_from(left).ok()
        }
    }
}

/// The moments for which sessions and the conductor wait.
fn waits(state: &State) -> impl Iterator<Item = Timestamp> {
    let sessions = state.live_sessions().filter_map(|session| Some(session.health.wait.as_ref()?.until));
    sessions.chain(state.conductor.as_ref().and_then(|conductor| conductor.wakes_at))
}

/// When a conducted mission tries its model again.
fn recovering(model: &ViewModel<'_>) -> Option<(String, Tint)> {
    let conductor = model.state.conductor.as_ref().filter(|_| model.state.ended.is_none())?;
    Some((model_wait_words(&when::left(conductor.wakes_at?, model.now)), Tint::Warn))
}
