//! The composer: the text that a person types, of several lines, with the usual motions, history, completion of files after
//! `@` and of commands after `/`. It holds no control characters but line breaks, and never more than one message may.

pub mod act;
mod commands;
mod completions;
mod recall;
pub mod rows;
#[cfg(test)]
mod tests;
pub mod text_buffer;
mod undo;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crossterm::event::KeyEvent;
use mind::limits::WORDS_BYTES_MAX;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::theme::{Theme, Tint};

use act::Act;
use completions::Completions;
pub use completions::{Known, ending};
use recall::Recall;
use text_buffer::TextBuffer;
use undo::{ChangeKind, Past, TextChange};
use view::clean::clean;

const TOO_LONG: &str = "Too long: a message holds 256 KiB. Nothing was added.";

#[derive(Debug, Clone, Default)]
pub struct Composer {
    sheet: TextBuffer,
    past: Past,
    recall: Recall,
    offer: Completions,
    /// What was erased last by word or line, and whether the next erasure is added to it.
    killed: String,
    killing: bool,
    /// The column that Up and Down aim at.
    goal: Option<usize>,
    complaint: Option<&'static str>,
    /// The first row that is seen.
    top: usize,
    seen: Seen,
}

/// What a key did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stroke {
    /// The key was used.
    Taken,
    /// This is to be sent; the draft is empty now.
    Send(String),
    /// The person is done typing (Esc).
    Done,
    /// The key has no meaning here.
    Ignored,
}

impl Composer {
    /// A key was pressed. `history` are earlier messages, oldest first; `known` is what can be completed.
    pub fn key(&mut self, key: KeyEvent, history: &dyn Fn() -> Vec<Arc<str>>, known: Known<'_>) -> Stroke {
        let Some(act) = Act::of(key) else { return Stroke::Ignored };
        self.complaint = None;
        // The window may have been resized since: the motion starts from what the person sees now.
        self.scroll();
        if let Some(stroke) = self.offered(act) {
            return stroke;
        }
        let goal = self.goal.take();
        let killing = std::mem::take(&mut self.killing);
        let before = self.sheet.text().len();
        let stroke = match act {
            Act::Send => self.send(),
            Act::Done => Stroke::Done,
            Act::Complete => Stroke::Ignored,
            Act::Up => self.climb(true, goal, history),
            Act::Down => self.climb(false, goal, history),
            Act::Undo | Act::Redo => self.take_back(act),
            Act::Type(sign) => self.put(sign.encode_utf8(&mut [0; 4]), ChangeKind::Typing),
            Act::NewLine => self.put("\n", ChangeKind::Whole),
            Act::Yank => self.put(&self.killed.clone(), ChangeKind::Whole),
            Act::Left | Act::Right | Act::WordLeft | Act::WordRight | Act::LineStart | Act::LineEnd => {
                self.go(act)
            }
            Act::Erase | Act::EraseRight => self.erase(act),
            Act::EraseWordLeft
            | Act::EraseWordRight
            | Act::EraseBlankLeft
            | Act::EraseLineStart
            | Act::EraseLineEnd => self.kill(act, killing),
        };
        // An earlier message that is shown again is not being typed: no name is offered.
        let leafed = matches!(act, Act::Up | Act::Down);
        let shorter = self.sheet.text().len() < before && !leafed;
        let typed = matches!(act, Act::Type(_) | Act::Undo | Act::Redo) || shorter;
        if typed && stroke == Stroke::Taken {
            self.offer.refresh(&self.sheet, known);
        } else {
            self.offer.close();
        }
        self.scroll();
        stroke
    }

    /// A text was pasted: it goes in as one piece, lines and all.
    pub fn paste(&mut self, text: &str) {
        self.complaint = None;
        self.goal = None;
        self.killing = false;
        // A large file may be pasted by mistake: it is not even cleaned.
        if text.len() > 4 * WORDS_BYTES_MAX {
            self.complaint = Some(TOO_LONG);
            return;
        }
        self.put(&harmless(text), ChangeKind::Whole);
        self.offer.close();
        self.scroll();
    }

    /// Offers names again, after more files were found.
    pub fn refresh(&mut self, known: Known<'_>) {
        self.offer.refresh(&self.sheet, known);
    }

    pub fn text(&self) -> String {
        self.sheet.text().to_owned()
    }

    pub fn is_empty(&self) -> bool {
        self.sheet.text().is_empty()
    }

    /// Why the last key or paste was not taken.
    pub fn complaint(&self) -> Option<&str> {
        self.complaint
    }

