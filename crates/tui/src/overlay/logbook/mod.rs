//! The logbook page: every raw line of every session, by source, filtered, in full. Only the lines on the screen are parsed.

mod index;
mod pieces;
mod reading;
mod summary;

use std::cell::{Cell, RefCell};

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use mind::{SessionId, State};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use view::amount::counted;
use view::when;

use self::index::{Index, Question};
use self::reading::Reading;
use super::PageResponse;
use super::field::Field;
use super::list::{Motion, Scroll, letter, motion, step, wheel};
use super::panel::{self, Panel};
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::view_model::{Attachment, RawRecord, RecordDirection, ViewModel};

const HINTS: &[(&str, &str)] = &[
    ("j/k", "choose"),
    ("q", "close"),
    ("d", "details"),
    ("f", "filter"),
    ("x", "pieces"),
    ("Tab", "source"),
    ("G", "live"),
];
const DETAIL_HINTS: &[(&str, &str)] =
    &[("j/k", "scroll"), ("d", "back"), ("h/l", "previous, next"), ("x", "pieces")];
const FILTER_HINTS: &[(&str, &str)] = &[("Enter", "keep"), ("Esc", "clear")];

#[derive(Debug, Clone, PartialEq, Default)]
pub struct LogbookPage {
    source: Option<SessionId>,
    filter: Field,
    typing: bool,
    details: bool,
    /// Streaming pieces are shown too.
    pieces: bool,
    /// The record that is chosen, by its number; the newest while one follows the end.
    chosen: Cell<Option<u64>>,
    index: RefCell<Index>,
    reading: RefCell<Reading>,
    list: Scroll,
    detail: Scroll,
}

impl LogbookPage {
    /// A page with the lines of one session, or of all.
    pub fn of(source: Option<SessionId>) -> LogbookPage {
        LogbookPage { source, ..LogbookPage::default() }
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, model: &ViewModel<'_>) -> PageResponse {
        if self.typing {
            self.filter_key(&key);
            return PageResponse::Stay;
        }
        if key.code == KeyCode::Esc {
            return self.step_back();
        }
        if key.code == KeyCode::Enter {
            self.toggle_details();
        } else if key.code == KeyCode::Tab || key.code == KeyCode::BackTab {
            self.next_source(model.state, key.code == KeyCode::Tab);
        } else if let Some(motion) = motion(&key) {
            self.go(motion, model);
        } else {
            match letter(&key) {
                Some('q' | 'o') => return PageResponse::Close,
                Some('d') => self.toggle_details(),
                Some('f' | '/') => {
                    self.typing = true;
                    self.details = false;
                }
                Some('x') => {
                    self.pieces = !self.pieces;
                    self.detail.reset();
                }
                Some('l') if self.details => self.turn(Motion::Lines(1), model),
                Some('h') if self.details => self.turn(Motion::Lines(-1), model),
                Some(sign @ '1'..='9') => {
                    let place = sign as usize - '1' as usize;
                    if let Some(source) = sources(model.state).get(place) {
                        self.show_source(*source);
                    }
                }
                Some(_) | None => {}
            }
        }
        PageResponse::Stay
    }

    /// A text was pasted.
    pub fn paste(&mut self, text: &str) {
        if self.typing {
            self.filter.put(text);
        }
    }

    /// The mouse did something; the page is drawn in `area`.
    pub fn mouse(&mut self, mouse: MouseEvent, area: Rect, model: &ViewModel<'_>) -> PageResponse {
        if let Some(motion) = wheel(&mouse) {
            self.go(motion, model);
        } else if mouse.kind == MouseEventKind::Down(MouseButton::Left) && !self.details {
            let list = self.list_room(panel::rooms(area).1);
            if list.contains(Position::new(mouse.column, mouse.row)) {
                let place = self.list.above() + usize::from(mouse.row - list.y);
                let index = self.index.borrow();
                self.chosen.set(index.number(place).or(self.chosen.get()));
            }
        }
        PageResponse::Stay
    }

    fn filter_key(&mut self, key: &KeyEvent) {
        if key.code == KeyCode::Esc {
            self.filter = Field::default();
            self.typing = false;
        } else if key.code == KeyCode::Enter {
            self.typing = false;
        } else {
            self.filter.key(key);
        }
    }

