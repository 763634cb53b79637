//! The program's name at the top, the mission's id and requirements, and the phase of a conducted mission.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::clean::clean;
use view::conducted::phase_word;

use super::layout::Layout;
use super::put;
use crate::text::wrap::{cut, width};
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

const NAME: &str = "THE ARBITER";
const MOTTO: &str = "OF THAT WHICH WAS, THAT WHICH IS, AND THAT WHICH SHALL COME TO BE";

/// Draws the name; on a low terminal in the line at the top.
pub fn draw(places: &Layout, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) {
    let title = theme.style(Tint::Title);
    match places.head {
        Some(area) => {
            put(buffer, area, 0, &Line::styled(NAME, title).centered());
            let motto = if width(MOTTO) <= usize::from(area.width) { MOTTO } else { "" };
            put(buffer, area, 1, &Line::styled(motto, theme.style(Tint::Dim)).centered());
        }
        None if places.framed => {
            let name = format!(" {NAME} ");
            let left = places.area.width.saturating_sub(width(&name) as u16) / 2;
            let area = Rect { x: places.area.x + left, width: places.area.width - left, ..places.area };
            put(buffer, area, 0, &Line::styled(name, title));
            return;
        }
        None => return,
    }
    mission(places.area, model, buffer, theme);
}

/// The mission's name in the line at the top.
fn mission(area: Rect, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) {
    let Some(charter) = &model.state.charter else { return };
    let text = format!(
        " {} {} ",
        clean(&charter.mission.to_string()),
        clean(&charter.scroll.name).replace('\n', " ")
    );
    let phase = phase_word(model.state).map(|word| format!(" conductor: {word} ")).unwrap_or_default();
    let room = Rect { x: area.x + 2, width: area.width.saturating_sub(4), ..area };
    let text = cut(&text, usize::from(room.width).saturating_sub(width(&phase) + 2));
    put(buffer, room, 0, &Line::from(Span::styled(text, theme.style(Tint::Dim))));
    let columns = (width(&phase) as u16).min(room.width);
    let right = Rect { x: room.right() - columns, width: columns, ..room };
    put(buffer, right, 0, &Line::from(Span::styled(phase, theme.style(Tint::Title))));
}
