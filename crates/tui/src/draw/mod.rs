//! The main screen, drawn from the sight and from what the person has made of the screen. More room shows more.

pub mod clockwork;
mod conductor;
mod foot;
pub mod frame;
pub mod gauges;
mod head;
pub mod layout;
mod parting;
pub mod side;
mod talk;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::decoration::Scene;
use crate::overlay::{self, Overlay};
use crate::screen::Screen;
use crate::theme::{Signs, Theme, Tint};
use crate::transcript::Kept;
use crate::view_model::ViewModel;

/// Draws everything; says where the cursor is, if one types.
pub fn draw(
    screen: &Screen,
    model: &ViewModel<'_>,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
    kept: &mut Kept,
) -> Option<Position> {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return None;
    }
    let cursor = draw_whole(screen, model, area, buffer, theme, kept);
    purge(area, buffer);
    if theme.signs == Signs::Ascii {
        spell(area, buffer);
    }
    cursor
}

fn draw_whole(
    screen: &Screen,
    model: &ViewModel<'_>,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
    kept: &mut Kept,
) -> Option<Position> {
    let mut places = layout::layout(area, screen, model);
    frame::draw(&places, buffer, theme);
    if let Some(aside) = &mut places.side {
        *aside = side::scene(*aside, model, buffer, theme);
    }
    head::draw(&places, model, buffer, theme);
    talk::draw(screen, model, places.talk, buffer, theme, kept);
    if let Some(conducted) = &model.state.conductor {
        conductor::draw(&places, conducted, model, buffer, theme);
    } else {
        gauges::draw(places.gauges, model, buffer, theme);
        if let Some(aside) = places.side {
            side::draw(aside, model, buffer, theme);
        }
    }
    let cursor = foot::draw(screen, model, &places, buffer, theme);
    if let Some(asked) = screen.asked {
        parting::draw(asked, screen, area, model, buffer, theme);
        return None;
    }
    match &screen.overlay {
        Some(page) => {
            let place = page_area(page, area);
            let cursor = page.draw(place, buffer, model, theme);
            if !matches!(page, Overlay::Docket(_)) && model.waits > 0 {
                wanted(place, model, buffer, theme);
            }
            if let Some(note) = &screen.note {
                foot::remark(note, place, buffer, theme);
            }
            cursor
        }
        None => cursor,
    }
}

/// Where a page stands. The scene takes everything: half a stage behind another would be a muddle.
pub(crate) fn page_area(page: &Overlay, area: Rect) -> Rect {
    if matches!(page, Overlay::Scene(_)) { area } else { layout::page(area) }
}

/// Whether the scene is on the screen now, and time can change it: its tiles beside the conversation or on their own page,
/// or words on that page that hold for a moment only.
pub fn scene_shown(screen: &Screen, model: &ViewModel<'_>, area: Rect, theme: &Theme) -> bool {
    match &screen.overlay {
        Some(Overlay::Scene(_)) => {
            Scene::is_passing(model) || overlay::scene::has_picture(area, model, theme)
        }
        Some(
            Overlay::Help(_)
            | Overlay::Logbook(_)
            | Overlay::Quest(_)
            | Overlay::Sessions(_)
            | Overlay::Docket(_),
        ) => false,
        None => {
            let side = layout::layout(area, screen, model).side;
            side.is_some_and(|side| Scene::rows(side, model, theme) > 0)
        }
    }
}

/// Replaces what is not ASCII. A terminal of another encoding reads our bytes one by one: some of them would not even be
/// letters to it, but commands.
fn spell(area: Rect, buffer: &mut Buffer) {
    for place in area.positions() {
        let Some(cell) = buffer.cell_mut(place).filter(|cell| !cell.symbol().is_ascii()) else { continue };
        let first = cell.symbol().chars().next();
        let sign = match first {
            // The letter is left, the marks on it are not.
            Some(letter) if letter.is_ascii() => letter,
            Some('…') => '~',
            Some(_) | None => '?',
        };
        cell.set_char(sign);
    }
}

/// Texts are made harmless where they are drawn. Should one be forgotten, it ends here.
fn purge(area: Rect, buffer: &mut Buffer) {
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position)
            && cell.symbol().chars().any(is_harmful)
        {
            cell.set_symbol(" ");
        }
    }
}

fn is_harmful(sign: char) -> bool {
    sign.is_control() || sign >= '\u{7f}' && view::clean::is_hidden(sign)
}

/// A person who reads a page is told too that something waits.
fn wanted(page: Rect, model: &ViewModel<'_>, buffer: &mut Buffer, theme: &Theme) {
    let text = format!(" {} ", view::status::waiting_words(model.waits));
    let columns = (text.len() as u16).min(page.width.saturating_sub(2));
    let corner = Rect { x: page.right() - 1 - columns, y: page.bottom() - 1, width: columns, height: 1 };
    put(buffer, corner, 0, &Line::styled(text, theme.style(Tint::Wanted)));
}

/// Writes a line into a row of the area, no further than it reaches.
pub(crate) fn put(buffer: &mut Buffer, area: Rect, row: u16, line: &ratatui::text::Line<'_>) {
    let area = area.intersection(buffer.area);
    if row < area.height {
        line.render(Rect { y: area.y + row, height: 1, ..area }, buffer);
    }
}
