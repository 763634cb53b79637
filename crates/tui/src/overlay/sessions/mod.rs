//! The sessions: who is there, what each does, how full its context is, what it cost, and how to open it by hand.

mod detail;

use std::cmp::Reverse;

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use mind::session::{Role, Session};
use mind::{SessionId, State};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::amount::{counted, money};
use view::session::SessionView;

use super::PageResponse;
use super::list::{Motion, Scroll, letter, motion, step, wheel};
use super::panel::{self, Panel, bar, brief};
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::transcript::pieces::tint_of;
use crate::view_model::ViewModel;

/// From so many rows on, a list and details stand below one another.
const BOTH_ROWS_MIN: u16 = 14;

const HINTS: &[(&str, &str)] =
    &[("j/k", "choose"), ("q", "close"), ("Enter", "details"), ("o", "logbook"), ("J/K", "scroll")];

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionsPage {
    chosen: Option<SessionId>,
    /// Where there is no room for both, details are shown instead of the list.
    details: bool,
    list: Scroll,
    detail: Scroll,
}

impl SessionsPage {
    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, model: &ViewModel<'_>) -> PageResponse {
        let sessions = ordered(model.state);
        let letter = letter(&key);
        if key.code == KeyCode::Esc || matches!(letter, Some('q' | 's')) {
            if self.details && key.code == KeyCode::Esc {
                self.details = false;
                return PageResponse::Stay;
            }
            return PageResponse::Close;
        }
        if letter == Some('o') {
            return match self.place(&sessions).and_then(|at| sessions.get(at)) {
                Some(session) => {
                    let session = Some(session.profile.session);
                    PageResponse::Logbook(session)
                }
                None => PageResponse::Stay,
            };
        }
        if key.code == KeyCode::Enter {
            self.details = !self.details;
        } else if let Some('J' | 'K') = letter {
            self.detail.go(Motion::Lines(if letter == Some('J') { 1 } else { -1 }));
        } else if let Some(motion) = motion(&key) {
            self.choose(&sessions, motion);
        }
        PageResponse::Stay
    }

    /// The mouse did something.
    pub fn mouse(&mut self, mouse: MouseEvent, model: &ViewModel<'_>) -> PageResponse {
        if let Some(motion) = wheel(&mouse) {
            let lines = if let Motion::Lines(lines) = motion { lines.signum() } else { 0 };
            self.choose(&ordered(model.state), Motion::Lines(lines));
        }
        PageResponse::Stay
    }

    fn choose(&mut self, sessions: &[&Session], motion: Motion) {
        let at = self.place(sessions).unwrap_or(0);
        let to = step(at, sessions.len(), self.list.rows(), motion);
        self.chosen = sessions.get(to).map(|session| session.profile.session);
        self.detail.reset();
    }

    /// Where the chosen one stands; the first is chosen until the person chooses another.
    fn place(&self, sessions: &[&Session]) -> Option<usize> {
        let chosen = sessions.iter().position(|session| Some(session.profile.session) == self.chosen);
        chosen.or((!sessions.is_empty()).then_some(0))
    }

    /// Draws the page.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, model: &ViewModel<'_>, theme: &Theme) {
        let sessions = ordered(model.state);
        let live = model.state.live.len();
        let note = format!("{live} live of {}", sessions.len());
        let inner = Panel { title: "Sessions", note, hints: HINTS }.draw(area, buffer, theme);
        if inner.is_empty() {
            return;
        }
        let Some(at) = self.place(&sessions) else {
            let empty = Line::styled("  No session has begun yet.", theme.style(Tint::Dim));
            return panel::one(
                Rect { y: inner.y + inner.height.min(2) - 1, height: 1, ..inner },
                buffer,
                &empty,
            );
        };
        let session = sessions[at];
        let below = |rows: u16| Rect { y: inner.y + rows, height: inner.height - rows, ..inner };
        if inner.height < BOTH_ROWS_MIN {
            if self.details {
                let lines = detail::lines(session, model, inner.width, theme);
                return panel::lines(inner, buffer, &lines, &self.detail, theme);
            }
            let rows = inner.height - 1;
            self.rows(Rect { height: rows, ..inner }, buffer, &sessions, at, model, theme);
            return panel::one(below(rows), buffer, &totals(model.state, theme));
        }
        let rows = (sessions.len() as u16).min(inner.height / 2 - 1);
        self.rows(Rect { height: rows, ..inner }, buffer, &sessions, at, model, theme);
        panel::one(Rect { height: 1, ..below(rows) }, buffer, &totals(model.state, theme));
        let rule = theme.sign("─", "-").repeat(usize::from(inner.width));
        panel::one(
            Rect { height: 1, ..below(rows + 1) },
            buffer,
            &Line::styled(rule, theme.style(Tint::Frame)),
        );
        let lines = detail::lines(session, model, inner.width, theme);
        panel::lines(below(rows + 2), buffer, &lines, &self.detail, theme);
    }

    fn rows(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        all: &[&Session],
        at: usize,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) {
        let seen = self.list.fit_around(at, usize::from(area.height), all.len());
        for (place, row) in seen.zip(area.rows()) {
            panel::one(row, buffer, &line(all[place], model, area.width, theme));
            if place == at {
                buffer.set_style(row.intersection(buffer.area), theme.style(Tint::Chosen));
            }
        }
        panel::mark(area, buffer, &self.list, all.len(), theme);
    }
}

