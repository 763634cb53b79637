//! One line that is typed on a page: a reason, a filter.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::list::letter;
use crate::text::wrap::width;

/// How long such a line can be, in bytes.
const BYTES_MAX: usize = 2000;

/// A line that is typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Field {
    text: String,
    /// Where the cursor is, in bytes; always between two signs.
    at: usize,
}

impl Field {
    /// What stands there.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A key was pressed; says whether the text changed.
    pub(super) fn key(&mut self, key: &KeyEvent) -> bool {
        if let Some(sign) = letter(key) {
            return self.put(sign.encode_utf8(&mut [0; 4]));
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code.as_char() {
                Some('u') => self.erase(0),
                Some('w') => {
                    let kept = self.text[..self.at].trim_end();
                    self.erase(kept.rfind(char::is_whitespace).map_or(0, |space| space + 1))
                }
                Some('a') => self.go(0),
                Some('e') => self.go(self.text.len()),
                Some(_) | None => false,
            };
        }
        let before = self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
        let after = self.at + self.text[self.at..].graphemes(true).next().map_or(0, str::len);
        if key.code == KeyCode::Backspace {
            return self.erase(before);
        }
        if key.code == KeyCode::Delete {
            self.text.drain(self.at..after);
            return true;
        }
        let to = [
            (KeyCode::Left, before),
            (KeyCode::Right, after),
            (KeyCode::Home, 0),
            (KeyCode::End, self.text.len()),
        ];
        to.into_iter().find(|(code, _)| *code == key.code).is_some_and(|(_, at)| self.go(at))
    }

    /// Puts a text where the cursor is, on one line.
    pub(super) fn put(&mut self, text: &str) -> bool {
        let room = BYTES_MAX.saturating_sub(self.text.len());
        let mut text: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        while text.len() > room {
            text.pop();
        }
        self.text.insert_str(self.at, &text);
        self.at += text.len();
        !text.is_empty()
    }

    fn erase(&mut self, from: usize) -> bool {
        self.text.drain(from..self.at);
        self.at = from;
        true
    }

    fn go(&mut self, to: usize) -> bool {
        self.at = to;
        false
    }

    /// Draws it after its name, scrolled so that the cursor is seen; says where the cursor is.
    pub(super) fn draw(&self, row: Rect, buffer: &mut Buffer, name: &str, style: Style) -> Option<Position> {
        let row = row.intersection(buffer.area);
        if row.is_empty() {
            return None;
        }
        let (x, _) = buffer.set_stringn(row.x, row.y, name, usize::from(row.width), style);
        let room = usize::from(row.right().saturating_sub(x));
        let mut from = 0;
        let mut columns = width(&self.text[..self.at]);
        for sign in self.text.graphemes(true) {
            if columns < room || from >= self.at {
                break;
            }
            columns = columns.saturating_sub(width(sign));
            from += sign.len();
        }
        buffer.set_stringn(x, row.y, &self.text[from..], room, Style::new());
        let cursor = x.saturating_add(u16::try_from(columns).unwrap_or(u16::MAX));
        Some(Position::new(cursor.min(row.right() - 1), row.y))
    }
}
