//! A yes-or-no question in a pane of its own. Only the keys that it names answer it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use crate::draw::{frame, put};
use crate::text::wrap::{plain, wrap};
use crate::theme::{Theme, Tint};

/// What a pane asks.
#[derive(Debug, Clone, Copy)]
pub struct YesNoPane<'a> {
    pub text: &'a str,
    /// The keys, and what they do.
    pub keys: &'a [(&'a str, &'a str)],
}

/// What a key answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaneAnswer {
    Yes,
    No,
    /// Neither: the question is closed (Esc).
    Back,
    /// The person leaves.
    Leave,
}

/// What a key answers, if it answers.
pub fn answer(key: KeyEvent) -> Option<PaneAnswer> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    if control && key.code == KeyCode::Char('c') {
        return Some(PaneAnswer::Leave);
    }
    if control {
        return None;
    }
    if matches!(key.code, KeyCode::Char('y' | 'Y')) {
        Some(PaneAnswer::Yes)
    } else if matches!(key.code, KeyCode::Char('n' | 'N')) {
        Some(PaneAnswer::No)
    } else if key.code == KeyCode::Esc {
        Some(PaneAnswer::Back)
    } else {
        None
    }
}

/// Draws the pane in the middle of the area.
pub fn draw(offer: &YesNoPane<'_>, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buffer.area);
    let width = 60.min(area.width);
    let mut lines = plain(offer.text, width.saturating_sub(4), theme.style(Tint::Words));
    lines.push(Line::default());
    let keys = offer.keys.iter().flat_map(|(key, what)| {
        [Span::styled((*key).to_owned(), theme.style(Tint::Key)), Span::raw(format!(" {what}   "))]
    });
    lines.extend(wrap(keys.collect(), width.saturating_sub(4), 0));
    let height = (lines.len() as u16 + 2).min(area.height);
    let x = area.x + (area.width - width) / 2;
    let pane = Rect { x, y: area.y + (area.height - height) / 2, width, height };
    Clear.render(pane, buffer);
    frame::around(pane, buffer, theme);
    if pane.width < 6 || pane.height < 4 {
        return;
    }
    let inner = Rect::new(pane.x + 2, pane.y + 1, pane.width - 4, pane.height - 2);
    // Where there is not room for all, the keys stay.
    let from = lines.len().saturating_sub(usize::from(inner.height));
    for (row, line) in lines[from..].iter().enumerate() {
        put(buffer, inner, row as u16, line);
    }
}
