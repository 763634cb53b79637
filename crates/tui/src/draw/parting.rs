//! Whoever leaves is asked once.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::offer::{self, Offer};
use crate::sight::Sight;
use crate::theme::Theme;

/// Draws the question in the middle.
pub fn draw(area: Rect, sight: &Sight<'_>, buffer: &mut Buffer, theme: &Theme) {
    let id = sight.state.charter.as_ref().map(|charter| charter.mission.to_string()).unwrap_or_default();
    let text = format!("Leave? The mission rests, and nothing is lost:\n`arbiter resume {id}` goes on.");
    let keys = [("y", "leaves"), ("n", "stays"), ("Ctrl+C", "leaves at once")];
    offer::draw(&Offer { text: &text, keys: &keys }, area, buffer, theme);
}
