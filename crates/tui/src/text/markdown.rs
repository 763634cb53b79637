//! Markdown as lines of the screen.

use ratatui::text::Line;

use crate::theme::Theme;

/// The lines of a text at a width.
pub fn markdown(text: &str, _columns: u16, _theme: &Theme) -> Vec<Line<'static>> {
    text.lines().map(|line| Line::from(line.to_owned())).collect()
}
