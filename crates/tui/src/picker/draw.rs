//! Draws the picker.

use std::sync::atomic::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation as _;
use view::clean::clean;

use super::room::Room;
use super::{Chosen, Picker, PickerFiles};
use crate::composer::{ending, rows};
use crate::finder;
use crate::text::markdown::markdown;
use crate::theme::{Theme, Tint};

const TITLE: &str = " THE ARBITER ";
const VOICE: &str = "Show me your requirements. What is to be made?";
const VOICE_SHORT: &str = "What is to be built?";
const WITHOUT: &str = "Begin without a file";
const KEYS: [(&str, &str); 5] = [
    ("Enter", "choose"),
    ("Esc", "leave"),
    ("Up/Down", "move"),
    ("type", "to find"),
    ("Alt+Up/Down", "read"),
];
/// How many bytes of a preview are laid out, besides what was scrolled past.
const PREVIEW_BYTES: usize = 8 * 1024;

/// Draws the page; says where the cursor is.
pub fn page(
    picker: &Picker,
    area: Rect,
    buffer: &mut Buffer,
    shelf: &PickerFiles<'_>,
    theme: &Theme,
) -> Option<Position> {
    let area = area.intersection(buffer.area);
    let room = Room::new(area);
    picker.rows_seen.store(room.list.height, Ordering::Relaxed);
    for position in area.positions() {
        buffer[position].reset();
    }
    frame(&room, buffer, theme);
    centred(
        if room.voice.width > 50 { VOICE } else { VOICE_SHORT },
        room.voice,
        buffer,
        theme.style(Tint::Dim),
    );
    list(picker, &room, buffer, shelf, theme);
    row(WITHOUT, &[], picker.chosen == Chosen::Without, room.without, buffer, theme);
    preview(picker, &room, buffer, shelf, theme);
    keys(room.keys, buffer, theme);
    query(picker, room.query, buffer, shelf, theme)
}

fn frame(room: &Room, buffer: &mut Buffer, theme: &Theme) {
    let frame = room.frame;
    let style = theme.style(Tint::Frame);
    if frame.width >= 2 && frame.height >= 2 {
        let (left, right, top, bottom) = (frame.left(), frame.right() - 1, frame.top(), frame.bottom() - 1);
        for (y, signs) in [(top, ("╔", "╗")), (bottom, ("╚", "╝"))] {
            bar(frame, y, signs, buffer, theme);
        }
        for y in top + 1..bottom {
            buffer.set_string(left, y, theme.sign("║", "|"), style);
            buffer.set_string(right, y, theme.sign("║", "|"), style);
        }
        for y in room.bars.into_iter().flatten() {
            bar(frame, y, ("╠", "╣"), buffer, theme);
        }
        centred(TITLE, Rect { height: 1, ..frame }, buffer, theme.style(Tint::Title));
    }
    let fence = room.fence;
    let is_upright = fence.width == 1;
    let sign = if is_upright { theme.sign("│", "|") } else { theme.sign("─", "-") };
    for position in fence.positions() {
        buffer.set_string(position.x, position.y, sign, style);
    }
    // The corner where two lines meet.
    if is_upright && room.bars[1] == Some(fence.bottom()) {
        buffer.set_string(fence.x, fence.bottom(), theme.sign("╧", "+"), style);
    } else if !fence.is_empty() && !is_upright {
        buffer.set_string(frame.left(), fence.y, theme.sign("╟", "+"), style);
        buffer.set_string(frame.right() - 1, fence.y, theme.sign("╢", "+"), style);
    }
}

/// One row of the frame.
fn bar(frame: Rect, y: u16, signs: (&'static str, &'static str), buffer: &mut Buffer, theme: &Theme) {
    let style = theme.style(Tint::Frame);
    for x in frame.left()..frame.right() {
        buffer.set_string(x, y, theme.sign("═", "="), style);
    }
    buffer.set_string(frame.left(), y, theme.sign(signs.0, "+"), style);
    buffer.set_string(frame.right() - 1, y, theme.sign(signs.1, "+"), style);
}

fn centred(text: &str, area: Rect, buffer: &mut Buffer, style: Style) {
    let spare = usize::from(area.width).saturating_sub(rows::columns(text)) / 2;
    if !area.is_empty() {
        buffer.set_stringn(area.x + spare as u16, area.y, text, usize::from(area.width) - spare, style);
    }
}

/// What is typed, and how much was found of how much.
fn query(
    picker: &Picker,
    area: Rect,
    buffer: &mut Buffer,
    shelf: &PickerFiles<'_>,
    theme: &Theme,
) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let walking = if shelf.whole { "" } else { theme.sign("…", "...") };
    let count = format!(" {} of {}{walking} ", picker.finder.count(), shelf.names.len());
    let wide = rows::columns(&count) as u16;
    let room = area.width.saturating_sub(wide);
    let typed = if room >= 8 {
        buffer.set_stringn(area.x + room, area.y, &count, usize::from(wide), theme.style(Tint::Dim));
        room
    } else {
        area.width
    };
    let (x, _) = buffer.set_stringn(area.x, area.y, " > ", usize::from(typed), theme.style(Tint::You));
    let room = usize::from((area.x + typed).saturating_sub(x));
    let (before, after) = picker.query.text().split_at(picker.query.cursor());
    // Of a long query, the end before the cursor is shown.
    let before = ending(before, room.saturating_sub(1), theme);
    let words = theme.style(Tint::Words);
    let (cursor, _) = buffer.set_stringn(x, area.y, before, room, words);
    buffer.set_stringn(cursor, area.y, after, usize::from((area.x + typed).saturating_sub(cursor)), words);
    if picker.query.text().is_empty() {
        let hint = "type to find a file";
        let room = room.saturating_sub(1);
        if rows::columns(hint) <= room {
            buffer.set_stringn(x + 1, area.y, hint, room, theme.style(Tint::Dim));
        }
    }
    Some(Position::new(cursor.min(area.right() - 1), area.y))
}

