//! A page.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Reply;
use crate::sight::Sight;
use crate::theme::Theme;

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {}

impl Page {
    /// The lines of one session, of all if none.
    pub fn of(_session: Option<mind::SessionId>) -> Page {
        Page::default()
    }

    /// A key was pressed.
    pub fn key(&mut self, _key: KeyEvent, _sight: &Sight<'_>) -> Reply {
        Reply::Close
    }

    /// A text was pasted.
    pub fn paste(&mut self, _text: &str) {}

    /// The mouse did something; the page is drawn in `area`.
    pub fn mouse(&mut self, _mouse: MouseEvent, _area: Rect, _sight: &Sight<'_>) -> Reply {
        Reply::Stay
    }

    /// Draws the page; says where the cursor is, if one types in it.
    pub fn draw(
        &self,
        _area: Rect,
        _buffer: &mut Buffer,
        _sight: &Sight<'_>,
        _theme: &Theme,
    ) -> Option<Position> {
        None
    }
}
