//! A page.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Reply;
use crate::sight::Sight;
use crate::theme::Theme;

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {}

impl Page {
    /// A key was pressed.
    pub fn key(&mut self, _key: KeyEvent, _sight: &Sight<'_>) -> Reply {
        Reply::Close
    }

    /// The mouse did something.
    pub fn mouse(&mut self, _mouse: MouseEvent, _sight: &Sight<'_>) -> Reply {
        Reply::Stay
    }

    /// Draws the page.
    pub fn draw(&self, _area: Rect, _buffer: &mut Buffer, _sight: &Sight<'_>, _theme: &Theme) {}
}
