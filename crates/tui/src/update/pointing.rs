//! Handles the mouse.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use view::story::Piece;

use super::{InputContext, reading};
use crate::screen::{KeyMode, Screen};
use crate::transcript::pieces;
use crate::transcript::view::TalkWindow;
use crate::ui_command::UiCommand;

/// How many lines a notch of the wheel moves.
const NOTCH: isize = 3;

pub(super) fn point(screen: &mut Screen, desk: &mut InputContext<'_>, mouse: MouseEvent) -> Vec<UiCommand> {
    if screen.asked.is_some() {
        return Vec::new();
    }
    if let Some(page) = &mut screen.overlay {
        let reply = page.mouse(mouse, crate::draw::page_area(page, desk.area), &desk.model, desk.theme);
        return super::turn_page(screen, reply);
    }
    if mouse.kind == MouseEventKind::ScrollUp {
        reading::scroll_by(screen, desk, |_| -NOTCH);
    } else if mouse.kind == MouseEventKind::ScrollDown {
        reading::scroll_by(screen, desk, |_| NOTCH);
    } else if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
        screen.note = None;
        click(screen, desk, Position::new(mouse.column, mouse.row));
    }
    Vec::new()
}

/// A click on a fold turns it, on what waits opens the docket, on the input begins to type.
fn click(screen: &mut Screen, desk: &mut InputContext<'_>, at: Position) {
    let places = reading::places(screen, desk);
    if places.input.contains(at) && screen.can_speak(&desk.model) {
        screen.mode = KeyMode::Insert;
    } else if places.gauges.contains(at) && crate::draw::clockwork::waiting_here(&desk.model) > 0 {
        super::open_docket(screen);
    } else if places.talk.contains(at) {
        let size = (places.talk.width, places.talk.height);
        let view = TalkWindow::new(screen, &desk.model, size, desk.theme);
        let seen = view.seen(desk.kept);
        let item = seen.get(usize::from(at.y - places.talk.y)).map(|seen| seen.item);
        let asks = item.and_then(|index| view.item(index)).is_some_and(|item| match &item.piece {
            Piece::Permission { id, .. } => pieces::is_open(*id, &desk.model),
            Piece::Message(_) | Piece::Remarks(_) | Piece::Tools { .. } => false,
        });
        if asks {
            super::open_docket(screen);
            return;
        }
        let turned = item.and_then(|index| {
            let item = view.item(index)?;
            pieces::can_turn(item, &desk.model, view.look(index)).then_some(item.seq)
        });
        if let Some(seq) = turned {
            reading::toggle(screen, seq);
        }
    }
}