/// Those that live first, then the newest first.
fn ordered(state: &State) -> Vec<&Session> {
    let mut sessions: Vec<&Session> = state.sessions.values().map(AsRef::as_ref).collect();
    sessions.sort_by_key(|session| (!session.live, Reverse(session.profile.session)));
    sessions
}

fn line(session: &Session, model: &ViewModel<'_>, columns: u16, theme: &Theme) -> Line<'static> {
    let view = SessionView::of(session, model.state, model.now);
    let roomy = columns >= 60;
    let columns = usize::from(columns);
    let gauge = match &view.fullness {
        Some(full) if roomy => format!(" {} {:>4}", bar(full.percent, 10, theme), full.percent_words),
        Some(full) => format!(" {:>4}", full.percent_words),
        None => String::new(),
    };
    let name_tint = if view.live { tint_of(&session.profile.speaker()) } else { Tint::Dim };
    let name = format!(" {:15}", brief(&named(&view), 15));
    let made_of = if roomy { format!(" {:18}", brief(&view.made_of, 18)) } else { String::new() };
    let room = columns.saturating_sub(width(&name) + width(&made_of) + width(&gauge) + 2);
    let words = brief(&view.doing.text, room);
    let gap = room.saturating_sub(width(&words));
    Line::from(vec![
        Span::styled(name, theme.style(name_tint)),
        Span::styled(made_of, theme.style(Tint::Dim)),
        Span::raw(" "),
        Span::styled(words, theme.style(view.doing.tone.into())),
        Span::raw(" ".repeat(gap)),
        Span::styled(gauge, theme.style(view.fullness.map_or(Tint::Dim, |full| full.tone.into()))),
    ])
}

/// Who it is. An agent has a session for each of its runs: these have numbers.
fn named(view: &SessionView) -> String {
    match view.role {
        Role::Agent => format!("{} {}", view.session, view.who),
        Role::Arbiter | Role::Orchestrator | Role::Verifier => view.who.clone(),
    }
}

fn totals(state: &State, theme: &Theme) -> Line<'static> {
    let calls: u32 = state.sessions.values().map(|session| session.tool_use.calls).sum();
    let turns: u32 = state.sessions.values().map(|session| session.turns.completed).sum();
    let (turns, calls) = (counted(turns, "turn"), counted(calls, "tool call"));
    let cost = money(state.cost_microusd());
    Line::styled(format!(" in all {turns}, {calls}, {cost}"), theme.style(Tint::House))
}
