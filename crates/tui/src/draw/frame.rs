//! Lines around things.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::Layout;
use crate::theme::{Signs, Theme, Tint};

/// The signs of a frame.
struct Set {
    across: &'static str,
    down: &'static str,
    corners: [&'static str; 4],
    tees: [&'static str; 2],
}

const DOUBLE: Set =
    Set { across: "═", down: "║", corners: ["╔", "╗", "╚", "╝"], tees: ["╠", "╣"] };
const ASCII: Set = Set { across: "=", down: "|", corners: ["+", "+", "+", "+"], tees: ["+", "+"] };

fn set(theme: &Theme) -> &'static Set {
    match theme.signs {
        Signs::Unicode => &DOUBLE,
        Signs::Ascii => &ASCII,
    }
}

/// Draws the lines of the main screen.
pub fn draw(places: &Layout, buffer: &mut Buffer, theme: &Theme) {
    if !places.framed {
        return;
    }
    let set = set(theme);
    let style = theme.style(Tint::Frame);
    around(places.area, buffer, theme);
    let (left, right) = (places.area.x, places.area.x + places.area.width - 1);
    for row in &places.rules {
        across(buffer, left, right, *row, set.across, style);
        sign(buffer, left, *row, set.tees[0], style);
        sign(buffer, right, *row, set.tees[1], style);
    }
    if let Some(side) = places.side {
        let bar = theme.sign("│", "|");
        for row in side.y..side.y + side.height {
            sign(buffer, side.x.saturating_sub(2), row, bar, style);
        }
    }
}

/// Draws a frame along the edge of an area.
pub fn around(area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let area = area.intersection(buffer.area);
    if area.width < 2 || area.height < 2 {
        return;
    }
    let set = set(theme);
    let style = theme.style(Tint::Frame);
    let (left, right) = (area.x, area.x + area.width - 1);
    let (top, bottom) = (area.y, area.y + area.height - 1);
    across(buffer, left, right, top, set.across, style);
    across(buffer, left, right, bottom, set.across, style);
    for row in top..=bottom {
        sign(buffer, left, row, set.down, style);
        sign(buffer, right, row, set.down, style);
    }
    for (place, corner) in
        [(left, top), (right, top), (left, bottom), (right, bottom)].into_iter().zip(set.corners)
    {
        sign(buffer, place.0, place.1, corner, style);
    }
}

fn across(buffer: &mut Buffer, left: u16, right: u16, row: u16, line: &str, style: Style) {
    for column in left..=right {
        sign(buffer, column, row, line, style);
    }
}

fn sign(buffer: &mut Buffer, column: u16, row: u16, sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut((column, row)) {
        cell.set_symbol(sign).set_style(style);
    }
}
