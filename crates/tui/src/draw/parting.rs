//! The question before the person leaves or cancels: neither is done without a second key.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::{Confirmation, Screen};
use crate::theme::Theme;
use crate::view_model::{Attachment, ViewModel};
use crate::yes_no::{self, YesNoPane};

/// Draws the question in the middle.
pub fn draw(
    asked: Confirmation,
    screen: &Screen,
    area: Rect,
    model: &ViewModel<'_>,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let id = model.state.charter.as_ref().map(|charter| charter.mission.to_string()).unwrap_or_default();
    let (text, keys): (String, &[(&str, &str)]) = match asked {
        Confirmation::Leave => {
            // Only what was sent is written down.
            let draft = if screen.draft.is_empty() { "" } else { "\nWhat you typed was not sent, and goes." };
            let rests = if model.seat == Attachment::House && !model.over {
                format!(" The mission stops; `arbiter resume {id}` continues.")
            } else {
                String::new()
            };
            let text = format!("Leave?{rests}{draft}");
            (text, &[("y", "leaves"), ("n", "stays"), ("Ctrl+C", "leaves at once")])
        }
        Confirmation::Cancel => {
            let text = "Cancel? The mission ends for good. Its work stays where it is.".to_owned();
            (text, &[("y", "ends it"), ("n", "goes on")])
        }
    };
    yes_no::draw(&YesNoPane { text: &text, keys }, area, buffer, theme);
}
