//! What is typed, or where one is in time; and below it what keys do now.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::layout::Layout;
use super::put;
use crate::screen::{Mode, Screen, Time};
use crate::sight::{Seat, Sight};
use crate::text::clean::clean;
use crate::text::wrap::{cut, width};
use crate::theme::{Theme, Tint};
use crate::when;

/// Draws the input and the hint; says where the cursor is.
pub fn draw(
    screen: &Screen,
    sight: &Sight<'_>,
    places: &Layout,
    buffer: &mut Buffer,
    theme: &Theme,
) -> Option<Position> {
    hint(screen, sight, places.hint, buffer, theme);
    let area = places.input.intersection(buffer.area);
    if area.is_empty() {
        return None;
    }
    if let Some(note) = screen.note.as_deref().or(screen.draft.complaint()) {
        let text = cut(&clean(note).replace('\n', " "), usize::from(places.talk.width));
        let above = Rect { y: places.input.y.saturating_sub(1), height: 1, ..places.input };
        put(buffer, above, 0, &Line::styled(format!(" {text} "), theme.style(Tint::Warn)));
    }
    if let Some(time) = screen.time {
        put(buffer, area, 0, &time_line(time, sight, area.width, theme));
        return None;
    }
    if let Mode::Search(needle) = &screen.mode {
        let text = format!("/{needle}");
        put(buffer, area, 0, &Line::raw(text.clone()));
        return Some(Position::new(area.x + (width(&text) as u16).min(area.width - 1), area.y));
    }
    if !screen.can_speak(sight) {
        let over = "It is over: q leaves, < looks back.";
        put(buffer, area, 0, &Line::styled(over, theme.style(Tint::Dim)));
        return None;
    }
    let sign =
        Span::styled("> ", theme.style(if screen.mode == Mode::Insert { Tint::Key } else { Tint::Dim }));
    put(buffer, area, 0, &Line::from(sign));
    let text = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(2), ..area };
    if screen.draft.is_empty() && screen.mode != Mode::Insert {
        put(buffer, text, 0, &Line::styled("i: speak", theme.style(Tint::Dim)));
        return None;
    }
    if text.is_empty() {
        return None;
    }
    let cursor = screen.draft.draw(text, buffer, theme);
    if screen.mode != Mode::Insert {
        return None;
    }
    screen.draft.draw_names(text, buffer, sight.files, theme);
    Some(cursor)
}

/// Where one is in time.
fn time_line(time: Time, sight: &Sight<'_>, columns: u16, theme: &Theme) -> Line<'static> {
    let at = when::at(sight.now, sight.zone).strftime("%H:%M:%S").to_string();
    let sign = if time.playing { theme.sign("▶", ">") } else { theme.sign("‖", "=") };
    let left = format!("{sign} {at}  fact {} of {} ", sight.head, sight.last);
    let cells = usize::from(columns).saturating_sub(width(&left) + 1).min(60);
    let done = (sight.head as usize * cells).checked_div(sight.last as usize).unwrap_or(0).min(cells);
    Line::from(vec![
        Span::styled(left, theme.style(Tint::Title)),
        Span::styled(theme.sign("━", "=").repeat(done), theme.style(Tint::Key)),
        Span::styled(theme.sign("─", "-").repeat(cells - done), theme.style(Tint::Frame)),
    ])
}

/// What keys do now, as far as it fits.
fn hint(screen: &Screen, sight: &Sight<'_>, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    let past: &[(&str, &str)] =
        &[("<>", "step"), ("{}", "scene"), ("space", "play"), ("q", "leave"), ("?", "help")];
    let (mode, keys): (&str, &[(&str, &str)]) = match (screen.mode(sight), screen.time) {
        (_, Some(_)) if sight.seat == Seat::Replay => (" REPLAY ", past),
        (_, Some(_)) => {
            (" PAST ", &[("<>", "step"), ("{}", "scene"), ("space", "play"), ("Esc", "now"), ("?", "help")])
        }
        (Mode::Insert, None) => {
            (" INSERT ", &[("Enter", "send"), ("Esc", "keys"), ("Alt+Enter", "new line"), ("@", "file")])
        }
        (Mode::Search(_), None) => (" SEARCH ", &[("Enter", "find"), ("Esc", "back")]),
        (Mode::Normal, None) if !screen.can_speak(sight) => (
            " NORMAL ",
            &[
                ("q", "leave"),
                ("<", "past"),
                ("t", "quest"),
                ("s", "sessions"),
                ("o", "logbook"),
                ("?", "help"),
            ],
        ),
        (Mode::Normal, None) => (
            " NORMAL ",
            &[
                ("i", "speak"),
                ("d", "docket"),
                ("t", "quest"),
                ("s", "sessions"),
                ("o", "logbook"),
                ("<", "past"),
                ("?", "help"),
            ],
        ),
    };
    let mut spans = vec![Span::styled(mode.to_owned(), theme.style(Tint::Title))];
    let mut taken = width(mode);
    for (key, what) in keys {
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
