//! The column beside the conversation, where there is room: the scene above, the quest log below. The column of a
//! conducted mission is `podium`.

use mind::session::TaskStatus;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use view::mission::{tasks, tasks_done};

use super::put;
use crate::decoration::Scene;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

/// Draws the scene, if there is room for it above the rest; says what is left below.
pub(super) fn scene(area: Rect, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) -> Rect {
    let rows = Scene::rows(area, model, theme).min(area.height);
    Scene::draw(Rect { height: rows, ..area }, model, buffer, theme);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// Draws the quest log, the newest part of it if there is not room for all.
pub fn draw(area: Rect, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) {
    if area.height < 2 {
        return;
    }
    let tasks = tasks(model.state);
    let mut title = vec![Span::styled("Quest log", theme.style(Tint::Title))];
    if !tasks.is_empty() {
        title.push(Span::styled(format!("  {}", tasks_done(&tasks)), theme.style(Tint::Dim)));
    }
    put(buffer, area, 0, &Line::from(title));
    if tasks.is_empty() {
        put(buffer, area, 2, &Line::styled("No quest is written yet.", theme.style(Tint::Dim)));
        return;
    }
    let lines: Vec<Line<'static>> = tasks
        .iter()
        .flat_map(|view| {
            let (mark, tint) = match view.task.status {
                TaskStatus::Pending => ("[ ]", Tint::Words),
                TaskStatus::InProgress => ("[~]", Tint::Warn),
                TaskStatus::Done => (theme.sign("[✓]", "[x]"), Tint::Dim),
            };
            let text = format!("{mark} {}", view.title);
            wrap(vec![Span::styled(text, theme.style(tint))], area.width, 4)
        })
        .collect();
    let room = usize::from(area.height - 2);
    // What is done already makes room for what is not.
    let from = lines.len().saturating_sub(room);
    for (row, line) in lines[from..].iter().enumerate() {
        put(buffer, area, row as u16 + 2, line);
    }
}
