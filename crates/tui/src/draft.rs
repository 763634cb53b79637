//! What is being typed: several lines with the usual motions, history, and names of files completed after `@`.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::theme::Theme;

/// What is being typed.
#[derive(Debug, Clone, Default)]
pub struct Draft {}

/// What a key made of the draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stroke {
    /// It was taken.
    Taken,
    /// This is to be sent; the draft is empty now.
    Send(String),
    /// The person is done typing (Esc).
    Done,
    /// It means nothing to a draft.
    Ignored,
}

impl Draft {
    /// A key was pressed. `history` are earlier messages, oldest first; `files` the names that can be completed.
    pub fn key(
        &mut self,
        _key: KeyEvent,
        _history: &dyn Fn() -> Vec<Arc<str>>,
        _files: &[Arc<str>],
    ) -> Stroke {
        Stroke::Ignored
    }

    /// A text was pasted: it goes in as one piece, lines and all.
    pub fn paste(&mut self, _text: &str) {}

    /// What stands there.
    pub fn text(&self) -> String {
        String::new()
    }

    /// Nothing stands there.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// What the person should know of the last thing that was typed or pasted.
    pub fn complaint(&self) -> Option<&str> {
        None
    }

    /// How many rows it takes at a width.
    pub fn rows(&self, _columns: u16) -> u16 {
        1
    }

    /// Draws it, scrolled so that the cursor is seen; says where the cursor is.
    pub fn draw(&self, area: Rect, _buffer: &mut Buffer, _theme: &Theme) -> Position {
        Position::new(area.x, area.y)
    }

    /// Draws the names that could be meant, above `area`, if a name is being typed.
    pub fn draw_names(&self, _above: Rect, _buffer: &mut Buffer, _files: &[Arc<str>], _theme: &Theme) {}
}
