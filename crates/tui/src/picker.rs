//! The page on which a person chooses the requirements: a list of the project's Markdown files, a search, and a preview of
//! the chosen one. It reads no files itself: names and the preview are handed to it.

mod draw;
mod likely;
mod room;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::composer::act::Act;
use crate::composer::text_buffer::TextBuffer;
use crate::finder::{Finder, QUERY_BYTES_MAX};
use crate::theme::Theme;

use room::Room;
use view::clean::clean;

/// How far the wheel turns.
const WHEEL: usize = 3;

/// The state of the page.
#[derive(Debug)]
pub struct Picker {
    query: TextBuffer,
    finder: Finder,
    chosen: Chosen,
    /// The person has moved in the list: the chosen file stays chosen when more names come.
    moved: bool,
    /// The first row of the list that is seen, and of the preview.
    top: usize,
    preview_top: usize,
    /// Whose preview was asked for last.
    asked: Option<Arc<str>>,
    /// How many rows of the list were drawn last.
    rows_seen: AtomicU16,
    /// How far the preview could be scrolled when it was drawn last.
    preview_end: AtomicUsize,
}

/// What there is to choose from.
#[derive(Debug, Clone, Copy)]
pub struct PickerFiles<'a> {
    /// The files, as far as they were found.
    pub names: &'a [Arc<str>],
    /// The list is complete.
    pub whole: bool,
    /// The beginning of the chosen file.
    pub preview: Option<&'a str>,
}

/// What the person wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PickerChoice {
    Stay,
    /// Another file was chosen: its preview should be read.
    Preview(Arc<str>),
    Scroll(Arc<str>),
    NoScroll,
    Leave,
}

/// Which row is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chosen {
    /// The file at this rank; nothing, if there is none.
    Rank(usize),
    /// The last row: no file.
    Without,
}

impl Default for Picker {
    fn default() -> Self {
        Picker::new()
    }
}

impl Picker {
    /// A page on which nothing was typed.
    pub fn new() -> Picker {
        Picker {
            query: TextBuffer::default(),
            finder: Finder::new(likely::likelihood),
            chosen: Chosen::Rank(0),
            moved: false,
            top: 0,
            preview_top: 0,
            asked: None,
            rows_seen: AtomicU16::new(0),
            preview_end: AtomicUsize::new(0),
        }
    }

    /// More names came, or there will be no more.
    pub fn grown(&mut self, shelf: &PickerFiles<'_>) -> PickerChoice {
        self.find(shelf);
        self.preview(shelf)
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, shelf: &PickerFiles<'_>) -> PickerChoice {
        if key.kind == KeyEventKind::Release {
            return PickerChoice::Stay;
        }
        self.find(shelf);
        let page = usize::from(self.rows_seen.load(Ordering::Relaxed)).saturating_sub(1).max(1);
        let aside = key.modifiers.intersects(KeyModifiers::SHIFT | KeyModifiers::ALT);
        if key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL {
            return PickerChoice::Leave;
        }
        if aside && matches!(key.code, KeyCode::Up | KeyCode::PageUp) {
            self.read_on(true);
        } else if aside && matches!(key.code, KeyCode::Down | KeyCode::PageDown) {
            self.read_on(false);
        } else if key.code == KeyCode::PageUp {
            self.leap(page, true);
        } else if key.code == KeyCode::PageDown {
            self.leap(page, false);
        } else if let Some(act) = Act::of(key) {
            return self.act(act, shelf);
        }
        self.preview(shelf)
    }

    /// A text was pasted: its first line is looked for, as soon as [`Picker::grown`] says among which names.
    pub fn paste(&mut self, text: &str) {
        let line = text.trim().lines().next().unwrap_or_default();
        let line = clean(line).replace(char::is_control, "");
        self.put(&line);
    }

