//! The frame of a page: a title above, keys below, a mark at the right where there is more than fits.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use view::clean::clean;

use super::list::Scroll;
use crate::text::wrap::{cut, width};
use crate::theme::{Theme, Tint};

/// What stands on the frame.
#[derive(Debug, Clone)]
pub(super) struct Panel<'a> {
    /// What the page is.
    pub(super) title: &'a str,
    /// What there is to say about it at a glance.
    pub(super) note: String,
    /// Keys and what they do, the most telling first: what does not fit is left out.
    pub(super) hints: &'a [(&'a str, &'a str)],
}

/// Where the page is, and where its content is, if `area` is what it may take.
pub(super) fn rooms(area: Rect) -> (Rect, Rect) {
    let inner = if area.width < 3 || area.height < 3 {
        Rect::new(area.x, area.y, 0, 0)
    } else {
        Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2)
    };
    (area, inner)
}

impl Panel<'_> {
    /// Draws the frame over whatever was there; says where the content goes.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Rect {
        let (outer, inner) = rooms(area.intersection(buffer.area));
        Clear.render(outer, buffer);
        split_no_wide_sign(outer, buffer);
        if inner.is_empty() {
            return inner;
        }
        let frame = theme.style(Tint::Frame);
        let (across, down) = (theme.sign("─", "-"), theme.sign("│", "|"));
        let (right, bottom) = (outer.right() - 1, outer.bottom() - 1);
        for x in outer.left()..outer.right() {
            put(buffer, x, outer.y, across, frame);
            put(buffer, x, bottom, across, frame);
        }
        for y in inner.top()..inner.bottom() {
            put(buffer, outer.x, y, down, frame);
            put(buffer, right, y, down, frame);
        }
        for (x, y, unicode) in
            [(outer.x, outer.y, "┌"), (right, outer.y, "┐"), (outer.x, bottom, "└"), (right, bottom, "┘")]
        {
            put(buffer, x, y, theme.sign(unicode, "+"), frame);
        }
        self.title(outer, buffer, theme);
        self.hints(Rect::new(outer.x, bottom, outer.width, 1), buffer, theme);
        inner
    }

    fn title(&self, outer: Rect, buffer: &mut Buffer, theme: &Theme) {
        let room = usize::from(outer.width.saturating_sub(4));
        let title = format!(" {} ", clean(self.title));
        let title = cut(&title, room);
        let taken = width(&title);
        buffer.set_stringn(outer.x + 2, outer.y, &title, room, theme.style(Tint::Title));
        let note = clean(&self.note);
        let note = format!(" {note} ");
        let columns = width(&note);
        if !self.note.is_empty() && taken + columns < room {
            let x = outer.right().saturating_sub(2 + columns as u16);
            buffer.set_stringn(x, outer.y, &note, columns, theme.style(Tint::Dim));
        }
    }

    fn hints(&self, row: Rect, buffer: &mut Buffer, theme: &Theme) {
        let mut left = usize::from(row.width.saturating_sub(4));
        let mut spans = Vec::new();
        for (key, what) in self.hints {
            let text = format!(" {what} ");
            let columns = 1 + width(key) + width(&text);
            if columns > left {
                break;
            }
            left -= columns;
            spans.push(Span::styled(format!(" {key}"), theme.style(Tint::Key)));
            spans.push(Span::styled(text, theme.style(Tint::Dim)));
        }
        buffer.set_line(row.x + 2, row.y, &Line::from(spans), row.width.saturating_sub(4));
    }
}

/// A wide sign that reaches under the frame from the left would push the frame away.
fn split_no_wide_sign(outer: Rect, buffer: &mut Buffer) {
    let Some(x) = outer.x.checked_sub(1) else { return };
    for y in outer.top()..outer.bottom() {
        if let Some(cell) = buffer.cell_mut((x, y))
            && width(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
}

fn put(buffer: &mut Buffer, x: u16, y: u16, sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_symbol(sign).set_style(style);
    }
}

/// The lines that are seen of all, from the top of `area` on, and a mark in its right border if there are more.
pub(super) fn lines(area: Rect, buffer: &mut Buffer, all: &[Line<'_>], scroll: &Scroll, theme: &Theme) {
    let seen = scroll.fit(usize::from(area.height), all.len());
    for (line, row) in all[seen].iter().zip(area.rows()) {
        one(row, buffer, line);
    }
    mark(area, buffer, scroll, all.len(), theme);
}

/// One line in one row.
pub(super) fn one(row: Rect, buffer: &mut Buffer, line: &Line<'_>) {
    let row = row.intersection(buffer.area);
    if !row.is_empty() {
        buffer.set_line(row.x, row.y, line, row.width);
    }
}

/// A mark in the border to the right of `area` that shows which part of the whole is seen.
pub(super) fn mark(area: Rect, buffer: &mut Buffer, scroll: &Scroll, total: usize, theme: &Theme) {
    let rows = usize::from(area.height);
    if rows == 0 || total <= rows {
        return;
    }
    let length = (rows * rows / total).max(1);
    let from = (rows - length) * scroll.above() / (total - rows);
    for at in from..(from + length).min(rows) {
        put(buffer, area.right(), area.y + at as u16, theme.sign("█", "#"), theme.style(Tint::Title));
    }
}

/// A line from top to bottom.
pub(super) fn column(area: Rect, buffer: &mut Buffer, theme: &Theme) {
    for row in area.rows() {
        put(buffer, row.x, row.y, theme.sign("│", "|"), theme.style(Tint::Frame));
    }
}

/// A bar that is so many percent full.
pub(super) fn bar(percent: u64, columns: usize, theme: &Theme) -> String {
    // Something is never drawn as nothing.
    let full = (usize::try_from(percent.min(100)).unwrap_or(100) * columns).div_ceil(100);
    theme.sign("█", "#").repeat(full) + &theme.sign("░", ".").repeat(columns - full)
}

/// A text on one line, harmless, as far as it fits.
pub(super) fn brief(text: &str, columns: usize) -> String {
    // Of a long text only its beginning can be seen: a column takes four bytes of text at most, combining signs aside.
    let head = mind::limits::cut(text, columns.saturating_mul(4).saturating_add(16));
    let joined: Vec<&str> = head.split_whitespace().collect();
    cut(&clean(&joined.join(" ")), columns)
}