    /// Names or commands are offered: the next Esc closes the offer, and Enter takes one.
    pub fn offers(&self) -> bool {
        self.offer.is_open()
    }

    /// How many rows it takes at a width.
    pub fn rows(&self, columns: u16) -> u16 {
        u16::try_from(rows::rows(self.sheet.text(), columns).len()).unwrap_or(u16::MAX)
    }

    /// How many rows there are above the first one that is drawn in `area`.
    pub fn hidden_above(&self, area: Rect) -> usize {
        if area.is_empty() {
            return 0;
        }
        let rows = rows::rows(self.sheet.text(), area.width);
        let (row, _) = rows::locate(self.sheet.text(), &rows, self.sheet.cursor());
        window(self.top, row, rows.len(), area.height)
    }

    /// Draws it, scrolled so that the cursor is seen; says where the cursor is.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Position {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return area.as_position();
        }
        self.seen.set(area.width, area.height);
        let text = self.sheet.text();
        let rows = rows::rows(text, area.width);
        let (row, column) = rows::locate(text, &rows, self.sheet.cursor());
        let top = window(self.top, row, rows.len(), area.height);
        for (range, y) in rows.into_iter().skip(top).zip(area.top()..area.bottom()) {
            let mut x = area.x;
            for cluster in text[range].graphemes(true) {
                let width = rows::columns(cluster);
                if usize::from(area.right() - x) < width {
                    break;
                }
                x = buffer.set_stringn(x, y, cluster, width, theme.style(Tint::Words)).0;
            }
        }
        let column = u16::try_from(column).unwrap_or(u16::MAX).min(area.width - 1);
        Position::new(area.x + column, area.y + (row - top) as u16)
    }

    /// Draws the names or commands that could be meant right above `area`, over what is there, if one is being typed.
    /// They were looked for when the last key came.
    pub fn draw_names(&self, above: Rect, buffer: &mut Buffer, _files: &[Arc<str>], theme: &Theme) {
        self.offer.draw(above, buffer, theme);
    }

    /// What the key means to the names on offer, if there are any.
    fn offered(&mut self, act: Act) -> Option<Stroke> {
        if !self.offer.is_open() {
            return None;
        }
        match act {
            Act::Up => self.offer.choose(true),
            Act::Down => self.offer.choose(false),
            Act::Done => self.offer.refuse(),
            Act::Complete | Act::Send => {
                let (range, name, is_more) = self.offer.taken(&self.sheet)?;
                if act == Act::Send && !(is_more && self.offer.is_wanted()) {
                    return None;
                }
                if self.sheet.text()[range.clone()] != name {
                    self.edit(range, &name, ChangeKind::Whole);
                }
                self.offer.close();
                self.scroll();
            }
            Act::Type(_) | Act::NewLine | Act::Yank | Act::Undo | Act::Redo => return None,
            Act::Left | Act::Right | Act::WordLeft | Act::WordRight => return None,
            Act::LineStart | Act::LineEnd | Act::Erase | Act::EraseRight | Act::EraseWordLeft => return None,
            Act::EraseWordRight | Act::EraseBlankLeft | Act::EraseLineStart | Act::EraseLineEnd => {
                return None;
            }
        }
        Some(Stroke::Taken)
    }

    fn send(&mut self) -> Stroke {
        let words = self.sheet.text().trim();
        if words.is_empty() {
            return Stroke::Taken;
        }
        let words = words.to_owned();
        let (seen, killed) = (self.seen.clone(), std::mem::take(&mut self.killed));
        let unsent = self.recall.unsent();
        *self = Composer { seen, killed, ..Composer::default() };
        // An earlier message was sent again: the unsent text is shown again.
        if let Some(unsent) = unsent {
            self.put(&unsent, ChangeKind::Whole);
        }
        Stroke::Send(words)
    }

    fn go(&mut self, act: Act) -> Stroke {
        if let Some(at) = self.sheet.motion(act) {
            self.sheet.stand(at);
            self.past.seal();
        }
        Stroke::Taken
    }

    /// To the row above or below; beyond the first and the last there is the history.
    fn climb(&mut self, up: bool, goal: Option<usize>, history: &dyn Fn() -> Vec<Arc<str>>) -> Stroke {
        let text = self.sheet.text();
        let rows = rows::rows(text, self.seen.columns());
        let (row, column) = rows::locate(text, &rows, self.sheet.cursor());
        let next = if up { row.checked_sub(1) } else { Some(row + 1).filter(|row| *row < rows.len()) };
        if let Some(next) = next {
            let goal = goal.unwrap_or(column);
            let at = rows::place(text, &rows, next, goal);
            self.sheet.stand(at);
            self.past.seal();
            self.goal = Some(goal);
            return Stroke::Taken;
        }
        let slot = self.recall.slot();
        let message = if up { self.recall.older(text, history) } else { self.recall.newer(text) };
        if let Some(message) = message {
            let cursor = self.sheet.cursor();
            let message = harmless(&message);
            let removed = self.sheet.replace(0..self.sheet.text().len(), &message);
            let cursor = (cursor, self.sheet.cursor());
            let slot = (slot, self.recall.slot());
            self.past.record(TextChange {
                kind: ChangeKind::Whole,
                at: 0,
                removed,
                inserted: message,
                cursor,
                slot,
            });
        }
        Stroke::Taken
    }

    fn take_back(&mut self, act: Act) -> Stroke {
        let slot =
            if act == Act::Undo { self.past.undo(&mut self.sheet) } else { self.past.redo(&mut self.sheet) };
        if let Some(slot) = slot {
            self.recall.stand(slot);
        }
        Stroke::Taken
    }

    fn put(&mut self, text: &str, kind: ChangeKind) -> Stroke {
        let cursor = self.sheet.cursor();
        self.edit(cursor..cursor, text, kind);
        Stroke::Taken
    }

    fn erase(&mut self, act: Act) -> Stroke {
        if self.is_empty() && act == Act::EraseRight {
            // In an empty composer, the screen gives Ctrl+D another meaning.
            return Stroke::Ignored;
        }
        if let Some(range) = self.sheet.erasure(act) {
            let kind = if act == Act::Erase { ChangeKind::Erasing } else { ChangeKind::Whole };
            self.edit(range, "", kind);
        }
        Stroke::Taken
    }

    /// Erases text and keeps it for a yank; erasures in a row are kept together.
    fn kill(&mut self, act: Act, again: bool) -> Stroke {
        let Some(range) = self.sheet.erasure(act).filter(|range| !range.is_empty()) else {
            self.killing = again;
            return Stroke::Taken;
        };
        let piece = &self.sheet.text()[range.clone()];
        if !again {
            self.killed.clear();
        }
        if range.start < self.sheet.cursor() {
            self.killed.insert_str(0, piece);
        } else {
            self.killed.push_str(piece);
        }
        self.edit(range, "", ChangeKind::Whole);
        self.killing = true;
        Stroke::Taken
    }

    /// Every change of the text except history and undo.
    fn edit(&mut self, range: Range<usize>, with: &str, kind: ChangeKind) {
        if range.is_empty() && with.is_empty() {
            return;
        }
        if self.sheet.text().len() - range.len() + with.len() > WORDS_BYTES_MAX {
            self.complaint = Some(TOO_LONG);
            return;
        }
        let (at, cursor, slot) = (range.start, self.sheet.cursor(), self.recall.slot());
        let removed = self.sheet.replace(range, with);
        let cursor = (cursor, self.sheet.cursor());
        let inserted = with.to_owned();
        self.past.record(TextChange { kind, at, removed, inserted, cursor, slot: (slot, slot) });
    }

    /// Scrolls just as far as the cursor needs.
    fn scroll(&mut self) {
        let rows = rows::rows(self.sheet.text(), self.seen.columns());
        let (row, _) = rows::locate(self.sheet.text(), &rows, self.sheet.cursor());
        self.top = window(self.top, row, rows.len(), self.seen.height());
    }
}

/// The first row to be seen, near `top`, so that `row` is seen and no room is left while there is text above.
fn window(top: usize, row: usize, rows: usize, height: u16) -> usize {
    let height = usize::from(height.max(1));
    top.min(row).max((row + 1).saturating_sub(height)).min(rows.saturating_sub(height))
}

/// The text with line breaks as they are meant, and nothing that a terminal would obey.
fn harmless(text: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    clean(&lines).replace(|sign: char| sign.is_control() && sign != '\n', "")
}

/// The area of the last frame: which row is above another depends on where rows are broken.
#[derive(Debug, Default)]
struct Seen(AtomicU32);

impl Seen {
    fn set(&self, columns: u16, height: u16) {
        self.0.store(u32::from(columns) << 16 | u32::from(height), Ordering::Relaxed);
    }

    /// As many as there can be, if it was never drawn.
    fn columns(&self) -> u16 {
        match (self.0.load(Ordering::Relaxed) >> 16) as u16 {
            0 => u16::MAX,
            columns => columns,
        }
    }

    fn height(&self) -> u16 {
        self.0.load(Ordering::Relaxed) as u16
    }
}

impl Clone for Seen {
    fn clone(&self) -> Self {
        Seen(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}