    /// The mouse did something; the page is drawn in `area`.
    pub fn mouse(&mut self, mouse: MouseEvent, area: Rect, shelf: &PickerFiles<'_>) -> PickerChoice {
        self.find(shelf);
        let room = Room::new(area);
        let position = Position::new(mouse.column, mouse.row);
        let on_preview = room.preview.contains(position);
        if matches!(mouse.kind, MouseEventKind::ScrollUp | MouseEventKind::ScrollDown) {
            let up = mouse.kind == MouseEventKind::ScrollUp;
            if on_preview {
                self.read_on(up);
            } else {
                self.top = if up { self.top.saturating_sub(WHEEL) } else { self.top + WHEEL };
                self.follow(usize::from(room.list.height));
            }
        } else if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
            let clicked = if room.without.contains(position) {
                Some(Chosen::Without)
            } else if room.list.contains(position) {
                let rank = self.window(room.list.height) + usize::from(mouse.row - room.list.y);
                (rank < self.finder.count()).then_some(Chosen::Rank(rank))
            } else {
                None
            };
            match clicked {
                Some(clicked) if clicked == self.chosen => return self.take(shelf),
                Some(clicked) => self.choose(clicked),
                None => {}
            }
        }
        self.preview(shelf)
    }

    /// Draws the page; says where the cursor is.
    pub fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        shelf: &PickerFiles<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        draw::page(self, area, buffer, shelf, theme)
    }

    fn act(&mut self, act: Act, shelf: &PickerFiles<'_>) -> PickerChoice {
        match act {
            Act::Send => return self.take(shelf),
            Act::Done if self.query.text().is_empty() => return PickerChoice::Leave,
            Act::Done => self.edit(0..self.query.text().len(), ""),
            Act::Up => self.step(true),
            Act::Down => self.step(false),
            Act::Type(sign) => self.put(sign.encode_utf8(&mut [0; 4])),
            Act::NewLine | Act::Complete | Act::Yank | Act::Undo | Act::Redo => {}
            Act::Left | Act::Right | Act::WordLeft | Act::WordRight | Act::LineStart | Act::LineEnd => {
                if let Some(at) = self.query.motion(act) {
                    self.query.stand(at);
                }
            }
            Act::Erase
            | Act::EraseRight
            | Act::EraseWordLeft
            | Act::EraseWordRight
            | Act::EraseBlankLeft
            | Act::EraseLineStart
            | Act::EraseLineEnd => {
                if let Some(range) = self.query.erasure(act) {
                    self.edit(range, "");
                }
            }
        }
        self.find(shelf);
        self.preview(shelf)
    }

    fn put(&mut self, text: &str) {
        let cursor = self.query.cursor();
        if self.query.text().len() + text.len() <= QUERY_BYTES_MAX {
            self.edit(cursor..cursor, text);
        }
    }

    /// What is looked for changes: the best of what is found is chosen.
    fn edit(&mut self, range: std::ops::Range<usize>, with: &str) {
        if range.is_empty() && with.is_empty() {
            return;
        }
        self.query.replace(range, with);
        self.chosen = Chosen::Rank(0);
        self.moved = false;
        self.top = 0;
    }

    /// Brings what is found up to date; what the person has chosen stays chosen.
    fn find(&mut self, shelf: &PickerFiles<'_>) {
        let chosen = if let Chosen::Rank(rank) = self.chosen { self.finder.hit(rank) } else { None };
        self.finder.find(self.query.text(), shelf.names);
        if self.moved
            && let Some(rank) = chosen.and_then(|index| self.finder.rank(index))
        {
            self.chosen = Chosen::Rank(rank);
        }
        if !self.moved {
            let nothing_there = shelf.whole && shelf.names.is_empty();
            self.chosen = if nothing_there { Chosen::Without } else { Chosen::Rank(0) };
        }
        if let Chosen::Rank(rank) = self.chosen {
            self.chosen = Chosen::Rank(rank.min(self.finder.count().saturating_sub(1)));
        }
    }

    /// Asks for the preview, if another file is chosen than before.
    fn preview(&mut self, shelf: &PickerFiles<'_>) -> PickerChoice {
        self.top = self.window(self.rows_seen.load(Ordering::Relaxed));
        let name = self.name(shelf);
        if name == self.asked {
            return PickerChoice::Stay;
        }
        self.preview_top = 0;
        self.asked = name;
        self.asked.as_ref().map_or(PickerChoice::Stay, |name| PickerChoice::Preview(Arc::clone(name)))
    }

    fn take(&self, shelf: &PickerFiles<'_>) -> PickerChoice {
        match self.chosen {
            Chosen::Without => PickerChoice::NoScroll,
            // No file was found: to begin without one is a row of its own.
            Chosen::Rank(_) => self.name(shelf).map_or(PickerChoice::Stay, PickerChoice::Scroll),
        }
    }

    fn name(&self, shelf: &PickerFiles<'_>) -> Option<Arc<str>> {
        let Chosen::Rank(rank) = self.chosen else { return None };
        shelf.names.get(self.finder.hit(rank)?).map(Arc::clone)
    }

    fn choose(&mut self, chosen: Chosen) {
        self.chosen = chosen;
        self.moved = true;
    }

    /// One row up or down; the last row leads to the first.
    fn step(&mut self, up: bool) {
        let count = self.finder.count();
        let next = match (self.chosen, up) {
            (Chosen::Without, true) => count.checked_sub(1).map_or(Chosen::Without, Chosen::Rank),
            (Chosen::Without, false) if count > 0 => Chosen::Rank(0),
            (Chosen::Without, false) | (Chosen::Rank(0), true) => Chosen::Without,
            (Chosen::Rank(rank), true) => Chosen::Rank(rank - 1),
            (Chosen::Rank(rank), false) if rank + 1 < count => Chosen::Rank(rank + 1),
            (Chosen::Rank(_), false) => Chosen::Without,
        };
        self.choose(next);
    }

    /// A page up or down; no further than the last file.
    fn leap(&mut self, rows: usize, up: bool) {
        let Some(last) = self.finder.count().checked_sub(1) else { return };
        let rank = if let Chosen::Rank(rank) = self.chosen { rank } else { last + usize::from(up) };
        self.choose(Chosen::Rank(if up { rank.saturating_sub(rows) } else { (rank + rows).min(last) }));
    }

    /// Scrolls the preview, no further than its end.
    fn read_on(&mut self, up: bool) {
        let end = self.preview_end.load(Ordering::Relaxed);
        let top = self.preview_top;
        self.preview_top = if up { top.saturating_sub(WHEEL) } else { (top + WHEEL).min(end) };
    }

    /// The list was scrolled: what is chosen stays in sight.
    fn follow(&mut self, height: usize) {
        self.top = self.top.min(self.finder.count().saturating_sub(height));
        if let Chosen::Rank(rank) = self.chosen
            && height > 0
            && self.finder.count() > 0
        {
            let seen = rank.clamp(self.top, self.top + height - 1);
            if seen != rank {
                self.choose(Chosen::Rank(seen));
            }
        }
    }

    /// The first row of the list to be seen, so that the chosen one is in sight.
    fn window(&self, height: u16) -> usize {
        let height = usize::from(height.max(1));
        let top = self.top.min(self.finder.count().saturating_sub(height));
        match self.chosen {
            Chosen::Rank(rank) => top.min(rank).max((rank + 1).saturating_sub(height)),
            Chosen::Without => top,
        }
    }
}