    /// Leaves details, then the filter, then the page.
    fn step_back(&mut self) -> PageResponse {
        if self.details {
            self.details = false;
        } else if !self.filter.text().is_empty() {
            self.filter = Field::default();
        } else {
            return PageResponse::Close;
        }
        PageResponse::Stay
    }

    fn toggle_details(&mut self) {
        self.details = !self.details;
        self.detail.reset();
    }

    fn next_source(&mut self, state: &State, forward: bool) {
        let sources = sources(state);
        let at = sources.iter().position(|source| *source == self.source).unwrap_or(0);
        let to = if forward { at + 1 } else { at + sources.len() - 1 };
        self.show_source(sources[to % sources.len()]);
    }

    fn show_source(&mut self, source: Option<SessionId>) {
        self.source = source;
        self.details = false;
    }

    fn go(&mut self, motion: Motion, model: &ViewModel<'_>) {
        if self.details {
            self.detail.go(motion);
        } else {
            self.turn(motion, model);
        }
    }

    /// Chooses another record. Choosing the last one follows the end.
    fn turn(&mut self, motion: Motion, model: &ViewModel<'_>) {
        self.look(model);
        let index = self.index.borrow();
        let count = index.len();
        let at = self.chosen.get().map_or(count.saturating_sub(1), |number| index.place(number));
        let to = step(at, count, self.list.rows(), motion);
        self.chosen.set(index.number(to).filter(|_| to + 1 < count));
        self.detail.reset();
    }

    fn look(&self, model: &ViewModel<'_>) {
        let names = |session: SessionId| name(session, model.state);
        let question = Question { source: self.source, filter: self.filter.text(), pieces: self.pieces };
        self.index.borrow_mut().look(records(model), &question, &names);
    }

    /// What there is at a glance, as long as there is room for it.
    fn note(&self, title: &str, area: Rect, model: &ViewModel<'_>) -> String {
        let index = self.index.borrow();
        let lines = counted(index.len(), "line");
        let end = if is_bounded(model) {
            when::at(model.now, model.zone).strftime(", until %H:%M:%S").to_string()
        } else if self.chosen.get().is_none() {
            ", live".to_owned()
        } else {
            String::new()
        };
        let (hidden, briefly) = match index.hidden() {
            0 => (String::new(), String::new()),
            1 => (", 1 piece hidden".to_owned(), ", 1 hidden".to_owned()),
            count => (format!(", {count} pieces hidden"), format!(", {count} hidden")),
        };
        let notes =
            [format!("{lines}{hidden}{end}"), format!("{lines}{briefly}{end}"), format!("{lines}{briefly}")];
        let room = usize::from(area.width).saturating_sub(8 + width(title));
        let fits = |note: &String| width(note) < room;
        notes.into_iter().find(fits).unwrap_or_else(|| format!("{lines}{end}"))
    }

    fn list_room(&self, inner: Rect) -> Rect {
        Rect { height: inner.height.saturating_sub(u16::from(self.has_filter_row())), ..inner }
    }

    fn has_filter_row(&self) -> bool {
        self.typing || !self.filter.text().is_empty()
    }

