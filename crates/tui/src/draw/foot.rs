//! What is typed, or where one is in time; and below it what keys do now.

use mind::charter::Way;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};
use view::clean::clean;
use view::status::waiting_words;
use view::when;

use super::layout::Layout;
use super::put;
use crate::screen::{KeyMode, Screen, Time};
use crate::text::wrap::{plain, width};
use crate::theme::{Theme, Tint};
use crate::view_model::{Attachment, ViewModel};

/// Draws the input and the hint; says where the cursor is.
pub fn draw(
    screen: &Screen,
    model: &ViewModel<'_>,
    places: &Layout,
    buffer: &mut Buffer,
    theme: &Theme,
) -> Option<Position> {
    hint(screen, model, places.hint, buffer, theme);
    let area = places.input.intersection(buffer.area);
    if area.is_empty() {
        return None;
    }
    if let Some(note) = screen.note.as_deref().or(screen.draft.complaint()) {
        let above = Rect { height: area.y.saturating_sub(places.area.y) + 1, ..places.area };
        remark(note, above, buffer, theme);
    }
    if let KeyMode::Search(needle) = &screen.mode {
        let text = format!("/{}", clean(needle));
        put(buffer, area, 0, &Line::raw(text.clone()));
        return Some(Position::new(area.x + (width(&text) as u16).min(area.width - 1), area.y));
    }
    if let Some(time) = screen.time {
        put(buffer, area, 0, &time_line(time, model, area.width, theme));
        return None;
    }
    if !screen.can_speak(model) && *screen.mode(model) != KeyMode::Insert {
        let over = "It is over: q leaves, < looks back.";
        put(buffer, area, 0, &Line::styled(over, theme.style(Tint::Dim)));
        return None;
    }
    let text = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(2), ..area };
    let tint = if screen.mode == KeyMode::Insert { Tint::Key } else { Tint::Dim };
    // A text that is taller than its place says so.
    let sign = if screen.draft.hidden_above(text) > 0 { theme.sign("▲ ", "^ ") } else { "> " };
    put(buffer, area, 0, &Line::styled(sign, theme.style(tint)));
    if screen.draft.is_empty() && screen.mode != KeyMode::Insert {
        put(buffer, text, 0, &Line::styled("i: speak", theme.style(Tint::Dim)));
        return None;
    }
    if text.is_empty() {
        return None;
    }
    let cursor = screen.draft.draw(text, buffer, theme);
    if screen.mode != KeyMode::Insert {
        return None;
    }
    screen.draft.draw_names(text, buffer, model.files, theme);
    Some(cursor)
}

/// Tells something in the lowest rows of an area, over whatever stands there, until the next key.
pub(super) fn remark(note: &str, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let columns = area.width.saturating_sub(4);
    let lines = plain(&clean(note).replace('\n', " "), columns, theme.style(Tint::Warn));
    let rows = (lines.len() as u16).min(area.height.saturating_sub(1));
    // The line around the area stays.
    let lowest =
        Rect { x: area.x + 2, y: area.bottom().saturating_sub(rows + 1), width: columns, height: rows };
    Clear.render(lowest.intersection(buffer.area), buffer);
    for (row, line) in lines.iter().enumerate() {
        put(buffer, lowest, row as u16, line);
    }
}

/// Where one is in time.
fn time_line(time: Time, model: &ViewModel<'_>, columns: u16, theme: &Theme) -> Line<'static> {
    let at = when::at(model.now, model.zone).strftime("%H:%M:%S").to_string();
    let sign = if time.playing { theme.sign("▶", ">") } else { theme.sign("‖", "=") };
    let left = format!("{sign} {at}  fact {} of {} ", model.head, model.last);
    let now = match model.waits {
        waits if waits > 0 && model.seat != Attachment::Replay => {
            format!(" {} now ", waiting_words(waits))
        }
        _ => String::new(),
    };
    let cells = usize::from(columns).saturating_sub(width(&left) + width(&now) + 1).min(60);
    let done = (model.head as usize * cells).checked_div(model.last as usize).unwrap_or(0).min(cells);
    Line::from(vec![
        Span::styled(left, theme.style(Tint::Title)),
        Span::styled(theme.sign("━", "=").repeat(done), theme.style(Tint::Key)),
        Span::styled(theme.sign("─", "-").repeat(cells - done), theme.style(Tint::Frame)),
        Span::styled(now, theme.style(Tint::Wanted)),
    ])
}

/// Keys, and what they do.
type Keys = &'static [(&'static str, &'static str)];

const REPLAY: Keys =
    &[("<>", "step"), ("{}", "chapter"), ("space", "play"), ("v", "scene"), ("q", "leave"), ("?", "help")];
const PAST: Keys =
    &[("<>", "step"), ("{}", "chapter"), ("space", "play"), ("v", "scene"), ("Esc", "now"), ("?", "help")];
const INSERT: Keys =
    &[("Enter", "send"), ("Esc", "keys"), ("Alt+Enter", "new line"), ("@", "file"), ("/", "commands")];
const WANTED: Keys = &[("Enter", "send"), ("Esc d", "docket"), ("Alt+Enter", "new line"), ("/", "commands")];
const SEARCH: Keys = &[("Enter", "find"), ("Esc", "back")];
const OVER: Keys = &[
    ("q", "leave"),
    ("?", "help"),
    ("<", "past"),
    ("t", "quest"),
    ("v", "scene"),
    ("s", "sessions"),
    ("o", "logbook"),
];
const NORMAL: Keys = &[
    ("i", "speak"),
    ("?", "help"),
    ("d", "docket"),
    ("t", "quest"),
    ("v", "scene"),
    ("s", "sessions"),
    ("<", "past"),
    ("q", "leave"),
    ("o", "logbook"),
];

/// What keys do now, as far as it fits.
fn hint(screen: &Screen, model: &ViewModel<'_>, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let beside = model.seat == Attachment::Beside;
    let (mode, keys) = match (screen.mode(model), screen.time) {
        (KeyMode::Search(_), _) => (" SEARCH ", SEARCH),
        (_, Some(_)) if model.seat == Attachment::Replay => (" REPLAY ", REPLAY),
        (_, Some(_)) => (" PAST ", PAST),
        (KeyMode::Insert, None) => {
            let mode = if beside { " ATTACHED " } else { " INSERT " };
            (mode, if model.waits > 0 { WANTED } else { INSERT })
        }
        (KeyMode::Normal, None) => {
            let mode = if beside { " ATTACHED " } else { " NORMAL " };
            (mode, if screen.can_speak(model) { NORMAL } else { OVER })
        }
    };
    let mut spans = vec![Span::styled(mode.to_owned(), theme.style(Tint::Title))];
    let mut taken = width(mode);
    let conducted = model.state.way() == Way::Conductor;
    for (key, what) in keys {
        let what = if conducted && *what == "quest" { &"plan" } else { what };
        let more = width(key) + width(what) + 3;
        if taken + more > usize::from(area.width) {
            continue;
        }
        taken += more;
        spans.push(Span::styled(format!(" {key}"), theme.style(Tint::Key)));
        spans.push(Span::styled(format!(" {what} "), theme.style(Tint::Dim)));
    }
    put(buffer, area, 0, &Line::from(spans));
}
