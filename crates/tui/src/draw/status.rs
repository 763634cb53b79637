//! The status: what waits for the human, what is waited for, what it cost, how long it takes.

use mind::petition::Petition;
use mind::session::{Session, WaitKind};
use mind::{State, Timestamp};
use ratatui::text::Span;

use crate::podium::limits;
use crate::sight::{Sight, asked_elsewhere};
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::when;

/// From this width on it is told how much of what it may take a conducted mission took.
const BUDGET_COLUMNS: usize = 60;

/// How many decisions wait for the human.
pub fn waiting(state: &State, petitions: &[Petition]) -> usize {
    own(state) + asked_elsewhere(state, petitions).count()
}

/// The same, of what is shown.
pub fn waiting_here(sight: &Sight<'_>) -> usize {
    own(sight.state) + sight.asked_elsewhere().count()
}

/// Tools that need a yes, and the question that asks for more than words.
fn own(state: &State) -> usize {
    let question = state.question.and_then(|id| state.message(id));
    let wants = question.is_some_and(|message| message.asks.is_some() || !message.decisions.is_empty());
    state.open_asks().count() + usize::from(wants)
}

/// The same in words.
pub fn waiting_words(count: usize) -> String {
    if count == 1 { "1 decision waits".to_owned() } else { format!("{count} decisions wait") }
}

/// The parts that fit, the most important ones first; drawn from left to right with gaps.
pub fn parts(sight: &Sight<'_>, columns: usize, theme: &Theme) -> Vec<Span<'static>> {
    let state = sight.state;
    let mut parts: Vec<(String, Tint)> = Vec::new();
    if !sight.runs && !sight.over {
        parts.push(("nobody runs it".to_owned(), Tint::Wanted));
    }
    if let count @ 1.. = waiting_here(sight) {
        parts.push((waiting_words(count), Tint::Wanted));
    }
    if state.paused && state.ended.is_none() {
        parts.push(("paused".to_owned(), Tint::Warn));
    }
    parts.extend(state.live_sessions().filter_map(|session| countdown(session, sight)));
    // With more room the line above tells it.
    parts.extend(recovering(sight).filter(|_| columns < BUDGET_COLUMNS));
    let elapsed = when::clock(until(sight).0.saturating_sub(state.opened_at.0));
    let cost = state.cost_microusd();
    if state.podium.is_some() && columns >= BUDGET_COLUMNS {
        let limits = limits(state, until(sight)).into_iter();
        let spent = limits.filter(|limit| matches!(limit.name, "cost" | "time")).rev();
        parts
            .extend(spent.map(|limit| {
                (limit.words(), if limit.tint == Tint::Words { Tint::Dim } else { limit.tint })
            }));
    } else if state.charter.is_some() {
        parts.push((elapsed, Tint::Dim));
    }
    if cost > 0 && (state.podium.is_none() || columns < BUDGET_COLUMNS) {
        parts.push((format!("${:.2}", cost as f64 / 1e6), Tint::Dim));
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

/// The moment up to which the mission's time is counted.
pub fn until(sight: &Sight<'_>) -> Timestamp {
    let still = sight.state.ended.is_some() || !sight.runs;
    if still { sight.state.now } else { sight.now.max(sight.state.now) }
}

/// When a conducted mission tries its model again.
fn recovering(sight: &Sight<'_>) -> Option<(String, Tint)> {
    let podium = sight.state.podium.as_ref().filter(|_| sight.state.ended.is_none())?;
    let left = podium.wakes_at?.0.saturating_sub(sight.now.0);
    Some((format!("model tried in {}", when::clock(left)), Tint::Warn))
}

/// What a session waits for, and how long still.
fn countdown(session: &Session, sight: &Sight<'_>) -> Option<(String, Tint)> {
    let wait = session.wait.as_ref()?;
    let left = wait.until.0.saturating_sub(sight.now.0);
    let what = match wait.kind {
        WaitKind::Backoff => format!("try {}", session.failures + 1),
        WaitKind::Limit => {
            let until = when::at(wait.until, sight.zone).strftime("%H:%M").to_string();
            return Some((format!("limit until {until}, {}", when::clock(left)), Tint::Warn));
        }
        WaitKind::Login => "login tried".to_owned(),
        WaitKind::Revival => "taken up".to_owned(),
    };
    Some((format!("{what} in {}", when::clock(left)), Tint::Warn))
}
