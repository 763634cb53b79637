//! Whoever leaves is asked once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::{frame, put};
use crate::sight::Sight;
use crate::text::wrap::plain;
use crate::theme::{Theme, Tint};

/// Draws the question in the middle.
pub fn draw(area: Rect, sight: &Sight<'_>, buffer: &mut Buffer, theme: &Theme) {
    let id = sight.state.charter.as_ref().map(|charter| charter.mission.to_string()).unwrap_or_default();
    let text = format!("Leave? The mission rests, and nothing is lost:\narbiter resume {id} goes on.");
    let width = 58.min(area.width);
    let lines = plain(&text, width.saturating_sub(4), theme.style(Tint::Words));
    let height = (lines.len() as u16 + 4).min(area.height);
    let pane =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    Clear.render(pane, buffer);
    frame::around(pane, buffer, theme);
    if pane.width < 6 || pane.height < 4 {
        return;
    }
    let inner = Rect::new(pane.x + 2, pane.y + 1, pane.width - 4, pane.height - 2);
    for (row, line) in lines.iter().enumerate() {
        put(buffer, inner, row as u16, line);
    }
    let key = |sign: &'static str| Span::styled(sign, theme.style(Tint::Key));
    let keys = Line::from(vec![
        key("y"),
        Span::raw(" leaves   "),
        key("n"),
        Span::raw(" stays   "),
        key("Ctrl+C"),
        Span::raw(" leaves at once"),
    ]);
    put(buffer, inner, inner.height.saturating_sub(1), &keys);
}
