//! The conversation in its window.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::put;
use crate::screen::{KeyMode, ReadingPlace, Screen};
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::transcript::view::TalkWindow;
use crate::transcript::{Kept, search};
use crate::view_model::ViewModel;

/// Draws what is seen of the conversation.
pub fn draw(
    screen: &Screen,
    model: &ViewModel<'_>,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
    kept: &mut Kept,
) {
    if area.is_empty() {
        return;
    }
    let view = TalkWindow::new(screen, model, (area.width, area.height), theme);
    let seen = view.seen(kept);
    for (row, seen) in seen.iter().enumerate() {
        let line = match &screen.needle {
            Some(needle) => search::marked(&seen.text, needle, theme.style(Tint::Found)),
            None => seen.text.clone(),
        };
        put(buffer, area, row as u16, &line);
    }
    if screen.place != ReadingPlace::End {
        below(screen, &view, area, buffer, theme);
    }
}

/// Something stands below what is seen: says so, and whether it is new.
fn below(screen: &Screen, view: &TalkWindow<'_>, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let new = view.count().saturating_sub(screen.known);
    let sign = theme.sign("▼", "v");
    let (text, tint) = match new {
        0 if screen.mode == KeyMode::Insert => (format!(" {sign} PgDn: to the end "), Tint::Dim),
        0 => (format!(" {sign} G: to the end "), Tint::Dim),
        1 => (format!(" {sign} 1 new below "), Tint::Wanted),
        new => (format!(" {sign} {new} new below "), Tint::Wanted),
    };
    let columns = (width(&text) as u16).min(area.width);
    let corner =
        Rect { x: area.x + area.width - columns, y: area.y + area.height - 1, width: columns, height: 1 };
    put(buffer, corner, 0, &Line::from(Span::styled(text, theme.style(tint))));
}