    /// Draws the page; says where the cursor is, if one types in it.
    pub fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        self.look(model);
        let index = self.index.borrow();
        let count = index.len();
        let whose = self.source.map_or("all".to_owned(), |session| name(session, model.state));
        let hints = match (self.typing, self.details) {
            (true, _) => FILTER_HINTS,
            (false, true) => DETAIL_HINTS,
            (false, false) => HINTS,
        };
        let title = format!("Logbook: {whose}");
        let note = self.note(&title, area, model);
        let records = records(model);
        let inner = Panel { title: &title, note, hints }.draw(area, buffer, theme);
        let at = self.chosen.get().map_or(count.saturating_sub(1), |number| index.place(number));
        let chosen = index.record(at, records);
        if let Some(record) = chosen.filter(|_| self.details) {
            self.draw_details(inner, buffer, record, model, theme);
            return None;
        }
        let list = self.list_room(inner);
        if count == 0 {
            let words = match (records.is_empty(), index.hidden()) {
                (true, _) => "  No lines yet.",
                (false, 0) => "  No line matches the filter.",
                (false, _) => "  Only streaming pieces: x shows them.",
            };
            panel::one(list, buffer, &Line::styled(words, theme.style(Tint::Dim)));
        }
        let seen = self.list.fit_around(at, usize::from(list.height), count);
        for (place, row) in seen.zip(list.rows()) {
            let Some(record) = index.record(place, records) else { continue };
            panel::one(row, buffer, &line(record, model, list.width, theme));
            if place == at {
                buffer.set_style(row.intersection(buffer.area), theme.style(Tint::Chosen));
            }
        }
        panel::mark(list, buffer, &self.list, count, theme);
        if !self.has_filter_row() || inner.is_empty() {
            return None;
        }
        let row = Rect { y: inner.bottom() - 1, height: 1, ..inner };
        let cursor = self.filter.draw(row, buffer, " filter: ", theme.style(Tint::Key));
        cursor.filter(|_| self.typing)
    }

    fn draw_details(
        &self,
        inner: Rect,
        buffer: &mut Buffer,
        record: &RawRecord,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) {
        let head = Rect { height: inner.height.min(1), ..inner };
        let at = when::at(record.at, model.zone).strftime("%Y-%m-%d %H:%M:%S%.3f").to_string();
        let words = match record.direction {
            RecordDirection::In => "to it",
            RecordDirection::Out => "from it",
            RecordDirection::Err => "from its standard error",
            RecordDirection::Note => "a remark of the program",
        };
        let name = name(record.session, model.state);
        let bytes = record.line.len();
        let title = format!(" {name}, {words}, {at}, {bytes} bytes");
        panel::one(head, buffer, &Line::styled(title, theme.style(Tint::Heading)));
        let body = Rect { y: inner.y + head.height, height: inner.height - head.height, ..inner };
        let mut reading = self.reading.borrow_mut();
        let lines = reading.lines(record, usize::from(body.width.saturating_sub(2)));
        let seen = self.detail.fit(usize::from(body.height), lines.len());
        for (text, row) in lines[seen].iter().zip(body.rows()) {
            panel::one(row, buffer, &Line::raw(format!(" {text}")));
        }
        panel::mark(body, buffer, &self.detail, lines.len(), theme);
    }
}

/// Whether records after the shown moment are hidden.
fn is_bounded(model: &ViewModel<'_>) -> bool {
    model.is_past() || model.seat == Attachment::Replay
}

/// The records there are at the time that is shown; they are ordered by time.
fn records<'a>(model: &ViewModel<'a>) -> &'a [RawRecord] {
    let end = if is_bounded(model) {
        model.logbook.partition_point(|record| record.at <= model.now)
    } else {
        model.logbook.len()
    };
    &model.logbook[..end]
}

/// All sources, then each session, as they came.
fn sources(state: &State) -> Vec<Option<SessionId>> {
    std::iter::once(None).chain(state.sessions.keys().copied().map(Some)).collect()
}

fn name(session: SessionId, state: &State) -> String {
    let known = state.sessions.get(&session);
    known.map_or_else(|| session.to_string(), |session| session.profile.speaker().to_string())
}

/// A record in one row.
fn line(record: &RawRecord, model: &ViewModel<'_>, columns: u16, theme: &Theme) -> Line<'static> {
    let roomy = columns >= 60;
    let at = when::at(record.at, model.zone);
    let at = at.strftime(if roomy { " %H:%M:%S " } else { " %H:%M " }).to_string();
    let name = name(record.session, model.state);
    // Where there is little room, the number says who it is.
    let name = if roomy { format!("{name:15}") } else { format!("{:4}", name.replace("Orchestrator ", "")) };
    let name: String = if roomy { name } else { name.chars().take(4).collect() };
    let (arrow, tint) = match record.direction {
        RecordDirection::In => (theme.sign(" → ", " > "), Tint::You),
        RecordDirection::Out => (theme.sign(" ← ", " < "), Tint::Words),
        RecordDirection::Err => (" ! ", Tint::Bad),
        RecordDirection::Note => (theme.sign(" · ", " . "), Tint::Dim),
    };
    let room = usize::from(columns).saturating_sub(width(&at) + width(&name) + 3);
    Line::from(vec![
        Span::styled(at, theme.style(Tint::Dim)),
        Span::styled(name, theme.style(Tint::House)),
        Span::styled(arrow, theme.style(tint)),
        Span::styled(summary::summary(&record.line, room), theme.style(tint)),
    ])
}