fn list(picker: &Picker, room: &Room, buffer: &mut Buffer, shelf: &PickerFiles<'_>, theme: &Theme) {
    let area = room.list;
    if picker.finder.count() == 0 && !area.is_empty() {
        let text = match (shelf.names.is_empty(), shelf.whole) {
            (true, true) => "There is no Markdown file here: begin without one.",
            (true, false) => "Searching for Markdown files.",
            (false, _) => "No file matches.",
        };
        let style = theme.style(Tint::Dim);
        let width = usize::from(area.width).saturating_sub(3);
        for (range, y) in
            rows::rows(text, area.width.saturating_sub(2)).into_iter().zip(area.top()..area.bottom())
        {
            buffer.set_stringn(area.x + 3.min(area.width - 1), y, &text[range], width, style);
        }
    }
    let top = picker.window(area.height);
    for (rank, y) in (top..picker.finder.count()).zip(area.top()..area.bottom()) {
        let Some(name) = picker.finder.hit(rank).and_then(|index| shelf.names.get(index)) else { continue };
        let shown = clean(name);
        // Letters are counted in the name as it is: a name that had to be cleaned is shown without them.
        let letters = if shown == **name { finder::letters(picker.query.text(), name) } else { Vec::new() };
        let line = Rect { y, height: 1, ..area };
        row(&shown, &letters, picker.chosen == Chosen::Rank(rank), line, buffer, theme);
    }
}

/// One row of the list: the folder matters less than the file, and the letters of the query stand out.
fn row(name: &str, letters: &[u32], chosen: bool, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let plain = if chosen { theme.style(Tint::Chosen) } else { theme.style(Tint::Words) };
    let folder = if chosen { plain } else { theme.style(Tint::Dim) };
    let stands_out = if chosen {
        plain.add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED))
    } else {
        theme.style(Tint::Found).remove_modifier(Modifier::REVERSED).add_modifier(Modifier::BOLD)
    };
    buffer.set_style(area, plain);
    let mark = if chosen { theme.sign(" ▸ ", " > ") } else { "   " };
    let (mut x, _) = buffer.set_stringn(area.x, area.y, mark, usize::from(area.width), plain);
    let room = usize::from(area.right().saturating_sub(x)).saturating_sub(1);
    let shown = ending(name, room, theme);
    let clusters: Vec<&str> = name.graphemes(true).collect();
    let shown: Vec<&str> = shown.graphemes(true).collect();
    let file = clusters.iter().rposition(|cluster| *cluster == "/").map_or(0, |at| at + 1);
    // A name that was cut keeps its end.
    let offset = clusters.len() as isize - shown.len() as isize;
    let cut = if rows::columns(name) <= room { 0 } else { rows::columns(theme.sign("…", "...")) };
    for (at, cluster) in shown.iter().enumerate() {
        let index = usize::try_from(at as isize + offset).unwrap_or(0);
        let found =
            at >= cut && u32::try_from(index).is_ok_and(|index| letters.binary_search(&index).is_ok());
        let style = if found {
            stands_out
        } else if index < file {
            folder
        } else {
            plain
        };
        (x, _) = buffer.set_stringn(x, area.y, cluster, usize::from(area.right().saturating_sub(x)), style);
    }
}

fn preview(picker: &Picker, room: &Room, buffer: &mut Buffer, shelf: &PickerFiles<'_>, theme: &Theme) {
    let area = room.preview;
    if area.is_empty() {
        return;
    }
    let (Some(text), Chosen::Rank(_), Some(_)) = (shelf.preview, picker.chosen, &picker.asked) else {
        return;
    };
    // Only as much is laid out as can be seen: a key must not wait for the end of a long text.
    let bytes = PREVIEW_BYTES + picker.preview_top.saturating_mul(usize::from(area.width));
    let text = &text[..text.floor_char_boundary(bytes)];
    let lines = markdown(text, area.width, theme);
    let end = lines.len().saturating_sub(usize::from(area.height));
    picker.preview_end.store(end, Ordering::Relaxed);
    let top = picker.preview_top.min(end);
    for (line, y) in lines.iter().skip(top).zip(area.top()..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

fn keys(area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let mut x = area.x.saturating_add(1);
    for (key, means) in KEYS {
        let wide = rows::columns(key) + 1 + rows::columns(means);
        if area.is_empty() || usize::from(area.right().saturating_sub(x)) < wide {
            return;
        }
        (x, _) = buffer.set_stringn(x, area.y, key, wide, theme.style(Tint::Key));
        (x, _) = buffer.set_stringn(x + 1, area.y, means, wide, theme.style(Tint::Dim));
        x = x.saturating_add(2);
    }
}
